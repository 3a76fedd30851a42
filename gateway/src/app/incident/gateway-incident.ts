import { type PaymentRows, readPaymentRows } from '../../core/payments/story/payment-rows.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import type { Store } from '../../kernel/store/store.js';
import * as masked from './masked-rows.js';

/** What a gateway exports of a payment: rows of its database, masked (masked-rows.ts); of events without their payloads. */
export type GatewayIncident = PaymentRows;

/** What every file of a gateway leaves out, in sentences. */
export const LEFT_OUT: readonly string[] = [
  'card data, what is sealed for a later step, keys and tokens',
  'names, addresses and other parameters of the request that answers repeat',
  'account data and data for the card in answers of the acquirer',
  'payloads of events, deliveries of webhooks, idempotency keys, registrations, agreements and settlements',
  'the acquirer’s own record: "tillbridge-gateway check" compares it',
];

/**
 * Reads what the database has of a payment: by its id, or by the id of one that has no outcome yet.
 * @throws OperatorError where there is none; StoreUnavailableError
 */
export async function readIncident(
  store: Pick<Store, 'get' | 'find' | 'findAfter'>,
  paymentId: string,
): Promise<GatewayIncident> {
  const rows = await readPaymentRows(store, paymentId);
  if (!rows) throw new OperatorError(`there is no payment ${paymentId}: name the id that its answer has`);
  return {
    ...rows,
    payments: rows.payments.map(masked.payment),
    intents: rows.intents.map(masked.intent),
    inbox: rows.inbox.map(masked.inbox),
    decisions: rows.decisions.map(masked.decision),
    waits: rows.waits.map(masked.wait),
    exchanges: rows.exchanges.map(masked.exchange),
    events: rows.events.map(masked.event),
  };
}
