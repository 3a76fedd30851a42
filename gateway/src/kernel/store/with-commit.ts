import type { Store } from './store.js';

/** The store with another way to commit; reads go to it as they are. */
export function withCommit(store: Store, commit: Store['commit']): Store {
  return {
    commit,
    get: (table, key) => store.get(table, key),
    find: (table, index, values, options) => store.find(table, index, values, options),
    findRange: (table, index, range) => store.findRange(table, index, range),
    countRange: (table, index, range) => store.countRange(table, index, range),
    findAfter: (table, after, options) => store.findAfter(table, after, options),
    check: () => store.check(),
    close: () => store.close(),
  };
}
