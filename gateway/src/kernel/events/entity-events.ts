import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { EntityRow, EventRow } from '../store/rows.js';
import type { Change, Store } from '../store/store.js';
import { EVENT_KEEP_MS, eventChanges } from './event-changes.js';
import type { EventKind } from './event-kinds.js';
import { Subscribers } from './subscribers.js';

/** The content of an event. */
interface EventAbout {
  /** 32 lowercase hex that sort by time. */
  readonly id: string;
  readonly kind: EventKind;
  /** The payment that it is about; null where it is about none. */
  readonly paymentId: string | null;
  readonly payload: object;
  readonly nowMs: number;
}

/** What events of an entity are made with, read before the commit. */
export interface EventsOfEntity {
  /** Undefined where it does not exist any more: the event has no receiver. */
  readonly entity: EntityRow | undefined;
  /** The changes by which a commit records an event. Pure. */
  readonly changes: (about: EventAbout) => readonly Change[];
}

/** Events of merchants and channels, for those who want to hear of them. */
export class EntityEvents {
  readonly #store: Pick<Store, 'get' | 'find'>;
  readonly #subscribers: Subscribers;

  constructor(store: Pick<Store, 'get' | 'find'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#store = store;
    this.#subscribers = new Subscribers(store, clock);
  }

  /** @throws StoreUnavailableError */
  async of(entityId: string): Promise<EventsOfEntity> {
    const entity = await this.#store.get('entities', [entityId]);
    const subscribers = entity ? await this.#subscribers.of(entity) : [];
    return { entity, changes: (about) => eventChanges(eventRow(entityId, about), subscribers) };
  }
}

function eventRow(
  entityId: string,
  { id, kind, paymentId, payload, nowMs }: EventAbout,
): EventRow & { readonly kind: EventKind } {
  return {
    id,
    entityId,
    kind,
    paymentId,
    payload: JSON.stringify(payload),
    expiresAtMs: nowMs + EVENT_KEEP_MS,
    createdAtMs: nowMs,
    version: 1,
  };
}
