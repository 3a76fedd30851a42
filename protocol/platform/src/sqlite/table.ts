/** A value that SQLite takes or gives. */
export type SqlValue = string | number | Uint8Array | null;

/** A column of a table; `T` is the type of its values. Each engine makes its own SQL of it. */
export interface Column<T extends SqlValue = SqlValue> {
  readonly type: 'TEXT' | 'INTEGER' | 'BLOB';
  /** What every engine understands; `$` stands for the column. */
  readonly check?: string;
  /** The table whose `id` it holds. */
  readonly references?: string;
  readonly isOptional?: boolean;
  /** A text of JSON. */
  readonly isJson?: boolean;
  /** For the compiler alone. */
  readonly value?: T;
}

type Columns = Readonly<Record<string, Column>>;
type Named<C> = readonly (keyof C & string)[];

/** What a table consists of, whatever its name. */
export interface Shape<C extends Columns = Columns> {
  /** Primary key; empty where there is none. */
  readonly key: Named<C>;
  /**
   * Rows of more than about 200 bytes: stored by a row number, in the order they come, with the key as a separate index. Rows
   * stored under their key would take a page each as soon as they are longer than a quarter of one (SQLite, "WITHOUT ROWID", §4).
   */
  readonly isWide?: boolean;
  /** Unique indexes by name; a row with a null in one of its columns is not in the index. */
  readonly unique: Readonly<Record<string, Named<C>>>;
  /** Other indexes by name. */
  readonly indexes: Readonly<Record<string, Named<C>>>;
  readonly columns: C;
}

/** A table, declared once: row type, SQL and memory engines follow from it. */
export interface Table<C extends Columns = Columns> extends Shape<C> {
  readonly name: string;
}

/** The row of a table. An optional value is null, never absent. */
export type RowOf<T extends Table> = {
  readonly [Name in keyof T['columns']]: T['columns'][Name] extends Column<infer Value> ? Value : never;
};

/** What a table has in addition to its columns. */
type Declared<C extends Columns> = Partial<Pick<Shape<C>, 'isWide' | 'unique' | 'indexes'>> & {
  /** Primary key; default `id`, empty for none. */
  readonly key?: Named<C>;
};

/** Declares what a table consists of. */
export function shape<const C extends Columns>(
  columns: C,
  { key = ['id'], unique = {}, indexes = {}, ...more }: Declared<C> = {},
): Shape<C> {
  return { columns, key, unique, indexes, ...more };
}

/** Declares a table. */
export function table<const C extends Columns>(
  name: string,
  columns: C,
  declared: Declared<C> = {},
): Table<C> {
  return { name, ...shape(columns, declared) };
}

/** Tables by their names. */
export function tables<S extends Readonly<Record<string, Shape>>>(
  shapes: S,
): { readonly [Name in keyof S]: Table<S[Name]['columns']> } {
  const named = Object.entries(shapes).map(([name, declared]) => [name, { name, ...declared }]);
  return Object.fromEntries(named);
}

/** A text. */
function text<T extends string = string>(): Column<T> {
  return { type: 'TEXT' };
}

/** A text out of a list. */
function oneOf<T extends string>(...values: readonly T[]): Column<T> {
  return { type: 'TEXT', check: `$ IN (${values.map((value) => `'${value}'`).join(', ')})` };
}

/** A text of JSON. */
function json(): Column<string> {
  return { type: 'TEXT', isJson: true };
}

/** The `id` of a row of another table. */
function idOf(references: string): Column<string> {
  return { type: 'TEXT', references };
}

/** A whole number, with what it must fulfil, such as `>= 0`. */
function integer(condition?: string): Column<number> {
  return { type: 'INTEGER', ...(condition !== undefined && { check: `$ ${condition}` }) };
}

/** 0 or 1. */
function flag(): Column<0 | 1> {
  return { type: 'INTEGER', check: '$ IN (0, 1)' };
}

/** Bytes. */
function bytes(): Column<Uint8Array> {
  return { type: 'BLOB' };
}

/** A value that may be null. */
function optional<T extends SqlValue>({ value: _, ...column }: Column<T>): Column<T | null> {
  return { ...column, isOptional: true };
}

/** Texts that may be null, under these names. */
function optionalTexts<const Name extends string>(
  ...names: readonly Name[]
): { readonly [N in Name]: Column<string | null> } {
  return Object.fromEntries(names.map((name) => [name, optional(text())])) as {
    readonly [N in Name]: Column<string | null>;
  };
}

/** Makes the columns of a table. */
export const column = { text, oneOf, json, idOf, integer, flag, bytes, optional, optionalTexts } as const;
