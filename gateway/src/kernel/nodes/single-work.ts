import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { CommitConflict, type Store } from '../store/store.js';
import type { Owner } from './node-lease.js';

/** What {@link SingleWork} works with. */
interface SingleWorkDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly node: Pick<Owner, 'id' | 'mayTake'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/**
 * Work that one node at a time does. It stays with a node as long as that node's lease; for the moment in which a frozen node comes back, two
 * may do it, so a round must bear to be done twice.
 */
export class SingleWork {
  readonly #deps: SingleWorkDeps;

  constructor(deps: SingleWorkDeps) {
    this.#deps = deps;
  }

  /** Whether this node does the work of this name now: it has it, or takes it because no node has it any more. @throws StoreUnavailableError */
  async isMine(name: string): Promise<boolean> {
    const { store, node, clock } = this.#deps;
    const stored = await store.get('singleWork', [name]);
    if (stored?.owner === node.id) return true;
    if (stored && !(await node.mayTake(stored.owner))) return false;
    const row = { name, owner: node.id, sinceMs: clock.nowMs(), version: stored?.version ?? 1 };
    try {
      await store.commit([{ op: stored ? 'update' : 'insert', table: 'singleWork', row }]);
      return true;
    } catch (error) {
      // Another one was faster.
      if (error instanceof CommitConflict) return false;
      throw error;
    }
  }
}
