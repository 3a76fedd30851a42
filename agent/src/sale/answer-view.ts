import { formatAmount } from '@tillbridge/protocol/payment/money.js';
import type { AnswerCard, SaleAnswer } from './answer.js';
import { cashierText } from './cashier-texts.js';
import { receipts } from './receipts.js';
import { amountOf, type SaleState } from './state.js';

/** What a till sees of a sale. */
export function saleAnswer(state: SaleState): SaleAnswer {
  const { answer, emv } = state;
  const printed = receipts(state);
  return {
    reference: state.reference,
    terminalId: state.terminalId,
    type: state.request.type,
    state: state.phase,
    outcome: state.outcome,
    mode: state.mode,
    amount: formatAmount(amountOf(state)),
    currency: state.request.currency,
    ...(answer?.paymentId && { paymentId: answer.paymentId }),
    ...(answer?.resultCode && { resultCode: answer.resultCode }),
    ...(state.card && { card: answerCard(state) }),
    ...(emv && { emv }),
    ...(printed && { receipts: printed }),
    cashierText: cashierText(state),
    timeline: state.timeline.map(({ atMs, ...rest }) => ({ at: new Date(atMs).toISOString(), ...rest })),
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
