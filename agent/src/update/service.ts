import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HomeInUseError, LOCK_FILE } from '@tillbridge/platform/home-lock.js';
import { lockAgentHome } from '../home/home-files.js';
import { UPDATE_LIMITS } from './base/limits.js';
import { UpdateError } from './base/update-error.js';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 1_024 * 1_024;

/** Runs a program until it ends, and gives what it printed. @throws UpdateError with its last words */
export async function runProgram(words: readonly string[], timeoutMs: number): Promise<string> {
  const [program = '', ...args] = words;
  try {
    const { stdout } = await run(program, args, { timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES });
    return stdout;
  } catch (error) {
    const {
      stderr = '',
      stdout = '',
      message,
    } = error as Partial<Record<'stderr' | 'stdout', string>> & Error;
    const said = `${stderr}${stdout}`.trim().split('\n').at(-1);
    throw new UpdateError(`"${words.join(' ')}" failed: ${said || message}`);
  }
}

/**
 * The words that let root run a program as the owner of a home, whose groups it then has: what it writes there belongs to the agent. Nothing where
 * this process is that owner.
 */
export function asOwnerOf(home: string): readonly string[] {
  const { uid, gid } = statSync(home);
  const isOwner = process.getuid === undefined || process.getuid() === uid;
  return isOwner ? [] : ['setpriv', '--reuid', `${uid}`, '--regid', `${gid}`, '--init-groups'];
}

/** Whether an agent runs on a home. */
export async function isRunning(home: string): Promise<boolean> {
  // A lock that root made could not be taken by the agent.
  if (!existsSync(join(home, LOCK_FILE))) return false;
  try {
    const lock = await lockAgentHome(home);
    await lock.release();
    return false;
  } catch (error) {
    if (error instanceof HomeInUseError) return true;
    throw error;
  }
}

/** Stops the agent of a home by a command, and waits until it has ended. @throws UpdateError */
export async function stopService(command: readonly string[], home: string): Promise<void> {
  await runProgram(command, UPDATE_LIMITS.stopMs);
  const ended = await until(UPDATE_LIMITS.stopMs, async () => ((await isRunning(home)) ? undefined : true));
  if (!ended) throw new UpdateError(`the agent did not end within ${UPDATE_LIMITS.stopMs / 1_000} s`);
}

/** Looks again and again; undefined where nothing was found in time. */
export async function until<T>(
  timeoutMs: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined || performance.now() >= endMs) return found;
    await new Promise((resolve) => setTimeout(resolve, UPDATE_LIMITS.lookMs));
  }
}
