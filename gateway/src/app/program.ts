import { environmentHelp } from '@tillbridge/platform/config/reference.js';
import { exitCodeHelp } from '@tillbridge/wire/errors/error-row.js';
import { present } from '@tillbridge/wire/present.js';
import { Command, Option } from 'commander';
import { addTokenCommands } from '../features/access-tokens/commands.js';
import { addAgentCommands } from '../features/agents/commands/agent-commands.js';
import { addAgentCommandCommands } from '../features/agents/commands/send-commands.js';
import { addDeviceCommands, readDevices } from '../features/devices/commands.js';
import { addReviewCommands, addRiskCommand } from '../features/risk/commands.js';
import { addScheduleCommands, addTimeZoneCommand } from '../features/schedules/commands.js';
import { addFileCommands } from '../features/settlement/commands/file-commands.js';
import { addSettlementCommands } from '../features/settlement/commands/settlement-commands.js';
import { addWalletCommands } from '../features/wallets/commands.js';
import { addWebhookCommands } from '../features/webhooks/commands.js';
import { addCommand, type ConfigOption, commandLineOf } from '../kernel/commands/command.js';
import { gatewayFiles } from '../kernel/data-folder/gateway-files.js';
import { prepareHome } from '../kernel/data-folder/home.js';
import { migrateHomeStore } from '../kernel/data-folder/open-store.js';
import { VERSION } from '../kernel/data-folder/version.js';
import { EXIT_CODES } from '../kernel/errors/error-table.js';
import { addAcquirerCommands } from './commands/acquirers/acquirer-commands.js';
import { addAlertCommands } from './commands/alert-commands.js';
import { addAuditCommands } from './commands/audit-command.js';
import { addCheckCommands } from './commands/check-command.js';
import { addDecodeCommand } from './commands/decode/decode-command.js';
import { addEntityCommands } from './commands/entity-commands.js';
import { addInboxCommands } from './commands/inbox-commands.js';
import { initHome } from './commands/init.js';
import { addKeyCommands } from './commands/key-commands.js';
import { addDeveloperCommands } from './commands/listen/developer-commands.js';
import { addRestoreCommands } from './commands/restore/restore-commands.js';
import { seed } from './commands/seed.js';
import { addTransferCommands } from './commands/transfer/transfer-commands.js';
import { addVaultCommands } from './commands/vault-commands.js';
import { configOf } from './configuration/read-config.js';
import { GATEWAY_SETTINGS } from './configuration/schema.js';

interface SeedOptions extends ConfigOption {
  readonly json?: boolean;
  readonly devices?: string;
  readonly testMode?: 'INTERNAL' | 'EXTERNAL';
}

interface MigrateOptions extends ConfigOption {
  readonly dryRun?: boolean;
}

/** Commands that have subcommands alone. */
const GROUPS: readonly (readonly [name: string, description: string, add: (group: Command) => void])[] = [
  [
    'agents',
    'Agents of stores: how they become known, and what is known of them.',
    (agents) => {
      addAgentCommands(agents);
      addAgentCommandCommands(agents);
    },
  ],
  [
    'devices',
    'The inventory: account data and PINs are taken from its active devices alone.',
    addDeviceCommands,
  ],
  [
    'entity',
    'Merchants, their channels, and the routing of payments to channels.',
    (entity) => {
      addEntityCommands(entity);
      addTimeZoneCommand(entity);
      addRiskCommand(entity);
    },
  ],
  [
    'acquirer',
    'Acquirers of the configuration, and the routing of payments to them.',
    (acquirer) => {
      addAcquirerCommands(acquirer);
      addFileCommands(acquirer);
    },
  ],
  ['token', 'Access tokens of merchants: create, list, replace, revoke.', addTokenCommands],
  [
    'wallets',
    'Keys that digital wallets encipher tokens for, by merchant or channel; and the wallets’ roots.',
    addWalletCommands,
  ],
  ['audit', 'What was done with tokens, keys and devices, and by whom.', addAuditCommands],
  ['inbox', 'Messages of agents that the gateway could not process: list, retry, drop.', addInboxCommands],
  [
    'alerts',
    'What a person must look at: list, show, acknowledge. The page “Alerts” explains each code.',
    addAlertCommands,
  ],
  [
    'reviews',
    'Payments that a person has to look at, because of their risk: list, release, refuse.',
    addReviewCommands,
  ],
  [
    'settlement',
    'What merchants are paid: settle now, list, show; fees and currencies; files of acquirers.',
    addSettlementCommands,
  ],
  [
    'webhooks',
    'Where events of merchants are delivered to. The page “Webhooks” explains them.',
    addWebhookCommands,
  ],
  [
    'restore',
    'What is held since the database was put back from a backup: show, confirm.',
    addRestoreCommands,
  ],
  ['schedules', 'Payments that are repeated by a calendar.', addScheduleCommands],
];

/** The command line of the gateway. */
export function gatewayProgram(): Command {
  const program = new Command('tillbridge-gateway')
    .description('Payment gateway: REST for merchants, a bridge for stores’ agents.')
    .version(`tillbridge-gateway ${VERSION}`)
    .addHelpText('after', `\n${environmentHelp(GATEWAY_SETTINGS)}\n${exitCodeHelp(EXIT_CODES)}`)
    .showHelpAfterError('(--help shows the commands)')
    .exitOverride()
    .hook('preAction', (_program, command) => {
      const { config } = command.opts<ConfigOption>();
      const commandLine = commandLineOf(command);
      command.setOptionValue('commandLine', commandLine);
      command.setOptionValue('readConfig', () => configOf(present({ config, commandLine })));
    });
  addCommand(
    program,
    'serve',
    'Serve requests; prints one line "listening {json}" when ready. SIGTERM or SIGINT ends it.',
  ).action(serve);
  addCommand(program, 'migrate', 'Bring the database schema up to date.')
    .option('--dry-run', 'tell what would be done, and change nothing')
    .action(migrate);
  addCommand(
    program,
    'init',
    'Make an empty home for the configured mode: keys of its own and a database. A second run changes nothing.',
  ).action(init);
  addCommand(
    program,
    'seed',
    'Make a development home: keys, a merchant, its tokens. A second run changes nothing.',
  )
    .option('--json', 'print what was made as one JSON object, tokens included')
    .option('--devices <file>', 'add the devices of this file that are not there yet (see “devices import”)')
    .addOption(
      new Option('--test-mode <mode>', 'what payments of its channel are that do not say').choices([
        'INTERNAL',
        'EXTERNAL',
      ]),
    )
    .action(runSeed);
  for (const [name, description, add] of GROUPS) add(program.command(name).description(description));
  addKeyCommands(program);
  addVaultCommands(program);
  addCheckCommands(program);
  addDeveloperCommands(program);
  addTransferCommands(program);
  addDecodeCommand(program);
  return program;
}

async function serve(options: ConfigOption): Promise<void> {
  const config = configOf(options);
  // The other commands need no server: loading it is most of what they would take.
  const { serveUntilSignal } = await import('./commands/serve-command.js');
  await serveUntilSignal(config);
}

async function migrate({ dryRun = false, ...options }: MigrateOptions): Promise<void> {
  const config = configOf(options);
  prepareHome(config.home);
  const steps = await migrateHomeStore(config, dryRun);
  const verb = dryRun ? 'would apply' : 'applied';
  const lines = steps.map(({ id, name }) => `${verb} ${id}: ${name}\n`);
  process.stdout.write(lines.length > 0 ? lines.join('') : 'the schema is up to date\n');
}

async function init(options: ConfigOption): Promise<void> {
  const config = configOf(options);
  await initHome(config);
  process.stdout.write(`${config.home} is ready for mode ${config.transport.mode}\n`);
}

async function runSeed(options: SeedOptions): Promise<void> {
  const config = configOf(options);
  const devices = options.devices === undefined ? [] : readDevices(options.devices);
  const seeded = await seed(config, devices, options.testMode);
  const text = options.json
    ? JSON.stringify(seeded)
    : `seeded ${config.home}: entity ${seeded.merchant.entityId}; the tokens are in ${gatewayFiles(config.home).credentials}`;
  process.stdout.write(`${text}\n`);
}
