import { columnNames } from '@tillbridge/platform/sqlite/table-sql.js';
import { Statements } from '../statements.js';
import type { Key } from '../store.js';
import { shapeOf, type TableName } from '../tables.js';
import { ARRAY_TYPES, quoted, quotedList } from './table-sql.js';

/** The statements of PostgreSQL. Keys are given as {@link columnsOf} has them, lists as arrays. */
export const POSTGRES = new Statements({
  name: quoted,
  marks: () => {
    let count = 0;
    return () => {
      count += 1;
      return `$${count}`;
    };
  },
  row: (table, prefix) => quotedList(columnNames(shapeOf(table)), prefix),
  keys: (table, columns) => {
    const arrays = columns.map((column, at) => `$${at + 1}::${arrayType(table, column)}`);
    return {
      from: `unnest(${arrays.join(', ')}) AS p (${quotedList(columns)})`,
      value: (column) => `p.${quoted(column)}`,
    };
  },
  join: 'JOIN',
  rows: (table) => ({ from: `json_populate_recordset(NULL::${quoted(table)}, $1)`, value: quoted }),
  among: (table, column, mark) => `${quoted(column)} = ANY(${mark}::${arrayType(table, column)})`,
  by: () => '',
  count: 'count(*)::integer',
});

/** Keys as one array for each of their columns. */
export function columnsOf(keys: readonly Key[]): readonly (readonly unknown[])[] {
  return (keys[0] ?? []).map((_, at) => keys.map((key) => key[at]));
}

/**
 * Takes locks until the end of the transaction. Parameters: names, and for each whether the lock is exclusive. All nodes take
 * them in one order, so that none waits for another in a circle.
 */
export const LOCK_SQL = `SELECT CASE WHEN alone THEN pg_advisory_xact_lock(id)::text ELSE pg_advisory_xact_lock_shared(id)::text END
FROM (SELECT hashtextextended(current_schema() || '/' || name, 0) AS id, bool_or(alone) AS alone
FROM unnest($1::text[], $2::boolean[]) AS wanted (name, alone) GROUP BY 1 ORDER BY 1) AS sorted`;

function arrayType(table: TableName, column: string): string {
  return ARRAY_TYPES[shapeOf(table).columns[column]?.type ?? 'TEXT'];
}
