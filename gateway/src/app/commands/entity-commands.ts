import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { readSmallFile } from '@tillbridge/platform/read-file.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { present } from '@tillbridge/wire/present.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { appSchemesOf, setAppSchemes } from '../../core/entities/app-schemes.js';
import {
  createEntity,
  type EntityDeps,
  isThreeDSecureOn,
  listEntities,
  requireEntity,
  routingRules,
  setRoutingRules,
  setStorePolicy,
  setThreeDSecure,
  storePolicy,
} from '../../core/entities/entities.js';
import {
  readStorePolicy,
  StorePolicyError,
  showStorePolicy,
} from '../../core/payments/policy/store-policy.js';
import {
  type RoutingRule,
  RoutingRulesError,
  readRoutingRules,
} from '../../core/payments/routing/routing-rules.js';
import { addCommand, type ConfigOption, withHomeStore } from '../../kernel/commands/command.js';
import { prepareHome } from '../../kernel/data-folder/home.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import type { EntityRow } from '../../kernel/store/rows.js';
import { configOf } from '../configuration/read-config.js';

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

/** Largest file of rules or of a policy, in bytes. */
const MAX_FILE_BYTES = 1_048_576;

/** Example of a file of a policy, for `--help`. */
const POLICY_HELP = `
What the stores of a merchant or channel may do; a channel without a policy has that of its merchant. A file, each part optional:
  {"offline": {"limits": {"EUR": {"perSale": "50.00", "sum": "500.00"}}, "maxCount": 60, "maxAgeHours": 24,
               "deferred": {"limits": {"EUR": {"perSale": "25.00", "sum": "100.00"}}, "maxCount": 10}},
   "unlinkedRefunds": false, "ceilings": {"EUR": "5000.00"}, "maxTipPercent": 25, "cashBack": {"EUR": "200.00"}}
Sum and count are of one terminal's unconfirmed sales. Currencies that limits leave out are never sold offline. Without
maxTipPercent no tips are taken; in a currency that cashBack leaves out no cash is given back. Nothing lifts the compiled maxima.
Agents receive a change at once, and apply the stricter of it and their own configuration.`;

const THREE_D_SECURE_HELP = `
Where it is on, cardholders are authenticated on payments with a card that they typed in (gateway/docs/three-d-secure.md). The gateway needs
\`directoryServerUrl\`. A running gateway takes the change with the next payment.`;

const SCHEMES_HELP = `
shopperResultUrl may be https or http, or a scheme of this list: a name in reverse that the merchant's app has for itself (RFC 8252). A channel
without schemes has those of its merchant. A running gateway takes the change within seconds.`;

/** `entity create | list | routing | three-d-secure | app-schemes | policy`. */
export function addEntityCommands(entity: Command): void {
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
  addCommand(
    entity,
    'three-d-secure <entity>',
    'Print whether 3D Secure is active for a merchant or channel, or switch it.',
  )
    .addOption(new Option('--set <state>', 'switch it').choices(['on', 'off']))
    .addHelpText('after', THREE_D_SECURE_HELP)
    .action((id: string, { set, ...options }: ConfigOption & { set?: 'on' | 'off' }) =>
      withEntities(options, async ({ store }) => {
        if (set !== undefined) await setThreeDSecure(store, id, set === 'on');
        return { entityId: id, threeDSecure: (await isThreeDSecureOn(store, id)) ? 'on' : 'off' };
      }),
    );
  addSettingCommands(entity);
}

function addSettingCommands(entity: Command): void {
  addCommand(
    entity,
    'app-schemes <entity>',
    'Print the schemes of apps that shoppers of a merchant or channel may be sent back to, or set them.',
  )
    .option('--set <schemes...>', 'replace them by these, such as com.example.shop')
    .option('--none', 'let no app be opened')
    .addHelpText('after', SCHEMES_HELP)
    .action((id: string, { set, none, ...options }: ConfigOption & { set?: string[]; none?: true }) =>
      withEntities(options, async ({ store }) => {
        if (set !== undefined && none) throw new OperatorError('--set and --none exclude each other');
        if (set !== undefined || none) await setAppSchemes(store, id, set ?? []);
        await requireEntity(store, id);
        return { entityId: id, appSchemes: await appSchemesOf(store, id) };
      }),
    );
  addCommand(entity, 'policy <entity>', 'Print what the stores of a merchant or channel may do, or set it.')
    .option('--file <file>', 'replace the policy by that of this JSON file')
    .addHelpText('after', POLICY_HELP)
    .action((id: string, options: ConfigOption & { file?: string }) =>
      withEntities(options, async (deps) => {
        if (options.file !== undefined)
          await setStorePolicy(deps, id, fromFile(options.file, readStorePolicy));
        return showStorePolicy(await storePolicy(deps.store, id));
      }),
    );
}

function rulesOf({ rules, none }: RoutingOptions): readonly RoutingRule[] | undefined {
  if (rules !== undefined && none) throw new OperatorError('--rules and --none exclude each other');
  if (rules === undefined) return none ? [] : undefined;
  return fromFile(rules, readRoutingRules);
}

/** Reads a file. @throws OperatorError naming the file and what is wrong in it */
function fromFile<T>(file: string, read: (text: string) => T): T {
  try {
    const refuse = (reason: string) => new OperatorError(`${file} ${reason}`);
    return read(readSmallFile(file, MAX_FILE_BYTES, refuse).toString());
  } catch (error) {
    if (error instanceof RoutingRulesError || error instanceof StorePolicyError)
      throw new OperatorError(`${file}: ${error.message}`);
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
