import { refuseNul } from '../commit-queue.js';
import type { Rows, TableName } from '../rows.js';
import {
  type Change,
  CommitConflict,
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

/** The store in memory, for tests and the simulation: the contract of the real one, no durability. */
export class MemoryStore implements Store {
  readonly #set = new WorkingSet();
  readonly #tables = new Map<TableName, Map<string, AnyRow>>();
  #closed = false;

  async commit(changes: readonly Change[]): Promise<void> {
    this.#assertOpen();
    refuseNul(changes);
    const conflict = this.#set.tryApply(changes);
    if (conflict) throw new CommitConflict(conflict);
    const { written, deleted } = this.#set.takeDirty();
    for (const [table, rows] of deleted) {
      for (const row of rows) this.#rows(table).delete(JSON.stringify(keyOf(table, row)));
    }
    for (const [table, rows] of written) {
      for (const row of rows) this.#rows(table).set(JSON.stringify(keyOf(table, row)), row);
    }
  }

  async get<T extends TableName>(table: T, key: Key): Promise<Rows[T] | undefined> {
    this.#assertOpen();
    const row = this.#set.get({ table, index: PRIMARY, values: key });
    return row ? typed<T>(row) : undefined;
  }

  async find<T extends TableName>(table: T, index: string, values: Key, options: FindOptions = {}): Found<T> {
    const columns = indexColumns(table, index);
    return this.#page(table, options, (row) =>
      columns.every((column, at) => values[at] !== null && row[column] === values[at]),
    );
  }

  async findRange<T extends TableName>(table: T, index: string, range: Range<T>): Found<T> {
    const { equals = [], from = Number.MIN_SAFE_INTEGER, below = Number.MAX_SAFE_INTEGER } = range;
    const { among = {}, descending, skip = 0, limit = FIND_LIMIT } = range;
    const { first, last } = rangeColumns(table, index, equals.length);
    const lists = Object.entries<readonly Scalar[] | undefined>(among);
    const isWithin = ({ [last]: value, ...row }: AnyRow): boolean =>
      typeof value === 'number' &&
      value >= from &&
      value < below &&
      first.every((column, at) => row[column] === equals[at]) &&
      lists.every(([column, values]) => values?.includes(row[column] ?? null));
    const order = (row: AnyRow): Key => [row[last] ?? null, ...keyOf(table, row)];
    const found = this.#page(table, { limit: Number.POSITIVE_INFINITY }, isWithin, order);
    return (descending ? [...found].reverse() : found).slice(skip, skip + limit);
  }

  async findAfter<T extends TableName>(
    table: T,
    after: Key | undefined,
    options: FindOptions = {},
  ): Found<T> {
    return this.#page(table, { ...options, ...(after && { after }) }, () => true);
  }

  /** The rows that match, in the order of their keys or of another key, up to the limit. */
  #page<T extends TableName>(
    table: T,
    { after, limit = FIND_LIMIT }: FindOptions,
    matches: (row: AnyRow) => boolean,
    orderKey = (row: AnyRow): Key => keyOf(table, row),
  ): readonly Rows[T][] {
    this.#assertOpen();
    return [...this.#rows(table).values()]
      .filter((row) => matches(row) && (after === undefined || compare(keyOf(table, row), after) > 0))
      .sort((a, b) => compare(orderKey(a), orderKey(b)))
      .slice(0, limit)
      .map((row) => typed<T>(row));
  }

  async check(): Promise<void> {
    this.#assertOpen();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #rows(table: TableName): Map<string, AnyRow> {
    let rows = this.#tables.get(table);
    if (!rows) {
      rows = new Map();
      this.#tables.set(table, rows);
    }
    return rows;
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreUnavailableError('closed', 'the store is closed');
  }
}

/** Rows go in through typed changes alone, so what comes out of a table has its type. */
function typed<T extends TableName>(row: AnyRow): Rows[T] {
  return { ...row } as unknown as Rows[T];
}

function compare(a: Key, b: Key): number {
  for (let i = 0; i < a.length; i += 1) {
    const left = a[i] ?? '';
    const right = b[i] ?? '';
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
