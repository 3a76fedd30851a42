import {
  type FollowUp,
  LIFECYCLE,
  lifecycleCell,
  type PaymentState,
  type ReferencedType,
  SITUATIONS,
} from './lifecycle.js';
import type { ResultCode } from './result-codes/result-codes.js';

/** A payment as the rules see it: amounts in minor units of its currency. */
export interface FollowedPayment {
  readonly type: ReferencedType;
  readonly state: PaymentState;
  readonly currency: string;
  readonly amountMinor: number;
  readonly authorizedMinor: number;
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  /** Taken back by chargebacks that stand. */
  readonly chargedBackMinor: number;
  readonly reversedMinor: number;
  readonly captureCount: number;
  /** `numberOfCaptures`; null where it was not sent. */
  readonly maxCaptures: number | null;
  /** 1 after a capture with `sequence=FINAL`. */
  readonly capturesClosed: 0 | 1;
  /** A refund was the last (`sequence=FINAL`). */
  readonly refundsClosed?: boolean;
  readonly brand: string | null;
  readonly createdAtMs: number;
}

/** The request, and all that decides on it. */
export interface FollowUpFacts {
  readonly followUp: FollowUp;
  /** The payment that was named. */
  readonly target: FollowedPayment;
  /** The payment with its own amounts that it belongs to (PA, PA.CP, DB, CD, RB, RC); the target itself where it is one. */
  readonly root: FollowedPayment;
  readonly amountMinor?: number | undefined;
  readonly currency?: string | undefined;
  readonly brand?: string | undefined;
  /** `lifecycleId` of the request and of the payment's root; compared where both have one. */
  readonly lifecycleId?: string | undefined;
  readonly rootLifecycleId?: string | undefined;
  readonly nowMs: number;
  readonly busy?: boolean;
  readonly otherChannel?: boolean;
  readonly otherMode?: boolean;
  /** The merchant reported that all of it was charged back. */
  readonly chargedBack?: boolean;
  /** A till reverses its own message whose answer may be lost: then a refund can be reversed too, and at any time. */
  readonly reversesMessage?: boolean;
}

/** How much moves, or the code of the rule that forbids it. */
type FollowUpDecision =
  | { readonly ok: true; readonly amountMinor: number }
  | { readonly ok: false; readonly resultCode: ResultCode };

/** May this happen? Pure; every refusal is a code of the tables in lifecycle.ts. */
export function decideFollowUp(facts: FollowUpFacts): FollowUpDecision {
  const refusal = mismatch(facts) ?? stateRefusal(facts) ?? lateness(facts) ?? closed(facts);
  return refusal === undefined ? decideAmount(facts) : refuse(refusal);
}

/**
 * How much a follow-up may move at most, by what is left: minor units; undefined where nothing limits it. Whether it may happen at all
 * {@link decideFollowUp} says.
 */
export function mostOf(facts: Pick<FollowUpFacts, 'followUp' | 'target' | 'root'>): number | undefined {
  const { kind } = LIFECYCLE[facts.followUp].amount;
  if (kind === 'free') return undefined;
  return Math.max(0, kind === 'whole' ? leftToReverse(facts) : limitOf(facts));
}

function mismatch(facts: FollowUpFacts): ResultCode | undefined {
  const { target, currency, brand } = facts;
  if (facts.busy) return SITUATIONS.busy;
  if (facts.otherChannel) return SITUATIONS['channel-differs'];
  if (facts.otherMode) return SITUATIONS['mode-differs'];
  if (currency !== undefined && currency !== target.currency) return SITUATIONS['currency-differs'];
  if (brand !== undefined && target.brand !== null && brand !== target.brand)
    return SITUATIONS['brand-differs'];
  return lifecycleDiffers(facts) ? SITUATIONS['lifecycle-differs'] : undefined;
}

function lifecycleDiffers({ lifecycleId, rootLifecycleId }: FollowUpFacts): boolean {
  return lifecycleId !== undefined && rootLifecycleId !== undefined && lifecycleId !== rootLifecycleId;
}

function stateRefusal({
  followUp,
  target,
  reversesMessage,
  chargedBack,
}: FollowUpFacts): ResultCode | undefined {
  const cell = lifecycleCell(followUp, target.type, target.state, reversesMessage);
  if (cell !== 'allowed') return cell;
  const { kind } = LIFECYCLE[followUp].amount;
  const isRefused =
    (kind === 'whole' && target.chargedBackMinor > 0) ||
    (chargedBack && (kind === 'whole' || kind === 'refundable'));
  return isRefused ? SITUATIONS['charged-back'] : undefined;
}

function lateness(facts: FollowUpFacts): ResultCode | undefined {
  const { followUp, target, nowMs, reversesMessage } = facts;
  const { window } = LIFECYCLE[followUp];
  if (!window || reversesMessage) return undefined;
  const ms = window.of?.[target.type] ?? window.ms;
  return nowMs - target.createdAtMs > ms ? window.late : undefined;
}

function closed({ followUp, target, root }: FollowUpFacts): ResultCode | undefined {
  const { kind } = LIFECYCLE[followUp].amount;
  if (kind === 'refundable') return root.refundsClosed ? SITUATIONS['refunds-closed'] : undefined;
  if (kind !== 'capturable') return undefined;
  const full = target.maxCaptures !== null && target.captureCount >= target.maxCaptures;
  return full || target.capturesClosed === 1 ? SITUATIONS['captures-closed'] : undefined;
}

function decideAmount(facts: FollowUpFacts): FollowUpDecision {
  const { followUp, amountMinor } = facts;
  const rule = LIFECYCLE[followUp].amount;
  if (rule.kind === 'whole') return decideWhole(amountMinor, leftToReverse(facts), rule.above);
  if (amountMinor === undefined || amountMinor <= 0) return refuse(SITUATIONS['amount-missing']);
  const limit = rule.kind === 'free' ? amountMinor : limitOf(facts);
  if (amountMinor <= limit) return { ok: true, amountMinor };
  // Without the chargeback there would be as much to refund.
  const isChargedBack = rule.kind === 'refundable' && amountMinor <= leftUncharged(facts);
  return refuse(isChargedBack ? SITUATIONS['charged-back'] : rule.above);
}

function decideWhole(wanted: number | undefined, left: number, above: ResultCode): FollowUpDecision {
  if (left <= 0 || (wanted ?? 0) > left) return refuse(above);
  return wanted === undefined || wanted === left
    ? { ok: true, amountMinor: left }
    : refuse(SITUATIONS['amounts-differ']);
}

function limitOf({ followUp, target, root }: Pick<FollowUpFacts, 'followUp' | 'target' | 'root'>): number {
  return LIFECYCLE[followUp].amount.kind === 'capturable'
    ? leftToCapture(target)
    : Math.min(leftToRefund(target), leftToRefund(root));
}

function leftToCapture(payment: FollowedPayment): number {
  return payment.authorizedMinor - payment.capturedMinor - payment.reversedMinor;
}

function leftToRefund(payment: FollowedPayment): number {
  return payment.capturedMinor - payment.refundedMinor - payment.chargedBackMinor;
}

/** What could be refunded if nothing were charged back. */
function leftUncharged({ target, root }: FollowUpFacts): number {
  return Math.min(...[target, root].map(({ capturedMinor, refundedMinor }) => capturedMinor - refundedMinor));
}

/** A reversal reverses the whole of what is not refunded, and of a preauthorization what is not captured. */
function leftToReverse({ target, root }: Pick<FollowUpFacts, 'target' | 'root'>): number {
  switch (target.type) {
    case 'PA':
      return leftToCapture(target);
    case 'CP':
      return target.refundedMinor === 0 && leftToRefund(root) >= target.amountMinor ? target.amountMinor : 0;
    default:
      return target.refundedMinor === 0 ? target.amountMinor : 0;
  }
}

function refuse(resultCode: ResultCode): FollowUpDecision {
  return { ok: false, resultCode };
}
