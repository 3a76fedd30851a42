import type { SqliteConnection } from '@tillbridge/protocol/platform/sqlite/connection.js';
import { columnNames, isBeginOfKey } from '@tillbridge/protocol/platform/sqlite/table-sql.js';
import { FIND_LIMIT, type Key, type RangeShape } from './store.js';
import { indexColumns, PRIMARY, rangeColumns, shapeOf, type TableName, uniqueIndexes } from './tables.js';

/**
 * SQL texts built from tables.ts: one text per table and statement, so that each is prepared once per connection. A row comes as one text of JSON,
 * for {@link readRows}: to hand over each of its columns costs the main thread several times as much as to parse them.
 */

/** Rows of a read by one of the statements below. @throws the error of a fault */
export async function readRows<Row>(
  connection: Pick<SqliteConnection, 'all'>,
  sql: string,
  values: Key,
): Promise<readonly Row[]> {
  const texts = await connection.all<{ readonly row: string }>(sql, ...values);
  return texts.map(({ row }) => JSON.parse(row) as Row);
}

/** Rows whose unique index is among the JSON array of value arrays given as the only parameter. */
export function probeSql(table: TableName, index: string): string {
  const matches = indexColumns(table, index).map((column, at) => `t.${column} = p.value ->> '$[${at}]'`);
  return `SELECT ${rowSql(table, 't.')} FROM json_each(?) AS p CROSS JOIN ${table} AS t ON ${matches.join(' AND ')}`;
}

/** The same of any index; where several rows may have the same values {@link FIND_LIMIT} rows at most, in primary key order. */
export function findManySql(table: TableName, index: string): string {
  if (uniqueIndexes(table).includes(index)) return probeSql(table, index);
  const order = shapeOf(table).key.map((column) => `t.${column}`);
  return `${probeSql(table, index)} ORDER BY ${order.join(', ')} LIMIT ${FIND_LIMIT}`;
}

/** Inserts or replaces the rows of the JSON array of objects given as the only parameter. */
export function upsertSql(table: TableName): string {
  const { key } = shapeOf(table);
  const columns = columnNames(shapeOf(table));
  const values = columns.map((column) => `value ->> '$.${column}'`);
  const sets = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  return (
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?) WHERE true ` +
    `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${sets.join(', ')}`
  );
}

/** Deletes the rows whose primary keys are in the JSON array of value arrays given as the only parameter. */
export function deleteSql(table: TableName): string {
  const { key } = shapeOf(table);
  const values = key.map((_, at) => `value ->> '$[${at}]'`);
  return `DELETE FROM ${table} WHERE (${key.join(', ')}) IN (SELECT ${values.join(', ')} FROM json_each(?))`;
}

/**
 * Rows of a range of an index, in its order. Parameters: the values of the first columns, both ends of the last one (the upper one is not
 * in the range), a JSON array for each list, the limit, and how many rows are passed over.
 */
export function findRangeSql(table: TableName, index: string, range: RangeShape): string {
  const { last } = rangeColumns(table, index, range.before);
  const order = [last, ...shapeOf(table).key].map((column) => `${column}${range.descending ? ' DESC' : ''}`);
  return `SELECT ${rowSql(table)} ${rangeSql(table, index, range)} ORDER BY ${order.join(', ')} LIMIT ? OFFSET ?`;
}

/** How many rows {@link findRangeSql} has, as a column `count`. The limit of the count is the last parameter. */
export function countRangeSql(table: TableName, index: string, range: RangeShape): string {
  return `SELECT count(*) AS count FROM (SELECT 1 ${rangeSql(table, index, range)} LIMIT ?)`;
}

function rangeSql(table: TableName, index: string, { before, among, filled }: RangeShape): string {
  const { first, last } = rangeColumns(table, index, before);
  const matches = [
    ...first.map((column) => `${column} = ?`),
    `${last} >= ? AND ${last} < ?`,
    ...among.map((column) => `${column} IN (SELECT value FROM json_each(?))`),
    ...filled.map((column) => `${column} IS NOT NULL`),
  ];
  // Left to itself SQLite may take another index that has the last columns, and pass over the rows of all other owners.
  const isKey = index === PRIMARY || isBeginOfKey(shapeOf(table), indexColumns(table, index));
  const by = isKey ? '' : ` INDEXED BY ${table}_${index}`;
  return `FROM ${table}${by} WHERE ${matches.join(' AND ')}`;
}

/** Rows of an index, one parameter per column, then one per column of the key to go on after; the limit last, in primary key order. */
export function findSql(table: TableName, index: string, goesOn: boolean): string {
  const { key } = shapeOf(table);
  const matches = indexColumns(table, index).map((column) => `${column} = ?`);
  if (goesOn) matches.push(`(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`);
  return `SELECT ${rowSql(table)} FROM ${table} WHERE ${matches.join(' AND ')} ORDER BY ${key.join(', ')} LIMIT ?`;
}

/** Rows with a primary key above the one given column by column, in key order; `all` without a key; the limit last. */
export function findAfterSql(table: TableName, all: boolean): string {
  const { key } = shapeOf(table);
  const above = all ? '' : `WHERE (${key.join(', ')}) > (${key.map(() => '?').join(', ')}) `;
  return `SELECT ${rowSql(table)} FROM ${table} ${above}ORDER BY ${key.join(', ')} LIMIT ?`;
}

function rowSql(table: TableName, prefix = ''): string {
  const members = columnNames(shapeOf(table)).map((column) => `'${column}', ${prefix}${column}`);
  return `json_object(${members.join(', ')}) AS row`;
}
