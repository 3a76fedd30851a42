import { readFileSync } from 'node:fs';
import { systemClock } from '@tillbridge/protocol/platform/system-clock.js';
import { systemRandom } from '@tillbridge/protocol/platform/system-random.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { loadConfig } from '../config/config.js';
import { prepareHome } from '../home/home.js';
import { openHomeStore } from '../home/open-store.js';
import { type RoutingRule, RoutingRulesError, readRoutingRules } from '../payments/decide/routing-rules.js';
import type { EntityRow } from '../store/rows.js';
import {
  createEntity,
  type EntityDeps,
  EntityError,
  listEntities,
  routingRules,
  setRoutingRules,
} from './entities.js';
import { configOption } from './token-commands.js';

interface ConfigOption {
  readonly config?: string;
}

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
The first rule that a payment meets gives it to its channel; a list that a rule does not have asks for nothing. A file of rules:
  [{"channelId": "<id>", "currencies": ["EUR"], "brands": ["VISA", "MASTER"], "countries": ["DE"]}, {"channelId": "<id>"}]
Currency: of the payment. Brand: paymentBrand, else the card's. Country: billing.country. No rule fits: 600.200.500.`;

/** Largest file of rules, in bytes. */
const MAX_RULES_BYTES = 1_048_576;

/** `entity create | list | routing`. */
export function addEntityCommands(program: Command): void {
  const entity = program
    .command('entity')
    .description('Merchants, their channels, and who takes which payment.');
  entity
    .command('create')
    .description('Make a merchant, or a channel of one, and print it.')
    .requiredOption('--name <text>', 'for people, and on the shopper’s statement', entityName)
    .option('--merchant <id>', 'the merchant whose channel it is; without it a merchant is made')
    .addOption(
      new Option('--compatibility <kind>', 'legacy takes what older clients send')
        .choices(['specification', 'legacy'])
        .default('specification'),
    )
    .addOption(configOption())
    .action(({ name, merchant, compatibility, ...options }: CreateOptions) =>
      withEntities(options, async (deps) =>
        createEntity(deps, { name, compatibility, ...(merchant !== undefined && { merchantId: merchant }) }),
      ),
    );
  entity
    .command('list')
    .description('List the merchants and their channels.')
    .addOption(configOption())
    .action((options: ConfigOption) => withEntities(options, ({ store }) => listEntities(store)));
  entity
    .command('routing <merchant>')
    .description('Print the rules that routing a merchant’s payments to its channels, or set them.')
    .option('--rules <file>', 'put the rules of this JSON file in their place')
    .option('--none', 'take the rules away: the merchant’s payments stay its own')
    .addHelpText('after', RULES_HELP)
    .addOption(configOption())
    .action((merchant: string, options: RoutingOptions) =>
      withEntities(options, async ({ store }) => {
        const rules = rulesOf(options);
        if (rules) await setRoutingRules(store, merchant, rules);
        return routingRules(store, merchant);
      }),
    );
}

function rulesOf({ rules, none }: RoutingOptions): readonly RoutingRule[] | undefined {
  if (rules !== undefined && none) throw new EntityError('--rules and --none exclude each other');
  if (rules === undefined) return none ? [] : undefined;
  try {
    const text = readFileSync(rules, 'utf8');
    if (text.length > MAX_RULES_BYTES)
      throw new EntityError(`${rules} is larger than ${MAX_RULES_BYTES} bytes`);
    return readRoutingRules(text);
  } catch (error) {
    if (error instanceof EntityError) throw error;
    if (error instanceof RoutingRulesError) throw new EntityError(`${rules}: ${error.message}`);
    throw new EntityError(
      `${rules} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    );
  }
}

function entityName(value: string): string {
  if (/^[^\p{Cc}]{1,100}$/u.test(value)) return value;
  throw new InvalidArgumentError('Expected 1 to 100 printable characters.');
}

async function withEntities(
  { config: file }: ConfigOption,
  work: (deps: EntityDeps) => Promise<EntityRow | readonly EntityRow[] | readonly RoutingRule[]>,
): Promise<void> {
  const config = loadConfig(file, process.env);
  prepareHome(config.home);
  const store = await openHomeStore(config);
  try {
    const made = await work({ store, clock: systemClock, random: systemRandom });
    process.stdout.write(`${JSON.stringify(made, undefined, 2)}\n`);
  } finally {
    await store.close();
  }
}
