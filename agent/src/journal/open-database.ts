import { SqliteConnection, type SqliteOptions } from '@tillbridge/platform/sqlite/connection.js';
import { JournalUnavailable } from './journal.js';

/** How long a statement waits for another process, in milliseconds: a till waits with it. */
const BUSY_TIMEOUT_MS = 1_000;

/** A connection that overwrites what it deletes and whose faults are {@link JournalUnavailable}. @throws JournalUnavailable */
export function openDatabase(path: string, options: SqliteOptions = {}): Promise<SqliteConnection> {
  return SqliteConnection.open(path, {
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    secureDelete: true,
    ...options,
    asError: (fault, detail) => new JournalUnavailable(fault, detail),
  });
}
