import { decodeResult } from '../../core/payments/rules/results.js';
import type { InboxRow, PaymentRow } from '../../kernel/store/rows.js';
import type { Difference } from './difference.js';

type Finding = Omit<Difference, 'subject'>;

/** The differences between a payment and the stored answer to its message. Pure; both were written in one commit. */
export function compareAnswer(payment: PaymentRow, answer: InboxRow | undefined): readonly Finding[] {
  if (!answer) return [{ kind: 'answer-missing', detail: `message ${payment.messageId ?? ''}` }];
  const { paymentId, disposition, resultCode } = decodeResult(answer.result);
  const answered = disposition === 'approved' || disposition === 'reversed';
  const differences = [
    ...differs('payment', payment.id, paymentId ?? 'none'),
    ...differs('approved', payment.state !== 'declined', answered),
    ...differs('result code', payment.resultCode, resultCode),
  ];
  return differences.map((detail) => ({ kind: 'answer-differs', detail }));
}

/** The difference of an answer whose payment is missing; none where the answer needs no payment. */
export function answerWithoutPayment({ result }: InboxRow): readonly Finding[] {
  const { paymentId, disposition } = decodeResult(result);
  // A refusal, and a repeated reversal, have no payment.
  if (paymentId === undefined && disposition !== 'approved') return [];
  return [{ kind: 'answer-without-payment', detail: `${disposition}, payment ${paymentId ?? 'none'}` }];
}

/** The payment that an answer names. */
export function paymentOfAnswer({ result }: InboxRow): string | undefined {
  return decodeResult(result).paymentId;
}

function differs(name: string, stored: unknown, answered: unknown): string[] {
  return stored === answered ? [] : [`${name}: ${String(stored)} stored, ${String(answered)} answered`];
}
