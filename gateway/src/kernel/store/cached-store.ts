import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { isCachedTable, isOftenAbsent } from './cached-tables.js';
import type { Rows, TableName } from './rows.js';
import type { Signals } from './signals/signals.js';
import { type Change, type FindOptions, type Key, keyName, type Scalar, type Store } from './store.js';

export const CACHE_LIMITS = {
  /** A change by another process whose signal was lost, such as the revocation of a token, counts after this time. */
  maxAgeMs: 500,
  /** Rows kept at most; beyond it all are forgotten. */
  maxRows: 50_000,
} as const;

interface Cached {
  /** A promise that is fulfilled: each later read gets the same one, and nothing is made for it. */
  readonly value: Promise<unknown>;
  readonly atMs: number;
}

/** What is remembered of one index, by {@link keyName} of its values. */
type Remembered = Map<Scalar, Cached>;

/**
 * The store with a short memory for some tables: `get`, and `find` without options. A change by this process counts at once, by another one
 * with its signal, at the latest after {@link CACHE_LIMITS.maxAgeMs}. What was not found is looked up again each time, but for tables of which
 * most entities have no row.
 */
export function cachedStore(
  store: Store,
  clock: Pick<Clock, 'monotonicMs'>,
  signals?: Pick<Signals, 'listen'>,
): Store {
  const memory = new Map<string, Remembered>();
  let rows = 0;
  // What was read before a commit must not be remembered after it.
  let commits = 0;
  const forget = (): void => {
    commits += 1;
    memory.clear();
    rows = 0;
  };
  signals?.listen((received) => {
    if (received.some(({ topic }) => topic === 'cache')) forget();
  });
  const recall = (index: string, key: Scalar): Promise<unknown> | undefined => {
    const known = memory.get(index)?.get(key);
    return known && clock.monotonicMs() - known.atMs < CACHE_LIMITS.maxAgeMs ? known.value : undefined;
  };
  const remember = (index: string, key: Scalar, cached: Cached): void => {
    if (rows >= CACHE_LIMITS.maxRows) {
      memory.clear();
      rows = 0;
    }
    const known: Remembered = memory.get(index) ?? new Map();
    if (!known.has(key)) rows += 1;
    memory.set(index, known.set(key, cached));
  };
  /** Reads, and remembers the value unless it is none or something was changed meanwhile. */
  const look = async <T>(
    index: string,
    key: Scalar,
    read: Promise<T>,
    isFound: (value: T) => boolean,
  ): Promise<T> => {
    const [before, atMs] = [commits, clock.monotonicMs()];
    const value = await read;
    if (before === commits && isFound(value)) remember(index, key, { value: Promise.resolve(value), atMs });
    return value;
  };
  return {
    async commit(changes) {
      const touches = changes.some(touchesCached);
      if (touches) forget();
      try {
        await store.commit(changes);
      } finally {
        if (touches) forget();
      }
    },
    get: <T extends TableName>(table: T, key: Key) => {
      if (!isCachedTable(table)) return store.get(table, key);
      const of = keyName(key);
      const known = recall(table, of) as Promise<Rows[T] | undefined> | undefined;
      const isFound = (row: unknown) => row !== undefined || isOftenAbsent(table);
      return known ?? look(table, of, store.get(table, key), isFound);
    },
    find: <T extends TableName>(table: T, index: string, values: Key, options?: FindOptions) => {
      if (!isCachedTable(table) || options !== undefined) return store.find(table, index, values, options);
      const [at, of] = [`${table}/${index}`, keyName(values)];
      const known = recall(at, of) as Promise<readonly Rows[T][]> | undefined;
      return known ?? look(at, of, store.find(table, index, values), (found) => found.length > 0);
    },
    findRange: (table, index, range) => store.findRange(table, index, range),
    countRange: (table, index, range) => store.countRange(table, index, range),
    findAfter: (table, after, options) => store.findAfter(table, after, options),
    check: () => store.check(),
    close: () => store.close(),
  };
}

function touchesCached(change: Change): boolean {
  return 'table' in change && isCachedTable(change.table);
}
