import { columnNames } from '@tillbridge/platform/sqlite/table-sql.js';
import { FIND_LIMIT, type RangeShape } from './store.js';
import { indexColumns, rangeColumns, shapeOf, type TableName, uniqueIndexes } from './tables.js';

/** A parameter that is a set of rows: where they come from, and the value that a row of it has for a column. */
interface Source {
  readonly from: string;
  readonly value: (column: string, at: number) => string;
}

/** What is specific to the SQL of a database. */
export interface Dialect {
  /** The name of a table or a column as SQL. */
  readonly name: (name: string) => string;
  /** A function that gives the marks of the parameters, one after the other. */
  readonly marks: () => () => string;
  /** What is read of each row. @param prefix stands before each column */
  readonly row: (table: TableName, prefix: string) => string;
  /** Keys, as the source `p`. */
  readonly keys: (table: TableName, columns: readonly string[]) => Source;
  /** A join that reads the left side first. */
  readonly join: string;
  /** A JSON array of rows. */
  readonly rows: (table: TableName) => Source;
  /** Whether a column has one of the values of a list. */
  readonly among: (table: TableName, column: string, mark: string) => string;
  /** Names the index to read, where the database would choose otherwise. */
  readonly by: (table: TableName, index: string) => string;
  /** A count as a number that JavaScript has. */
  readonly count: string;
}

/** SQL texts built from tables.ts: one text per table and statement, so that each is prepared once per connection. */
export class Statements {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Rows whose unique index is among keys. */
  probe(table: TableName, index: string): string {
    const { keys, join, row, name } = this.#dialect;
    const columns = indexColumns(table, index);
    const { from, value } = keys(table, columns);
    const matches = columns.map((column, at) => `t.${name(column)} = ${value(column, at)}`);
    return `SELECT ${row(table, 't.')} FROM ${from} ${join} ${name(table)} AS t ON ${matches.join(' AND ')}`;
  }

  /** The same of any index; where several rows may have the same values {@link FIND_LIMIT} rows at most, in primary key order. */
  findMany(table: TableName, index: string): string {
    if (uniqueIndexes(table).includes(index)) return this.probe(table, index);
    return `${this.probe(table, index)} ORDER BY ${this.#names(shapeOf(table).key, 't.')} LIMIT ${FIND_LIMIT}`;
  }

  /** Inserts or replaces the rows of the JSON array of objects given as the only parameter. */
  upsert(table: TableName): string {
    const { rows, name } = this.#dialect;
    const { key } = shapeOf(table);
    const columns = columnNames(shapeOf(table));
    const { from, value } = rows(table);
    const sets = columns
      .filter((column) => !key.includes(column))
      .map((column) => `${name(column)} = excluded.${name(column)}`);
    // Without a condition SQLite reads the conflict as one of a join.
    return (
      `INSERT INTO ${name(table)} (${this.#names(columns)}) SELECT ${columns.map(value).join(', ')} ` +
      `FROM ${from} WHERE true ON CONFLICT (${this.#names(key)}) DO UPDATE SET ${sets.join(', ')}`
    );
  }

  /** Deletes the rows with primary keys. */
  delete(table: TableName): string {
    const { keys, name } = this.#dialect;
    const { key } = shapeOf(table);
    const { from, value } = keys(table, key);
    return `DELETE FROM ${name(table)} WHERE (${this.#names(key)}) IN (SELECT ${key.map(value).join(', ')} FROM ${from})`;
  }

  /**
   * Rows of a range of an index, in its order. Parameters: the values of the first columns, both ends of the last one (the upper one is not
   * in the range), each list, the limit, and how many rows are passed over.
   */
  findRange(table: TableName, index: string, range: RangeShape): string {
    const { name, row, marks } = this.#dialect;
    const mark = marks();
    const { last } = rangeColumns(table, index, range.before);
    const order = [last, ...shapeOf(table).key].map(
      (column) => `${name(column)}${range.descending ? ' DESC' : ''}`,
    );
    const rows = this.#range(table, index, range, mark);
    return `SELECT ${row(table, '')} ${rows} ORDER BY ${order.join(', ')} LIMIT ${mark()} OFFSET ${mark()}`;
  }

  /** How many rows {@link findRange} has, as a column `count`. The limit of the count is the last parameter. */
  countRange(table: TableName, index: string, range: RangeShape): string {
    const { count, marks } = this.#dialect;
    const mark = marks();
    return `SELECT ${count} AS count FROM (SELECT 1 ${this.#range(table, index, range, mark)} LIMIT ${mark()}) AS counted`;
  }

  /** Rows of an index, one parameter per column, then one per column of the key to go on after; the limit last, in primary key order. */
  find(table: TableName, index: string, goesOn: boolean): string {
    const { name, marks } = this.#dialect;
    const mark = marks();
    const matches = indexColumns(table, index).map((column) => `${name(column)} = ${mark()}`);
    if (goesOn) matches.push(this.#above(table, mark));
    return this.#inKeyOrder(table, `WHERE ${matches.join(' AND ')} `, mark);
  }

  /** Rows with a primary key above the one given column by column, in key order; `all` without a key; the limit last. */
  findAfter(table: TableName, all: boolean): string {
    const mark = this.#dialect.marks();
    return this.#inKeyOrder(table, all ? '' : `WHERE ${this.#above(table, mark)} `, mark);
  }

  #inKeyOrder(table: TableName, where: string, mark: () => string): string {
    const { name, row } = this.#dialect;
    const order = this.#names(shapeOf(table).key);
    return `SELECT ${row(table, '')} FROM ${name(table)} ${where}ORDER BY ${order} LIMIT ${mark()}`;
  }

  #above(table: TableName, mark: () => string): string {
    const { key } = shapeOf(table);
    return `(${this.#names(key)}) > (${key.map(mark).join(', ')})`;
  }

  #range(table: TableName, index: string, range: RangeShape, mark: () => string): string {
    const { name, among, by } = this.#dialect;
    const { first, last } = rangeColumns(table, index, range.before);
    const matches = [
      ...first.map((column) => `${name(column)} = ${mark()}`),
      `${name(last)} >= ${mark()} AND ${name(last)} < ${mark()}`,
      ...range.among.map((column) => among(table, column, mark())),
      ...range.filled.map((column) => `${name(column)} IS NOT NULL`),
    ];
    return `FROM ${name(table)}${by(table, index)} WHERE ${matches.join(' AND ')}`;
  }

  #names(columns: readonly string[], prefix = ''): string {
    return columns.map((column) => `${prefix}${this.#dialect.name(column)}`).join(', ');
  }
}
