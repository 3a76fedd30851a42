import { lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.js';
import { systemCode } from './system-code.js';

/** A lock cannot be made, or its holder does not release it. */
export class FileLockError extends Error {
  override readonly name = 'FileLockError';
}

/** How long a writer waits for another one, in milliseconds: a write takes a few. */
const WAIT_MS = 5_000;
/** Between two tries. */
const RETRY_MS = 10;
/** A lock of another machine (a shared disk, a container) that is older than this was left behind. */
const FOREIGN_LOCK_MAX_AGE_MS = 60_000;

/**
 * Runs work while this process alone holds a lock; processes that share a file take turns to change it. A lock that a killed process left
 * behind is removed. It is not the lock of a home (home-lock.ts): that one is asynchronous, never waits and is held while a program runs;
 * this one is synchronous, waits, and is held for a write of a few milliseconds, also by commands during the running program.
 * The lock is a symbolic link to nowhere that names its holder: link and name are made together, so no kill leaves a lock without a name.
 * Waiting blocks all other work of this process.
 * @throws FileLockError when the other holder does not release it; what the work throws
 */
export function withFileLock<T>(path: string, work: () => T): T {
  const deadline = performance.now() + WAIT_MS;
  makeFolder(dirname(path));
  while (!tryLock(path)) {
    if (breakAbandoned(path)) continue;
    if (performance.now() >= deadline)
      throw new FileLockError(
        `${path} is held by process ${holderOf(path)?.pid ?? 'unknown'}: wait for it, or remove the file when that process is no tillbridge program`,
      );
    pause();
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
}

function tryLock(path: string): boolean {
  try {
    symlinkSync(`${process.pid} ${hostname()}`, path);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return false;
    throw new FileLockError(`${path} cannot be made (${code})`);
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly ageMs: number;
}

/** Who holds the lock; undefined when it is gone. */
function holderOf(path: string): Holder | undefined {
  try {
    const [pid = '', host = ''] = readlinkSync(path).split(' ');
    return { pid: Number(pid), host, ageMs: Date.now() - lstatSync(path).mtimeMs };
  } catch {
    return undefined;
  }
}

function isAbandoned({ pid, host, ageMs }: Holder): boolean {
  if (host !== hostname() || !Number.isInteger(pid) || pid <= 0) return ageMs > FOREIGN_LOCK_MAX_AGE_MS;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return systemCode(error) === 'ESRCH';
  }
}

/** Removes a lock whose holder is gone. One process at a time does, after it has looked again: a fresh lock stays. */
function breakAbandoned(path: string): boolean {
  const seen = holderOf(path);
  if (seen === undefined || !isAbandoned(seen)) return false;
  const breaker = `${path}.break`;
  if (!tryLock(breaker)) {
    const other = holderOf(breaker);
    if (other !== undefined && isAbandoned(other)) rmSync(breaker, { force: true });
    return false;
  }
  try {
    const again = holderOf(path);
    if (again === undefined || !isAbandoned(again)) return false;
    rmSync(path, { force: true });
    return true;
  } finally {
    rmSync(breaker, { force: true });
  }
}
