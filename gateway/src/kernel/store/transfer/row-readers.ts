import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import type { SqlValue, Table } from '@tillbridge/platform/sqlite/table.js';
import { columnNames } from '@tillbridge/platform/sqlite/table-sql.js';
import { OperatorError } from '../../errors/operator-error.js';
import { openDatabase } from '../open-database.js';
import { PostgresConnections, type Run } from '../postgres/connection.js';
import { isOwnSchema, MIGRATION_MS } from '../postgres/migrate.js';
import { quoted, quotedList } from '../postgres/table-sql.js';
import type { DataSet } from './data-set.js';
import { PAGE_ROWS, type StoredRow } from './row-lines.js';

/** Gives the next page of a table's rows in the order of its key. @param after key of the last row before; empty: from the first on */
type PageReader = (table: Table, after: readonly SqlValue[]) => Promise<readonly StoredRow[]>;

/** Calls `work` with each set that there is, one after the other, and with what reads it. */
export type RowReaders = (work: (set: DataSet, read: PageReader) => Promise<void>) => Promise<void>;

/** The rows of SQLite files, which no process may write to meanwhile. @throws StoreUnavailableError */
export function sqliteReaders(sets: readonly DataSet[]): RowReaders {
  return async (work) => {
    for (const set of sets) {
      const connection = await openDatabase(set.file, { access: 'read-only' });
      try {
        await work(set, (table, after) => sqlitePage(connection, table, after));
      } finally {
        await connection.close();
      }
    }
  };
}

/** The rows of a PostgreSQL database, all as they are at one moment: gateways may go on. @throws StoreUnavailableError, OperatorError for an empty one or another build's */
export function postgresReaders(sets: readonly DataSet[], url: string): RowReaders {
  return async (work) => {
    // Between two pages a slow disk may take its time.
    const limits = { statementMs: MIGRATION_MS, lockMs: MIGRATION_MS, idleTransactionMs: MIGRATION_MS };
    const connections = new PostgresConnections({ url, schema: 'public' }, limits);
    try {
      await connections.snapshot(async (run) => {
        const found: DataSet[] = [];
        for (const set of sets) if (await isOwnSchema(run, set.name, set.schema)) found.push(set);
        if (found.length === 0)
          throw new OperatorError('the database of DATABASE_URL has no tables of a gateway yet');
        for (const set of found) {
          await work(set, (table, after) => postgresPage(run, set, table, after));
        }
      });
    } finally {
      await connections.close();
    }
  };
}

function sqlitePage(connection: SqliteConnection, table: Table, after: readonly SqlValue[]) {
  const key = table.key.join(', ');
  const where = after.length > 0 ? `WHERE (${key}) > (${table.key.map(() => '?').join(', ')}) ` : '';
  const sql = `SELECT ${columnNames(table).join(', ')} FROM ${table.name} ${where}ORDER BY ${key} LIMIT ${PAGE_ROWS}`;
  return connection.all<StoredRow>(sql, ...after);
}

function postgresPage(run: Run, { name }: DataSet, table: Table, after: readonly SqlValue[]) {
  const key = quotedList(table.key);
  const marks = table.key.map((_, at) => `$${at + 1}`).join(', ');
  const where = after.length > 0 ? `WHERE (${key}) > (${marks}) ` : '';
  const place = `${quoted(name)}.${quoted(table.name)}`;
  const sql = `SELECT ${quotedList(columnNames(table))} FROM ${place} ${where}ORDER BY ${key} LIMIT ${PAGE_ROWS}`;
  return run<StoredRow>(sql, after);
}
