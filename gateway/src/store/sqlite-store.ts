import type { Migration } from './migrations.js';
import type { Rows, TableName } from './rows.js';
import { SqliteConnection, type SqliteOptions } from './sqlite-connection.js';
import { migrateSqlite } from './sqlite-migrate.js';
import { findAfterSql, findBelowSql, findSql } from './sqlite-statements.js';
import { SqliteWriter } from './sqlite-writer.js';
import { type Change, FIND_LIMIT, type FindOptions, type Key, type Store } from './store.js';
import { PRIMARY } from './tables.js';
import type { AnyRow } from './working-set.js';

/** The store on a SQLite file: WAL, `synchronous=FULL`, one writer with group commit, one reader beside it. */
export class SqliteStore implements Store {
  readonly #reader: SqliteConnection;
  readonly #writerConnection: SqliteConnection;
  readonly #writer: SqliteWriter;
  #checking: Promise<void> | undefined;

  private constructor(writerConnection: SqliteConnection, reader: SqliteConnection, options: SqliteOptions) {
    this.#writerConnection = writerConnection;
    this.#writer = new SqliteWriter(writerConnection, options.onBatch);
    this.#reader = reader;
  }

  /**
   * Opens the file, creating it and bringing its schema up to date.
   * @throws StoreUnavailableError, SchemaTooNewError
   */
  static async open(file: string, options: SqliteOptions = {}): Promise<SqliteStore> {
    const writer = await SqliteConnection.open(file, options);
    try {
      await migrateSqlite(writer);
      if (options.readOnly) await writer.exec('PRAGMA query_only = ON');
      return new SqliteStore(writer, await SqliteConnection.open(file, options), options);
    } catch (error) {
      await writer.close().catch(() => undefined);
      throw error;
    }
  }

  /** Brings the schema of a file up to date and closes it again. Returns the steps that were applied. */
  static async migrate(file: string): Promise<readonly Migration[]> {
    const connection = await SqliteConnection.open(file);
    try {
      return await migrateSqlite(connection);
    } finally {
      await connection.close();
    }
  }

  commit(changes: readonly Change[]): Promise<void> {
    return this.#writer.commit(changes);
  }

  async get<T extends TableName>(table: T, key: Key): Promise<Rows[T] | undefined> {
    const rows = await this.find(table, PRIMARY, key, { limit: 1 });
    return rows[0];
  }

  async find<T extends TableName>(
    table: T,
    index: string,
    values: Key,
    options: FindOptions = {},
  ): Promise<readonly Rows[T][]> {
    const { after } = options;
    const rows: readonly AnyRow[] = await this.#reader.all(findSql(table, index, after !== undefined), [
      ...values,
      ...(after ?? []),
      options.limit ?? FIND_LIMIT,
    ]);
    // Columns of STRICT tables come back as they were typed going in.
    return rows as unknown as readonly Rows[T][];
  }

  async findBelow<T extends TableName>(
    table: T,
    index: string,
    below: number,
    options: FindOptions = {},
  ): Promise<readonly Rows[T][]> {
    const limit = options.limit ?? FIND_LIMIT;
    const rows: readonly AnyRow[] = await this.#reader.all(findBelowSql(table, index), [below, limit]);
    return rows as unknown as readonly Rows[T][];
  }

  async findAfter<T extends TableName>(
    table: T,
    after: Key | undefined,
    options: FindOptions = {},
  ): Promise<readonly Rows[T][]> {
    const limit = options.limit ?? FIND_LIMIT;
    const sql = findAfterSql(table, after === undefined);
    const rows: readonly AnyRow[] = await this.#reader.all(sql, [...(after ?? []), limit]);
    return rows as unknown as readonly Rows[T][];
  }

  check(): Promise<void> {
    // Whoever asks while one looks gets its answer: many askers cost no more than one.
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(): Promise<void> {
    await this.#reader.all('SELECT id FROM migrations LIMIT 1');
    await this.#writer.commit([]);
  }

  async close(): Promise<void> {
    await this.#writer.close();
    await this.#reader.close();
    await this.#writerConnection.close();
  }
}
