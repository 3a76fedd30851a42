import { SqliteConnection, type SqliteOptions } from '@tillbridge/protocol/platform/sqlite/connection.js';
import { StoreUnavailableError } from './store.js';

/** A connection to a database of the home, whose faults are {@link StoreUnavailableError}. @throws StoreUnavailableError that names the file */
export async function openDatabase(file: string, options: SqliteOptions = {}): Promise<SqliteConnection> {
  try {
    return await SqliteConnection.open(file, {
      ...options,
      asError: (fault, detail) => new StoreUnavailableError(fault, detail),
    });
  } catch (error) {
    // A home has several databases: who cannot open one must hear which.
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new StoreUnavailableError(error.fault, `${file}: ${error.message}`);
  }
}
