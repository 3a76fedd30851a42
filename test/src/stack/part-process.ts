import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './layout.js';
import type { PartName } from './options.js';
import { StartFailure } from './start-failure.js';

/** How long a part may take until it listens; the first start also creates its databases, and the machine may have much else to do. */
const START_TIMEOUT_MS = 120_000;
/** How long a part may take to end after SIGTERM before it is killed. */
const STOP_TIMEOUT_MS = 10_000;
/** How much of a part's last words is kept to explain a failed start. */
const LAST_WORDS_LIMIT = 4_000;

const END_WITH_STARTER = join(ROOT, 'test', 'dist', 'stack', 'end-with-starter.js');

/** Simulated hosts of other companies that the gateway speaks to. */
export type HostName = 'bank' | 'threeDs' | 'acquirerHost';

/** What to run, and with which arguments and variables. */
export interface PartCommand {
  readonly name: PartName | HostName;
  /** Script and arguments, run by this Node. */
  readonly args: readonly string[];
  /** What runs them in its place: a program and its first arguments. It does not end with this process: stop it. */
  readonly runner?: readonly [program: string, ...args: string[]];
  readonly env?: NodeJS.ProcessEnv;
  /** How long it may take until it listens; two minutes when left out. */
  readonly startTimeoutMs?: number;
}

/** A running process of the stack. */
export interface PartProcess {
  readonly name: PartName | HostName;
  readonly pid: number;
  readonly command: string;
  /** What it printed after `listening`. */
  readonly listening: Record<string, unknown>;
  /** Resolves when the process has ended, with the reason in words: `exit code 0`, `signal SIGKILL`. */
  readonly ended: Promise<string>;
  /** True while it runs. */
  readonly running: boolean;
  /** The end of what it wrote to stderr. */
  lastWords(): string;
  /** SIGTERM, then SIGKILL after a while; resolves when it has ended. */
  stop(): Promise<void>;
  /** `kill -9`; resolves when it has ended. */
  kill(): Promise<void>;
}

/**
 * Starts a part and waits until it listens. It ends with this process, however that ends.
 * @throws StartFailure with the part's last words.
 */
export async function startPart(command: PartCommand): Promise<PartProcess> {
  const [program, ...first] = command.runner ?? [process.execPath, '--import', END_WITH_STARTER];
  const child = spawn(program, [...first, ...command.args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...command.env },
  });
  const lastWords = keepLastWords(child);
  passLogOn(command, child);
  const ended = once(child, 'exit').then(([code, signal]) =>
    signal ? `signal ${signal}` : `exit code ${code}`,
  );
  const listening = await waitUntilListening(command, child, ended, lastWords);
  return handle(command, child, { ended, listening, lastWords });
}

/** Variables that send the log of a part to a stream. */
const LOG_VARIABLES: Readonly<Partial<Record<PartCommand['name'], string>>> = {
  gateway: 'GATEWAY_LOG',
  agent: 'AGENT_LOG',
  simulator: 'SIM_LOG',
};

/** Passes on what a part logs where its log was sent to a stream: it would end here, seen by no one. */
function passLogOn({ name, env }: PartCommand, child: ChildProcess): void {
  const variable = LOG_VARIABLES[name];
  const stream = variable && { ...process.env, ...env }[variable];
  if (stream !== 'stdout' && stream !== 'stderr') return;
  const input = child[stream];
  if (!input) return;
  createInterface({ input }).on('line', (line) => {
    if (!line.startsWith('listening ')) process[stream].write(`${line}\n`);
  });
}

function keepLastWords(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-LAST_WORDS_LIMIT);
  });
  return () => text.trim();
}

async function waitUntilListening(
  { name, startTimeoutMs }: PartCommand,
  child: ChildProcess,
  ended: Promise<string>,
  lastWords: () => string,
): Promise<Record<string, unknown>> {
  const timeoutMs = startTimeoutMs ?? START_TIMEOUT_MS;
  const late: { timer?: NodeJS.Timeout } = {};
  const tooLate = new Promise<never>((_, reject) => {
    late.timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new StartFailure(`${name} did not listen within ${timeoutMs} ms\n${lastWords()}`.trim(), 1));
    }, timeoutMs);
  });
  const gone = ended.then((how) => {
    throw new StartFailure(`${name} did not start (${how})\n${lastWords()}`.trim(), child.exitCode ?? 1);
  });
  try {
    const line = await Promise.race([listeningLine(child), gone, tooLate]);
    return JSON.parse(line) as Record<string, unknown>;
  } finally {
    // A part that listens is never killed for a slow start.
    clearTimeout(late.timer);
  }
}

function listeningLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (!child.stdout) return;
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      if (line.startsWith('listening ')) resolve(line.slice('listening '.length));
    });
  });
}

function handle(
  command: PartCommand,
  child: ChildProcess,
  known: Pick<PartProcess, 'ended' | 'listening' | 'lastWords'>,
): PartProcess {
  const running = () => child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals) => {
    if (running()) child.kill(signal);
    await known.ended;
  };
  return {
    ...known,
    name: command.name,
    pid: child.pid ?? 0,
    command: ['node', ...command.args].join(' '),
    get running() {
      return running();
    },
    kill: () => end('SIGKILL'),
    stop: async () => {
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await end('SIGTERM');
      clearTimeout(late);
    },
  };
}
