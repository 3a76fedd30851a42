import type { Column, RowOf, SqlValue, Table } from './table.js';

/** The statements that make the tables and their indexes. */
export function createSql(tables: Iterable<Table>): string {
  return [...tables].map((table) => `${tableSql(table)}\n${indexSql(table)}`).join('');
}

/** Names of the columns, in the order of {@link valuesOf}. */
export function columnNames(table: Table): readonly string[] {
  return Object.keys(table.columns);
}

/** Inserts one row; one that has its key is in the way, stays or is replaced. */
export function insertSql(table: Table, conflict: '' | 'OR IGNORE ' | 'OR REPLACE ' = ''): string {
  const columns = columnNames(table);
  const marks = columns.map(() => '?').join(', ');
  return `INSERT ${conflict}INTO ${table.name} (${columns.join(', ')}) VALUES (${marks})`;
}

/** The values of a row by column; null where it has none. */
export function valuesOf<T extends Table>(table: T, row: Partial<RowOf<T>>): readonly SqlValue[] {
  const values: Readonly<Record<string, SqlValue | undefined>> = row;
  return columnNames(table).map((column) => values[column] ?? null);
}

function tableSql(table: Table): string {
  const { name, key, columns } = table;
  const lines = Object.entries(columns).map(([column, declared]) => `  ${columnSql(column, declared)}`);
  if (key.length > 0) lines.push(`  PRIMARY KEY (${key.join(', ')})`);
  return `CREATE TABLE ${name} (\n${lines.join(',\n')}\n) STRICT${isByNumber(table) ? '' : ', WITHOUT ROWID'};`;
}

/** A key of one number is the row's own number; rows without a key and wide ones have such a number, too. */
function isByNumber({ key: [first, ...more], columns, isWide }: Table): boolean {
  return isWide === true || first === undefined || (more.length === 0 && columns[first]?.type === 'INTEGER');
}

function columnSql(name: string, { type, check, isJson, references, isOptional }: Column): string {
  const parts = [
    `${name} ${type}`,
    ...(isOptional ? [] : ['NOT NULL']),
    // Rows that refer to each other come in any order within a transaction.
    ...(references === undefined ? [] : [`REFERENCES ${references} (id) DEFERRABLE INITIALLY DEFERRED`]),
    ...(check === undefined ? [] : [`CHECK (${check.replaceAll('$', name)})`]),
    ...(isJson ? [`CHECK (json_valid(${name}))`] : []),
  ];
  return parts.join(' ');
}

function indexSql(table: Table): string {
  const { unique, indexes } = table;
  return [
    ...Object.entries(unique).map(([name, columns]) => oneIndexSql(table, 'UNIQUE INDEX', name, columns)),
    ...Object.entries(indexes)
      .filter(([, columns]) => !isBeginOfKey(table, columns))
      .map(([name, columns]) => oneIndexSql(table, 'INDEX', name, columns)),
  ].join('');
}

/** Whether the primary key serves as such an index: there is no other one then. */
export function isBeginOfKey({ key }: Table, columns: readonly string[]): boolean {
  return columns.every((column, at) => key[at] === column);
}

/** Rows with a null are left out: no query looks for them by the index. */
function oneIndexSql(
  table: Table,
  kind: 'INDEX' | 'UNIQUE INDEX',
  name: string,
  columns: readonly string[],
): string {
  const present = columns.filter((column) => table.columns[column]?.isOptional);
  const where = present.map((column) => `${column} IS NOT NULL`).join(' AND ');
  return `CREATE ${kind} ${table.name}_${name} ON ${table.name} (${columns.join(', ')})${where && ` WHERE ${where}`};\n`;
}
