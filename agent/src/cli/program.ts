import type { Style } from '@tillbridge/platform/command-line/style.js';
import { environmentHelp } from '@tillbridge/platform/config/reference.js';
import { untilEndSignal } from '@tillbridge/platform/end-signal.js';
import { readHexInput } from '@tillbridge/platform/hex-input.js';
import type { DecodeOptions } from '@tillbridge/wire/decode/decode-hex.js';
import { exitCodeHelp } from '@tillbridge/wire/errors/error-row.js';
import { DIALECT_NAMES } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { Command, InvalidArgumentError, Option } from 'commander';
import { TILL_RIGHTS } from '../access/rights.js';
import { loadConfig } from '../config/config.js';
import { AGENT_SETTINGS } from '../config/schema.js';
import { EXIT_CODES } from '../errors/error-table.js';
import { VERSION_TEXT } from '../home/version.js';
import { RECEIPT_COLUMNS } from '../sale/receipts/receipt-lines.js';
import { LANGUAGES } from '../sale/receipts/store.js';
import { TOTALS_BY } from '../sale/totals/totals.js';
import { addCommonCommands } from '../shell/common-commands.js';
import type { UpdateOptions } from '../update/update-command.js';
import { findAgent } from './agent-address.js';
import { AgentClient } from './agent-client.js';
import type { BringUpOptions } from './bring-up-command.js';
import { describeQueue, describeStatus } from './describe-status.js';
import { type DevicesOptions, forgetDevice, listDevices } from './devices-command.js';
import type { DoctorOptions } from './doctor-command.js';
import { CommandError, EXIT } from './exit-code.js';
import { addIncidentCommand } from './incident-command.js';
import { addInstallCommands } from './install-commands.js';
import { addProofCommands } from './proof-commands.js';
import { type ReceiptOptions, showReceipt } from './receipt-command.js';
import type { RestoreOptions } from './restore-command.js';
import { type CancelOptions, cancelSale, type Output, runSale, type SaleOptions } from './sale-command.js';
import type { SupportBundleOptions } from './support-bundle-command.js';
import { addTill, createToken, listTokens, revokeToken, type TillsAddOptions } from './token-command.js';
import { showTotals, type TotalsOptions } from './totals-command.js';
import type { VerifyOptions } from './verify-command.js';

// Commands that need the journal, the link or the drivers are loaded when they are called: loading all of them took longer than most work.

/** What the command line works with. */
export interface ProgramDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  /** Runs the agent until a signal stops it; resolves with the exit code. */
  readonly run: (configFile: string | undefined) => Promise<number>;
  /** Takes the exit code of a command that has ended. */
  readonly ended: (exitCode: number) => void;
}

interface AgentOptions {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** The command line of `tillbridge-agent`. */
export function createProgram(deps: ProgramDeps): Command {
  const program = new Command('tillbridge-agent')
    .description('Connects the card terminals of a store with its tills and the gateway')
    .version(VERSION_TEXT)
    .addHelpText('after', exitCodeHelp(EXIT_CODES))
    .configureOutput({
      writeOut: (text) => deps.output.out(text.trimEnd()),
      writeErr: (text) => deps.output.note(text.trimEnd()),
    })
    .exitOverride();
  addRun(program, deps);
  addEnrol(program, deps);
  addInstallCommands(program, deps);
  addSale(program, deps);
  addCancel(program, deps);
  addViews(program, deps);
  addReceipt(program, deps);
  addTotals(program, deps);
  addTokens(program, deps);
  addTills(program, deps);
  addJournal(program, deps);
  addProofCommands(program, deps);
  addIncidentCommand(program, deps);
  addDecode(program, deps);
  addDoctor(program, deps);
  addSupportBundle(program, deps);
  addBringUp(program, deps);
  addDevices(program, deps);
  addUpdate(program, deps);
  addCommonCommands(program, deps);
  return program;
}

function addRun(program: Command, deps: ProgramDeps): void {
  program
    .command('run')
    .description('run the agent until SIGTERM or SIGINT')
    .option('--config <file>', 'configuration in YAML; environment variables override it')
    .addHelpText(
      'after',
      `
${environmentHelp(AGENT_SETTINGS)}
Prints one line "listening {json}" when tills may call.`,
    )
    .action(async (options: { readonly config?: string }) => deps.ended(await deps.run(options.config)));
}

function addEnrol(program: Command, { env, output, ended }: ProgramDeps): void {
  program
    .command('enrol')
    .description('make this machine known to the gateway by a one-time code, or give its agent another key')
    .argument('<code>', 'what "tillbridge-gateway agents enrol-code" or "agents rotate-key" printed')
    .option('--config <file>', 'configuration in YAML; environment variables override it')
    .option('--json', 'as JSON')
    .action(
      async (code: string, { config, ...options }: { readonly config?: string; readonly json?: boolean }) => {
        const { enrolHome } = await import('./enrol-command.js');
        ended(await enrolHome(loadConfig(config, env), code, options, output));
      },
    );
}

function addSale(program: Command, deps: ProgramDeps): void {
  const sale = program
    .command('sale')
    .description('sell at a terminal of a running agent, and show how it goes')
    .requiredOption('--amount <amount>', 'decimal text, such as 12.34')
    .requiredOption('--currency <code>', 'ISO 4217, such as EUR')
    .option('--terminal <id>', 'may be left out when there is one terminal')
    .option('--type <type>', 'sale, refund or preauthorization', 'sale')
    .option('--reference <reference>', 'the till reference; the same one again is the same sale')
    .option('--original <reference>', 'of a refund: the sale it gives back')
    .option('--online-only', 'no approval without the gateway')
    .option('--cancel-after <seconds>', 'cancel the sale where nothing is decided by then', seconds)
    .option(
      '--wait <seconds>',
      'how long to wait for the end of a sale whose outcome is unknown',
      seconds,
      120,
    );
  withAgent(sale).action(async (options: SaleOptions & AgentOptions) => {
    const client = new AgentClient(findAgent(options, deps.env));
    deps.ended(await runSale(client, options, deps.output));
  });
}

function addCancel(program: Command, { env, output, ended }: ProgramDeps): void {
  withAgent(program.command('cancel'))
    .description('stop a running sale; one that is decided stays as it is')
    .argument('[reference]', 'the till reference (default: the sale that runs)')
    .option('--terminal <id>', 'the sale that runs on this terminal')
    .addHelpText('after', '\nExit codes: 0 cancelled, 1 it was decided before, 2 there is no such sale.')
    .action(async (reference: string | undefined, options: CancelOptions & AgentOptions) =>
      ended(await cancelSale(new AgentClient(findAgent(options, env)), reference, options, output)),
    );
}

function addViews(program: Command, deps: ProgramDeps): void {
  const view = <T>(
    name: string,
    help: string,
    ask: (client: AgentClient) => Promise<T>,
    tell: (answer: T, style?: Style) => string,
  ) =>
    withAgent(program.command(name).description(help)).action(async (options: AgentOptions) => {
      const answer = await ask(new AgentClient(findAgent(options, deps.env)));
      deps.output.out(options.json ? JSON.stringify(answer, null, 2) : tell(answer, deps.output.style));
      deps.ended(EXIT.ok);
    });
  view(
    'status',
    'show the terminals, the journal and the link to the gateway',
    (client) => client.status(),
    describeStatus,
  );
  withAgent(program.command('queue'))
    .description(
      'show what waits for the gateway, what is parked, and offline sales declined later or expired',
    )
    .option('--acknowledge <reference>', 'take note of an offline sale that was declined later or expired')
    .option('--by <who>', 'with --acknowledge: who takes note')
    .action(async (options: QueueOptions) => deps.ended(await showQueue(options, deps)));
  view('flush', 'try to forward the queue now, and show it', (client) => client.flush(), describeQueue);
}

interface QueueOptions extends AgentOptions {
  readonly acknowledge?: string;
  readonly by?: string;
}

async function showQueue(options: QueueOptions, { env, output }: ProgramDeps): Promise<number> {
  if (options.by !== undefined && options.acknowledge === undefined) {
    throw new CommandError(EXIT.usage, '--by belongs to --acknowledge REFERENCE');
  }
  const client = new AgentClient(findAgent(options, env));
  if (options.acknowledge !== undefined) await client.acknowledge(options.acknowledge, options.by);
  const queue = await client.queue();
  output.out(options.json ? JSON.stringify(queue, null, 2) : describeQueue(queue, output.style));
  return EXIT.ok;
}

function addReceipt(program: Command, { env, output, ended }: ProgramDeps): void {
  withAddress(program.command('receipt'))
    .description('print a receipt of a sale that has ended with a card')
    .argument('<reference>', 'the till reference of the sale')
    .option('--copy <copy>', 'customer or merchant', 'customer')
    .option('--columns <count>', `characters in a line: ${RECEIPT_COLUMNS.join(', ')}`)
    .option('--format <format>', 'text, html, or escpos for a receipt printer')
    .option('--language <language>', `${LANGUAGES.join(', ')} (default: that of the store)`)
    .option('--reprint', 'mark it as printed once more')
    .option('--output <file>', 'write it into this file')
    .action(async (reference: string, options: ReceiptOptions & AgentOptions) =>
      ended(await showReceipt(new AgentClient(findAgent(options, env)), reference, options, output)),
    );
}

function addTotals(program: Command, { env, output, ended }: ProgramDeps): void {
  withAgent(program.command('totals'))
    .description('show what the sales of a period come to, as they now stand')
    .option('--since <time>', 'ISO 8601, or a date of the store (default: today)')
    .option('--until <time>', 'the first time that does not count (default: now)')
    .option('--by <what>', `group by ${TOTALS_BY.join(', ')}`, 'terminal')
    .option('--terminal <id>', 'of this terminal alone')
    .option('--html <file>', 'write a page to print')
    .action(async (options: TotalsOptions & AgentOptions) =>
      ended(await showTotals(new AgentClient(findAgent(options, env)), options, output)),
    );
}

function addTokens(program: Command, { env, output, ended }: ProgramDeps): void {
  const tokens = program
    .command('token')
    .description('tokens of the tills of a store; needs the token of the store');
  const client = (options: AgentOptions) => new AgentClient(findAgent(options, env));
  withAgent(
    tokens.command('list', { isDefault: true }).description('show the tills that have a token'),
  ).action(async (options: AgentOptions) => ended(await listTokens(client(options), options, output)));
  withAgent(tokens.command('create').description('give a till a token; it is shown once'))
    .argument('<till>', 'its name; sales are journaled under it')
    .option('--right <right...>', `what it may do: ${TILL_RIGHTS.join(', ')}`, ['sell'])
    .action(async (till: string, options: AgentOptions & { readonly right: readonly string[] }) =>
      ended(await createToken(client(options), till, options.right, options, output)),
    );
  withAgent(tokens.command('revoke').description('take the token of a till away, at once'))
    .argument('<till>', 'its name')
    .action(async (till: string, options: AgentOptions) =>
      ended(await revokeToken(client(options), till, options, output)),
    );
}

function addTills(program: Command, { env, output, ended }: ProgramDeps): void {
  const tills = program
    .command('tills')
    .description('tills that work with the page of the agent; needs the token of the store');
  withAgent(tills.command('list', { isDefault: true }).description('show the tills of the store')).action(
    async (options: AgentOptions) =>
      ended(await listTokens(new AgentClient(findAgent(options, env)), options, output)),
  );
  withAgent(
    tills
      .command('add')
      .description('make a till, or sign one in anew: prints a code to scan or to type, which works once'),
  )
    .argument('<till>', 'its name; sales are journaled under it')
    .option('--right <right...>', `what it may do: ${TILL_RIGHTS.join(', ')}`, ['sell'])
    .option('--pin <digits>', 'of the cashier: the page asks for it when it is opened')
    .option('--page <address>', 'where a tablet reaches the page (default: the address of the agent)')
    .action(async (till: string, options: AgentOptions & TillsAddOptions) =>
      ended(await addTill(new AgentClient(findAgent(options, env)), till, options, output)),
    );
}

function addJournal(program: Command, deps: ProgramDeps): void {
  const { env, output, ended } = deps;
  const home = (command: Command) =>
    command
      .option('--config <file>', 'configuration in YAML')
      .option('--home <folder>', "the agent's home (default: as configured)");
  const config = ({ config: file, home: folder }: HomeOptions) =>
    loadConfig(file, folder === undefined ? env : { ...env, AGENT_HOME: folder });

  home(withAgent(program.command('verify')))
    .description(
      'verify the journal, of a running agent too, and compare it with what the gateway keeps of it',
    )
    .option('--no-gateway', 'do not ask the gateway')
    .addHelpText(
      'after',
      '\nExit codes: 0 sound, 1 damaged or at odds with the gateway, 2 no journal, 3 cannot be read now.',
    )
    .action(async (options: VerifyOptions & HomeOptions) => {
      const { verifyHome } = await import('./verify-command.js');
      ended(await verifyHome(config(options), options, env, output));
    });
  home(program.command('restore'))
    .description(
      'bring the journal back from its copy, with its queue; once it has reached the gateway, older ones are refused',
    )
    .option(
      '--from <place>',
      'where the copy is: its folder, a file of it that was put aside, or https://replica:port',
    )
    .option('--key-file <file>', 'the key of the copy (default: as configured)')
    .option('--agent <id>', 'of a replica: whose copy')
    .option('--secret-file <file>', 'of a replica: the shared secret')
    .option('--ca-file <file>', 'of a replica: the certificate that its own comes from')
    .option('--code <code>', 'on another machine: what "tillbridge-gateway agents replace" printed')
    .option('--replace', 'set a journal that is in the home aside')
    .option(
      '--salvage',
      'instead: of a damaged journal without a copy, bring over what stands in front of the damage',
    )
    .option('--as-is', 'instead: declare the journal in the home good as it is, in a new generation')
    .option('--json', 'as JSON')
    .action(async (options: RestoreOptions & HomeOptions) => {
      const { restoreHome } = await import('./restore-command.js');
      ended(await restoreHome(config(options), options, output));
    });
  program
    .command('copy-key')
    .description('make a key for the encrypted copy of the journal')
    .argument('<file>', 'a new file')
    .action(async (file: string) => {
      const { makeCopyKey } = await import('./restore-command.js');
      ended(makeCopyKey(file, output));
    });
}

interface HomeOptions {
  readonly config?: string;
  readonly home?: string;
}

interface UdevOption {
  readonly config?: string;
  readonly udev?: boolean;
}

function addDoctor(program: Command, deps: ProgramDeps): void {
  program
    .command('doctor')
    .description(
      'find terminals, check ports, permissions, keys and clocks, and state what to do; uses a running agent, if there is one',
    )
    .option('--config <file>', 'configuration in YAML; environment variables override it')
    .option('--json', 'as JSON')
    .option('--udev', 'only print the rules of udev for terminals of all makers (Linux)')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing stands in the way of the configured terminals, 1 something does, 2 wrong configuration.',
    )
    .action(async ({ config, udev, ...options }: DoctorOptions & UdevOption) => {
      const { printUdevFile, runDoctor } = await import('./doctor-command.js');
      deps.ended(
        udev ? printUdevFile(deps.output) : await runDoctor(loadConfig(config, deps.env), options, deps),
      );
    });
}

function addSupportBundle(program: Command, deps: ProgramDeps): void {
  program
    .command('support-bundle')
    .description('write versions, configuration, doctor, verify and masked logs into one file')
    .option('--config <file>', 'configuration in YAML; environment variables override it')
    .option('--output <file>', 'a new file (default: tillbridge-support-TIME.txt)')
    .addHelpText('after', '\nNothing is written where card data or a secret is found: the places are named.')
    .action(async ({ config, ...options }: SupportBundleOptions & { readonly config?: string }) => {
      const { writeSupportBundle } = await import('./support-bundle-command.js');
      deps.ended(await writeSupportBundle(loadConfig(config, deps.env), options, deps));
    });
}

function addBringUp(program: Command, { env, output, ended }: ProgramDeps): void {
  program
    .command('bring-up')
    .description(
      'walk a person through every step at a real terminal, and tell where it differs from the simulated one',
    )
    .requiredOption('--terminal <id>', 'which of the configured terminals')
    .option('--output <folder>', 'for report.md, report.json and trace.jsonl (default: bring-up-ID)')
    .option('--yes', 'do not ask: a person or script acts at the terminal as each step is shown')
    .option('--config <file>', 'configuration in YAML; environment variables override it')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `
Needs no gateway, and no money moves: the answer to a card is made up. Use test cards. Stop the agent first.
Each step has a time limit. The report is written behind each step, and when Ctrl-C ends the walk; it names the steps that are missing.
Exit codes: 0 no difference, 1 a difference, a failed step, a step out of time, Ctrl-C or no answer, 2 wrong usage or an agent that runs.`,
    )
    .action(async ({ config, ...options }: BringUpOptions & { readonly config?: string }) => {
      const { bringUp } = await import('./bring-up-command.js');
      const walked = (interrupted: AbortSignal) =>
        bringUp(loadConfig(config, env), options, output, { input: process.stdin, interrupted });
      ended(await untilEndSignal(walked));
    });
}

function addDevices(program: Command, { env, output, ended }: ProgramDeps): void {
  const devices = program.command('devices').description('which device belongs to which terminal');
  devices
    .command('list', { isDefault: true })
    .description('show the devices that are registered, and their numeric ids')
    .option('--config <file>', 'configuration in YAML')
    .option('--json', 'as JSON')
    .action(({ config, ...options }: DevicesOptions & { readonly config?: string }) =>
      ended(listDevices(loadConfig(config, env), options, output)),
    );
  devices
    .command('forget')
    .description('after a device was replaced: take the next one that is plugged in')
    .argument('<terminal>', 'terminal id')
    .option('--config <file>', 'configuration in YAML')
    .action((terminal: string, { config }: { readonly config?: string }) =>
      ended(forgetDevice(loadConfig(config, env), terminal, output)),
    );
}

function addUpdate(program: Command, deps: ProgramDeps): void {
  const { env, output, ended } = deps;
  const load = () => import('../update/update-command.js');
  const configured = (command: Command) =>
    command.option('--config <file>', 'configuration in YAML; environment variables override it');
  const together = async (options: UpdateOptions) => {
    const config = loadConfig(options.config, env);
    const { agentOf } = await import('./doctor-command.js');
    return { config, env, output, status: () => agentOf(config, env).status() };
  };
  const update = configured(program.command('update'))
    .description('replace the program by a signed release, and go back by itself where that does not work')
    .argument(
      '[place]',
      'the release file, its folder or its https: address; none: go on with what was interrupted',
    )
    .option('--check', 'only verify the release, and show whether it can be installed')
    .option('--now', 'do not wait for an empty queue or the window; a sale under way ends the try')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 updated, 1 refused or rolled back with the reason, 2 wrong usage, 3 the store is busy: run it again to go on.',
    )
    .action(async (place: string | undefined, options: UpdateOptions) =>
      ended(await (await load()).updateAgent(place, options, await together(options))),
    );
  update
    .command('status')
    .description('show what is in the slots, and how the last update came out')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      ended((await load()).showUpdate(command.optsWithGlobals(), output)),
    );
  configured(update.command('rollback'))
    .description('go back to the program of before, by the same steps')
    .option('--now', 'do not wait for an empty queue or the window; a sale under way ends the try')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) => {
      const options: UpdateOptions = command.optsWithGlobals();
      ended(await (await load()).rollBackAgent(options, await together(options)));
    });
  update
    .command('adopt')
    .description('put this program into the first slot of a new folder, from which it can be updated')
    .argument('<folder>', 'its user owns it; the service starts FOLDER/current/bin/tillbridge-agent')
    .action(async (folder: string) => ended(await (await load()).adoptProgram(folder, output)));
  update
    .command('rehearse', { hidden: true })
    .description('open a copy of the journal, and sell on a simulated terminal against a scratch home')
    .action(async (_options: object, command: Command) =>
      ended(await (await load()).rehearseUpdate(loadConfig(command.optsWithGlobals().config, env))),
    );
  update
    .command('copy-journal', { hidden: true })
    .description('verify and copy the journal of an agent that has ended')
    .action(async (_options: object, command: Command) =>
      ended(await (await load()).copyJournalForUpdate(loadConfig(command.optsWithGlobals().config, env))),
    );
}

const DECODE_EXAMPLES = `
Examples:
  tillbridge-agent decode 9F2701809F34031E0300
  tillbridge-agent decode --tag 95 8000048000
  tillbridge-agent decode --dialect 1987-binary 0800 2020000000800000 990000 000001 5431303031202020
  pbpaste | tillbridge-agent decode --json`;

function addDecode(program: Command, deps: ProgramDeps): void {
  program
    .command('decode')
    .description('show EMV data or an ISO 8583 message, in hex, with names and meanings; card data is masked')
    .argument('[hex...]', 'hex digits; blanks, colons and hyphens are skipped; - or nothing: standard input')
    .option('--file <file>', 'read the digits from a file')
    .option('--tag <tag>', 'the digits are the value of this tag alone, such as 95 for a TVR')
    .addOption(
      new Option('--dialect <name>', 'the digits are an ISO 8583 message; tried without').choices(
        DIALECT_NAMES,
      ),
    )
    .option('--json', 'as JSON')
    .addHelpText('after', DECODE_EXAMPLES)
    .action(
      async (hex: readonly string[], { file, ...options }: DecodeOptions & { readonly file?: string }) => {
        const { decodeHex } = await import('@tillbridge/wire/decode/decode-hex.js');
        const refuse = (problem: string) => new CommandError(EXIT.usage, problem);
        const { text, problem } = decodeHex(readHexInput(hex, file, refuse), options, refuse);
        if (text !== '') deps.output.out(text);
        if (problem !== undefined) throw refuse(problem);
        deps.ended(EXIT.ok);
      },
    );
}

function withAgent(command: Command): Command {
  return withAddress(command).option('--json', 'as JSON');
}

function withAddress(command: Command): Command {
  return command
    .option('--url <url>', 'the agent (default: AGENT_URL, then dev.json of TILLBRIDGE_HOME)')
    .option('--token <token>', "the tills' token (default: AGENT_TOKEN, then dev.json)");
}

function seconds(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected whole seconds.');
}
