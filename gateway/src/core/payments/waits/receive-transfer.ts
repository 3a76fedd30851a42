import type { Money } from '@tillbridge/wire/payment/money.js';
import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { AwaitedTransfer } from '../lookup/transfers.js';
import { beginGuards } from '../ownership/begin-in-time.js';
import { draftFollowUp } from '../rules/drafts.js';
import type { FollowUpRequest, PaymentResult } from '../rules/requests.js';
import { resultOf } from '../rules/results.js';
import { verificationColumn } from '../rules/verification-results.js';
import { decideOn, type Found } from '../steps/follow-up.js';
import type { NewIds } from '../steps/message-ids.js';
import type { PaymentContext } from '../steps/payment-context.js';
import { commitFollowUpRefusal } from '../steps/refuse-payment.js';

/** Codes of a receipt that was recorded. */
const RECORDED = { live: '000.000.000', test: '000.100.110' } as const;

/** No row refers to a payment without an outcome. */
const NOT_STORED = { target: undefined, root: undefined };

/**
 * One round of a receipt for a payment that waits for its transfer: the rules are those of one that has the money.
 * @throws CommitConflict when another commit came first
 */
export function receiveTransfer(
  context: PaymentContext,
  request: FollowUpRequest,
  awaited: AwaitedTransfer,
  ids: NewIds,
): Promise<PaymentResult> {
  const { payment } = awaited;
  const root: PaymentRow = { ...payment, state: payment.type === 'PA' ? 'authorized' : 'captured' };
  const isOther = payment.entityId !== request.origin.entityId;
  const found: Found = { state: 'found', target: root, root, ...(isOther && { otherChannel: true }) };
  const verdict = decideOn(context, request, found);
  if (!verdict.ok) return commitFollowUpRefusal(context, request, NOT_STORED, verdict.resultCode, ids);
  const amount = { minor: verdict.amountMinor, currency: payment.currency };
  return recordTransfer(context, request, awaited, amount, ids);
}

/**
 * Records money that the merchant has received for a payment that waits for its transfer (docs/waiting-payments.md): the wait is due then. The receipt moves
 * no money itself, and nothing follows it: the payment has the money once all of it is there.
 * @throws CommitConflict when the wait has ended or changed meanwhile
 */
async function recordTransfer(
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
    ...beginGuards(context, request.origin),
    { op: 'insert', table: 'payments', row: receipt },
    {
      op: 'insert',
      table: 'transferReceipts',
      row: {
        id: paymentId,
        entityId: payment.entityId,
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
