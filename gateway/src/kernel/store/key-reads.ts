import type { TableName } from './rows.js';
import { FIND_LIMIT, type Key, keyName, type Scalar } from './store.js';
import { indexColumns, uniqueIndexes } from './tables.js';
import type { AnyRow } from './working-set.js';

/** Keys of one query at most. */
const KEY_READS_LIMIT = 256;

/** The queries of an engine for rows by values of an index; each gives {@link FIND_LIMIT} rows at most, in primary key order. */
interface KeyQueries {
  /** The rows under these values. @throws StoreUnavailableError */
  one(table: TableName, index: string, values: Key): Promise<readonly AnyRow[]>;
  /** The rows under these keys. @throws StoreUnavailableError */
  many(table: TableName, index: string, keys: readonly Key[]): Promise<readonly AnyRow[]>;
}

/** Everybody who waits for the rows under one key. */
interface Waiting {
  readonly values: Key;
  readonly resolve: (rows: readonly AnyRow[]) => void;
  readonly reject: (error: unknown) => void;
}

/** What waits of one index. */
interface Group {
  readonly table: TableName;
  readonly index: string;
  readonly waiting: Waiting[];
}

/**
 * Reads rows by values of indexes. The reads of one turn go together, and those that come while single rows are on their way: one query for
 * each index, because the way to the database's thread and back costs more than the rows.
 */
export class KeyReads {
  readonly #queries: KeyQueries;
  #groups = new Map<string, Group>();
  #isReading = false;

  constructor(queries: KeyQueries) {
    this.#queries = queries;
  }

  /**
   * The rows under these values of an index (or the primary key), as committed by now: {@link FIND_LIMIT} at most, in primary key order.
   * @throws StoreUnavailableError
   */
  read(table: TableName, index: string, values: Key): Promise<readonly AnyRow[]> {
    const name = `${table}/${index}`;
    const group = this.#groups.get(name) ?? { table, index, waiting: [] };
    this.#groups.set(name, group);
    return new Promise((resolve, reject) => {
      group.waiting.push({ values, resolve, reject });
      if (!this.#isReading) void this.#readAll();
    });
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    // By then a caller of several rows at once has requested all of them.
    await Promise.resolve();
    while (this.#groups.size > 0) {
      const groups = [...this.#groups.values()];
      this.#groups = new Map();
      await Promise.all(groups.map((group) => this.#readGroup(group)));
    }
    this.#isReading = false;
  }

  /** Reads of single rows wait for each other, never for a read that may be long. */
  async #readGroup(group: Group): Promise<void> {
    const read = Promise.all(pagesOf(group).map((page) => this.#readPage(page)));
    if (uniqueIndexes(group.table).includes(group.index)) await read;
  }

  async #readPage({ table, index, waiting }: Group): Promise<void> {
    const [first, ...more] = waiting;
    if (first && more.length === 0) return this.#readOne(table, index, first);
    try {
      const keys = new Map(waiting.map(({ values }) => [keyName(values), values]));
      const rows = await this.#queries.many(table, index, [...keys.values()]);
      // Some may be missing: each for itself then.
      if (rows.length >= FIND_LIMIT) {
        await Promise.all(waiting.map((one) => this.#readOne(table, index, one)));
        return;
      }
      const byKey = rowsByKey(rows, indexColumns(table, index));
      for (const { values, resolve } of waiting) resolve(byKey.get(keyName(values)) ?? []);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  async #readOne(table: TableName, index: string, { values, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(await this.#queries.one(table, index, values));
    } catch (error) {
      reject(error);
    }
  }
}

function rowsByKey(
  rows: readonly AnyRow[],
  columns: readonly string[],
): ReadonlyMap<Scalar, readonly AnyRow[]> {
  const byKey = new Map<Scalar, AnyRow[]>();
  for (const row of rows) {
    const key = keyName(columns.map((column) => row[column] ?? null));
    const known = byKey.get(key);
    if (known) known.push(row);
    else byKey.set(key, [row]);
  }
  return byKey;
}

function pagesOf({ table, index, waiting }: Group): readonly Group[] {
  const pages: Group[] = [];
  for (let at = 0; at < waiting.length; at += KEY_READS_LIMIT)
    pages.push({ table, index, waiting: waiting.slice(at, at + KEY_READS_LIMIT) });
  return pages;
}
