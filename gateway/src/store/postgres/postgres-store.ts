import type { CommitResult } from '@tillbridge/protocol/platform/metrics/commit-metrics.js';
import type { AppliedStep } from '@tillbridge/protocol/platform/sqlite/migrate.js';
import { oneRun } from '@tillbridge/protocol/seams/one-run.js';
import { CommitQueue, type StoreNumbers } from '../commit-queue.js';
import { STORE_MIGRATIONS } from '../migrations.js';
import { PointReads } from '../point-reads.js';
import type { Rows } from '../rows.js';
import {
  type Change,
  FIND_LIMIT,
  type FindOptions,
  type Found,
  type Key,
  type Range,
  type Store,
} from '../store.js';
import { PRIMARY, TABLES, type TableName, uniqueIndexes } from '../tables.js';
import type { AnyRow } from '../working-set.js';
import { PostgresConnections, type PostgresPlace } from './connection.js';
import { migratePlace, type PostgresSchema } from './migrate.js';
import { POSTGRES_COMMIT_LIMITS, PostgresWriter } from './postgres-writer.js';
import { columnsOf, findAfterSql, findRangeSql, findSql, probeSql } from './statements.js';
import { createSql } from './table-sql.js';

/** Schema of the store's tables in the database of `DATABASE_URL`. */
export const STORE_SCHEMA_NAME = 'gateway';

/** The schema of the store. */
export const POSTGRES_STORE_SCHEMA: PostgresSchema = {
  create: createSql(Object.values(TABLES)),
  migrations: STORE_MIGRATIONS.map(({ id, name, postgres: sql }) => ({ id, name, sql })),
};

/** How a store is opened. */
export interface PostgresStoreOptions {
  /** Called after every transaction of the writer. */
  readonly onCommit?: (commit: CommitResult) => void;
  /** Given what tells of the connections, for metrics. */
  readonly onOpen?: (numbers: () => StoreNumbers) => void;
}

/** The store on a PostgreSQL server, which other nodes use at the same time: one writer of this node with group commit, several readers. */
export class PostgresStore implements Store {
  readonly #connections: PostgresConnections;
  readonly #points: PointReads;
  readonly #writer: CommitQueue;

  private constructor(connections: PostgresConnections, { onCommit, onOpen }: PostgresStoreOptions) {
    this.#connections = connections;
    this.#writer = new CommitQueue(new PostgresWriter(connections), POSTGRES_COMMIT_LIMITS, onCommit);
    this.#points = new PointReads({
      one: (table, index, values) => connections.all<AnyRow>(findSql(table, index, false), [...values, 1]),
      many: (table, index, keys) => connections.all<AnyRow>(probeSql(table, index), columnsOf(keys)),
    });
    onOpen?.(() => ({ ...connections.pool, commits: this.#writer.waiting }));
  }

  /**
   * Opens the store, making its schema or bringing it up to date.
   * @throws StoreUnavailableError, SchemaTooNewError
   */
  static async open(place: PostgresPlace, options: PostgresStoreOptions = {}): Promise<PostgresStore> {
    await migratePlace(place, POSTGRES_STORE_SCHEMA);
    return new PostgresStore(new PostgresConnections(place), options);
  }

  /** Brings the schema up to date, or tells what it would do. Returns the steps. @throws StoreUnavailableError, SchemaTooNewError */
  static migrate(place: PostgresPlace, dryRun = false): Promise<readonly AppliedStep[]> {
    return migratePlace(place, POSTGRES_STORE_SCHEMA, dryRun);
  }

  commit(changes: readonly Change[]): Promise<void> {
    return this.#writer.commit(changes);
  }

  async get<T extends TableName>(table: T, key: Key): Promise<Rows[T] | undefined> {
    return (await this.#points.read(table, PRIMARY, key)) as Rows[T] | undefined;
  }

  async find<T extends TableName>(table: T, index: string, values: Key, options: FindOptions = {}): Found<T> {
    const { after } = options;
    if (after === undefined && uniqueIndexes(table).includes(index)) {
      const row = await this.#points.read(table, index, values);
      return row ? [row as Rows[T]] : [];
    }
    const sql = findSql(table, index, after !== undefined);
    return this.#connections.all<Rows[T]>(sql, [...values, ...(after ?? []), options.limit ?? FIND_LIMIT]);
  }

  async findRange<T extends TableName>(table: T, index: string, range: Range<T>): Found<T> {
    const { equals = [], from = Number.MIN_SAFE_INTEGER, below = Number.MAX_SAFE_INTEGER } = range;
    const { among = {}, descending = false, limit = FIND_LIMIT, skip = 0 } = range;
    const sql = findRangeSql(table, index, { before: equals.length, among: Object.keys(among), descending });
    return this.#connections.all<Rows[T]>(sql, [
      ...equals,
      from,
      below,
      ...Object.values(among),
      limit,
      skip,
    ]);
  }

  async findAfter<T extends TableName>(
    table: T,
    after: Key | undefined,
    options: FindOptions = {},
  ): Found<T> {
    const sql = findAfterSql(table, after === undefined);
    return this.#connections.all<Rows[T]>(sql, [...(after ?? []), options.limit ?? FIND_LIMIT]);
  }

  readonly check = oneRun(async () => {
    await this.#connections.all('SELECT id FROM migrations LIMIT 1');
    await this.#writer.commit([]);
  });

  async close(): Promise<void> {
    await this.#writer.close();
    await this.#connections.close();
  }
}
