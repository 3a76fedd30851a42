import { refuseNul } from '../commit-queue.js';
import type { Rows, TableName } from '../rows.js';
import {
  type Change,
  CommitConflict,
  type CountedRange,
  FIND_LIMIT,
  type FindOptions,
  type Found,
  type Key,
  type Range,
  type Scalar,
  type Store,
  StoreUnavailableError,
} from '../store.js';
import { indexColumns, PRIMARY, rangeColumns } from '../tables.js';
import { type AnyRow, keyOf, WorkingSet } from '../working-set.js';
import { MemoryTable } from './memory-table.js';

/** The store in memory, for tests and the simulation: the contract of the real one, no durability. */
export class MemoryStore implements Store {
  readonly #set = new WorkingSet();
  readonly #tables = new Map<TableName, MemoryTable>();
  #closed = false;

  async commit(changes: readonly Change[]): Promise<void> {
    this.#assertOpen();
    refuseNul(changes);
    const conflict = this.#set.tryApply(changes);
    if (conflict) throw new CommitConflict(conflict);
    const { written, deleted } = this.#set.takeDirty();
    for (const [table, rows] of deleted) {
      for (const row of rows) this.#table(table).delete(keyOf(table, row));
    }
    for (const [table, rows] of written) {
      for (const row of rows) this.#table(table).set(keyOf(table, row), row);
    }
  }

  async get<T extends TableName>(table: T, key: Key): Promise<Rows[T] | undefined> {
    this.#assertOpen();
    const row = this.#set.get({ table, index: PRIMARY, values: key });
    return row ? typed<T>(row) : undefined;
  }

  async find<T extends TableName>(table: T, index: string, values: Key, options: FindOptions = {}): Found<T> {
    const columns = indexColumns(table, index);
    const found = values.includes(null) ? [] : this.#table(table).equal(columns, values);
    return this.#page(table, found, options);
  }

  async findRange<T extends TableName>(table: T, index: string, range: Range<T>): Found<T> {
    const { equals = [], from = Number.MIN_SAFE_INTEGER, below = Number.MAX_SAFE_INTEGER } = range;
    const { among = {}, filled = [], descending, skip = 0, limit = FIND_LIMIT } = range;
    const { first, last } = rangeColumns(table, index, equals.length);
    const lists = Object.entries<readonly Scalar[] | undefined>(among);
    const isWithin = (row: AnyRow): boolean => {
      const value = row[last];
      return (
        typeof value === 'number' &&
        value >= from &&
        value < below &&
        lists.every(([column, values]) => values?.includes(row[column] ?? null)) &&
        filled.every((column) => (row[column] ?? null) !== null)
      );
    };
    const rows = this.#table(table).equal(first, equals).filter(isWithin);
    const sorted = inOrder(rows, (row) => [row[last] ?? null, ...keyOf(table, row)]);
    return (descending ? sorted.reverse() : sorted).slice(skip, skip + limit).map(typed<T>);
  }

  async countRange<T extends TableName>(table: T, index: string, range: CountedRange<T>): Promise<number> {
    return (await this.findRange(table, index, range)).length;
  }

  async findAfter<T extends TableName>(
    table: T,
    after: Key | undefined,
    options: FindOptions = {},
  ): Found<T> {
    return this.#page(table, this.#table(table).equal([], []), { ...options, ...(after && { after }) });
  }

  /** Of these rows those of a page, in the order of their keys. */
  #page<T extends TableName>(
    table: T,
    rows: readonly AnyRow[],
    { after, limit = FIND_LIMIT }: FindOptions,
  ): readonly Rows[T][] {
    const wanted = after ? rows.filter((row) => compare(keyOf(table, row), after) > 0) : rows;
    return inOrder(wanted, (row) => keyOf(table, row))
      .slice(0, limit)
      .map(typed<T>);
  }

  async check(): Promise<void> {
    this.#assertOpen();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #table(name: TableName): MemoryTable {
    this.#assertOpen();
    let table = this.#tables.get(name);
    if (!table) {
      table = new MemoryTable();
      this.#tables.set(name, table);
    }
    return table;
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreUnavailableError('closed', 'the store is closed');
  }
}

/** Rows go in through typed changes alone, so what comes out of a table has its type. */
function typed<T extends TableName>(row: AnyRow): Rows[T] {
  return { ...row } as unknown as Rows[T];
}

/** The rows sorted by a key, which is made once for each. */
function inOrder(rows: readonly AnyRow[], keyOfRow: (row: AnyRow) => Key): AnyRow[] {
  return rows
    .map((row) => ({ row, key: keyOfRow(row) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ row }) => row);
}

function compare(a: Key, b: Key): number {
  for (let i = 0; i < a.length; i += 1) {
    const left = a[i] ?? '';
    const right = b[i] ?? '';
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
