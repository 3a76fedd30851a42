import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { columnNames, isBeginOfKey } from '@tillbridge/platform/sqlite/table-sql.js';
import { Statements } from './statements.js';
import type { Key } from './store.js';
import { indexColumns, PRIMARY, shapeOf } from './tables.js';

/**
 * The statements of SQLite. A row comes as one text of JSON, for {@link readRows}: to hand over each of its columns costs the main thread
 * several times as much as to parse them. Keys and lists are JSON arrays.
 */
export const SQLITE = new Statements({
  name: (name) => name,
  marks: () => () => '?',
  row: (table, prefix) => {
    const members = columnNames(shapeOf(table)).map((column) => `'${column}', ${prefix}${column}`);
    return `json_object(${members.join(', ')}) AS row`;
  },
  keys: () => ({ from: 'json_each(?) AS p', value: (_, at) => `p.value ->> '$[${at}]'` }),
  join: 'CROSS JOIN',
  rows: () => ({ from: 'json_each(?)', value: (column) => `value ->> '$.${column}'` }),
  among: (_, column, mark) => `${column} IN (SELECT value FROM json_each(${mark}))`,
  by: (table, index) => {
    // Left to itself SQLite may take another index that has the last columns, and pass over the rows of all other owners.
    const isKey = index === PRIMARY || isBeginOfKey(shapeOf(table), indexColumns(table, index));
    return isKey ? '' : ` INDEXED BY ${table}_${index}`;
  },
  count: 'count(*)',
});

/** Rows of a read by one of {@link SQLITE}. @throws the error of a fault */
export async function readRows<Row>(
  connection: Pick<SqliteConnection, 'all'>,
  sql: string,
  values: Key,
): Promise<readonly Row[]> {
  const texts = await connection.all<{ readonly row: string }>(sql, ...values);
  return texts.map(({ row }) => JSON.parse(row) as Row);
}
