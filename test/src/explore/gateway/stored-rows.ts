import type { Rows, TableName } from '@tillbridge/gateway/kernel/store/rows.js';
import {
  type Change,
  type Conflict,
  FIND_LIMIT,
  type FindOptions,
  type Key,
  type Range,
} from '@tillbridge/gateway/kernel/store/store.js';
import { indexColumns, PRIMARY } from '@tillbridge/gateway/kernel/store/tables.js';
import { type AnyRow, keyOf, WorkingSet } from '@tillbridge/gateway/kernel/store/working-set.js';

/** The rows of a database, as a value: by table, in the order of their keys. */
export type StoredRows = Readonly<Partial<Record<TableName, readonly AnyRow[]>>>;

/** Sets that were filled from rows, for reads. */
const SETS = new WeakMap<StoredRows, WorkingSet>();

function filled(rows: StoredRows): WorkingSet {
  const set = new WorkingSet();
  for (const [table, list] of Object.entries(rows)) for (const row of list) set.load(table as TableName, row);
  return set;
}

/** The row of a key. */
export function getRow<T extends TableName>(rows: StoredRows, table: T, key: Key): Rows[T] | undefined {
  let set = SETS.get(rows);
  if (!set) {
    set = filled(rows);
    SETS.set(rows, set);
  }
  return typed<T>(set.get({ table, index: PRIMARY, values: key }));
}

/** The rows that have these values in the columns of an index. */
export function findRows<T extends TableName>(
  rows: StoredRows,
  table: T,
  index: string,
  values: Key,
  { after, limit = FIND_LIMIT }: FindOptions = {},
): readonly Rows[T][] {
  if (values.includes(null)) return [];
  const columns = indexColumns(table, index);
  const found = (rows[table] ?? []).filter((row) =>
    columns.every((column, at) => row[column] === values[at]),
  );
  const wanted = after ? found.filter((row) => textOf(keyOf(table, row)) > textOf(after)) : found;
  return wanted.slice(0, limit).flatMap((row) => typed<T>(row) ?? []);
}

/** The rows of a range of an index, in its order. */
export function rowsInRange<T extends TableName>(
  rows: StoredRows,
  table: T,
  index: string,
  {
    equals = [],
    from = -Infinity,
    below = Infinity,
    among = {},
    descending,
    skip = 0,
    limit = FIND_LIMIT,
  }: Range<T>,
): readonly Rows[T][] {
  const columns = indexColumns(table, index);
  const last = columns[equals.length];
  if (last === undefined) throw new RangeError(`${table}.${index} has no column after ${equals.length}`);
  const timeOf = (row: AnyRow): number => Number(row[last] ?? Number.NaN);
  const found = (rows[table] ?? []).filter(
    (row) =>
      equals.every((value, at) => row[columns[at] ?? ''] === value) &&
      timeOf(row) >= from &&
      timeOf(row) < below &&
      Object.entries<readonly unknown[] | undefined>(among).every(([column, values]) =>
        values?.includes(row[column]),
      ),
  );
  const sorted = found.toSorted((a, b) => timeOf(a) - timeOf(b));
  const wanted = descending ? sorted.reverse() : sorted;
  return wanted.slice(skip, skip + limit).flatMap((row) => typed<T>(row) ?? []);
}

/** All rows of a table whose key is above another one. */
export function rowsAfter<T extends TableName>(
  rows: StoredRows,
  table: T,
  after: Key | undefined,
): readonly Rows[T][] {
  const all = rows[table] ?? [];
  const wanted = after ? all.filter((row) => textOf(keyOf(table, row)) > textOf(after)) : all;
  return wanted.flatMap((row) => typed<T>(row) ?? []);
}

/** The rows after a commit, judged as every engine judges it; or the rule that it broke. */
export function committed(
  rows: StoredRows,
  changes: readonly Change[],
): { readonly rows: StoredRows } | { readonly conflict: Conflict } {
  const set = filled(rows);
  const conflict = set.tryApply(changes);
  if (conflict) return { conflict };
  const { written, deleted } = set.takeDirty();
  const after: Partial<Record<TableName, readonly AnyRow[]>> = { ...rows };
  for (const [table, gone] of deleted) after[table] = without(table, after[table] ?? [], gone);
  for (const [table, fresh] of written)
    after[table] = [...without(table, after[table] ?? [], fresh), ...fresh].sort((a, b) =>
      textOf(keyOf(table, a)) < textOf(keyOf(table, b)) ? -1 : 1,
    );
  return { rows: after };
}

function without(table: TableName, rows: readonly AnyRow[], gone: readonly AnyRow[]): readonly AnyRow[] {
  const keys = new Set(gone.map((row) => textOf(keyOf(table, row))));
  return rows.filter((row) => !keys.has(textOf(keyOf(table, row))));
}

const textOf = (key: Key): string => JSON.stringify(key);

function typed<T extends TableName>(row: AnyRow | undefined): Rows[T] | undefined {
  return row && ({ ...row } as unknown as Rows[T]);
}
