import { readSmallFile } from '@tillbridge/protocol/platform/read-file.js';
import { systemClock } from '@tillbridge/protocol/platform/system-clock.js';
import { systemRandom } from '@tillbridge/protocol/platform/system-random.js';
import { present } from '@tillbridge/protocol/present.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { prepareHome } from '../home/home.js';
import { type RoutingRule, RoutingRulesError, readRoutingRules } from '../payments/decide/routing-rules.js';
import type { EntityRow } from '../store/rows.js';
import { createEntity, type EntityDeps, listEntities, routingRules, setRoutingRules } from './entities.js';
import { addCommand, type ConfigOption, configOf, printJson, withHomeStore } from './gateway-command.js';
import { OperatorError } from './operator-error.js';

interface CreateOptions extends ConfigOption {
  readonly name: string;
  readonly merchant?: string;
  readonly compatibility: EntityRow['compatibility'];
}

interface RoutingOptions extends ConfigOption {
  readonly rules?: string;
  readonly none?: true;
}

/** Example of a file of rules, for `--help`. */
const RULES_HELP = `
The first rule that fits a payment names its channel; a list that a rule leaves out fits every payment. A file of rules:
  [{"channelId": "<id>", "currencies": ["EUR"], "brands": ["VISA", "MASTER"], "countries": ["DE"]}, {"channelId": "<id>"}]
Currency: of the payment. Brand: paymentBrand, else the card's. Country: billing.country. No rule fits: 600.200.500.`;

/** Largest file of rules, in bytes. */
const MAX_RULES_BYTES = 1_048_576;

/** `entity create | list | routing`. */
export function addEntityCommands(program: Command): void {
  const entity = program
    .command('entity')
    .description('Merchants, their channels, and the routing of payments to channels.');
  addCommand(entity, 'create', 'Create a merchant, or a channel of one, and print it.')
    .requiredOption('--name <text>', 'for people, and on the shopper’s statement', entityName)
    .option('--merchant <id>', 'the merchant of a new channel; without it a merchant is created')
    .addOption(
      new Option('--compatibility <kind>', 'legacy accepts what older clients send')
        .choices(['specification', 'legacy'])
        .default('specification'),
    )
    .action(({ name, merchant, compatibility, ...options }: CreateOptions) =>
      withEntities(options, (deps) =>
        createEntity(deps, { name, compatibility, ...present({ merchantId: merchant }) }),
      ),
    );
  addCommand(entity, 'list', 'List the merchants and their channels.').action((options: ConfigOption) =>
    withEntities(options, ({ store }) => listEntities(store)),
  );
  addCommand(
    entity,
    'routing <merchant>',
    'Print the rules by which a merchant’s payments are routed to its channels, or set them.',
  )
    .option('--rules <file>', 'replace the rules by those of this JSON file')
    .option('--none', 'remove the rules: the merchant’s payments stay its own')
    .addHelpText('after', RULES_HELP)
    .action((merchant: string, options: RoutingOptions) =>
      withEntities(options, async ({ store }) => {
        const rules = rulesOf(options);
        if (rules) await setRoutingRules(store, merchant, rules);
        return routingRules(store, merchant);
      }),
    );
}

function rulesOf({ rules, none }: RoutingOptions): readonly RoutingRule[] | undefined {
  if (rules !== undefined && none) throw new OperatorError('--rules and --none exclude each other');
  if (rules === undefined) return none ? [] : undefined;
  try {
    const refuse = (reason: string) => new OperatorError(`${rules} ${reason}`);
    return readRoutingRules(readSmallFile(rules, MAX_RULES_BYTES, refuse).toString());
  } catch (error) {
    if (error instanceof RoutingRulesError) throw new OperatorError(`${rules}: ${error.message}`);
    throw error;
  }
}

function entityName(value: string): string {
  if (/^[^\p{Cc}]{1,100}$/u.test(value)) return value;
  throw new InvalidArgumentError('Expected 1 to 100 printable characters.');
}

async function withEntities(
  options: ConfigOption,
  work: (deps: EntityDeps) => Promise<unknown>,
): Promise<void> {
  const config = configOf(options);
  prepareHome(config.home);
  const deps = { clock: systemClock, random: systemRandom };
  printJson(await withHomeStore(config, (store) => work({ store, ...deps })));
}
