import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { raiseAlert } from '../../kernel/alerts/alert-changes.js';
import { findAll } from '../../kernel/store/all-rows.js';
import type { DeliveryRow, WebhookEndpointRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { ClaimDeps, ClaimLoop, WorkDone } from '../../kernel/workers/claim-loop.js';
import { claimRows } from '../../kernel/workers/claim-rows.js';
import { type DeliverDeps, deliver } from './deliver.js';

export const DISPATCHER_LIMITS = {
  /** Deliveries to one endpoint at once. */
  concurrency: 4,
  /** How often due deliveries are looked for, and endpoints that were made active, paused or removed; milliseconds. */
  intervalMs: 1_000,
} as const;

/** What the {@link Dispatcher} works with. */
interface DispatcherDeps extends DeliverDeps, ClaimDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'findRange' | 'commit'>;
  readonly clock: Clock;
}

/** Delivers to every active endpoint, each in its own loop: one that answers slowly or never holds up no other. */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #loops = new Map<string, ClaimLoop<DeliveryRow>>();
  /** Loops of endpoints that are active no more, until what they had begun has ended. */
  readonly #ending = new Set<Promise<void>>();

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  /** Delivers what is due; begins with endpoints that became active, and ends with those that are so no more. @throws StoreUnavailableError */
  async round(): Promise<void> {
    const active = await findAll(this.#deps.store, 'webhookEndpoints', 'state', ['active']);
    const posted = active.filter(({ url }) => url !== null);
    for (const endpoint of posted) {
      const loop = this.#loops.get(endpoint.id) ?? this.#loopOf(endpoint);
      this.#loops.set(endpoint.id, loop);
      loop.wake();
    }
    const ids = new Set(posted.map(({ id }) => id));
    for (const [id, loop] of this.#loops) {
      if (ids.has(id)) continue;
      this.#loops.delete(id);
      this.#endLater(loop);
    }
  }

  /** A receiver that hangs holds up no round. */
  #endLater(loop: ClaimLoop<DeliveryRow>): void {
    const ending = loop.stop().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Resolves when all that is due was tried. */
  async idle(): Promise<void> {
    await Promise.all([...[...this.#loops.values()].map((loop) => loop.idle()), ...this.#ending]);
  }

  /** Begins nothing more; resolves when what is on its way has ended. */
  async stop(): Promise<void> {
    await Promise.all([...[...this.#loops.values()].map((loop) => loop.stop()), ...this.#ending]);
    this.#loops.clear();
  }

  #loopOf({ id: endpointId, entityId }: WebhookEndpointRow): ClaimLoop<DeliveryRow> {
    return claimRows('deliveries', {
      ...this.#deps,
      equals: [endpointId],
      work: (row) => this.#deliver(endpointId, row),
      poisoned: (row, nowMs) => poisoned(row, entityId, nowMs),
      // Every round wakes it.
      limits: { concurrency: DISPATCHER_LIMITS.concurrency, pollMs: 60 * DISPATCHER_LIMITS.intervalMs },
    });
  }

  async #deliver(endpointId: string, row: DeliveryRow) {
    const endpoint = await this.#deps.store.get('webhookEndpoints', [endpointId]);
    // Paused in between: it waits until the endpoint is active again.
    if (endpoint?.state !== 'active') {
      const dueAtMs = this.#deps.clock.nowMs() + DISPATCHER_LIMITS.intervalMs;
      return { row: { ...row, dueAtMs } };
    }
    return deliver(this.#deps, endpoint, row);
  }
}

/** A delivery whose tries all failed: it is tried no more, and raises an alert. */
function poisoned(row: DeliveryRow, entityId: string, nowMs: number): WorkDone<DeliveryRow> {
  const { endpointId: subject, sequence, claims } = row;
  const detail = `delivery ${sequence} is given up: ${claims} tries came to no end`;
  return {
    row: { ...row, state: 'givenUp', dueAtMs: null },
    changes: [raiseAlert({ code: 'webhook-failing', subject, entityId, detail }, nowMs)],
  };
}
