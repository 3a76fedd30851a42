import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { SingleWork } from '../../../../kernel/nodes/single-work.js';
import type { Store } from '../../../../kernel/store/store.js';

/** How often is looked whether new zone keys are due, in milliseconds. */
export const ZONE_KEY_LOOK_MS = 60_000;

/** What the schedule works with. */
interface ZoneKeyScheduleDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Which node does it; absent: there is no other one. */
  readonly single?: Pick<SingleWork, 'isMine'>;
  /** Name of the acquirer. */
  readonly acquirer: string;
  /** How old keys may become, in milliseconds. */
  readonly intervalMs: number;
  /** Requests new keys from a host; false where it gave none. */
  readonly exchange: () => Promise<boolean>;
}

/**
 * Requests new zone keys of a host at their time, from one of the nodes on a database, which share their key store. The time of the last exchange is stored, so
 * that neither a restart nor another node brings the next one forward. A host offers the same key until it is used: a round bears to be done twice.
 */
export class ZoneKeySchedule {
  readonly #deps: ZoneKeyScheduleDeps;

  constructor(deps: ZoneKeyScheduleDeps) {
    this.#deps = deps;
  }

  /** Exchanges the keys where that is due and this node's work; what failed is tried in the next round. @throws StoreUnavailableError */
  async round(): Promise<void> {
    const { store, clock, single, acquirer, intervalMs, exchange } = this.#deps;
    if (single && !(await single.isMine(`zone keys of ${acquirer}`))) return;
    const stored = await store.get('linkKeys', [acquirer]);
    if (stored && clock.nowMs() < stored.exchangedAtMs + intervalMs) return;
    if (!(await exchange())) return;
    const row = { acquirer, exchangedAtMs: clock.nowMs(), version: stored?.version ?? 1 };
    await store.commit([{ op: stored ? 'update' : 'insert', table: 'linkKeys', row }]);
  }
}
