import { resultDescription } from '@tillbridge/protocol/api/result-codes/result-codes.js';
import type { Money } from '@tillbridge/protocol/payment/money.js';
import { draftFollowUp } from '../decide/drafts.js';
import { messageGuards } from '../decide/message-changes.js';
import type { FollowUpRequest, PaymentResult } from '../decide/requests.js';
import { resultOf } from '../decide/results.js';
import { verificationColumn } from '../decide/verification-results.js';
import type { AwaitedTransfer } from '../find/transfers.js';
import { ownerGuard } from '../ownership/own-intents.js';
import type { NewIds } from './message-ids.js';
import type { PaymentContext } from './payment-context.js';

/** Codes of a receipt that was recorded. */
const RECORDED = { live: '000.000.000', test: '000.100.110' } as const;

/**
 * Records money that the merchant has received for a payment that waits for its transfer (reference §3, RC): the wait is due then. The receipt moves no money
 * of its own, and nothing follows it: the payment has the money once all of it is there.
 * @throws CommitConflict when the wait has ended or changed meanwhile
 */
export async function recordTransfer(
  context: PaymentContext,
  request: FollowUpRequest,
  { payment, wait }: AwaitedTransfer,
  amount: Money,
  { paymentId }: NewIds,
): Promise<PaymentResult> {
  const { store, clock, events, mode } = context;
  const eventOf = await events.of(payment.entityId);
  const nowMs = clock.nowMs();
  const { acquirer } = payment;
  const made = { id: paymentId, acquirer, acquirerReference: null, nowMs };
  // No row refers to a payment without an outcome: the receipt names it.
  const draft = draftFollowUp(request, made, { target: undefined, root: undefined }, amount);
  const resultCode = RECORDED[mode === 'live' ? 'live' : 'test'];
  const receipt = {
    ...draft,
    method: payment.method,
    state: 'completed' as const,
    resultCode,
    description: resultDescription(resultCode),
    ...verificationColumn({ refundsClosed: true }),
  };
  await store.commit([
    ...messageGuards(request.origin),
    ...ownerGuard(context),
    { op: 'insert', table: 'payments', row: receipt },
    {
      op: 'insert',
      table: 'transferReceipts',
      row: {
        id: paymentId,
        paymentId: payment.id,
        amountMinor: amount.minor,
        currency: amount.currency,
        createdAtMs: nowMs,
        version: 1,
      },
    },
    { op: 'update', table: 'waits', row: { ...wait, dueAtMs: nowMs } },
    ...eventOf({ ...receipt, referencedId: payment.id }, nowMs),
  ]);
  return resultOf(receipt);
}
