import type { Change, Store } from '../../kernel/store/store.js';
import { withCommit } from '../../kernel/store/with-commit.js';
import type { CounterEntry } from './trust-entry.js';

/** The sums of the commits of this process since they were read last. */
export class CommitActivity {
  readonly #counters = new Map<string, number>();
  #isBusy = false;

  /** Adds a commit that is durable. */
  add(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.op === 'raise-counter') {
        if (change.column === 'highestCounter') this.#raise(change.serial, change.to);
      } else if (change.op === 'insert' && change.table !== 'databaseMarks' && change.table !== 'nodes')
        this.#isBusy = true;
    }
  }

  /** The counters that were used, and whether anything was stored at all; forgets both. */
  take(nowMs: number): { readonly counters: readonly CounterEntry[]; readonly isBusy: boolean } {
    const counters = [...this.#counters].map(
      ([id, counter]): CounterEntry => ({ kind: 'counter', id, atMs: nowMs, counter }),
    );
    const isBusy = this.#isBusy || counters.length > 0;
    this.#counters.clear();
    this.#isBusy = false;
    return { counters, isBusy };
  }

  #raise(serial: string, to: number): void {
    this.#counters.set(serial, Math.max(to, this.#counters.get(serial) ?? 0));
  }
}

/** The store; what it commits is counted. */
export function watchedCommits(store: Store, activity: Pick<CommitActivity, 'add'>): Store {
  return withCommit(store, async (changes) => {
    await store.commit(changes);
    activity.add(changes);
  });
}
