import type { SqlValue, Table } from '@tillbridge/platform/sqlite/table.js';
import { columnNames } from '@tillbridge/platform/sqlite/table-sql.js';

/** A row as a database gives it. */
export type StoredRow = Readonly<Record<string, SqlValue>>;

/** First line of a file of rows. */
export const FORMAT = { format: 'tillbridge-rows-1' } as const;

/** Rows that are read or written at once. */
export const PAGE_ROWS = 1_000;

/** A row as a line: its values in the order of the columns. */
export function lineOf(table: Table, row: StoredRow): string {
  return JSON.stringify(columnNames(table).map((column) => row[column] ?? null));
}

/** The row of a line. */
export function rowOf(table: Table, values: readonly SqlValue[]): StoredRow {
  return Object.fromEntries(columnNames(table).map((column, at) => [column, values[at] ?? null]));
}

/** Values of the key of a row, by which the next page begins. */
export function keyValues(table: Table, row: StoredRow): readonly SqlValue[] {
  return table.key.map((column) => row[column] ?? null);
}
