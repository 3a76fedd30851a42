import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** Takes the lock of an open file without waiting; false when another process has it. Freed when that process ends. */
export type TryLock = (fd: number) => boolean;

/** Another simulator works on the same home; two would use the same counters twice. Exit code 2. */
export class HomeInUseError extends Error {
  override readonly name = 'HomeInUseError';
}

const LOCK_FILE = 'lock';

/**
 * Claims a home for this process. The operating system keeps the claim, so that a killed process leaves none behind.
 * @returns what gives the home back
 * @throws HomeInUseError, or the file system's error
 */
export function claimHome(home: string, tryLock: TryLock): () => void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const fd = openSync(join(home, LOCK_FILE), 'a', 0o600);
  if (!tryLock(fd)) {
    closeSync(fd);
    throw new HomeInUseError(
      `${home} belongs to another running simulator: stop it, or set SIM_HOME to another folder`,
    );
  }
  return () => closeSync(fd);
}
