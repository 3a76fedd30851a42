import { withQuery } from '../../../kernel/api/return-url.js';
import { outboxChange } from '../../../kernel/outbox/outbox-row.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { echoOf } from '../rules/lifecycle-facts.js';
import { paymentResource } from '../view/return-resource.js';

/** The call of a payment's `notificationUrl` with its id, and where its outcome is read (docs/webhooks.md); nothing where none was sent. Pure. */
export function notificationCall(payment: PaymentRow, nowMs: number): readonly Change[] {
  const { id, entityId } = payment;
  const { notificationUrl } = echoOf(payment);
  if (typeof notificationUrl !== 'string') return [];
  const recipient = withQuery(notificationUrl, { ...paymentResource(id) });
  const about = { channel: 'webhook', kind: 'notification', subjectId: id, entityId } as const;
  return [outboxChange({ ...about, recipient, title: '', body: '' }, nowMs)];
}
