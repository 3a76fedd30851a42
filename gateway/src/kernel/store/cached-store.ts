import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { isCachedTable, isOftenAbsent } from './cached-tables.js';
import type { Signals } from './signals/signals.js';
import type { Change, Store } from './store.js';

export const CACHE_LIMITS = {
  /** A change by another process whose signal was lost, such as the revocation of a token, counts after this time. */
  maxAgeMs: 500,
  /** Rows kept at most; beyond it all are forgotten. */
  maxRows: 50_000,
} as const;

interface Cached {
  readonly value: unknown;
  readonly atMs: number;
}

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
  const rows = new Map<string, Cached>();
  // What was read before a commit must not be remembered after it.
  let commits = 0;
  const forget = (): void => {
    commits += 1;
    rows.clear();
  };
  signals?.listen((received) => {
    if (received.some(({ topic }) => topic === 'cache')) forget();
  });
  const remembered = async <T>(key: string, isFound: (value: T) => boolean, read: () => Promise<T>) => {
    const known = rows.get(key);
    if (known && clock.monotonicMs() - known.atMs < CACHE_LIMITS.maxAgeMs) return known.value as T;
    const [before, atMs] = [commits, clock.monotonicMs()];
    const value = await read();
    if (before === commits && isFound(value)) {
      if (rows.size >= CACHE_LIMITS.maxRows) rows.clear();
      rows.set(key, { value, atMs });
    }
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
    get: (table, key) =>
      isCachedTable(table)
        ? remembered(
            `${table}/${JSON.stringify(key)}`,
            (row) => row !== undefined || isOftenAbsent(table),
            () => store.get(table, key),
          )
        : store.get(table, key),
    find: (table, index, values, options) =>
      isCachedTable(table) && options === undefined
        ? remembered(
            `${table}/${index}/${JSON.stringify(values)}`,
            (found) => found.length > 0,
            () => store.find(table, index, values),
          )
        : store.find(table, index, values, options),
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
