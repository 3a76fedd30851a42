import { oneRun } from '@tillbridge/wire/seams/one-run.js';
import type { CommitQueue } from './commit-queue.js';
import type { KeyReads } from './key-reads.js';
import type { Rows } from './rows.js';
import type { Statements } from './statements.js';
import {
  type Change,
  type CountedRange,
  FIND_LIMIT,
  type FindOptions,
  type Found,
  type Key,
  type Range,
  type RangeShape,
  type Store,
} from './store.js';
import { PRIMARY, type TableName, uniqueIndexes } from './tables.js';

/** What the stores on databases do each in its own way. */
interface StoreEngine {
  readonly writer: CommitQueue;
  readonly keys: KeyReads;
  /** SQL texts of reads; parameters are numbered in the order of the values. */
  readonly sql: Pick<Statements, 'find' | 'findRange' | 'countRange' | 'findAfter'>;
  /** Rows of a short read. */
  read<Row>(sql: string, values: Key): Promise<readonly Row[]>;
  /** Rows of a read that may be long: no other read waits for it. The lists stand between the ends of the range and the limit. */
  readRange<Row>(sql: string, range: Key, lists: readonly Key[], page: Key): Promise<readonly Row[]>;
  /** Rows that were counted, with the parameters of {@link readRange}. */
  countRange(sql: string, range: Key, lists: readonly Key[], page: Key): Promise<number>;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** The store on a database: one writer with group commit, and reads by SQL. */
export class DatabaseStore implements Store {
  readonly #engine: StoreEngine;

  protected constructor(engine: StoreEngine) {
    this.#engine = engine;
  }

  commit(changes: readonly Change[]): Promise<void> {
    return this.#engine.writer.commit(changes);
  }

  async get<T extends TableName>(table: T, key: Key): Promise<Rows[T] | undefined> {
    // Columns come back as they were typed going in.
    return (await this.#engine.keys.read(table, PRIMARY, key))[0] as Rows[T] | undefined;
  }

  async find<T extends TableName>(table: T, index: string, values: Key, options: FindOptions = {}): Found<T> {
    const { after, limit = FIND_LIMIT } = options;
    const isWhole = limit === FIND_LIMIT || uniqueIndexes(table).includes(index);
    if (after === undefined && isWhole)
      return (await this.#engine.keys.read(table, index, values)) as readonly Rows[T][];
    const sql = this.#engine.sql.find(table, index, after !== undefined);
    return this.#engine.read<Rows[T]>(sql, [...values, ...(after ?? []), limit]);
  }

  async findRange<T extends TableName>(table: T, index: string, range: Range<T>): Found<T> {
    const { limit = FIND_LIMIT, skip = 0 } = range;
    const { shape, ends, lists } = partsOf(range);
    const sql = this.#engine.sql.findRange(table, index, shape);
    return this.#engine.readRange<Rows[T]>(sql, ends, lists, [limit, skip]);
  }

  countRange<T extends TableName>(table: T, index: string, range: CountedRange<T>): Promise<number> {
    const { shape, ends, lists } = partsOf(range);
    const sql = this.#engine.sql.countRange(table, index, shape);
    return this.#engine.countRange(sql, ends, lists, [range.limit]);
  }

  async findAfter<T extends TableName>(
    table: T,
    after: Key | undefined,
    { limit = FIND_LIMIT }: FindOptions = {},
  ): Found<T> {
    const sql = this.#engine.sql.findAfter(table, after === undefined);
    return this.#engine.read<Rows[T]>(sql, [...(after ?? []), limit]);
  }

  readonly check = oneRun(async () => {
    await this.findAfter('settings', undefined, { limit: 1 });
    await this.#engine.writer.commit([]);
  });

  /** Carries out waiting commits, then closes the database. */
  async close(): Promise<void> {
    await this.#engine.writer.close();
    await this.#engine.close();
  }
}

/** What the statement of a range looks like, and its values. */
function partsOf<T extends TableName>(range: Range<T>) {
  const { equals = [], from = Number.MIN_SAFE_INTEGER, below = Number.MAX_SAFE_INTEGER } = range;
  const { among = {}, filled = [], descending = false } = range;
  const shape: RangeShape = { before: equals.length, among: Object.keys(among), filled, descending };
  const lists: readonly Key[] = Object.values(among);
  return { shape, ends: [...equals, from, below], lists };
}
