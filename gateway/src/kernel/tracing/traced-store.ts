import type { Change, Store } from '../store/store.js';
import { withCommit } from '../store/with-commit.js';
import type { Tracing } from './tracing.js';

/** The store; each commit is a span. */
export function tracedStore(store: Store, tracing: Tracing | undefined): Store {
  if (!tracing) return store;
  return withCommit(store, (changes) => {
    const attributes = { 'tillbridge.tables': tablesOf(changes) };
    return tracing.span('commit', { kind: 'client', attributes }, () => store.commit(changes));
  });
}

function tablesOf(changes: readonly Change[]): string {
  const tables = changes.flatMap((change) => ('table' in change ? [change.table] : []));
  return [...new Set(tables)].join(' ');
}
