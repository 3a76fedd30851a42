import type { Table } from '@tillbridge/platform/sqlite/table.js';
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

/** Name of a table in a file of rows. */
export function nameOfTable({ name }: Pick<DataSet, 'name'>, table: Table): string {
  return `${name}/${table.name}`;
}
