import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { allRows } from '../store/all-rows.js';
import { newId } from '../store/new-id.js';
import { type Change, CommitConflict, type Store } from '../store/store.js';
import { repeat } from '../workers/repeat.js';

/** Times of the lease of a node, in milliseconds. */
export const LEASE_LIMITS = {
  /** How long a node may be silent before others take over what it owns. */
  leaseMs: 3_000,
  renewMs: 1_000,
  /** How far the clocks of two nodes may differ before one takes over from another that still lives; that one is fenced then. */
  clockMarginMs: 1_000,
} as const;

/** A node as the owner of intents and keys. */
export interface Owner {
  /** What is written beside the things it owns; another one after the lease was lost. */
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
}

/** What a lease works with. */
export interface NodeLeaseParts {
  readonly store: Pick<Store, 'get' | 'findAfter' | 'commit'>;
  readonly clock: Clock;
  readonly random: Random;
  /** No other process can use the database: what another node owns is left over. */
  readonly isAlone: boolean;
  readonly onFault: (what: string, error: unknown) => void;
}

/**
 * The lease of this process, a row that is renewed while it runs. Correctness does not depend on clocks: whoever takes over deletes the row
 * first, and every commit after which money may move demands that it is there (fencing).
 */
export class NodeLease implements Owner {
  readonly #parts: NodeLeaseParts;
  #id: string;
  /** 0: the row is not written yet. */
  #version = 0;
  #sinceMs = 0;
  /** By the monotonic clock. */
  #heldUntilMs = 0;
  #end: (() => Promise<void>) | undefined;

  private constructor(parts: NodeLeaseParts) {
    this.#parts = parts;
    this.#id = newId(parts.random);
  }

  /** Takes a lease, renews it until {@link end}, and takes over from nodes that are gone. @throws StoreUnavailableError */
  static async begin(parts: NodeLeaseParts): Promise<NodeLease> {
    const lease = new NodeLease(parts);
    await lease.renew();
    for (const { id } of await allRows(parts.store, 'nodes')) await lease.#takeAtStart(id);
    const { clock, onFault } = parts;
    let isFirst = true;
    const work = async (): Promise<void> => {
      if (!isFirst) await lease.renew();
      isFirst = false;
    };
    const fault = (error: unknown): void => onFault('the lease of this node was not renewed', error);
    lease.#end = repeat({ clock, intervalMs: LEASE_LIMITS.renewMs, work, onFault: fault });
    return lease;
  }

  get id(): string {
    return this.#id;
  }

  guard(): Change {
    return { op: 'require-field', table: 'nodes', key: [this.#id], column: 'id', equals: this.#id };
  }

  isHeld(): boolean {
    // Where nobody else can take over, a process that was held up goes on.
    return this.#parts.isAlone || this.#parts.clock.monotonicMs() < this.#heldUntilMs;
  }

  async mayTake(owner: string | null): Promise<boolean> {
    if (owner === null || owner === this.#id) return true;
    const { store, clock } = this.#parts;
    const row = await store.get('nodes', [owner]);
    if (!row) return true;
    if (clock.nowMs() < row.leaseUntilMs + LEASE_LIMITS.clockMarginMs) return false;
    return this.#fence(owner, row.version);
  }

  /** Lengthens the lease; takes one under another id where another node has ended it. @throws StoreUnavailableError */
  async renew(): Promise<void> {
    const { store, clock, random, onFault } = this.#parts;
    const sinceMs = clock.monotonicMs();
    const nowMs = clock.nowMs();
    const isNew = this.#version === 0;
    if (isNew) this.#sinceMs = nowMs;
    const row = {
      id: this.#id,
      leaseUntilMs: nowMs + LEASE_LIMITS.leaseMs,
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
      this.#id = newId(random);
      this.#version = 0;
      await this.renew();
    }
  }

  /** Gives the lease back: others may take what is left over at once. Never fails. */
  async end(): Promise<void> {
    await this.#end?.();
    this.#heldUntilMs = 0;
    await this.#fence(this.#id, this.#version).catch(() => undefined);
  }

  async #takeAtStart(id: string): Promise<void> {
    if (id === this.#id) return;
    const row = this.#parts.isAlone && (await this.#parts.store.get('nodes', [id]));
    if (row) await this.#fence(id, row.version);
    else await this.mayTake(id);
  }

  /** Deletes the row of a node; false where it has changed since. */
  async #fence(id: string, version: number): Promise<boolean> {
    try {
      await this.#parts.store.commit([{ op: 'delete', table: 'nodes', key: [id], version }]);
      return true;
    } catch (error) {
      if (error instanceof CommitConflict) return false;
      throw error;
    }
  }
}
