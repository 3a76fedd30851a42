import { existsSync } from 'node:fs';
import type { CommitResult } from '@tillbridge/platform/metrics/commit-metrics.js';
import { Checkpoints } from '@tillbridge/platform/sqlite/checkpoints.js';
import type { SqliteConnection, SqliteOptions } from '@tillbridge/platform/sqlite/connection.js';
import {
  type AppliedStep,
  migrate,
  pendingSteps,
  type Schema,
  stepsOf,
} from '@tillbridge/platform/sqlite/migrate.js';
import { createSql } from '@tillbridge/platform/sqlite/table-sql.js';
import { CommitQueue } from './commit-queue.js';
import { DatabaseStore } from './database-store.js';
import { KeyReads } from './key-reads.js';
import { STORE_MIGRATIONS } from './migrations.js';
import { CHECKPOINT_PAGES, openDatabase } from './open-database.js';
import { readRows, SQLITE } from './sqlite-statements.js';
import { SQLITE_COMMIT_LIMITS, SqliteWriter } from './sqlite-writer.js';
import { FIND_LIMIT, type Key } from './store.js';
import { TABLES } from './tables.js';

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
export class SqliteStore extends DatabaseStore {
  private constructor(
    writer: SqliteConnection,
    [reader, ranges, checkpointing]: readonly [SqliteConnection, SqliteConnection, SqliteConnection],
    options: StoreOptions,
  ) {
    const checkpoints = new Checkpoints(checkpointing, CHECKPOINT_PAGES);
    super({
      writer: new CommitQueue(new SqliteWriter(writer), SQLITE_COMMIT_LIMITS, (commit) => {
        checkpoints.committed();
        options.onCommit?.(commit);
      }),
      keys: new KeyReads({
        one: (table, index, values) =>
          readRows(reader, SQLITE.find(table, index, false), [...values, FIND_LIMIT]),
        many: (table, index, keys) => readRows(reader, SQLITE.findMany(table, index), [JSON.stringify(keys)]),
      }),
      sql: SQLITE,
      read: (sql, values) => readRows(reader, sql, values),
      readRange: (sql, range, lists, page) => readRows(ranges, sql, rangeValues(range, lists, page)),
      countRange: async (sql, range, lists, page) => {
        const [row] = await ranges.all<{ readonly count: number }>(sql, ...rangeValues(range, lists, page));
        return row?.count ?? 0;
      },
      close: async () => {
        await checkpoints.close();
        for (const connection of [ranges, reader, writer]) await connection.close();
      },
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

  /** Brings the schema of a file up to date, or only finds what it would do, and closes it again. Returns the steps. */
  static async migrate(file: string, dryRun = false): Promise<readonly AppliedStep[]> {
    if (dryRun && !existsSync(file)) return stepsOf(STORE_SCHEMA);
    const connection = await openDatabase(file, dryRun ? { access: 'read-only' } : {});
    try {
      return dryRun ? await pendingSteps(connection, STORE_SCHEMA) : await migrate(connection, STORE_SCHEMA);
    } finally {
      await connection.close();
    }
  }
}

function rangeValues(range: Key, lists: readonly Key[], page: Key): Key {
  return [...range, ...lists.map((values) => JSON.stringify(values)), ...page];
}
