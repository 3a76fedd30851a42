import { allRows } from '../../../kernel/store/all-rows.js';
import type { EventRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { eventPayload } from './event-payload.js';

type Reader = Pick<Store, 'get' | 'findAfter'>;

/** The events of an entity, oldest first, each with its payload in full. */
export function eventsOfEntity(store: Reader, entityId: string): Promise<readonly EventRow[]> {
  return eventsWith(store, (event) => event.entityId === entityId);
}

/** The events of a payment, oldest first, each with its payload in full. */
export function eventsOfPayment(store: Reader, paymentId: string): Promise<readonly EventRow[]> {
  return eventsWith(store, (event) => event.paymentId === paymentId);
}

async function eventsWith(
  store: Reader,
  isWanted: (event: EventRow) => boolean,
): Promise<readonly EventRow[]> {
  const events = (await allRows(store, 'events')).filter(isWanted);
  return Promise.all(
    events.map(async (event) => {
      const { id, paymentId } = event;
      const payload = eventPayload(event, await store.get('payments', [paymentId ?? '']));
      if (payload === undefined) throw new Error(`event ${id}: its payment ${paymentId} is gone`);
      return { ...event, payload };
    }),
  );
}
