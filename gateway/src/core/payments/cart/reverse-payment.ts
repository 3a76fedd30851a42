import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import type { FollowUpRequest, PaymentResult } from '../rules/requests.js';

/** What payments are reversed with. */
export interface ReverseDeps {
  readonly store: Pick<Store, 'get'>;
  readonly fingerprint: Fingerprint;
  readonly followUp: (request: FollowUpRequest) => Promise<PaymentResult>;
}

/**
 * Gives back what an approved payment took: reverses it, and refunds what a reversal cannot give back. A repeat gives nothing back again:
 * each follow-up has its own id.
 * @returns whether nothing is taken any more
 * @throws TryLaterError, StoreUnavailableError
 */
export async function reversePayment(parts: ReverseDeps, paymentId: string): Promise<boolean> {
  const payment = await parts.store.get('payments', [paymentId]);
  const left = payment && (await reversed(parts, payment));
  return (
    left === 0 || (payment !== undefined && left !== undefined && (await refunded(parts, payment, left)))
  );
}

/** Reverses a payment; returns what is still taken of it, in minor units. */
async function reversed(
  parts: ReverseDeps,
  { id, entityId, state }: PaymentRow,
): Promise<number | undefined> {
  if (state !== 'reversed') await parts.followUp(request(parts, 'RV', { id, entityId }));
  const payment = await parts.store.get('payments', [id]);
  if (!payment) return undefined;
  if (payment.state === 'reversed') return 0;
  const { capturedMinor, refundedMinor, authorizedMinor, reversedMinor } = payment;
  // What a preauthorization still holds is not taken; a reversal that failed leaves it held.
  const isHeld = authorizedMinor > capturedMinor + reversedMinor;
  return isHeld ? undefined : capturedMinor - refundedMinor;
}

async function refunded(parts: ReverseDeps, payment: PaymentRow, minor: number): Promise<boolean> {
  const amount = { minor, currency: payment.currency };
  const { disposition } = await parts.followUp({ ...request(parts, 'RF', payment), amount });
  return disposition === 'approved';
}

function request(
  { fingerprint }: ReverseDeps,
  type: 'RV' | 'RF',
  { id, entityId }: Pick<PaymentRow, 'id' | 'entityId'>,
): FollowUpRequest {
  const paymentId = fingerprint('payment', JSON.stringify(['reversal', type, id])).slice(0, 32);
  return { origin: { kind: 'rest', entityId, paymentId }, type, target: { by: 'payment', paymentId: id } };
}
