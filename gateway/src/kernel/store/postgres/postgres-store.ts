import type { CommitResult } from '@tillbridge/platform/metrics/commit-metrics.js';
import type { AppliedStep } from '@tillbridge/platform/sqlite/migrate.js';
import { CommitQueue, type StoreNumbers } from '../commit-queue.js';
import { DatabaseStore } from '../database-store.js';
import { KeyReads } from '../key-reads.js';
import { STORE_MIGRATIONS } from '../migrations.js';
import { FIND_LIMIT } from '../store.js';
import { TABLES } from '../tables.js';
import type { AnyRow } from '../working-set.js';
import { PostgresConnections, type PostgresPlace } from './connection.js';
import { migratePlace, type PostgresSchema } from './migrate.js';
import { POSTGRES_COMMIT_LIMITS, PostgresWriter } from './postgres-writer.js';
import { columnsOf, POSTGRES } from './statements.js';
import { createSql } from './table-sql.js';

/** Schema of the store's tables in the database of `DATABASE_URL`. */
export const STORE_SCHEMA_NAME = 'gateway';

/** The schema of the store. */
export const POSTGRES_STORE_SCHEMA: PostgresSchema = {
  create: createSql(Object.values(TABLES)),
  migrations: STORE_MIGRATIONS.map(({ id, name, readableFrom, postgres: sql }) => ({
    id,
    name,
    readableFrom,
    sql,
  })),
};

/** How a store is opened. */
export interface PostgresStoreOptions {
  /** Called after every transaction of the writer. */
  readonly onCommit?: (commit: CommitResult) => void;
  /** Called with a function that counts the connections, for metrics. */
  readonly onOpen?: (numbers: () => StoreNumbers) => void;
}

/** The store on a PostgreSQL server, which other nodes use at the same time: one writer of this node with group commit, several readers. */
export class PostgresStore extends DatabaseStore {
  private constructor(connections: PostgresConnections, { onCommit, onOpen }: PostgresStoreOptions) {
    const writer = new CommitQueue(new PostgresWriter(connections), POSTGRES_COMMIT_LIMITS, onCommit);
    super({
      writer,
      keys: new KeyReads({
        one: (table, index, values) =>
          connections.all<AnyRow>(POSTGRES.find(table, index, false), [...values, FIND_LIMIT]),
        many: (table, index, keys) =>
          connections.all<AnyRow>(POSTGRES.findMany(table, index), columnsOf(keys)),
      }),
      sql: POSTGRES,
      read: (sql, values) => connections.all(sql, values),
      readRange: (sql, range, lists, page) => connections.all(sql, [...range, ...lists, ...page]),
      countRange: async (sql, range, lists, page) => {
        const values = [...range, ...lists, ...page];
        const [row] = await connections.all<{ readonly count: number }>(sql, values);
        return row?.count ?? 0;
      },
      close: () => connections.close(),
    });
    onOpen?.(() => ({ ...connections.pool, commits: writer.waiting }));
  }

  /**
   * Opens the store, making its schema or bringing it up to date.
   * @throws StoreUnavailableError, SchemaTooNewError
   */
  static async open(place: PostgresPlace, options: PostgresStoreOptions = {}): Promise<PostgresStore> {
    await migratePlace(place, POSTGRES_STORE_SCHEMA);
    return new PostgresStore(new PostgresConnections(place), options);
  }

  /** Brings the schema up to date, or only finds what it would do. Returns the steps. @throws StoreUnavailableError, SchemaTooNewError */
  static migrate(place: PostgresPlace, dryRun = false): Promise<readonly AppliedStep[]> {
    return migratePlace(place, POSTGRES_STORE_SCHEMA, dryRun);
  }
}
