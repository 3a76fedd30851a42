import sqlite3 from 'sqlite3';
import type { Batch } from './batch.js';
import { type StoreFault, StoreUnavailableError } from './store.js';
import type { AnyRow } from './working-set.js';

/** How long a statement waits for another process that writes to the same file, in milliseconds. */
export const BUSY_TIMEOUT_MS = 5_000;

/** How a file is opened; the defaults are for production. */
export interface SqliteOptions {
  /** Default {@link BUSY_TIMEOUT_MS}. */
  readonly busyTimeoutMs?: number;
  /** Largest size of the file in pages of 4 KiB: a quota. */
  readonly maxPages?: number;
  /** Hears of every transaction of the writer. */
  readonly onBatch?: (batch: Batch) => void;
  /** Refuse every write after the schema is up to date. */
  readonly readOnly?: boolean;
}

/** One connection to a SQLite file, with promises; statements are prepared once. */
export class SqliteConnection {
  readonly #database: sqlite3.Database;
  /** By their text; the promise, so that two callers at once prepare one statement. */
  readonly #prepared = new Map<string, Promise<sqlite3.Statement>>();

  private constructor(database: sqlite3.Database) {
    this.#database = database;
  }

  /**
   * Opens (and creates) the file with WAL, `synchronous=FULL`, foreign keys and a busy timeout.
   * @throws StoreUnavailableError that names the file
   */
  static async open(file: string, options: SqliteOptions = {}): Promise<SqliteConnection> {
    const database = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opened = new sqlite3.Database(file, (error) =>
        error ? reject(naming(file, asUnavailable(error))) : resolve(opened),
      );
    });
    const connection = new SqliteConnection(database);
    try {
      database.configure('busyTimeout', options.busyTimeoutMs ?? BUSY_TIMEOUT_MS);
      await enterWal(connection);
      await connection.exec(
        'PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;',
      );
      if (options.maxPages !== undefined)
        await connection.exec(`PRAGMA max_page_count = ${options.maxPages}`);
      return connection;
    } catch (error) {
      await connection.close().catch(() => undefined);
      throw naming(file, error);
    }
  }

  /** Runs SQL text without results. @throws StoreUnavailableError or the constraint's own error */
  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#database.exec(sql, (error) => (error ? reject(asUnavailable(error)) : resolve()));
    });
  }

  /** All rows of a query. @throws StoreUnavailableError */
  async all(sql: string, parameters: readonly unknown[] = []): Promise<AnyRow[]> {
    const statement = await this.#statement(sql);
    return new Promise((resolve, reject) => {
      statement.all<AnyRow>([...parameters], (error, rows) =>
        error ? reject(asUnavailable(error)) : resolve(rows),
      );
    });
  }

  /** Runs one statement. @throws StoreUnavailableError or the constraint's own error */
  async run(sql: string, parameters: readonly unknown[] = []): Promise<void> {
    const statement = await this.#statement(sql);
    await new Promise<void>((resolve, reject) => {
      statement.run([...parameters], (error: Error | null) =>
        error ? reject(asUnavailable(error)) : resolve(),
      );
    });
  }

  /** Ends the connection after the running statements. */
  async close(): Promise<void> {
    for (const prepared of this.#prepared.values()) {
      const statement = await prepared.catch(() => undefined);
      if (!statement) continue;
      await new Promise<void>((resolve) => {
        statement.finalize(() => resolve());
      });
    }
    this.#prepared.clear();
    await new Promise<void>((resolve, reject) => {
      this.#database.close((error) => (error ? reject(asUnavailable(error)) : resolve()));
    });
  }

  #statement(sql: string): Promise<sqlite3.Statement> {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const prepared = new Promise<sqlite3.Statement>((resolve, reject) => {
      const made = this.#database.prepare(sql, (error: Error | null) =>
        error ? reject(asUnavailable(error)) : resolve(made),
      );
    });
    this.#prepared.set(sql, prepared);
    prepared.catch(() => this.#prepared.delete(sql));
    return prepared;
  }
}

const FAULTS: Readonly<Record<string, readonly [StoreFault, string]>> = {
  SQLITE_FULL: ['full', 'the disk of the database is full'],
  SQLITE_READONLY: ['read-only', 'the database cannot be written: its file, folder or disk is read-only'],
  SQLITE_CORRUPT: ['corrupt', 'the database file is damaged'],
  SQLITE_NOTADB: ['corrupt', 'the file is not a SQLite database'],
  SQLITE_BUSY: ['busy', 'another process keeps the database locked'],
  SQLITE_LOCKED: ['busy', 'the database is locked'],
  SQLITE_IOERR: ['io', 'the disk of the database failed'],
  SQLITE_CANTOPEN: [
    'io',
    'the database file cannot be opened: check that its folder exists and may be written',
  ],
  SQLITE_PROTOCOL: ['busy', 'the database lock protocol failed'],
  SQLITE_NOMEM: ['io', 'out of memory in the database'],
  SQLITE_MISUSE: ['closed', 'the database is closed'],
};

/** How often the change to WAL is tried, at most. */
const WAL_ATTEMPTS = 10;

/**
 * The change to WAL needs the file alone and does not wait for it, whatever the busy timeout: two processes that make a database at once
 * meet here. The empty transaction in between waits for the other one.
 */
async function enterWal(connection: SqliteConnection): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connection.exec('PRAGMA journal_mode = WAL');
    } catch (error) {
      const isBusy = error instanceof StoreUnavailableError && error.fault === 'busy';
      if (!isBusy || attempt === WAL_ATTEMPTS) throw error;
      await connection.exec('BEGIN IMMEDIATE; COMMIT');
    }
  }
}

/** A home has several databases: who cannot open one must hear which. */
function naming(file: string, error: unknown): unknown {
  if (!(error instanceof StoreUnavailableError)) return error;
  return new StoreUnavailableError(error.fault, `${file}: ${error.message}`);
}

/** The typed fault of an error of SQLite; a constraint or another error comes back as it is. */
export function asUnavailable(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const fault = FAULTS[code];
  if (fault) return new StoreUnavailableError(fault[0], fault[1]);
  return error instanceof Error ? error : new Error(String(error));
}
