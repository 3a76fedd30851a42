import { environmentHelp } from '@tillbridge/platform/config/reference.js';
import { exitCodeHelp } from '@tillbridge/wire/errors/error-row.js';
import { present } from '@tillbridge/wire/present.js';
import { Command, Option } from 'commander';
import { readDevices } from '../features/devices/commands.js';
import { addCommand, type ConfigOption, commandLineOf } from '../kernel/commands/command.js';
import { addGroups, type CommandGroup } from '../kernel/commands/command-group.js';
import { gatewayFiles } from '../kernel/data-folder/gateway-files.js';
import { prepareHome } from '../kernel/data-folder/home.js';
import { migrateHomeStore } from '../kernel/data-folder/open-store.js';
import { VERSION_TEXT } from '../kernel/data-folder/version.js';
import { EXIT_CODES } from '../kernel/errors/error-table.js';
import { addAcquirerCommands } from './commands/acquirers/acquirer-commands.js';
import { addAlertCommands } from './commands/alert-commands.js';
import { addAuditCommands } from './commands/audit-command.js';
import { addCheckCommands } from './commands/check-command.js';
import { addResultOptions, beginCommand } from './commands/common-options.js';
import { addCompletionCommand } from './commands/completion-command.js';
import { addDecodeCommand } from './commands/decode/decode-command.js';
import { addEntityCommands } from './commands/entity-commands.js';
import { addExplainCommand } from './commands/explain-command.js';
import { addGoLiveCommands } from './commands/go-live/go-live-command.js';
import { addInboxCommands } from './commands/inbox-commands.js';
import { addIncidentCommand } from './commands/incident-command.js';
import { initHome } from './commands/init.js';
import { addKeyCommands } from './commands/key-commands.js';
import { addDeveloperCommands } from './commands/listen/developer-commands.js';
import { addRestoreCommands } from './commands/restore/restore-commands.js';
import { seed } from './commands/seed.js';
import { addTransferCommands } from './commands/transfer/transfer-commands.js';
import { addVaultCommands } from './commands/vault-commands.js';
import { configOf } from './configuration/read-config.js';
import { GATEWAY_SETTINGS } from './configuration/schema.js';
import { FEATURE_COMMANDS } from './wiring/feature-commands.js';

interface SeedOptions extends ConfigOption {
  readonly json?: boolean;
  readonly devices?: string;
  readonly testMode?: 'INTERNAL' | 'EXTERNAL';
}

interface MigrateOptions extends ConfigOption {
  readonly dryRun?: boolean;
}

/** Groups of commands that belong to no feature. */
const GROUPS: readonly CommandGroup[] = [
  {
    name: 'entity',
    description: 'Merchants, their channels, and the routing of payments to channels.',
    add: addEntityCommands,
  },
  {
    name: 'acquirer',
    description: 'Acquirers of the configuration, and the routing of payments to them.',
    add: addAcquirerCommands,
  },
  {
    name: 'audit',
    description: 'What was done with tokens, keys and devices, and by whom.',
    add: addAuditCommands,
  },
  {
    name: 'inbox',
    description: 'Messages of agents that the gateway could not process: list, retry, drop.',
    add: addInboxCommands,
  },
  {
    name: 'alerts',
    description: 'What a person must look at: list, show, acknowledge. The page “Alerts” explains each code.',
    add: addAlertCommands,
  },
  {
    name: 'restore',
    description: 'What is held since the database was put back from a backup: show, confirm.',
    add: addRestoreCommands,
  },
];

/** The command line of the gateway. */
export function gatewayProgram(): Command {
  let endProgress = (): void => undefined;
  const program = new Command('tillbridge-gateway')
    .description('Payment gateway: REST for merchants, a bridge for stores’ agents.')
    .version(VERSION_TEXT)
    .addHelpText('after', () => `\n${environmentHelp(GATEWAY_SETTINGS)}\n${exitCodeHelp(EXIT_CODES)}`)
    .showHelpAfterError('(--help shows the commands)')
    .exitOverride()
    .hook('preAction', (_program, command) => {
      const { config } = command.opts<ConfigOption>();
      const commandLine = commandLineOf(command);
      command.setOptionValue('commandLine', commandLine);
      endProgress = beginCommand(command);
      command.setOptionValue('readConfig', () => configOf(present({ config, commandLine })));
    });
  addCommand(
    program,
    'serve',
    'Serve requests; prints one line "listening {json}" when ready. SIGTERM or SIGINT ends it.',
  ).action(serve);
  addCommand(program, 'migrate', 'Bring the database schema up to date.')
    .option('--dry-run', 'print what would be done, and change nothing')
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
  // Also of a command that fails, after which nothing is called.
  const parse = program.parseAsync.bind(program);
  program.parseAsync = (...args) => parse(...args).finally(() => endProgress());
  addGroups(program, [...GROUPS, ...FEATURE_COMMANDS]);
  addKeyCommands(program);
  addVaultCommands(program);
  addCheckCommands(program);
  addIncidentCommand(program);
  addExplainCommand(program);
  addDeveloperCommands(program);
  addTransferCommands(program);
  addDecodeCommand(program);
  addGoLiveCommands(program);
  addCompletionCommand(program);
  addResultOptions(program);
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
