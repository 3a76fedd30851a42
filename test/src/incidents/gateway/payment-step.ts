import type { AcquirerRequestKind } from '@tillbridge/gateway/core/acquirers/request-kinds.js';
import { decideChargeback, isOfChargeback } from '@tillbridge/gateway/core/payments/rules/chargeback.js';
import { decideClaim } from '@tillbridge/gateway/core/payments/rules/decide-claim.js';
import { BEGINNING } from '@tillbridge/gateway/core/payments/rules/drafts.js';
import { FOLLOW_UP_ROWS, isReversal } from '@tillbridge/gateway/core/payments/rules/follow-up-rows.js';
import {
  detailOf,
  type IntentDetail,
  type IntentOutcome,
  openIntent,
} from '@tillbridge/gateway/core/payments/rules/intent-detail.js';
import {
  echoOf,
  followedPayment,
  isChargebackClaimed,
  lifecycleIdOf,
} from '@tillbridge/gateway/core/payments/rules/lifecycle-facts.js';
import { recordOutcome } from '@tillbridge/gateway/core/payments/rules/record-outcome.js';
import type { IntentRow, PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change } from '@tillbridge/gateway/kernel/store/store.js';
import { decideFollowUp } from '@tillbridge/wire/payment/decide-follow-up.js';
import { FOLLOW_UPS, type FollowUp, LIFECYCLE } from '@tillbridge/wire/payment/lifecycle.js';
import { type FamilyState, keyOfAgent } from './family-state.js';

/** What a payment's outcome changes, or why the rules forbid it. */
export type PaymentStep =
  | { readonly kind: 'changes'; readonly changes: readonly Change[]; readonly notReplayed?: string }
  | { readonly kind: 'forbidden'; readonly because: string };

/** The event that a payment stands for, in words. */
export function eventText({ type, state, amountMinor, currency, referencedId }: PaymentRow): string {
  const end = state === 'declined' ? 'is declined' : 'is carried out';
  const of = referencedId === null ? '' : ` on ${referencedId}`;
  return `${type} of ${amountMinor} ${currency}${of} ${end}`;
}

/** What the outcome of a payment changes, by the gateway's own decisions on the rows so far. */
export function paymentStep(state: FamilyState, row: PaymentRow, intent: IntentRow | undefined): PaymentStep {
  if (isOfChargeback(row)) return chargebackStep(state, row);
  if (!intent) return withoutIntent(state, row);
  if (intent.state !== 'done') return forbidden('a payment with an outcome has an intent that is done');
  const { followUp } = detailOf(intent);
  return followUp ? followUpStep(state, row, intent) : saleStep(state, row, intent);
}

const forbidden = (because: string): PaymentStep => ({ kind: 'forbidden', because });

/** The outcome of a request to an acquirer as the payment's row shows it. */
function outcomeOf(row: PaymentRow): IntentOutcome {
  const { state, resultCode, approvalCode, responseCode, type, amountMinor } = row;
  return {
    approved: state !== 'declined',
    resultCode,
    responseCode: responseCode ?? '',
    ...(approvalCode !== null && { approvalCode }),
    ...(type !== 'RV' && { approvedMinor: amountMinor }),
  };
}

/** The intent as it was before its outcome, with the payment as its draft. */
function reopened(row: PaymentRow, intent: IntentRow, more: Partial<IntentDetail> = {}): IntentRow {
  const { recovery, fenceReference, place, followUp } = detailOf(intent);
  const { createdAtMs } = intent;
  const draft: PaymentRow = { ...row, ...BEGINNING, answer: '{}', createdAtMs };
  const detail = { draft, recovery, fenceReference, ...(place && { place }), ...(followUp && { followUp }) };
  return openIntent(
    intent.id,
    intent.kind as AcquirerRequestKind,
    intent.rootId,
    { ...detail, ...more },
    null,
  );
}

function saleStep(state: FamilyState, row: PaymentRow, intent: IntentRow): PaymentStep {
  const { agentId, reference, id: paymentId } = row;
  const mayClaim = agentId !== null && reference !== null;
  const stored = mayClaim ? state.claims.get(keyOfAgent(agentId, reference)) : undefined;
  const verdict = mayClaim ? decideClaim(stored, { agentId, reference, paymentId }) : undefined;
  if (verdict && !verdict.free)
    return forbidden(`P2: the reference ${reference} is held by payment ${verdict.heldBy}`);
  const claims = verdict ? [verdict.change] : [];
  const [claim] = claims.flatMap((change) => ('row' in change ? [change.row] : []));
  const { changes } = recordOutcome({
    intent: reopened(row, intent),
    answer: outcomeOf(row),
    ...(claim && { claim: claim as NonNullable<Parameters<typeof recordOutcome>[0]['claim']> }),
    nowMs: row.createdAtMs,
    eventOf: () => [],
  });
  return { kind: 'changes', changes: [...claims, ...changes] };
}

function followUpStep(state: FamilyState, row: PaymentRow, intent: IntentRow): PaymentStep {
  const { followUp, place } = detailOf(intent);
  const type = typeOf(row, followUp?.type);
  const target = state.payments.get(followUp?.targetId ?? '');
  const root = state.payments.get(intent.rootId ?? '');
  if (!followUp || !type || !target || !root)
    return forbidden('the payment that it follows is not there before it');
  // Whether a till named a message of its own is not in the rows; it may then reverse what is left, at any time.
  const ways = place ? [true, false] : [false];
  const verdicts = ways.map((reversesMessage) =>
    decideFollowUp({
      followUp: type,
      target: { ...followedPayment(target), brand: target.brand ?? root.brand },
      root: followedPayment(root),
      amountMinor: isReversal(type) && reversesMessage ? undefined : followUp.amountMinor,
      currency: row.currency,
      lifecycleId: lifecycleIdOf(echoOf(row)),
      rootLifecycleId: lifecycleIdOf(echoOf(root)),
      nowMs: intent.createdAtMs,
      chargedBack: isChargebackClaimed(root),
      reversesMessage,
    }),
  );
  const allowed = verdicts.find((verdict) => verdict.ok);
  if (!allowed?.ok) {
    const codes = verdicts.flatMap((verdict) => (verdict.ok ? [] : [verdict.resultCode]));
    return forbidden(`the lifecycle refuses it there with ${[...new Set(codes)].join(' or ')}`);
  }
  if (allowed.amountMinor !== followUp.amountMinor)
    return forbidden(`its intent moves ${followUp.amountMinor}, the lifecycle allows ${allowed.amountMinor}`);
  const claim =
    root.agentId !== null && root.reference !== null
      ? state.claims.get(keyOfAgent(root.agentId, root.reference))
      : undefined;
  const { changes } = recordOutcome({
    intent: reopened(row, intent),
    answer: outcomeOf(row),
    root: { ...root, lockedBy: intent.id },
    target,
    ...(claim && { claim }),
    nowMs: row.createdAtMs,
    eventOf: () => [],
  });
  return { kind: 'changes', changes };
}

function typeOf({ type }: PaymentRow, stated: FollowUp | undefined): FollowUp | undefined {
  return (
    stated ?? FOLLOW_UPS.find((name) => LIFECYCLE[name].type === type && Object.hasOwn(FOLLOW_UP_ROWS, name))
  );
}

/** A refusal of the gateway itself: nothing went to an acquirer, and nothing changed. */
function withoutIntent(state: FamilyState, row: PaymentRow): PaymentStep {
  const { state: end, acquirerReference, rootId } = row;
  if (end !== 'declined')
    return forbidden('an approval has an intent, which is committed before the request');
  if (acquirerReference !== null) return forbidden('what went to an acquirer has an intent');
  const { authorizedMinor, capturedMinor, refundedMinor, reversedMinor } = row;
  if (authorizedMinor + capturedMinor + refundedMinor + reversedMinor > 0)
    return forbidden('a refusal holds no money');
  const why = rootId !== null && state.payments.has(rootId) ? ' on its payment' : '';
  return {
    kind: 'changes',
    changes: [{ op: 'insert', table: 'payments', row }],
    notReplayed: `${row.type} ${row.id}: why the gateway refused it${why} with ${row.resultCode}; its request is not stored`,
  };
}

function chargebackStep(state: FamilyState, row: PaymentRow): PaymentStep {
  const root = state.payments.get(row.rootId ?? '');
  const referenced = state.payments.get(row.referencedId ?? '');
  if (!root || !referenced) return forbidden('the payment whose money it is about is not there before it');
  const isBack = row.type === 'CR';
  const target = isBack ? (state.payments.get(referenced.referencedId ?? '') ?? root) : referenced;
  const booked = [...state.payments.values()].filter(
    (each) => isOfChargeback(each) && each.rootId === root.id,
  );
  const verdict = decideChargeback(
    { target, root, booked, mode: row.resultCode === '000.000.000' ? 'live' : 'test' },
    {
      kind: isBack ? 'chargeback-reversal' : 'chargeback',
      reference: row.acquirerReference ?? '',
      originalReference: target.acquirerReference ?? '',
      ...(isBack && { chargeback: referenced.acquirerReference ?? '' }),
      reason: row.responseCode ?? '',
      atMs: row.createdAtMs,
      amountMinor: row.amountMinor,
      source: row.acquirer,
    },
    () => row.id,
  );
  if (verdict.kind !== 'booked')
    return forbidden(
      `the rules of chargebacks give “${verdict.kind === 'refused' ? verdict.why : verdict.kind}”`,
    );
  const changed = verdict.changed.map((each) => ({ op: 'update', table: 'payments', row: each }) as const);
  return {
    kind: 'changes',
    changes: [{ op: 'insert', table: 'payments', row: verdict.payment }, ...changed],
  };
}
