import type { Rows, TableName } from '../rows.js';
import {
  type Change,
  CommitConflict,
  FIND_LIMIT,
  type FindOptions,
  type Key,
  type Store,
  StoreUnavailableError,
} from '../store.js';
import { indexColumns, PRIMARY, singleColumn } from '../tables.js';
import { type AnyRow, keyOf, WorkingSet } from '../working-set.js';

/** The store in memory: for simulated worlds and tests; same contract as the real one, no durability. */
export class MemoryStore implements Store {
  readonly #set = new WorkingSet();
  readonly #tables = new Map<TableName, Map<string, AnyRow>>();
  #closed = false;

  async commit(changes: readonly Change[]): Promise<void> {
    this.#assertOpen();
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

  async find<T extends TableName>(
    table: T,
    index: string,
    values: Key,
    options: FindOptions = {},
  ): Promise<readonly Rows[T][]> {
    this.#assertOpen();
    const { after } = options;
    const columns = indexColumns(table, index);
    const found = [...this.#rows(table).values()].filter(
      (row) =>
        columns.every((column, at) => values[at] !== null && row[column] === values[at]) &&
        (after === undefined || compare(keyOf(table, row), after) > 0),
    );
    found.sort((a, b) => compare(keyOf(table, a), keyOf(table, b)));
    return found.slice(0, options.limit ?? FIND_LIMIT).map((row) => typed<T>(row));
  }

  async findBelow<T extends TableName>(
    table: T,
    index: string,
    below: number,
    options: FindOptions = {},
  ): Promise<readonly Rows[T][]> {
    this.#assertOpen();
    const column = singleColumn(table, index);
    const found = [...this.#rows(table).values()].filter((row) => {
      const value = row[column];
      return typeof value === 'number' && value < below;
    });
    const order = (a: AnyRow, b: AnyRow): number => Number(a[column]) - Number(b[column]);
    found.sort((a, b) => order(a, b) || compare(keyOf(table, a), keyOf(table, b)));
    return found.slice(0, options.limit ?? FIND_LIMIT).map((row) => typed<T>(row));
  }

  async findAfter<T extends TableName>(
    table: T,
    after: Key | undefined,
    options: FindOptions = {},
  ): Promise<readonly Rows[T][]> {
    this.#assertOpen();
    const found = [...this.#rows(table).values()].filter(
      (row) => after === undefined || compare(keyOf(table, row), after) > 0,
    );
    found.sort((a, b) => compare(keyOf(table, a), keyOf(table, b)));
    return found.slice(0, options.limit ?? FIND_LIMIT).map((row) => typed<T>(row));
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
