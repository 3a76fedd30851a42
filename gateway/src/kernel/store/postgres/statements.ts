import { columnNames } from '@tillbridge/protocol/platform/sqlite/table-sql.js';
import { FIND_LIMIT, type Key, type RangeShape } from '../store.js';
import { indexColumns, rangeColumns, shapeOf, type TableName, uniqueIndexes } from '../tables.js';
import { ARRAY_TYPES, quoted, quotedList } from './table-sql.js';

/** SQL texts built from tables.ts: one text per table and statement, so that each is prepared once per connection. */

/** Rows whose unique index is among keys; the parameters are those of {@link columnsOf}. */
export function probeSql(table: TableName, index: string): string {
  const columns = indexColumns(table, index);
  const matches = columns.map((column) => `t.${quoted(column)} = p.${quoted(column)}`);
  return `SELECT ${columnList(table, 't.')} FROM ${keysSql(table, columns)} JOIN ${quoted(table)} AS t ON ${matches.join(' AND ')}`;
}

/** The same of any index; where several rows may have the same values {@link FIND_LIMIT} rows at most, in primary key order. */
export function findManySql(table: TableName, index: string): string {
  if (uniqueIndexes(table).includes(index)) return probeSql(table, index);
  return `${probeSql(table, index)} ORDER BY ${quotedList(shapeOf(table).key, 't.')} LIMIT ${FIND_LIMIT}`;
}

/** Keys as one array for each of their columns. */
export function columnsOf(keys: readonly Key[]): readonly (readonly unknown[])[] {
  return (keys[0] ?? []).map((_, at) => keys.map((key) => key[at]));
}

/** Inserts or replaces the rows of the JSON array of objects given as the only parameter. */
export function upsertSql(table: TableName): string {
  const { key } = shapeOf(table);
  const sets = columnNames(shapeOf(table))
    .filter((column) => !key.includes(column))
    .map((column) => `${quoted(column)} = excluded.${quoted(column)}`);
  return (
    `INSERT INTO ${quoted(table)} (${columnList(table)}) SELECT ${columnList(table)} ` +
    `FROM json_populate_recordset(NULL::${quoted(table)}, $1) ON CONFLICT (${quotedList(key)}) DO UPDATE SET ${sets.join(', ')}`
  );
}

/** Deletes the rows with primary keys; the parameters are those of {@link columnsOf}. */
export function deleteSql(table: TableName): string {
  const { key } = shapeOf(table);
  const matches = key.map((column) => `t.${quoted(column)} = p.${quoted(column)}`);
  return `DELETE FROM ${quoted(table)} AS t USING ${keysSql(table, key)} WHERE ${matches.join(' AND ')}`;
}

/**
 * Rows of a range of an index, in its order. Parameters: the values of the first columns, both ends of the last one (the upper one is not
 * in the range), an array for each list, the limit, and how many rows are passed over.
 */
export function findRangeSql(table: TableName, index: string, range: RangeShape): string {
  const { last } = rangeColumns(table, index, range.before);
  const mark = marks();
  const order = [last, ...shapeOf(table).key].map(
    (column) => `${quoted(column)}${range.descending ? ' DESC' : ''}`,
  );
  return `SELECT ${columnList(table)} ${rangeSql(table, index, range, mark)} ORDER BY ${order.join(', ')} LIMIT ${mark()} OFFSET ${mark()}`;
}

/** How many rows {@link findRangeSql} has, as a column `count`. The limit of the count is the last parameter. */
export function countRangeSql(table: TableName, index: string, range: RangeShape): string {
  const mark = marks();
  return `SELECT count(*)::integer AS count FROM (SELECT 1 ${rangeSql(table, index, range, mark)} LIMIT ${mark()}) AS counted`;
}

function rangeSql(
  table: TableName,
  index: string,
  { before, among, filled }: RangeShape,
  mark: () => string,
): string {
  const { first, last } = rangeColumns(table, index, before);
  const matches = [
    ...first.map((column) => `${quoted(column)} = ${mark()}`),
    `${quoted(last)} >= ${mark()}`,
    `${quoted(last)} < ${mark()}`,
    ...among.map((column) => `${quoted(column)} = ANY(${mark()}::${arrayType(table, column)})`),
    ...filled.map((column) => `${quoted(column)} IS NOT NULL`),
  ];
  return `FROM ${quoted(table)} WHERE ${matches.join(' AND ')}`;
}

/** Rows of an index, one parameter per column, then one per column of the key to go on after; the limit last, in primary key order. */
export function findSql(table: TableName, index: string, goesOn: boolean): string {
  const { key } = shapeOf(table);
  const mark = marks();
  const matches = indexColumns(table, index).map((column) => `${quoted(column)} = ${mark()}`);
  if (goesOn) matches.push(`(${quotedList(key)}) > (${key.map(mark).join(', ')})`);
  return `SELECT ${columnList(table)} FROM ${quoted(table)} WHERE ${matches.join(' AND ')} ORDER BY ${quotedList(key)} LIMIT ${mark()}`;
}

/** Rows with a primary key above the one given column by column, in key order; `all` without a key; the limit last. */
export function findAfterSql(table: TableName, all: boolean): string {
  const { key } = shapeOf(table);
  const mark = marks();
  const above = all ? '' : `WHERE (${quotedList(key)}) > (${key.map(mark).join(', ')}) `;
  return `SELECT ${columnList(table)} FROM ${quoted(table)} ${above}ORDER BY ${quotedList(key)} LIMIT ${mark()}`;
}

/**
 * Takes locks until the end of the transaction. Parameters: names, and for each whether nobody else may hold it meanwhile. All nodes take
 * them in one order, so that none waits for another in a circle.
 */
export const LOCK_SQL = `SELECT CASE WHEN alone THEN pg_advisory_xact_lock(id)::text ELSE pg_advisory_xact_lock_shared(id)::text END
FROM (SELECT hashtextextended(current_schema() || '/' || name, 0) AS id, bool_or(alone) AS alone
FROM unnest($1::text[], $2::boolean[]) AS wanted (name, alone) GROUP BY 1 ORDER BY 1) AS sorted`;

/** Keys of a table as rows with the columns of the key. */
function keysSql(table: TableName, columns: readonly string[]): string {
  const arrays = columns.map((column, at) => `$${at + 1}::${arrayType(table, column)}`);
  return `unnest(${arrays.join(', ')}) AS p (${quotedList(columns)})`;
}

function arrayType(table: TableName, column: string): string {
  return ARRAY_TYPES[shapeOf(table).columns[column]?.type ?? 'TEXT'];
}

function columnList(table: TableName, prefix = ''): string {
  return quotedList(columnNames(shapeOf(table)), prefix);
}

/** Parameters, numbered from one on. */
function marks(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `$${count}`;
  };
}
