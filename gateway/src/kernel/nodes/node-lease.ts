import type { Seams } from '@tillbridge/wire/seams/seams.js';
import { allRows } from '../store/all-rows.js';
import { unlessConflict } from '../store/decide-again.js';
import { newId } from '../store/new-id.js';
import type { NodeEndRow, NodeRow } from '../store/rows.js';
import { type Change, CommitConflict, type Store } from '../store/store.js';
import { repeat } from '../workers/repeat.js';
import { LEASE_LIMITS } from './lease-limits.js';
import { WatchedNodes } from './watched-nodes.js';

/** A node as the owner of intents and keys. */
export interface Owner {
  /** The owner id on the rows that it owns; another one after the lease was lost. */
  readonly id: string;
  /** Fails a commit when another node has taken over from this one: nothing may be begun then. */
  guard(): Change;
  /** Whether the lease still holds by this machine's own time, so that a request may leave. */
  isHeld(): boolean;
  /**
   * Whether this node may go on with what another one owns: it has ended, or its lease is over. From then on the other one commits nothing
   * that has a {@link guard}.
   * @throws StoreUnavailableError
   */
  mayTake(owner: string | null): Promise<boolean>;
  /** How many nodes have ended that this one has seen. */
  readonly othersEnded: number;
  /** This node as it is now: once another one has taken over, what was begun under it can commit and send nothing more. */
  asNow(): Owner;
}

/** What a lease works with. */
interface NodeLeaseDeps extends Seams {
  readonly store: Pick<Store, 'get' | 'findAfter' | 'commit'>;
  /** No other process can use the database: what another node owns is left over. */
  readonly isSingleNode: boolean;
  readonly onFault: (what: string, error: unknown) => void;
}

/**
 * The lease of this process, a row that is renewed while it runs. Wall clocks count for nothing: a node is gone once another one has seen no
 * renewal for the time of a lease. Correctness does not depend on time at all: a node that takes over deletes the row first, and every commit
 * after which money may move demands that it is there (fencing).
 */
export class NodeLease implements Owner {
  readonly #deps: NodeLeaseDeps;
  #id: string;
  /** 0: the row is not written yet. */
  #version = 0;
  #sinceMs = 0;
  /** By the monotonic clock. */
  #heldUntilMs = 0;
  #timesLost = 0;
  readonly #others: WatchedNodes;
  #end: (() => Promise<void>) | undefined;

  private constructor(deps: NodeLeaseDeps) {
    this.#deps = deps;
    this.#id = newId(deps.random);
    this.#others = new WatchedNodes(deps);
  }

  /** Takes a lease and renews it until {@link end}. @throws StoreUnavailableError */
  static async begin(deps: NodeLeaseDeps): Promise<NodeLease> {
    const lease = new NodeLease(deps);
    await lease.renew();
    if (deps.isSingleNode)
      for (const row of await allRows(deps.store, 'nodes')) if (row.id !== lease.#id) await lease.#fence(row);
    const { clock, onFault } = deps;
    let isFirst = true;
    const work = async (): Promise<void> => {
      if (!isFirst) await lease.renew();
      isFirst = false;
      if (!deps.isSingleNode) await lease.#endOthers();
    };
    const fault = (error: unknown): void => onFault('the lease of this node was not renewed', error);
    lease.#end = repeat({ clock, intervalMs: LEASE_LIMITS.renewMs, work, onFault: fault });
    return lease;
  }

  get id(): string {
    return this.#id;
  }

  /** What is wrong with the wall clock of another node, or ours; undefined: nothing. */
  get clockFault(): string | undefined {
    return this.#others.clockFault;
  }

  get othersEnded(): number {
    return this.#others.ended;
  }

  /** How long the lease still holds by this machine's own time, in milliseconds. */
  get leftMs(): number {
    return Math.max(0, this.#heldUntilMs - this.#deps.clock.monotonicMs());
  }

  /** How often another node has taken over from this one. */
  get timesLost(): number {
    return this.#timesLost;
  }

  guard(): Change {
    return guardOf(this.#id);
  }

  asNow(): Owner {
    const { id, othersEnded } = this;
    const own: Owner = {
      id,
      othersEnded,
      guard: () => guardOf(id),
      isHeld: () => this.#id === id && this.isHeld(),
      mayTake: (owner) => this.mayTake(owner),
      asNow: () => own,
    };
    return own;
  }

  isHeld(): boolean {
    // Where no other node can take over, a process that was held up goes on.
    return this.#deps.isSingleNode || this.#deps.clock.monotonicMs() < this.#heldUntilMs;
  }

  async mayTake(owner: string | null): Promise<boolean> {
    if (owner === null || owner === this.#id) return true;
    const row = await this.#deps.store.get('nodes', [owner]);
    if (!row) return true;
    return this.#others.isOver(row) && this.#fence(row);
  }

  /** Lengthens the lease; takes one under another id where another node has ended it. @throws StoreUnavailableError */
  async renew(): Promise<void> {
    const { store, clock, random, onFault } = this.#deps;
    const sinceMs = clock.monotonicMs();
    const nowMs = clock.nowMs();
    const isNew = this.#version === 0;
    if (isNew) this.#sinceMs = nowMs;
    const row = {
      id: this.#id,
      renewedAtMs: nowMs,
      startedAtMs: this.#sinceMs,
      version: Math.max(1, this.#version),
    };
    try {
      await store.commit([{ op: isNew ? 'insert' : 'update', table: 'nodes', row }]);
      this.#version += 1;
      this.#heldUntilMs = sinceMs + LEASE_LIMITS.leaseMs;
    } catch (error) {
      if (!(error instanceof CommitConflict)) throw error;
      onFault('another node has taken over from this one, which was silent for too long', error);
      this.#timesLost += 1;
      this.#id = newId(random);
      this.#version = 0;
      await this.renew();
    }
  }

  /** Gives the lease back: others may take what is left over at once. Never fails. */
  async end(): Promise<void> {
    await this.#end?.();
    this.#heldUntilMs = 0;
    const { store } = this.#deps;
    await store
      .get('nodes', [this.#id])
      .then((row) => row?.version === this.#version && this.#fence(row, 'stopped'))
      .catch(() => undefined);
  }

  /** Ends the leases of nodes that are gone, whatever they own. */
  async #endOthers(): Promise<void> {
    // Its own was renewed just now, so that it is none of them.
    for (const row of await this.#others.look()) await this.#fence(row);
  }

  /** Deletes the row of a node, and notes its end; false where it has changed since. */
  async #fence(
    { id, version, startedAtMs, renewedAtMs }: NodeRow,
    ending: NodeEndRow['ending'] = 'lost',
  ): Promise<boolean> {
    const createdAtMs = this.#deps.clock.nowMs();
    const row: NodeEndRow = { id, startedAtMs, renewedAtMs, ending, createdAtMs, version: 1 };
    return unlessConflict(async () => {
      await this.#deps.store.commit([
        { op: 'delete', table: 'nodes', key: [id], version },
        { op: 'insert', table: 'nodeEnds', row },
      ]);
      return true;
    }, false);
  }
}

function guardOf(id: string): Change {
  return { op: 'require-field', table: 'nodes', key: [id], column: 'id', equals: id };
}
