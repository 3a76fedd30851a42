import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { findAll } from '../store/all-rows.js';
import type { EntityRow, WebhookEndpointRow } from '../store/rows.js';
import type { Store } from '../store/store.js';

const SUBSCRIBER_LIMITS = {
  /** An endpoint that was made, paused or removed counts after this time. */
  maxAgeMs: 500,
  /** Entities that are remembered at most; beyond it all are forgotten. */
  maxEntities: 10_000,
} as const;

/** An endpoint that gets events, as far as a commit must know it. */
export interface Subscriber {
  readonly endpointId: string;
  readonly types: readonly string[];
}

interface Known {
  readonly subscribers: Promise<readonly Subscriber[]>;
  readonly atMs: number;
}

/** Who gets the events of an entity. Every commit of a payment reads them: the result, also an empty one, is cached for a short time. */
export class Subscribers {
  readonly #store: Pick<Store, 'find'>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #known = new Map<string, Known>();

  constructor(store: Pick<Store, 'find'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The endpoints of the entity and of its merchant. @throws StoreUnavailableError */
  async of({ id, parentId }: Pick<EntityRow, 'id' | 'parentId'>): Promise<readonly Subscriber[]> {
    const own = await this.#ofOne(id);
    return parentId === null ? own : [...own, ...(await this.#ofOne(parentId))];
  }

  #ofOne(entityId: string): Promise<readonly Subscriber[]> {
    const known = this.#known.get(entityId);
    const nowMs = this.#clock.monotonicMs();
    if (known && nowMs - known.atMs < SUBSCRIBER_LIMITS.maxAgeMs) return known.subscribers;
    if (this.#known.size >= SUBSCRIBER_LIMITS.maxEntities) this.#known.clear();
    const subscribers = findAll(this.#store, 'webhookEndpoints', 'entity', [entityId]).then(subscribersOf);
    this.#known.set(entityId, { subscribers, atMs: nowMs });
    // A failed look is not remembered.
    subscribers.catch(() => this.#known.delete(entityId));
    return subscribers;
  }
}

function subscribersOf(endpoints: readonly WebhookEndpointRow[]): readonly Subscriber[] {
  return endpoints
    .filter(({ state }) => state === 'active' || state === 'paused')
    .map(({ id, types }) => ({ endpointId: id, types: JSON.parse(types) as string[] }));
}
