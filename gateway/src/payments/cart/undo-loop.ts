import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { Alerts } from '../../alerts/alerts.js';
import type { Fingerprint } from '../../security/tokens/fingerprint.js';
import type { CartPaymentRow, PaymentRow } from '../../store/rows.js';
import type { Store } from '../../store/store.js';
import { ClaimLoop, type WorkDone } from '../../workers/claim-loop.js';
import { type FollowUpRequest, type PaymentResult, TryLaterError } from '../decide/requests.js';

/** How long a gift-card payment waits that cannot be undone now, in milliseconds. */
const RETRY_MS = 30_000;

/** What gift-card payments of unpaid orders are undone with. */
export interface UndoParts {
  readonly store: Pick<Store, 'get' | 'findRange' | 'commit'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly fingerprint: Fingerprint;
  readonly followUp: (request: FollowUpRequest) => Promise<PaymentResult>;
  readonly alerts: Pick<Alerts, 'raise'>;
  readonly onFault: (error: unknown) => void;
}

/** Gives back what gift cards have paid for orders whose rest is not paid. Done twice it gives back once: each follow-up has an id of its own. */
export function undoLoop(parts: UndoParts): ClaimLoop<CartPaymentRow> {
  const { store, clock, random, onFault } = parts;
  return new ClaimLoop<CartPaymentRow>({
    store,
    clock,
    random,
    update: (row) => ({ op: 'update', table: 'cartPayments', row }),
    due: (nowMs, limit) => store.findRange('cartPayments', 'due', { below: nowMs + 1, limit }),
    work: (row) => undo(parts, row),
    poisoned: (row) => ({ row: { ...row, state: 'stuck', dueAtMs: null } }),
    onFault,
  });
}

async function undo(parts: UndoParts, row: CartPaymentRow): Promise<WorkDone<CartPaymentRow>> {
  const { store, clock, alerts } = parts;
  try {
    const payment = await store.get('payments', [row.paymentId]);
    const left = payment && (await reversed(parts, payment));
    if (left === 0 || (left !== undefined && (await refunded(parts, row, left))))
      return { row: { ...row, state: 'undone', dueAtMs: null } };
  } catch (error) {
    if (!(error instanceof TryLaterError)) throw error;
    return { row: { ...row, dueAtMs: clock.nowMs() + RETRY_MS } };
  }
  const { paymentId: subject, entityId, orderId } = row;
  const detail = `the rest of order ${orderId} is not paid`;
  await alerts.raise({ code: 'cart-payment-not-reversed', subject, entityId, detail });
  return { row: { ...row, state: 'stuck', dueAtMs: null } };
}

/** Reverses a payment; returns what is still taken of it, in minor units. */
async function reversed(parts: UndoParts, { id, entityId, state }: PaymentRow): Promise<number | undefined> {
  if (state !== 'reversed') await parts.followUp(request(parts, 'RV', { id, entityId }));
  const payment = await parts.store.get('payments', [id]);
  if (!payment) return undefined;
  if (payment.state === 'reversed') return 0;
  const { capturedMinor, refundedMinor, authorizedMinor, reversedMinor } = payment;
  // What a preauthorization still holds is not taken; a reversal that failed leaves it held.
  const isHeld = authorizedMinor > capturedMinor + reversedMinor;
  return isHeld ? undefined : capturedMinor - refundedMinor;
}

async function refunded(parts: UndoParts, { paymentId: id, entityId }: CartPaymentRow, minor: number) {
  const payment = await parts.store.get('payments', [id]);
  if (!payment) return false;
  const amount = { minor, currency: payment.currency };
  const { disposition } = await parts.followUp({ ...request(parts, 'RF', { id, entityId }), amount });
  return disposition === 'approved';
}

function request(
  { fingerprint }: UndoParts,
  type: 'RV' | 'RF',
  { id, entityId }: Pick<PaymentRow, 'id' | 'entityId'>,
): FollowUpRequest {
  const paymentId = fingerprint('payment', JSON.stringify(['undo', type, id])).slice(0, 32);
  return { origin: { kind: 'rest', entityId, paymentId }, type, target: { by: 'payment', paymentId: id } };
}
