import { correlationOf } from '@tillbridge/wire/bridge/message-id.js';
import { formatAmount } from '@tillbridge/wire/payment/money.js';
import type { DriverFailure } from '../../drivers/core/driver.js';
import { DRIVER_FAILURES } from '../../errors/error-table.js';
import type { AnswerCapture, AnswerCard, SaleAnswer } from '../machine/state/answer.js';
import { type CaptureMessage, capturesOf } from '../machine/state/messages.js';
import {
  amountOf,
  approvedAmount,
  cashBackOf,
  moneyMessageId,
  type SaleState,
  tipOf,
  wasPartlyApproved,
} from '../machine/state/sale-state.js';
import { isLateDecline } from '../machine/steps/late-decline.js';
import { approvalCodeOf } from '../receipts/receipt-verdict.js';
import { receipts } from '../receipts/receipts.js';
import type { StoreConfig } from '../receipts/store.js';
import { cashierText } from './cashier-texts.js';

/** What a till sees of a sale; `store`: for its receipts. */
export function saleAnswer(state: SaleState, store?: StoreConfig): SaleAnswer {
  const { answer, emv } = state;
  const printed = receipts(state, store);
  const captures = capturesOf(state);
  const approvalCode = approvalCodeOf(state);
  const messageId = moneyMessageId(state);
  const failure = failureOf(state);
  const [tip, cashBack] = [tipOf(state), cashBackOf(state)];
  return {
    reference: state.reference,
    terminalId: state.terminalId,
    ...(state.request.till !== undefined && { till: state.request.till }),
    type: state.request.type,
    state: state.phase,
    outcome: state.outcome,
    mode: state.mode,
    amount: formatAmount(amountOf(state)),
    currency: state.request.currency,
    ...(tip && { tip: formatAmount(tip) }),
    ...(cashBack && { cashBack: formatAmount(cashBack) }),
    ...(wasPartlyApproved(state) && { approvedAmount: formatAmount(approvedAmount(state)) }),
    ...(captures.length > 0 && { captures: captures.map((each) => answerCapture(state, each)) }),
    ...(state.reason !== undefined && { reason: state.reason }),
    ...(failure && { failure }),
    ...(messageId !== undefined && { correlationId: correlationOf(messageId) }),
    ...(answer?.paymentId && { paymentId: answer.paymentId }),
    ...(answer?.resultCode && { resultCode: answer.resultCode }),
    ...(approvalCode !== undefined && { approvalCode }),
    ...(state.card && { card: answerCard(state) }),
    ...(emv && { emv }),
    ...(printed && { receipts: printed }),
    ...(isLateDecline(state) && { lateDecline: lateDeclineAnswer(state) }),
    cashierText: cashierText(state),
    timeline: state.timeline.map(({ atMs, ...rest }) => ({ at: new Date(atMs).toISOString(), ...rest })),
  };
}

/** What the terminal could not do; its detail begins with the code. */
function failureOf({ reason, detail = '' }: SaleState): DriverFailure | undefined {
  const [code = ''] = detail.split(':');
  if (reason !== 'terminal-failed' || !Object.hasOwn(DRIVER_FAILURES, code)) return undefined;
  return code as DriverFailure;
}

function lateDeclineAnswer({
  reason,
  lateDeclineAcknowledged: acknowledged,
}: SaleState): NonNullable<SaleAnswer['lateDecline']> {
  return {
    reason: reason === 'expired-offline' ? 'expired-offline' : 'declined-later',
    ...(acknowledged && { acknowledgedAt: new Date(acknowledged.atMs).toISOString() }),
    ...(acknowledged?.by !== undefined && { acknowledgedBy: acknowledged.by }),
  };
}

function answerCard({ card, answer }: SaleState): AnswerCard {
  return {
    entryMode: card?.entryMode ?? 'ICC',
    ...(answer?.brand && { brand: answer.brand }),
    ...(card?.bin && { bin: card.bin }),
    ...(card?.last4Digits && { last4Digits: card.last4Digits }),
  };
}

function answerCapture({ request }: SaleState, capture: CaptureMessage): AnswerCapture {
  const { reference, minor, final, deliveryStatus, refusal } = capture;
  return {
    ...(reference !== undefined && { captureReference: reference }),
    amount: formatAmount({ minor, currency: request.currency }),
    final,
    state: deliveryStatus,
    ...(refusal && { reason: refusal }),
  };
}
