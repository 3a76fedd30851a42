import { resultDescription } from '@tillbridge/protocol/api/result-codes.js';
import type { PaymentRow } from '../store/rows.js';
import type { Change } from '../store/store.js';
import type { Origin, PaymentResult } from './desk.js';
import { type DeskContext, newTimeOrderedId } from './desk-context.js';
import { answerChanges, messageGuards, placeOf } from './message-changes.js';
import { bareResult, resultOf } from './results.js';
import { eventChange } from './settle.js';

/** Records a payment that we refuse ourselves, and its answer; the acquirer hears nothing of it. @throws as `Store.commit` */
export async function commitRefusal(
  { store, clock, random }: DeskContext,
  origin: Origin,
  draft: PaymentRow,
  refusal: { readonly resultCode: string; readonly responseCode: string | null },
): Promise<PaymentResult> {
  const nowMs = clock.nowMs();
  const payment: PaymentRow = {
    ...draft,
    ...refusal,
    state: 'declined',
    description: resultDescription(refusal.resultCode),
  };
  const result = resultOf(payment, 'refused');
  await store.commit([
    ...messageGuards(origin),
    { op: 'insert', table: 'payments', row: payment },
    ...answerChanges(placeOf(origin), result, nowMs),
    eventChange(newTimeOrderedId(random, nowMs), payment, nowMs),
  ]);
  return result;
}

/** Records an answer that stands for no payment, if what `guards` ask for holds. @throws as `Store.commit` */
export async function commitBareResult(
  { store, clock }: DeskContext,
  origin: Origin,
  disposition: 'refused' | 'nothing-to-reverse' | 'reversed',
  resultCode: string,
  guards: readonly Change[] = [],
): Promise<PaymentResult> {
  const result = bareResult(disposition, resultCode);
  if (origin.kind === 'bridge') {
    const answer = answerChanges(placeOf(origin), result, clock.nowMs());
    await store.commit([...messageGuards(origin), ...guards, ...answer]);
  }
  return result;
}
