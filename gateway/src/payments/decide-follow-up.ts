import type { PaymentRow } from '../store/rows.js';
import type { FollowUpType } from './desk.js';

/** A follow-up to decide on: facts alone. */
export interface FollowUpFacts {
  readonly type: FollowUpType;
  /** The payment that was named. */
  readonly target: PaymentRow;
  /** The PA, DB or CD it belongs to; the target itself where it is one. */
  readonly root: PaymentRow;
  readonly amountMinor: number | undefined;
  readonly currency: string | undefined;
  /**
   * A till undoes its own message: a refund may be reversed too, because its answer may have been lost, and whatever amount the till
   * remembers, what is left is undone.
   */
  readonly undoesMessage?: boolean;
}

/** How much moves, or the result code of the rule that forbids it. */
export type FollowUpVerdict =
  | { readonly ok: true; readonly amountMinor: number }
  | { readonly ok: false; readonly resultCode: string };

/** State rules of reference §3. */
export const FOLLOW_UP_CODES = {
  unsuitable: '700.300.100',
  declined: '700.300.200',
  currency: '700.100.500',
  noAmount: '100.550.300',
  unequal: '100.550.701',
  capture: '700.400.100',
  captureNeedsPa: '700.400.510',
  refund: '700.400.200',
  reversal: '700.400.300',
} as const;

/** Code of a follow-up whose payment is unknown (reference §3). */
export const UNKNOWN_PAYMENT_CODES: Readonly<Record<FollowUpType, string>> = {
  CP: '700.400.510',
  RF: '600.200.500',
  RV: '700.400.530',
};

/** May this capture, refund or reversal happen? Pure. */
export function decideFollowUp(facts: FollowUpFacts): FollowUpVerdict {
  const { target, currency } = facts;
  if (target.state === 'declined') return refuse('declined');
  if (currency !== undefined && currency !== target.currency) return refuse('currency');
  switch (facts.type) {
    case 'CP':
      return decideCapture(facts);
    case 'RF':
      return decideRefund(facts);
    case 'RV':
      return decideReversal(facts);
  }
}

function decideCapture({ target, amountMinor }: FollowUpFacts): FollowUpVerdict {
  if (target.type !== 'PA') return refuse('captureNeedsPa');
  if (amountMinor === undefined || amountMinor === 0) return refuse('noAmount');
  const exhausted = target.capturesClosed === 1 || target.captureCount >= (target.maxCaptures ?? Infinity);
  if (exhausted || target.reversedMinor > 0) return refuse('capture');
  return amountMinor <= target.authorizedMinor - target.capturedMinor
    ? allow(amountMinor)
    : refuse('capture');
}

function decideRefund({ target, root, amountMinor }: FollowUpFacts): FollowUpVerdict {
  const captured =
    target.type === 'DB' || target.type === 'CP' || (target.type === 'PA' && target.capturedMinor > 0);
  if (!captured) return target.state === 'reversed' ? refuse('refund') : refuse('unsuitable');
  if (amountMinor === undefined || amountMinor === 0) return refuse('noAmount');
  const left = Math.min(refundable(target), refundable(root));
  return amountMinor <= left ? allow(amountMinor) : refuse('refund');
}

function refundable(payment: PaymentRow): number {
  return payment.capturedMinor - payment.refundedMinor;
}

function decideReversal(facts: FollowUpFacts): FollowUpVerdict {
  const { type } = facts.target;
  if (type === 'RV' || (type === 'RF' && !facts.undoesMessage)) return refuse('unsuitable');
  const left = reversible(facts);
  if (left <= 0) return refuse('reversal');
  const asked = facts.undoesMessage ? left : (facts.amountMinor ?? left);
  if (asked === left) return allow(left);
  return refuse(asked > left ? 'reversal' : 'unequal');
}

/** What a reversal would undo: all that is not refunded, and of a preauthorization what is not captured. */
function reversible({ target, root }: FollowUpFacts): number {
  if (target.state === 'reversed') return 0;
  switch (target.type) {
    case 'PA':
      return target.authorizedMinor - target.capturedMinor - target.reversedMinor;
    case 'RF':
      return target.amountMinor;
    case 'CP':
      return target.refundedMinor === 0 && refundable(root) >= target.amountMinor ? target.amountMinor : 0;
    default:
      return target.refundedMinor === 0 ? target.amountMinor : 0;
  }
}

function allow(amountMinor: number): FollowUpVerdict {
  return { ok: true, amountMinor };
}

function refuse(rule: keyof typeof FOLLOW_UP_CODES): FollowUpVerdict {
  return { ok: false, resultCode: FOLLOW_UP_CODES[rule] };
}
