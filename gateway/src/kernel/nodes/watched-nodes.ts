import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { allRows } from '../store/all-rows.js';
import type { NodeRow } from '../store/rows.js';
import type { Store } from '../store/store.js';
import { LEASE_LIMITS } from './lease-limits.js';

/** A renewal, and since when this process knows of no later one, by its monotonic clock. */
interface Renewal {
  readonly version: number;
  readonly sinceMs: number;
}

/** What this process has seen of the leases of all nodes. */
export class WatchedNodes {
  readonly #store: Pick<Store, 'findAfter'>;
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  #renewals: ReadonlyMap<string, Renewal> = new Map();
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #clockFault: string | undefined;
  #ended = 0;

  constructor({
    store,
    clock,
  }: { readonly store: Pick<Store, 'findAfter'>; readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'> }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** A node whose wall clock differs from ours, as the last look has shown; undefined: none does. */
  get clockFault(): string | undefined {
    return this.#clockFault;
  }

  /** How many nodes were there at one look and at the next no more. */
  get ended(): number {
    return this.#ended;
  }

  /** Looks at the renewals; returns the nodes whose leases are over. @throws StoreUnavailableError */
  async look(): Promise<readonly NodeRow[]> {
    const rows = await allRows(this.#store, 'nodes');
    const known = this.#known();
    const atMs = this.#clock.monotonicMs();
    const fresh = rows.filter(({ id, version }) => known.has(id) && known.get(id)?.version !== version);
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#renewals.keys()) if (!ids.has(id)) this.#ended += 1;
    this.#clockFault = clockFault(fresh, this.#clock.nowMs(), atMs - this.#lookedAtMs);
    this.#renewals = new Map(rows.map((row) => [row.id, seen(known.get(row.id), row, atMs)]));
    this.#lookedAtMs = atMs;
    return rows.filter((row) => this.isOver(row));
  }

  /** Whether the lease of a node, as its row was just read, is over: looked at without a break, it was not renewed for the time of a lease. */
  isOver({ id, version }: Pick<NodeRow, 'id' | 'version'>): boolean {
    const renewal = this.#known().get(id);
    if (renewal?.version !== version) return false;
    return this.#clock.monotonicMs() - renewal.sinceMs >= LEASE_LIMITS.leaseMs;
  }

  /** Where the database or this process stood still, the others may have had no chance to renew: what was seen before counts no more. */
  #known(): ReadonlyMap<string, Renewal> {
    const gapMs = this.#clock.monotonicMs() - this.#lookedAtMs;
    return gapMs > LEASE_LIMITS.maxGapMs ? new Map() : this.#renewals;
  }
}

function seen(before: Renewal | undefined, { version }: NodeRow, atMs: number): Renewal {
  return before?.version === version ? before : { version, sinceMs: atMs };
}

/** Of nodes that were renewed since the last look the time of the renewal is known to a second or so. */
function clockFault(fresh: readonly NodeRow[], nowMs: number, sinceMs: number): string | undefined {
  const { clockToleranceMs } = LEASE_LIMITS;
  for (const { id, renewedAtMs } of fresh) {
    const aheadMs = renewedAtMs - nowMs;
    if (aheadMs > clockToleranceMs || aheadMs < -sinceMs - clockToleranceMs)
      return `node ${id} was renewed at ${new Date(renewedAtMs).toISOString()}, seen at ${new Date(nowMs).toISOString()}`;
  }
  return undefined;
}
