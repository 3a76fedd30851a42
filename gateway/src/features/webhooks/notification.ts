import { present } from '@tillbridge/wire/present.js';
import { notifiedAs } from '../../kernel/events/event-kinds.js';
import type { DeliveryRow, EventRow, WebhookEndpointRow } from '../../kernel/store/rows.js';

/** Parts of a payload that name the customer. */
const ABOUT_CUSTOMER: readonly string[] = ['customer', 'billing', 'shipping', 'sender', 'recipient'];
/** Groups whose `holder` is a person's name. */
const WITH_HOLDER: readonly string[] = ['card', 'bankAccount', 'giftCard'];

/**
 * The text of a notification (docs/webhooks.md), and what ours adds: `id` of the event and `sequence` of the delivery, both the same whenever it is
 * sent again. Pure.
 */
export function notificationText(
  { id, kind, payload }: Pick<EventRow, 'id' | 'kind' | 'payload'>,
  { sequence }: Pick<DeliveryRow, 'sequence'>,
  { scope }: Pick<WebhookEndpointRow, 'scope'>,
): string {
  const { type, action } = notifiedAs(kind) ?? {};
  const full = JSON.parse(payload) as Readonly<Record<string, unknown>>;
  return JSON.stringify({
    ...present({ type, action }),
    payload: scope === 'all' ? full : withoutCustomer(full),
    id,
    sequence,
  });
}

/** The text of a test delivery. Pure. */
export function testText(endpointId: string): string {
  return JSON.stringify({ type: 'test', action: 'webhook activation', payload: { endpointId } });
}

function withoutCustomer(payload: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(payload)
      .filter(([name]) => !ABOUT_CUSTOMER.includes(name))
      .map(([name, value]) => [name, WITH_HOLDER.includes(name) ? withoutHolder(value) : value]),
  );
}

function withoutHolder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { holder: _, ...rest } = value as Readonly<Record<string, unknown>>;
  return rest;
}
