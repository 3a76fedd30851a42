import { join } from 'node:path';
import { NamedError } from '@tillbridge/wire/errors/coded-error.js';
import { makeFolder } from './make-folder.js';
import { SqliteConnection } from './sqlite/connection.js';
import { systemCode } from './system-code.js';

/** Another process works in this home. */
export class HomeInUseError extends NamedError {}

/** The home cannot be made or written. */
export class HomeUnusableError extends NamedError {}

/** The home of a program; two processes in one would use the same counters, keys and references twice. */
interface Home {
  readonly home: string;
  /** What runs in it, such as `agent`. */
  readonly program: string;
  /** The variable that names another one. */
  readonly variable: string;
}

/** A home that belongs to this process until it is released; the operating system frees it when the process ends, however it ends. */
export interface HomeLock {
  release(): Promise<void>;
}

/** Name of the file in a home that is locked. */
export const LOCK_FILE = 'lock';

/**
 * Makes the home where it is missing and takes it for this process alone, without waiting: a write lock of SQLite on an empty file. It
 * holds across containers that share a disk, and no process id can be mistaken for another one's.
 * @throws HomeInUseError, HomeUnusableError
 */
export async function lockHome({ home, program, variable }: Home): Promise<HomeLock> {
  let connection: SqliteConnection | undefined;
  try {
    makeFolder(home);
    connection = await SqliteConnection.open(join(home, LOCK_FILE), { access: 'lock', busyTimeoutMs: 0 });
    await connection.exec('BEGIN IMMEDIATE');
  } catch (error) {
    await connection?.close();
    const reason = systemCode(error);
    if (reason === 'locked')
      throw new HomeInUseError(
        `home ${home} is in use by another ${program}: stop it, or set ${variable} to another folder`,
      );
    throw new HomeUnusableError(`home ${home} cannot be used (${reason}): set ${variable} to another folder`);
  }
  const held = connection;
  return { release: () => held.close() };
}
