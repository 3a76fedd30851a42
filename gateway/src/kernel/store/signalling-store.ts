import { isCachedTable } from './cached-tables.js';
import type { Signal, Signals } from './signals/signals.js';
import type { Change, Store } from './store.js';
import { withCommit } from './with-commit.js';

/** The store, with signals to every process on the database for commits that others wait for. */
export function signallingStore(store: Store, signals: Pick<Signals, 'send'>): Store {
  return withCommit(store, async (changes) => {
    await store.commit(changes);
    for (const change of changes) {
      const signal = signalOf(change);
      if (signal) signals.send(signal);
    }
  });
}

function signalOf(change: Change): Signal | undefined {
  if (!('table' in change)) return undefined;
  const { op, table } = change;
  if (op !== 'insert' && op !== 'update' && op !== 'delete') return undefined;
  if (isCachedTable(table)) return { topic: 'cache', key: '' };
  if (op === 'insert' && table === 'agentCommands') return { topic: 'commands', key: change.row.agentId };
  if (op === 'update' && table === 'agents') return { topic: 'agents', key: change.row.id };
  return undefined;
}
