import sqlite3 from 'sqlite3';
import { DatabaseError, type FaultError, toDatabaseError } from './database-error.js';
import type { SqlValue } from './table.js';

/** One row of a result, by column. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** How long a statement waits for another process that writes to the same file, in milliseconds. */
export const BUSY_TIMEOUT_MS = 5_000;

/** How a file is opened; the defaults are for production. */
export interface SqliteOptions {
  /** `read-only` and `lock` leave the file as it is; `lock` makes an empty one. */
  readonly access?: 'read-write' | 'read-only' | 'lock';
  /** Default {@link BUSY_TIMEOUT_MS}. */
  readonly busyTimeoutMs?: number;
  /** Largest size of the file: a quota. */
  readonly maxBytes?: number;
  /** Pages of the log (WAL) after which a commit brings them into the file; default 1,000, as SQLite has it. */
  readonly checkpointPages?: number;
  /** Overwrites what is deleted. */
  readonly secureDelete?: boolean;
  /** Keeps every other connection away as long as this one is open; needs no shared memory, so it works on network shares. */
  readonly exclusive?: boolean;
  /** Makes the error of a fault; default {@link DatabaseError}. */
  readonly asError?: FaultError;
}

/** One connection to a SQLite file, with promises; statements are prepared once. */
export class SqliteConnection {
  readonly #database: sqlite3.Database;
  readonly #asError: FaultError;
  /** By their text; the promise, so that two callers at once prepare one statement. */
  readonly #prepared = new Map<string, Promise<sqlite3.Statement>>();
  #closing: Promise<void> | undefined;

  private constructor(database: sqlite3.Database, asError: FaultError) {
    this.#database = database;
    this.#asError = asError;
  }

  /**
   * Opens the file. To write, it is created where it is missing, with WAL, `synchronous=FULL` and foreign keys.
   * @throws the error of a fault
   */
  static async open(file: string, options: SqliteOptions = {}): Promise<SqliteConnection> {
    const { access = 'read-write', asError = (fault, detail) => new DatabaseError(fault, detail) } = options;
    const { OPEN_READONLY, OPEN_READWRITE, OPEN_CREATE } = sqlite3;
    const mode = access === 'read-only' ? OPEN_READONLY : OPEN_READWRITE | OPEN_CREATE;
    const database = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opened = new sqlite3.Database(file, mode, (error) =>
        error ? reject(toDatabaseError(error, asError)) : resolve(opened),
      );
    });
    const connection = new SqliteConnection(database, asError);
    try {
      database.configure('busyTimeout', options.busyTimeoutMs ?? BUSY_TIMEOUT_MS);
      if (access === 'read-write') await connection.#makeDurable(options);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Runs SQL text without values and without results. @throws ConstraintError, or the error of a fault */
  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#database.exec(sql, (error) => (error ? reject(this.#failed(error)) : resolve()));
    });
  }

  /** Runs one statement. @throws ConstraintError, or the error of a fault */
  async run(sql: string, ...values: readonly SqlValue[]): Promise<void> {
    const statement = await this.#statement(sql);
    await new Promise<void>((resolve, reject) => {
      statement.run(values, (error: Error | null) => (error ? reject(this.#failed(error)) : resolve()));
    });
  }

  /** All rows of a query. @throws the error of a fault */
  async all<Row = SqlRow>(sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]> {
    const statement = await this.#statement(sql);
    return new Promise((resolve, reject) => {
      statement.all<Row>(values, (error, rows) => (error ? reject(this.#failed(error)) : resolve(rows)));
    });
  }

  /** The first row of a query. @throws the error of a fault */
  async get<Row = SqlRow>(sql: string, ...values: readonly SqlValue[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, ...values))[0];
  }

  /**
   * Runs work in one transaction. It takes the write lock first: what the work reads does not change before the commit. On return it is
   * on disk; nothing of it stays when the work or the commit fails.
   * @throws what the work throws; ConstraintError, or the error of a fault
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.exec('BEGIN IMMEDIATE');
    try {
      const result = await work();
      await this.exec('COMMIT');
      return result;
    } catch (error) {
      // After a full disk or an I/O error SQLite may have rolled back by itself; then this fails, and that is fine.
      await this.exec('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Ends the connection after the running statements; what is not committed is rolled back. Never fails. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const prepared of this.#prepared.values()) {
      const statement = await prepared.catch(() => undefined);
      if (statement) await new Promise<void>((resolve) => void statement.finalize(() => resolve()));
    }
    await new Promise<void>((resolve) => {
      this.#database.close(() => resolve());
    });
  }

  async #makeDurable({ exclusive, secureDelete, maxBytes, checkpointPages }: SqliteOptions): Promise<void> {
    if (exclusive) await this.exec('PRAGMA locking_mode = EXCLUSIVE');
    await this.#enterWal();
    await this.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;');
    if (checkpointPages !== undefined) await this.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
    if (secureDelete) await this.exec('PRAGMA secure_delete = ON');
    if (maxBytes === undefined) return;
    const page = await this.get<{ page_size: number }>('PRAGMA page_size');
    await this.exec(`PRAGMA max_page_count = ${Math.floor(maxBytes / (page?.page_size ?? 4_096))}`);
  }

  /**
   * The change to WAL needs the file alone and does not wait for it, whatever the busy timeout: two processes that make a database at once
   * meet here. The empty transaction in between waits for the other one.
   */
  async #enterWal(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const error = await this.#tryWal();
      if (!error) return;
      if (error.code !== 'SQLITE_BUSY' || attempt === WAL_ATTEMPTS) throw this.#failed(error);
      await this.exec('BEGIN IMMEDIATE; COMMIT');
    }
  }

  #tryWal(): Promise<(Error & { readonly code?: string }) | null> {
    return new Promise((resolve) => {
      this.#database.exec('PRAGMA journal_mode = WAL', resolve);
    });
  }

  #statement(sql: string): Promise<sqlite3.Statement> {
    if (this.#closing) return Promise.reject(this.#asError('closed', 'the database is closed'));
    const known = this.#prepared.get(sql);
    if (known) return known;
    const prepared = new Promise<sqlite3.Statement>((resolve, reject) => {
      const made = this.#database.prepare(sql, (error: Error | null) =>
        error ? reject(this.#failed(error)) : resolve(made),
      );
    });
    this.#prepared.set(sql, prepared);
    prepared.catch(() => this.#prepared.delete(sql));
    return prepared;
  }

  #failed(error: Error): Error {
    return toDatabaseError(error, this.#asError);
  }
}

/** How often the change to WAL is tried, at most. */
const WAL_ATTEMPTS = 10;
