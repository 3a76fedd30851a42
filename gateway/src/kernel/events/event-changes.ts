import type { EventRow } from '../store/rows.js';
import type { Change } from '../store/store.js';
import { EVENT_KINDS, type EventKind } from './event-kinds.js';
import type { Subscriber } from './subscribers.js';

/** How long an event and its deliveries are kept: longer than they are tried, so that they can be sent again. Milliseconds. */
export const EVENT_KEEP_MS = 90 * 24 * 3_600_000;

/** The changes that store an event and put it into the queue of every endpoint that wants its type. Pure. */
export function eventChanges(
  event: EventRow & { readonly kind: EventKind },
  subscribers: readonly Subscriber[],
): readonly Change[] {
  const { id, kind, createdAtMs } = event;
  const { type } = EVENT_KINDS[kind];
  return [
    { op: 'insert', table: 'events', row: event },
    ...subscribers
      .filter(({ types }) => types.includes(type))
      .map(({ endpointId }) => deliveryOf(endpointId, id, createdAtMs)),
  ];
}

/** The change that appends a delivery of an event, due at once. */
export function deliveryOf(endpointId: string, eventId: string, nowMs: number): Change {
  return {
    op: 'append-delivery',
    row: {
      endpointId,
      eventId,
      state: 'waiting',
      dueAtMs: nowMs,
      leasedBy: null,
      claims: 0,
      attempts: '[]',
      sinceMs: nowMs,
      createdAtMs: nowMs,
      version: 1,
    },
  };
}
