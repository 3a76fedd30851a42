import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DevFile } from '../stack/dev-file.js';
import { ROOT } from '../stack/layout.js';

/** `npm start` in a separate process group. */
export interface StartedNpm {
  /** Process id of npm, or of what it would call, and of the group. */
  readonly pid: number;
  /** The content of `dev.json`, from the line `ready`; rejects with what was printed when npm ends before it. */
  readonly ready: Promise<DevFile>;
  /** Exit code (or the name of the signal) and all that was printed. */
  readonly ended: Promise<{ readonly code: number | string; readonly printed: string }>;
  /** True until npm itself has ended. */
  readonly running: boolean;
  /** Signals only npm, or its whole group as a terminal does. */
  signal(signal: NodeJS.Signals, to: 'npm' | 'group'): void;
}

/** How `npm start` is called: by npm, or as npm calls it, without the time that npm takes. */
const CALLS = {
  npm: ['npm', 'start', '--'],
  node: [process.execPath, join(ROOT, 'test', 'start', 'run.mjs'), 'start'],
} as const;

/** Runs `npm start -- ARGS` on `home`; ports are free ones unless `env` names them. */
export function npmStart(
  home: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  by: keyof typeof CALLS = 'npm',
): StartedNpm {
  const free = { GATEWAY_PORT: '0', AGENT_PORT: '0', SIM_PORT: '0', NEXO_PORT: '0', HOST_PORT: '0' };
  const [program, ...call] = CALLS[by];
  const child = spawn(program, [...call, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...free, TILLBRIDGE_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const printed = collect(child);
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: (code ?? signal) as number | string,
    printed: printed(),
  }));
  const ready = Promise.race([
    readyLine(child),
    ended.then(({ printed }) => Promise.reject(new Error(printed))),
  ]);
  // A caller that never awaits it must not get an unhandled rejection.
  ready.catch(() => undefined);
  const pid = child.pid ?? 0;
  return {
    pid,
    ready,
    ended,
    get running() {
      return child.exitCode === null && child.signalCode === null;
    },
    signal: (signal, to) => process.kill(to === 'group' ? -pid : pid, signal),
  };
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  }
  return () => text;
}

function readyLine(child: ChildProcess): Promise<DevFile> {
  return new Promise((resolve) => {
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('ready ')) resolve(JSON.parse(line.slice('ready '.length)) as DevFile);
    });
  });
}
