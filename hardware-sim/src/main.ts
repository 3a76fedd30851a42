import {
  COMPLETION_SHELLS,
  type CompletionShell,
  completionScript,
} from '@tillbridge/platform/command-line/completion.js';
import { chooseForm, printJson, type ResultOptions } from '@tillbridge/platform/command-line/print-result.js';
import { environmentHelp } from '@tillbridge/platform/config/reference.js';
import { endSignal } from '@tillbridge/platform/end-signal.js';
import { startIsOver } from '@tillbridge/platform/start-is-over.js';
import { type ErrorGroup, exitCodeHelp } from '@tillbridge/wire/errors/error-row.js';
import { DEVICE_TYPES, type DeviceType, deviceTypeOf } from '@tillbridge/wire/terminals/device-types.js';
import { SERIAL_BAUD_RATES } from '@tillbridge/wire/terminals/serial-speeds.js';
import { nearMatch } from '@tillbridge/wire/text/near-match.js';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { PRESENT_MODES } from './cards/catalogue.js';
import { loadConfig, type SimulatorConfig } from './config/config.js';
import { SIMULATOR_SETTINGS } from './config/schema.js';
import { VERSION_TEXT } from './config/version.js';
import { findControlUrl } from './control/address.js';
import { callControl } from './control/client.js';
import { COMMAND_ERRORS, EXIT_CODES } from './errors/error-table.js';
import { FAULT_NAMES } from './faults/fault.js';
import { useKeyFile } from './keys/simulator-keys.js';
import { addWalletCommand } from './wallets/wallet-command.js';

/** Port of the simulated bank. */
const DEFAULT_BANK_PORT = 8098;

// Databases and logs are readable by their owner alone, in any folder.
process.umask(0o077);

/** A reader of our output that went away is no fault. */
process.stdout.on('error', () => {});

/** The configuration, its keys taken. @throws ConfigError, KeyFileError */
function configOf(file: string | undefined): SimulatorConfig {
  const config = loadConfig(file, process.env);
  useKeyFile(config.keyFile);
  return config;
}

/** Runs what was started until the process is to end. */
async function untilEnd<T extends { close(): Promise<void> }>(
  start: () => Promise<T>,
  listeningOf: (started: T) => object,
): Promise<void> {
  const ended = endSignal();
  const started = await start();
  process.stdout.write(`listening ${JSON.stringify(listeningOf(started))}\n`);
  startIsOver();
  await ended;
  await started.close();
  process.exit(0);
}

interface Started {
  readonly listening: object;
  close(): Promise<void>;
}

/** A command that starts a part by the configuration. The others need it not: loading it is most of what they would take. */
function addPart(
  name: string,
  description: string,
  start: (config: SimulatorConfig) => Promise<Started>,
): void {
  program
    .command(name)
    .description(description)
    .option('--config <file>', 'configuration in YAML')
    .action(({ config }: { config?: string }) =>
      untilEnd(
        () => start(configOf(config)),
        ({ listening }) => listening,
      ),
    );
}

const program = new Command('tillbridge-sim')
  .description('Simulated card terminals and cards: real wire framing, real EMV data, real faults.')
  .version(VERSION_TEXT)
  .addHelpText('after', () => `\n${environmentHelp(SIMULATOR_SETTINGS)}\n${exitCodeHelp(EXIT_CODES)}`)
  .showHelpAfterError('(--help shows what there is)')
  .exitOverride();

addPart(
  'run',
  'Start the terminals and the REST control; prints one line "listening {json}" when ready.',
  async (config) => (await import('./run.js')).startSimulator(config),
);

program
  .command('bank')
  .description(
    'Start the bank at which shoppers approve payments; prints one line "listening {json}" when ready.',
  )
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--port <port>', 'its port; 0: any free one', wholeNumber, DEFAULT_BANK_PORT)
  .action((options: { host: string; port: number }) =>
    untilEnd(
      async () => (await import('./bank/run-bank.js')).startBank(options),
      ({ url }) => ({ url }),
    ),
  );

addPart(
  'threeds',
  'Start directory server and access control server of 3D Secure; prints "listening {json}" when ready.',
  async (config) => (await import('./three-d-secure/run.js')).startThreeDSecure(config),
);

addPart(
  'acquirer-host',
  'Start an acquirer and issuer that speaks ISO 8583 over TCP; prints "listening {json}" when ready.',
  async (config) => (await import('./hosts/acquirer/run-acquirer-host.js')).startAcquirerHost(config),
);

program
  .command('keys <folder>')
  .description(
    'Make fresh keys for acquirer, issuer, cards and terminals: a key file (SIM_KEY_FILE), and what people carry to a gateway. Prints check values.',
  )
  .action(async (folder: string) => {
    const { makeKeys } = await import('./keys/make-keys.js');
    const { systemRandom } = await import('@tillbridge/platform/system-random.js');
    printJson(makeKeys(folder, systemRandom));
  });

const urlOption = () =>
  new Option(
    '--url <url>',
    'REST control of the running simulator; without: SIM_URL, SIM_PORT, then dev.json of TILLBRIDGE_HOME',
  ).default(findControlUrl(process.env));

for (const name of ['terminals', 'cards'])
  program
    .command(name)
    .description(`List the ${name} of the running simulator.`)
    .addOption(urlOption())
    .action(async ({ url }: { url: string }) => printJson(await callControl(url, 'GET', `/${name}`)));

/** A command on one terminal of the running simulator. */
const onTerminal = (name: string, description: string) =>
  program.command(name).description(description).argument('<terminal>', 'terminal id').addOption(urlOption());

const pathOf = (terminal: string, action: string) => `/terminals/${encodeURIComponent(terminal)}/${action}`;

onTerminal('present', 'Give a card to a terminal.')
  .requiredOption('--card <name>', 'card name, see "cards"')
  .addOption(
    new Option('--how <how>', 'how it is given; the card’s usual way without').choices(PRESENT_MODES),
  )
  .option('--second', 'with a second card in the field')
  .action(
    async (
      terminal: string,
      { url, json: _json, table: _table, ...given }: { url: string } & ResultOptions,
    ) => printJson(await callControl(url, 'POST', pathOf(terminal, 'present'), given)),
  );

onTerminal('pin', 'Enter a PIN on a terminal.')
  .argument('<pin>', '4 to 12 digits, bypass or cancel')
  .action(async (terminal: string, pin: string, { url }: { url: string }) =>
    printJson(await callControl(url, 'POST', pathOf(terminal, 'pin'), { pin })),
  );

for (const [name, description] of [
  ['remove', 'Take the card out of a terminal.'],
  ['unplug', 'Pull the cable of a terminal.'],
  ['plug', 'Plug the cable of a terminal in again.'],
  ['reset', 'Switch a terminal off and on.'],
] as const) {
  onTerminal(name, description).action(async (terminal: string, { url }: { url: string }) =>
    printJson(await callControl(url, 'POST', pathOf(terminal, name), {})),
  );
}

onTerminal('fault', 'Set the faults of a terminal, in place of the active ones; without a name, clear them.')
  .argument('[names...]', `of ${FAULT_NAMES.join(', ')}`)
  .option('--times <n>', 'how often each strikes', wholeNumber, 1)
  .option('--skip <n>', 'frames that pass untouched first', wholeNumber, 0)
  .option('--delay <ms>', 'for delay, slow, glue and unplug', wholeNumber, 1_000)
  .action(async (terminal: string, names: string[], options: FaultOptions) => {
    const { url, times, skip, delay: delayMs } = options;
    const faults = names.map((name) => ({ name, times, skip, delayMs }));
    printJson(await callControl(url, 'PUT', pathOf(terminal, 'faults'), faults));
  });

program
  .command('replay')
  .description('Play the device side of a recorded session, as a terminal that an agent can be pointed to.')
  .argument('<file>', 'the recording')
  .option('--path <path>', 'where the terminal is found', 'replayed-terminal')
  .option('--speed <n>', 'times the recorded speed; 0 waits for nothing', wholeNumber, 1)
  .addHelpText(
    'after',
    '\nExit codes: 0 the host sent what was recorded, 1 it sent something else or stopped.',
  )
  .action(async (file: string, { path, speed }: { path: string; speed: number }) => {
    const { replay } = await import('./replay/replay-command.js');
    const { complete, different } = await replay({ file, path, speed, print: say });
    if (!complete || different > 0) process.exitCode = EXIT_CODES.failed[2];
  });

program
  .command('record')
  .description('Stand between an agent and a real terminal on a serial port, and record what passes, masked.')
  .requiredOption('--device <path>', 'serial port of the terminal')
  .requiredOption('--type <deviceType>', `its model: ${DEVICE_TYPES.join(', ')}`, deviceType)
  .option('--baud <rate>', 'speed of its line; that of the model without', baudRate)
  .option('--path <path>', 'where the agent finds it meanwhile', 'recorded-terminal')
  .option('--out <file>', 'the recording', 'terminal-trace.jsonl')
  .addHelpText('after', '\nExit codes: 0 stopped by the user, 1 the terminal cannot be opened or has gone.')
  .action(async (options: RecordOptions) => {
    const { device, type: deviceType, path, out: file } = options;
    const { baud: baudRate = SERIAL_BAUD_RATES[deviceType] } = options;
    const { RecordingError, record } = await import('./replay/record-command.js');
    const stopped = endSignal();
    const { gone } = await record({ device, deviceType, baudRate, path, file, print: say, stopped });
    if (gone !== undefined) throw new RecordingError(`${device} has gone: ${gone}`);
  });

addWalletCommand(program);

program
  .command('completion')
  .description(
    'Print the completion of commands and options for a shell: source <(tillbridge-sim completion bash)',
  )
  .addArgument(new Argument('<shell>', 'the shell that reads it').choices([...COMPLETION_SHELLS]))
  .action((shell: CompletionShell) => void process.stdout.write(completionScript(shell, program)));

/** Commands that print what the simulator answers. */
const WITH_RESULT = [
  'terminals',
  'cards',
  'present',
  'pin',
  'remove',
  'unplug',
  'plug',
  'reset',
  'fault',
  'keys',
];
for (const command of program.commands)
  if (WITH_RESULT.includes(command.name()))
    command
      .option('--json', 'print the answer as JSON, as without a terminal')
      .option('--table', 'print the answer as a table, as at a terminal');
program.hook('preAction', (_program, command) =>
  chooseForm(command.opts<ResultOptions>(), process.stdout.isTTY),
);

interface FaultOptions {
  readonly url: string;
  readonly times: number;
  readonly skip: number;
  readonly delay: number;
}

interface RecordOptions {
  readonly device: string;
  readonly type: DeviceType;
  readonly baud?: number;
  readonly path: string;
  readonly out: string;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 0.');
  return Number(text);
}

function baudRate(text: string): number {
  const rate = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (rate === 0) throw new InvalidArgumentError('expected bits per second, such as 19200.');
  return rate;
}

function deviceType(text: string): DeviceType {
  const known = deviceTypeOf(text);
  if (known !== undefined) return known;
  const near = nearMatch(text, DEVICE_TYPES);
  throw new InvalidArgumentError(
    near === undefined ? `There are ${DEVICE_TYPES.join(', ')}.` : `Did you mean ${near}?`,
  );
}

program.parseAsync().catch((error: unknown) => {
  process.exitCode = exitCodeOf(error);
});

function exitCodeOf(error: unknown): number {
  // Commander has printed its own message; asking for help is no mistake.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage[2];
  const rows: ErrorGroup = COMMAND_ERRORS;
  const row = error instanceof Error ? rows[error.name] : undefined;
  // The message of an error of the file system names the file.
  const text =
    row || (error instanceof Error && 'syscall' in error) ? (error as Error).message : String(error);
  process.stderr.write(`tillbridge-sim: ${text}\n`);
  return row?.[2] ?? EXIT_CODES.failed[2];
}
