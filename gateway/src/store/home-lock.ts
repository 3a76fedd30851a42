import { SqliteConnection } from './sqlite-connection.js';
import { StoreUnavailableError } from './store.js';

/** Another process serves from this home. Exit code 2. */
export class HomeInUseError extends Error {
  override readonly name = 'HomeInUseError';
}

/**
 * Claims a home for this process: a write lock on a small file, which the operating system gives back when the process ends, however
 * it ends.
 * @returns the function that gives it back
 * @throws HomeInUseError, StoreUnavailableError
 */
export async function lockHome(file: string): Promise<() => Promise<void>> {
  const connection = await SqliteConnection.open(file, { busyTimeoutMs: 0 }).catch((error: unknown) => {
    throw inUse(error, file);
  });
  try {
    await connection.exec('BEGIN IMMEDIATE');
  } catch (error) {
    await connection.close();
    throw inUse(error, file);
  }
  return async () => {
    await connection.exec('ROLLBACK');
    await connection.close();
  };
}

function inUse(error: unknown, file: string): unknown {
  if (!(error instanceof StoreUnavailableError) || error.fault !== 'busy') return error;
  return new HomeInUseError(
    `another gateway runs on this home (it holds ${file}): stop it, or use another home`,
  );
}
