import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { present } from '@tillbridge/wire/present.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { lateDecline } from '../late-declines/late-decline.js';
import { beginGuards } from '../ownership/begin-in-time.js';
import { draftFollowUp } from '../rules/drafts.js';
import { answerChanges, messageGuards, placeOf } from '../rules/message-changes.js';
import type { FollowUpRequest, Origin, PaymentResult } from '../rules/requests.js';
import { bareResult, resultOf } from '../rules/results.js';
import { verificationColumn } from '../rules/verification-results.js';
import { type Decision, decisionChanges } from '../timeline/decisions.js';
import type { NewIds } from './message-ids.js';
import type { PaymentContext } from './payment-context.js';

/** Why the gateway refuses a payment, and tag 8A for its card. */
interface GatewayRefusal {
  readonly resultCode: string;
  readonly responseCode: string | null;
  /** Which field was refused and why; nothing of its content. */
  readonly detail?: string;
  /** What was decided before. */
  readonly decisions?: readonly Decision[];
}

/**
 * Records a payment that the gateway itself refuses, and its answer, without the acquirer.
 * @param more changes of the same commit
 * @throws as `Store.commit`
 */
export async function commitRefusal(
  context: PaymentContext,
  origin: Origin,
  draft: PaymentRow,
  { resultCode, responseCode, detail, decisions }: GatewayRefusal,
  more: readonly Change[] = [],
): Promise<PaymentResult> {
  const { store, clock, events } = context;
  const eventOf = await events.of(draft.entityId);
  const nowMs = clock.nowMs();
  const payment: PaymentRow = {
    ...draft,
    resultCode,
    responseCode,
    state: 'declined',
    description: resultDescription(resultCode),
    ...verificationColumn({ extendedDescription: detail }),
  };
  const result = resultOf(payment, 'refused');
  await store.commit([
    ...beginGuards(context, origin),
    ...more,
    { op: 'insert', table: 'payments', row: payment },
    ...decisionChanges(payment, decisions),
    ...lateDecline(payment, nowMs),
    ...answerChanges(placeOf(origin), result, nowMs),
    ...eventOf(payment, nowMs),
  ]);
  return result;
}

/** Amount of a request without one: the answer shows none. */
const NO_AMOUNT = { minor: 0, currency: '' };

/** Records a follow-up that the gateway itself refuses, with the payment it follows if there is one. @throws as `Store.commit` */
export function commitFollowUpRefusal(
  context: PaymentContext,
  request: FollowUpRequest,
  followed: { readonly target: PaymentRow | undefined; readonly root: PaymentRow | undefined },
  resultCode: string,
  ids: NewIds,
): Promise<PaymentResult> {
  const amount = request.amount ?? NO_AMOUNT;
  const { acquirer, clock } = context;
  const made = { id: ids.paymentId, acquirer: acquirer.name, acquirerReference: null, nowMs: clock.nowMs() };
  const draft = draftFollowUp(request, made, followed, amount);
  const { verdict } = request;
  const detail = verdict?.resultCode === resultCode ? verdict.detail : undefined;
  const refusal = { resultCode, responseCode: null, ...present({ detail }) };
  return commitRefusal(context, request.origin, draft, refusal);
}

/** Records an answer without a payment, with more changes of the same commit. @throws as `Store.commit` */
export async function commitBareResult(
  { store, clock }: PaymentContext,
  origin: Origin,
  disposition: 'refused' | 'nothing-to-reverse' | 'reversed',
  resultCode: string,
  more: readonly Change[] = [],
): Promise<PaymentResult> {
  const result = bareResult(disposition, resultCode);
  if (origin.kind === 'bridge') {
    const answer = answerChanges(placeOf(origin), result, clock.nowMs());
    await store.commit([...messageGuards(origin), ...more, ...answer]);
  }
  return result;
}
