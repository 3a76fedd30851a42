import fs, { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@tillbridge/protocol/folders/make-folder.js';

/** Takes the lock of an open file without waiting; false when another process has it. Freed when that process ends. */
export type TryLock = (fd: number) => boolean;

/** Another simulator works on the same home; two would use the same counters twice. Exit code 2. */
export class HomeInUseError extends Error {
  override readonly name = 'HomeInUseError';
}

/** The home cannot be made or written. Exit code 2. */
export class HomeUnusableError extends Error {
  override readonly name = 'HomeUnusableError';
}

const LOCK_FILE = 'lock';

/**
 * Claims a home for this process. The operating system keeps the claim, so that a killed process leaves none behind.
 * @returns what gives the home back
 * @throws HomeInUseError, HomeUnusableError
 */
export function claimHome(home: string, tryLock: TryLock): () => void {
  const fd = openLock(home);
  if (!tryLock(fd)) {
    closeSync(fd);
    throw new HomeInUseError(
      `${home} belongs to another running simulator: stop it, or set SIM_HOME to another folder`,
    );
  }
  return () => closeSync(fd);
}

function openLock(home: string): number {
  try {
    makeFolder(home, fs);
    return openSync(join(home, LOCK_FILE), 'a', 0o600);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new HomeUnusableError(`home ${home} cannot be used (${code}): set SIM_HOME to another folder`);
  }
}
