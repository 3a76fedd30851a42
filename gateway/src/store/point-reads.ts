import type { TableName } from './rows.js';
import type { Key } from './store.js';
import { indexColumns } from './tables.js';
import type { AnyRow } from './working-set.js';

/** Keys of one query at most. */
export const POINT_READS_LIMIT = 256;

/** The queries of an engine for rows by a unique index. */
export interface PointQueries {
  /** The row under these values, if there is one. @throws StoreUnavailableError */
  one(table: TableName, index: string, values: Key): Promise<readonly AnyRow[]>;
  /** The rows under these keys. @throws StoreUnavailableError */
  many(table: TableName, index: string, keys: readonly Key[]): Promise<readonly AnyRow[]>;
}

/** Everybody who waits for the row under one key. */
interface Waiting {
  readonly values: Key;
  readonly resolve: (row: AnyRow | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** What waits of one unique index. */
interface Group {
  readonly table: TableName;
  readonly index: string;
  readonly waiting: Waiting[];
}

/**
 * Reads single rows by unique indexes. The reads of one turn go together, and those that come while others are on their way: one query for
 * each index, because the way to the database's thread and back costs more than the row.
 */
export class PointReads {
  readonly #queries: PointQueries;
  #groups = new Map<string, Group>();
  #isReading = false;

  constructor(queries: PointQueries) {
    this.#queries = queries;
  }

  /** The row under these values of a unique index (or the primary key), as committed by now. @throws StoreUnavailableError */
  read(table: TableName, index: string, values: Key): Promise<AnyRow | undefined> {
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
    // Who asks for several rows at once has asked for all of them then.
    await Promise.resolve();
    while (this.#groups.size > 0) {
      const groups = [...this.#groups.values()];
      this.#groups = new Map();
      await Promise.all(groups.flatMap((group) => pagesOf(group).map((page) => this.#readPage(page))));
    }
    this.#isReading = false;
  }

  async #readPage({ table, index, waiting }: Group): Promise<void> {
    try {
      const rows = await this.#rowsOf(table, index, waiting);
      const columns = indexColumns(table, index);
      const byKey = new Map(
        rows.map((row) => [JSON.stringify(columns.map((column) => row[column] ?? null)), row]),
      );
      for (const { values, resolve } of waiting) resolve(byKey.get(JSON.stringify(values)));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  #rowsOf(table: TableName, index: string, waiting: readonly Waiting[]): Promise<readonly AnyRow[]> {
    const [first, ...more] = waiting;
    if (first && more.length === 0) return this.#queries.one(table, index, first.values);
    const keys = new Map(waiting.map(({ values }) => [JSON.stringify(values), values]));
    return this.#queries.many(table, index, [...keys.values()]);
  }
}

function pagesOf({ waiting, ...index }: Group): readonly Group[] {
  const pages: Group[] = [];
  for (let at = 0; at < waiting.length; at += POINT_READS_LIMIT)
    pages.push({ ...index, waiting: waiting.slice(at, at + POINT_READS_LIMIT) });
  return pages;
}
