import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { TableName } from './rows.js';
import type { Change, Store } from './store.js';

/**
 * Tables that nearly every request reads and hardly anything changes. Rows of money are never cached.
 */
const CACHED: ReadonlySet<TableName> = new Set([
  'tokens',
  'entities',
  'routing',
  'storePolicies',
  'threeDSecureSettings',
  'walletRoots',
  'riskRules',
]);
/** Of these, tables in which most entities have no row: that there is none is remembered too. */
const OFTEN_ABSENT: ReadonlySet<TableName> = new Set([
  'routing',
  'storePolicies',
  'threeDSecureSettings',
  'riskRules',
]);

export const CACHE_LIMITS = {
  /** A change by another process, such as the revocation of a token, counts after this time. */
  maxAgeMs: 500,
  /** Rows kept at most; beyond it all are forgotten. */
  maxRows: 50_000,
} as const;

interface Cached {
  readonly value: unknown;
  readonly atMs: number;
}

/**
 * The store with a short memory for {@link CACHED} tables: `get`, and `find` without options. A change by this process counts at once, by
 * another one within {@link CACHE_LIMITS.maxAgeMs}. What was not found is looked up again each time, but for {@link OFTEN_ABSENT} tables.
 */
export function cachedStore(store: Store, clock: Pick<Clock, 'monotonicMs'>): Store {
  const rows = new Map<string, Cached>();
  // What was read before a commit must not be remembered after it.
  let commits = 0;
  const forget = (): void => {
    commits += 1;
    rows.clear();
  };
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
      CACHED.has(table)
        ? remembered(
            `${table}/${JSON.stringify(key)}`,
            (row) => row !== undefined || OFTEN_ABSENT.has(table),
            () => store.get(table, key),
          )
        : store.get(table, key),
    find: (table, index, values, options) =>
      CACHED.has(table) && options === undefined
        ? remembered(
            `${table}/${index}/${JSON.stringify(values)}`,
            (found) => found.length > 0,
            () => store.find(table, index, values),
          )
        : store.find(table, index, values, options),
    findRange: (table, index, range) => store.findRange(table, index, range),
    findAfter: (table, after, options) => store.findAfter(table, after, options),
    check: () => store.check(),
    close: () => store.close(),
  };
}

function touchesCached(change: Change): boolean {
  return 'table' in change && CACHED.has(change.table);
}
