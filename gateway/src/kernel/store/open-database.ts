import { SqliteConnection, type SqliteOptions } from '@tillbridge/platform/sqlite/connection.js';
import { StoreUnavailableError } from './store.js';

/**
 * Pages of the log before a checkpoint: 16 MiB. Many payments change the same pages, such as the ends of tables and indexes; each page is
 * copied once a checkpoint.
 */
export const CHECKPOINT_PAGES = 4_000;

/** Opens a database of the home, which overwrites what it deletes; its faults are {@link StoreUnavailableError}. @throws StoreUnavailableError that names the file */
export async function openDatabase(file: string, options: SqliteOptions = {}): Promise<SqliteConnection> {
  try {
    return await SqliteConnection.open(file, {
      checkpointPages: CHECKPOINT_PAGES,
      ...options,
      secureDelete: true,
      asError: (fault, detail) => new StoreUnavailableError(fault, detail),
    });
  } catch (error) {
    // A home has several databases: the error names the one that cannot be opened.
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new StoreUnavailableError(error.code, `${file}: ${error.message}`);
  }
}
