import sqlite3 from 'sqlite3';
import { JournalUnavailable, type UnavailableReason } from './journal.js';

/** A value SQLite takes or gives. */
export type SqlValue = string | number | Uint8Array | null;
/** One row of a result, by column. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** A unique key was violated: an answer, not a fault. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
}

const REASONS: Readonly<Record<string, UnavailableReason>> = {
  SQLITE_FULL: 'disk-full',
  SQLITE_READONLY: 'read-only',
  SQLITE_CANTOPEN: 'cannot-open',
  SQLITE_PERM: 'cannot-open',
  SQLITE_AUTH: 'cannot-open',
  SQLITE_BUSY: 'locked',
  SQLITE_LOCKED: 'locked',
  SQLITE_PROTOCOL: 'locked',
  SQLITE_IOERR: 'io-error',
  SQLITE_CORRUPT: 'corrupt',
  SQLITE_NOTADB: 'corrupt',
  SQLITE_MISUSE: 'closed',
};

/** Turns SQLite's error into the journal's; anything unknown counts as an I/O error. */
export function toJournalError(error: Error): Error {
  const code = (error as Error & { code?: string }).code ?? '';
  if (code === 'SQLITE_CONSTRAINT') return new UniqueViolation(error.message);
  return new JournalUnavailable(REASONS[code] ?? 'io-error', error.message);
}

/** One connection to a database file, with promises; statements run in the order of the calls. */
export class SqliteDatabase {
  readonly #database: sqlite3.Database;

  private constructor(database: sqlite3.Database) {
    this.#database = database;
  }

  /** Opens a file, and makes it unless it is only to be read. @throws JournalUnavailable */
  static open(path: string, access: 'read-write' | 'read-only' = 'read-write'): Promise<SqliteDatabase> {
    const { OPEN_READONLY, OPEN_READWRITE, OPEN_CREATE } = sqlite3;
    const mode = access === 'read-only' ? OPEN_READONLY : OPEN_READWRITE | OPEN_CREATE;
    return new Promise((resolve, reject) => {
      const database = new sqlite3.Database(path, mode, (error) => {
        if (error) reject(toJournalError(error));
        else {
          database.serialize();
          resolve(new SqliteDatabase(database));
        }
      });
    });
  }

  run(sql: string, ...values: readonly SqlValue[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#database.run(sql, values, (error) => (error ? reject(toJournalError(error)) : resolve()));
    });
  }

  all(sql: string, ...values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return new Promise((resolve, reject) => {
      this.#database.all<SqlRow>(sql, values, (error, rows) =>
        error ? reject(toJournalError(error)) : resolve(rows),
      );
    });
  }

  async get(sql: string, ...values: readonly SqlValue[]): Promise<SqlRow | undefined> {
    return (await this.all(sql, ...values))[0];
  }

  /** Several statements without values. */
  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#database.exec(sql, (error) => (error ? reject(toJournalError(error)) : resolve()));
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      // A database that fails to close is gone either way; nothing uncommitted counts.
      this.#database.close(() => resolve());
    });
  }
}
