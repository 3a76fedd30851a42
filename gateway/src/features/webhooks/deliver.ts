import { correlationOf } from '@tillbridge/wire/bridge/message-id.js';
import { GCM_IV_BYTES } from '@tillbridge/wire/crypto/ciphers/gcm.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { eventPayload } from '../../core/payments/events/event-payload.js';
import type { Egress } from '../../kernel/egress/egress.js';
import { EgressError } from '../../kernel/egress/egress-error.js';
import type { DeliveryRow, PaymentRow, WebhookEndpointRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { type EncipheredDelivery, encipher } from './encipher.js';
import { notificationText, testText } from './notification.js';
import { type DeliveryVerdict, decideDelivery } from './rules/decide-delivery.js';
import type { DeliveryTry } from './rules/delivery-log.js';
import { keyInForce, type StoredWebhookKey, type WebhookKeys } from './webhook-keys.js';

/** What deliveries are made with. */
export interface DeliverDeps {
  readonly store: Pick<Store, 'get'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  readonly random: Random;
  readonly keys: WebhookKeys;
  readonly egress: Pick<Egress, 'send'>;
}

/** Name of the header with the id of the key that a delivery is enciphered under: an addition of ours. */
const KEY_HEADER = 'X-Key-Id';

/** Name of the header by which a delivery is found in logs and traces: an addition of ours. */
const CORRELATION_HEADER = 'X-Correlation-Id';

/** Enciphers a text for an endpoint under the key that is in force. */
function encipheredFor(
  { keys, clock, random }: Pick<DeliverDeps, 'keys' | 'clock' | 'random'>,
  endpoint: WebhookEndpointRow,
  text: string,
): EncipheredDelivery {
  const stored = keyInForce(JSON.parse(endpoint.keys) as StoredWebhookKey[], clock.nowMs());
  const key = keys.open(endpoint.id, stored);
  const { headers, body } = encipher(key, random.bytes(GCM_IV_BYTES), text, endpoint.format);
  return { headers: { ...headers, [KEY_HEADER]: stored.id }, body };
}

/** A delivery enciphered; undefined where its event is kept no more. @throws StoreUnavailableError */
export async function enciphered(
  deps: Omit<DeliverDeps, 'egress'>,
  endpoint: WebhookEndpointRow,
  row: DeliveryRow,
): Promise<EncipheredDelivery | undefined> {
  const event = await deps.store.get('events', [row.eventId]);
  if (!event) return undefined;
  const { paymentId } = event;
  const payment = paymentId === null ? undefined : await deps.store.get('payments', [paymentId]);
  const payload = eventPayload(event, payment);
  if (payload === undefined) return undefined;
  const text = notificationText({ ...event, payload }, row, endpoint);
  const { headers, body } = encipheredFor(deps, endpoint, text);
  return { headers: { ...headers, ...correlationHeader(paymentId, payment) }, body };
}

/** The correlation id of a payment: that of its till's message, else its id. */
function correlationHeader(
  paymentId: string | null,
  payment: PaymentRow | undefined,
): Readonly<Record<string, string>> {
  if (paymentId === null) return {};
  const messageId = payment?.messageId ?? null;
  return { [CORRELATION_HEADER]: messageId === null ? paymentId : correlationOf(messageId) };
}

/** Tries a delivery once. @throws StoreUnavailableError */
export async function deliver(
  deps: DeliverDeps,
  endpoint: WebhookEndpointRow,
  row: DeliveryRow,
): Promise<DeliveryVerdict> {
  const sent = await enciphered(deps, endpoint, row);
  if (!sent || endpoint.url === null)
    return { row: { ...row, state: 'givenUp', dueAtMs: null }, changes: [] };
  const tried = await post(deps, endpoint.url, sent);
  return decideDelivery(row, endpoint, tried, deps.clock.nowMs());
}

/** Sends a test to an endpoint that has a URL. */
export function deliverTest(
  deps: DeliverDeps,
  endpoint: WebhookEndpointRow,
  url: string,
): Promise<DeliveryTry> {
  return post(deps, url, encipheredFor(deps, endpoint, testText(endpoint.id)));
}

async function post(
  { egress, clock }: DeliverDeps,
  url: string,
  { headers, body }: EncipheredDelivery,
): Promise<DeliveryTry> {
  const [atMs, startMs] = [clock.nowMs(), clock.monotonicMs()];
  const took = () => ({ atMs, durationMs: Math.round(clock.monotonicMs() - startMs) });
  try {
    const request = { method: 'POST', url, headers, body: Buffer.from(body), ignoreAnswer: true } as const;
    const { status } = await egress.send(request);
    return { ...took(), status };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    // How long the look-up took would reveal our network as well.
    const { durationMs } = error.code === 'unusable-host' ? { durationMs: 0 } : took();
    return { atMs, durationMs, fault: error.code, reason: error.message };
  }
}
