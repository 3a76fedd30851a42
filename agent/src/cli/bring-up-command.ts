import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { HomeInUseError } from '@tillbridge/platform/home-lock.js';
import { createLog } from '@tillbridge/platform/log/log.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';
import { differencesOf } from '../bring-up/compare.js';
import { expectationOf } from '../bring-up/expectations.js';
import { LineWatch } from '../bring-up/line-watch.js';
import { asMarkdown, type BringUpReport, missingText } from '../bring-up/report.js';
import { privateCardAdvice } from '../bring-up/steps.js';
import { type Person, type Progress, walk, within } from '../bring-up/walk.js';
import type { AgentConfig } from '../config/config.js';
import type { TerminalConfig } from '../config/terminals.js';
import { DeviceRegistry } from '../drivers/device-registry.js';
import { openTerminal } from '../drivers/open-terminal.js';
import { HOME_FILES, lockAgentHome } from '../home/home-files.js';
import { CommandError, EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

/** Options of `bring-up`. */
export interface BringUpOptions {
  readonly terminal: string;
  readonly output?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** The person in front of the command. */
interface Attendance {
  /** Where the answers come from, a line each. */
  readonly input: Readable;
  /** Ends the walk; the report is written all the same. */
  readonly interrupted: AbortSignal;
}

/** How long a terminal may take to answer for the first time. */
const ANSWER_TIMEOUT_MS = 20_000;

/**
 * Walks a person through every step at a terminal, writes trace and report, and prints the differences. No gateway is called
 * and no money moves. The report is written anew after each step. Resolves with the exit code: 0 no difference, 1 a difference, a failed
 * step, or one that timed out or was not reached.
 * @throws CommandError 1: it does not answer; 2: no such terminal, or an agent has its port
 */
export async function bringUp(
  config: AgentConfig,
  options: BringUpOptions,
  output: Output,
  attendance: Attendance,
): Promise<number> {
  const terminal = terminalOf(config, options.terminal);
  const folder = options.output ?? `bring-up-${terminal.id}`;
  const lock = await lockAgentHome(config.home).catch(inUse);
  const person = personAt(options, output, attendance);
  try {
    prepare(folder);
    person.tell(privateCardAdvice());
    const traced = { ...terminal, trace: join(folder, 'trace.jsonl') };
    const report = await examine(config, traced, person, {
      interrupted: attendance.interrupted,
      onReport: (soFar) => write(folder, soFar),
    });
    output.out(options.json ? JSON.stringify(report) : summary(report, folder));
    return isWhole(report) ? EXIT.ok : EXIT.declined;
  } finally {
    person.leave();
    await lock.release();
  }
}

function write(folder: string, report: BringUpReport): void {
  replaceFile(join(folder, 'report.md'), asMarkdown(report));
  replaceFile(join(folder, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
}

/** A person may leave steps out. */
function isWhole({ differences, missing }: BringUpReport): boolean {
  return differences.length === 0 && missing.every(({ why }) => why === 'skipped');
}

/** Makes the folder before anybody walks: a report that cannot be written is work lost. */
function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new CommandError(EXIT.usage, `--output ${folder} cannot be written: ${(error as Error).message}`);
  }
}

function terminalOf({ terminals }: AgentConfig, id: string): TerminalConfig {
  const terminal = terminals.find((each) => each.id === id);
  if (terminal) return terminal;
  const known = terminals.map((each) => each.id).join(', ') || 'none: name the file of the agent by --config';
  throw new CommandError(EXIT.usage, `terminal ${id} is not configured; configured: ${known}`);
}

function inUse(error: unknown): never {
  if (!(error instanceof HomeInUseError)) throw error;
  throw new CommandError(
    EXIT.usage,
    `an agent runs on this home and has the ports: stop it first (${error.message})`,
  );
}

interface Watched {
  readonly interrupted: AbortSignal;
  readonly onReport: (report: BringUpReport) => void;
}

async function examine(
  config: AgentConfig,
  terminal: TerminalConfig,
  person: Person,
  { interrupted, onReport }: Watched,
): Promise<BringUpReport> {
  const { id: terminalId, deviceType, transport } = terminal;
  const clock = systemClock;
  const line = new LineWatch(deviceType, transport);
  const startedAt = new Date(clock.nowMs()).toISOString();
  const expectation = expectationOf(deviceType);
  const { driver, lineProblem } = await openTerminal(terminal, config.merchant, {
    clock,
    log: createLog('tillbridge-agent', { level: 'silent', target: 'stderr' }),
    registry: new DeviceRegistry(join(config.home, HOME_FILES.devices)),
    watch: (pipe) => line.watch(pipe),
    ...(config.capks && { capks: config.capks }),
  });
  const reportOf = ({ walked, missing }: Progress): BringUpReport => {
    const differences = differencesOf(expectation, walked);
    return {
      terminalId,
      deviceType,
      transport,
      startedAt,
      identity: driver.identity,
      missing,
      differences,
      walked,
    };
  };
  try {
    const isThere = await within(driver, (state) => state === 'ready', ANSWER_TIMEOUT_MS, clock, interrupted);
    const problem = lineProblem();
    if (!interrupted.aborted && (!isThere || problem !== undefined))
      throw new CommandError(
        EXIT.declined,
        `terminal ${terminalId}: ${problem ?? 'the port is open, and nothing that answers is behind it'}; run "tillbridge-agent doctor"`,
      );
    const { currency } = config.merchant;
    const parts = { driver, line, person, clock, currency, interrupted };
    const report = reportOf(await walk(parts, (progress) => onReport(reportOf(progress))));
    onReport(report);
    return report;
  } finally {
    await driver.close();
  }
}

interface Attended extends Person {
  leave(): void;
}

function personAt({ yes }: BringUpOptions, output: Output, { input }: Attendance): Attended {
  return yes ? absent(output) : atPrompt(output, input);
}

/** Goes on without asking: a person or a script acts at the device. */
function absent({ note }: Output): Attended {
  return {
    ready: async (step, text) => {
      note(`${step}: ${text}`);
      return 'go';
    },
    confirm: async () => true,
    tell: note,
    leave: () => undefined,
  };
}

/** Asks the person where the command runs, line by line; an end of its input skips what is left. */
function atPrompt({ note }: Output, input: Readable): Attended {
  const lines = createInterface({ input });
  const answers = lines[Symbol.asyncIterator]();
  const answerTo = async (text: string, ended: string): Promise<string> => {
    note(text);
    const { value, done } = await answers.next();
    return done ? ended : value.trim().toLowerCase();
  };
  return {
    ready: async (step, text) =>
      (await answerTo(`\n${step}: ${text}\n  Enter to begin, s to skip:`, 's')).startsWith('s')
        ? 'skip'
        : 'go',
    confirm: async (text) => !(await answerTo(`  ${text} [Y/n]`, 'n')).startsWith('n'),
    tell: (text) => note(`  ${text}`),
    leave: () => lines.close(),
  };
}

function summary({ differences, missing, walked }: BringUpReport, folder: string): string {
  const lines = differences.map(
    ({ step, what, expected, found }) => `  ${step}: ${what}: ${found}; the simulated device: ${expected}`,
  );
  return [
    `${walked.length} steps walked${missing.length > 0 ? `, missing: ${missingText(missing)}` : ''}`,
    lines.length > 0 ? `${lines.length} differences:` : 'no difference to the simulated device',
    ...lines,
    `report and trace: ${folder}`,
  ].join('\n');
}
