import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runCommandLine } from '@tillbridge/agent/cli/main-command.js';
import { PROGRAMS } from './layout.js';

/** As the program sets it for its files. */
const OWNER_ONLY = 0o077;

/**
 * Runs a command of `tillbridge-agent` that ends by itself within this process: the start of another one is most of what it would take.
 * Resolves with what it printed.
 * @throws Error with its last words and its exit code where that is not 0
 */
export async function agentCommand(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const [out, notes]: [string[], string[]] = [[], []];
  const output = {
    out: (text: string) => void out.push(text),
    note: (text: string) => void notes.push(text),
  };
  const run = () => Promise.reject(new Error('an agent runs in a separate process'));
  const umask = process.umask(OWNER_ONLY);
  try {
    const code = await runCommandLine(args, { env: { ...process.env, ...env }, output, run });
    if (code !== 0) throw Object.assign(new Error(notes.join('\n')), { code });
    return out.join('\n');
  } finally {
    process.umask(umask);
  }
}

/** Runs one in a separate process; resolves with the signal that ended it, if one did. */
export async function signalDuring(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<NodeJS.Signals | null> {
  const options = { stdio: 'ignore', env: { ...process.env, ...env } } as const;
  const [, signal] = await once(spawn(process.execPath, [PROGRAMS.agent, ...args], options), 'exit');
  return signal;
}
