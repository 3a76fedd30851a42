import { createHash, type Hash } from 'node:crypto';
import type { SqlValue, Table } from '@tillbridge/protocol/platform/sqlite/table.js';
import { columnNames } from '@tillbridge/protocol/platform/sqlite/table-sql.js';
import type { PostgresSchema } from '../postgres/migrate.js';

/** Tables that move together: those of the store, or of a ledger. */
export interface DataSet {
  /** Also the schema of the tables in PostgreSQL. */
  readonly name: string;
  readonly tables: readonly Table[];
  /** The SQLite file that has them. */
  readonly file: string;
  readonly schema: PostgresSchema;
}

/** A row as a database gives it. */
export type StoredRow = Readonly<Record<string, SqlValue>>;

/** First line of a file of rows. */
export const FORMAT = { format: 'tillbridge-rows-1' } as const;

/** Rows that are read or written at once. */
export const PAGE_ROWS = 1_000;

/** How many rows a table has, and a hash over all of them in the order of their keys. */
export interface TableSum {
  readonly rows: number;
  readonly sha256: string;
}

/** Sums by `data set/table`. */
export type Sums = Readonly<Record<string, TableSum>>;

/** Counts and hashes rows of a table. */
export class Summing {
  readonly #hash: Hash = createHash('sha256');
  #rows = 0;

  add(line: string): void {
    this.#rows += 1;
    this.#hash.update(line).update('\n');
  }

  end(): TableSum {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') };
  }
}

/** Name of a table in a file of rows. */
export function nameOfTable({ name }: Pick<DataSet, 'name'>, table: Table): string {
  return `${name}/${table.name}`;
}

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
