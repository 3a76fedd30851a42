import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import type { DeliveryRow, PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import type { Notification, WebhookReceiver } from './webhook-receivers.js';

type Breach = (text: string) => void;

/** What is judged of one endpoint. */
export interface JudgedEndpoint {
  readonly received: ReadonlyMap<number, Notification>;
  readonly deliveries: readonly Pick<DeliveryRow, 'sequence' | 'state' | 'eventId'>[];
  readonly payments: readonly Pick<PaymentRow, 'id' | 'resultCode' | 'reference'>[];
  /** Whether every delivery must have arrived by now. */
  readonly isComplete: boolean;
}

/** P4 of notifications: those of an endpoint are numbered from 1 on, each has one event, and they report how each payment of its merchant ended. */
export async function checkNotifications(
  receivers: readonly WebhookReceiver[],
  store: Pick<MemoryStore, 'findRange' | 'findAfter'>,
  isComplete: boolean,
  breach: Breach,
): Promise<void> {
  const payments = await allRows(store, 'payments');
  for (const { endpointId, entityId, received } of receivers) {
    const deliveries = await store.findRange('deliveries', 'primary', { equals: [endpointId] });
    const own = payments.filter((row) => row.entityId === entityId);
    judgeEndpoint({ received, deliveries, payments: own, isComplete }, (text) =>
      breach(`endpoint ${endpointId.slice(0, 4)}..: ${text}`),
    );
  }
}

/** The same of one endpoint. */
export function judgeEndpoint(
  { received, deliveries, payments, isComplete }: JudgedEndpoint,
  breach: Breach,
): void {
  const numbers = new Map(deliveries.map((row) => [row.sequence, row]));
  for (let number = 1; number <= Math.max(0, ...numbers.keys(), ...received.keys()); number += 1) {
    const row = numbers.get(number);
    if (!row) breach(`number ${number} is no delivery, and later ones are`);
    const notification = received.get(number);
    if (notification && row && notification.id !== row.eventId)
      breach(`number ${number} was received with event ${notification.id}, and is of ${row.eventId}`);
    if (row?.state === 'delivered' && !notification)
      breach(`number ${number} is delivered, and was never received`);
    if (isComplete && row && row.state !== 'delivered') breach(`number ${number} is ${row.state} for ever`);
  }
  const events = new Set<string>();
  for (const { eventId, sequence } of deliveries) {
    if (events.has(eventId)) breach(`number ${sequence} has event ${eventId} once more`);
    events.add(eventId);
  }
  if (isComplete) checkPayments(received, payments, breach);
}

/** Each payment was notified once, as it ended. */
function checkPayments(
  received: JudgedEndpoint['received'],
  payments: JudgedEndpoint['payments'],
  breach: Breach,
): void {
  const ends = new Map<string, Notification[]>();
  for (const notification of received.values()) {
    const { type, payload } = notification;
    if (type !== 'PAYMENT' || payload.id === undefined) continue;
    ends.set(payload.id, [...(ends.get(payload.id) ?? []), notification]);
  }
  for (const { id, resultCode, reference } of payments) {
    const of = ends.get(id) ?? [];
    ends.delete(id);
    const codes = of.map(({ payload }) => payload.result?.code);
    if (of.length !== 1 || codes[0] !== resultCode)
      breach(
        `payment ${reference ?? id} ended with ${resultCode}, and was notified ${of.length} times: ${codes.join()}`,
      );
  }
  for (const id of ends.keys()) breach(`payment ${id} was notified, and is none`);
}
