import { existsSync } from 'node:fs';
import type { CommitResult } from '@tillbridge/protocol/platform/metrics/commit-metrics.js';
import { Checkpoints } from '@tillbridge/protocol/platform/sqlite/checkpoints.js';
import type { SqliteConnection, SqliteOptions } from '@tillbridge/protocol/platform/sqlite/connection.js';
import {
  type AppliedStep,
  migrate,
  pendingSteps,
  type Schema,
  stepsOf,
} from '@tillbridge/protocol/platform/sqlite/migrate.js';
import { createSql } from '@tillbridge/protocol/platform/sqlite/table-sql.js';
import { oneRun } from '@tillbridge/protocol/seams/one-run.js';
import { CommitQueue } from './commit-queue.js';
import { STORE_MIGRATIONS } from './migrations.js';
import { CHECKPOINT_PAGES, openDatabase } from './open-database.js';
import { PointReads } from './point-reads.js';
import type { Rows, TableName } from './rows.js';
import { findAfterSql, findRangeSql, findSql, probeSql } from './sqlite-statements.js';
import { SQLITE_COMMIT_LIMITS, SqliteWriter } from './sqlite-writer.js';
import {
  type Change,
  FIND_LIMIT,
  type FindOptions,
  type Found,
  type Key,
  type Range,
  type Store,
} from './store.js';
import { PRIMARY, TABLES, uniqueIndexes } from './tables.js';

/** The schema of the store. */
export const STORE_SCHEMA: Schema = {
  create: createSql(Object.values(TABLES)),
  migrations: STORE_MIGRATIONS.map(({ sqlite: sql, postgres: _, ...step }) => ({ ...step, sql })),
};

/** How a store is opened; the defaults are for production. */
export interface StoreOptions extends Pick<SqliteOptions, 'busyTimeoutMs' | 'maxBytes'> {
  /** Called after every transaction of the writer. */
  readonly onCommit?: (commit: CommitResult) => void;
  /** Refuse every write after the schema is up to date. */
  readonly readOnly?: boolean;
}

/** The store on a SQLite file: WAL, `synchronous=FULL`, one writer with group commit, one reader, another reader for ranges, and one for checkpoints. */
export class SqliteStore implements Store {
  readonly #reader: SqliteConnection;
  readonly #points: PointReads;
  readonly #ranges: SqliteConnection;
  readonly #writerConnection: SqliteConnection;
  readonly #writer: CommitQueue;
  readonly #checkpoints: Checkpoints;

  private constructor(
    writerConnection: SqliteConnection,
    [reader, ranges, checkpoints]: readonly [SqliteConnection, SqliteConnection, SqliteConnection],
    options: StoreOptions,
  ) {
    this.#writerConnection = writerConnection;
    this.#writer = new CommitQueue(new SqliteWriter(writerConnection), SQLITE_COMMIT_LIMITS, (commit) => {
      this.#checkpoints.committed();
      options.onCommit?.(commit);
    });
    this.#checkpoints = new Checkpoints(checkpoints, CHECKPOINT_PAGES);
    this.#reader = reader;
    this.#ranges = ranges;
    this.#points = new PointReads({
      one: (table, index, values) => reader.all(findSql(table, index, false), ...values, 1),
      many: (table, index, keys) => reader.all(probeSql(table, index), JSON.stringify(keys)),
    });
  }

  /**
   * Opens the file, creating it and bringing its schema up to date.
   * @throws StoreUnavailableError, SchemaTooNewError
   */
  static async open(file: string, options: StoreOptions = {}): Promise<SqliteStore> {
    const opened: SqliteConnection[] = [];
    const connect = async (): Promise<SqliteConnection> => {
      const connection = await openDatabase(file, options);
      opened.push(connection);
      return connection;
    };
    try {
      const writer = await connect();
      await migrate(writer, STORE_SCHEMA);
      if (options.readOnly) await writer.exec('PRAGMA query_only = ON');
      return new SqliteStore(writer, [await connect(), await connect(), await connect()], options);
    } catch (error) {
      for (const connection of opened) await connection.close();
      throw error;
    }
  }

  /** Brings the schema of a file up to date, or tells what it would do, and closes it again. Returns the steps. */
  static async migrate(file: string, dryRun = false): Promise<readonly AppliedStep[]> {
    if (dryRun && !existsSync(file)) return stepsOf(STORE_SCHEMA);
    const connection = await openDatabase(file, dryRun ? { access: 'read-only' } : {});
    try {
      return dryRun ? await pendingSteps(connection, STORE_SCHEMA) : await migrate(connection, STORE_SCHEMA);
    } finally {
      await connection.close();
    }
  }

  commit(changes: readonly Change[]): Promise<void> {
    return this.#writer.commit(changes);
  }

  async get<T extends TableName>(table: T, key: Key): Promise<Rows[T] | undefined> {
    // Columns of STRICT tables come back as they were typed going in.
    return (await this.#points.read(table, PRIMARY, key)) as Rows[T] | undefined;
  }

  async find<T extends TableName>(table: T, index: string, values: Key, options: FindOptions = {}): Found<T> {
    const { after } = options;
    if (after === undefined && uniqueIndexes(table).includes(index)) {
      const row = await this.#points.read(table, index, values);
      return row ? [row as Rows[T]] : [];
    }
    const sql = findSql(table, index, after !== undefined);
    return this.#reader.all<Rows[T]>(sql, ...values, ...(after ?? []), options.limit ?? FIND_LIMIT);
  }

  async findRange<T extends TableName>(table: T, index: string, range: Range<T>): Found<T> {
    const { equals = [], from = Number.MIN_SAFE_INTEGER, below = Number.MAX_SAFE_INTEGER } = range;
    const { among = {}, descending = false, limit = FIND_LIMIT, skip = 0 } = range;
    const lists = Object.values(among).map((values) => JSON.stringify(values));
    const sql = findRangeSql(table, index, { before: equals.length, among: Object.keys(among), descending });
    return this.#ranges.all<Rows[T]>(sql, ...equals, from, below, ...lists, limit, skip);
  }

  async findAfter<T extends TableName>(
    table: T,
    after: Key | undefined,
    options: FindOptions = {},
  ): Found<T> {
    const sql = findAfterSql(table, after === undefined);
    return this.#reader.all<Rows[T]>(sql, ...(after ?? []), options.limit ?? FIND_LIMIT);
  }

  readonly check = oneRun(async () => {
    await this.#reader.all('SELECT id FROM migrations LIMIT 1');
    await this.#writer.commit([]);
  });

  async close(): Promise<void> {
    await this.#writer.close();
    await this.#checkpoints.close();
    await this.#ranges.close();
    await this.#reader.close();
    await this.#writerConnection.close();
  }
}
