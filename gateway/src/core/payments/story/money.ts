import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { present } from '@tillbridge/wire/present.js';
import type { IntentRow, PaymentRow } from '../../../kernel/store/rows.js';
import { detailOf } from '../rules/intent-detail.js';
import { paymentTypeOf } from '../rules/lifecycle-facts.js';
import { nextSteps } from './next-steps.js';

/** What is left to do with a payment, as answers show it. */
interface ShownStep {
  readonly paymentType: string;
  /** `increment` distinguishes it from a new authorization. */
  readonly followUp: string;
  readonly allowed: boolean;
  readonly upTo?: string;
  readonly code?: string;
  readonly description?: string;
}

/** Amounts of a payment and of what follows it, as texts with two decimals. */
export interface ShownMoney {
  readonly currency: string;
  readonly authorized: string;
  readonly captured: string;
  readonly refunded: string;
  readonly chargedBack: string;
  readonly reversed: string;
  readonly next: readonly ShownStep[];
}

/** A payment with those that follow it. */
export interface PaymentTree {
  readonly id: string;
  readonly paymentType: string;
  readonly amount: string;
  readonly currency: string;
  readonly state: string;
  readonly code: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly followedBy: readonly PaymentTree[];
}

const FOLLOW_UP_NAMES = {
  CP: 'capture',
  RF: 'refund',
  RV: 'reversal',
  INCREMENTAL_AUTH: 'increment',
} as const;

/**
 * What was authorized, captured, refunded and charged back, and what can follow the payment now, by the rules that decide on it. Pure.
 * @param root the payment that carries the amounts; the payment itself where it is one
 */
export function moneyOf(payment: PaymentRow, root: PaymentRow, nowMs: number): ShownMoney {
  const { currency } = root;
  const shown = (minor: number): string => formatAmount({ minor, currency });
  return {
    currency,
    authorized: shown(root.authorizedMinor),
    captured: shown(root.capturedMinor),
    refunded: shown(root.refundedMinor),
    chargedBack: shown(root.chargedBackMinor),
    reversed: shown(root.reversedMinor),
    next: nextSteps(payment, root, nowMs).map(({ followUp, type, isAllowed, mostMinor, resultCode }) => ({
      paymentType: type,
      followUp: FOLLOW_UP_NAMES[followUp],
      allowed: isAllowed,
      ...present({
        upTo: mostMinor === undefined ? undefined : shown(mostMinor),
        code: resultCode,
        description: resultCode === undefined ? undefined : resultDescription(resultCode),
      }),
    })),
  };
}

/** The payments as trees: each below what it names, the first to come first. Pure. */
export function treesOf(
  payments: readonly PaymentRow[],
  intents: readonly IntentRow[],
): readonly PaymentTree[] {
  const stored = new Set(payments.map(({ id }) => id));
  const open = intents.filter(({ state, paymentId }) => state !== 'done' && !stored.has(paymentId));
  const all = [...payments, ...open.map((intent) => detailOf(intent).draft)];
  const ids = new Set(all.map(({ id }) => id));
  const above = ({ id, referencedId, rootId }: PaymentRow): string | undefined =>
    [referencedId, rootId].find((each) => each !== null && each !== id && ids.has(each)) ?? undefined;
  const treeOf = (payment: PaymentRow, seen: ReadonlySet<string>): PaymentTree => ({
    id: payment.id,
    paymentType: paymentTypeOf(payment),
    amount: formatAmount({ minor: payment.amountMinor, currency: payment.currency }),
    currency: payment.currency,
    state: payment.state,
    code: payment.resultCode,
    at: new Date(payment.createdAtMs).toISOString(),
    followedBy: all
      .filter((other) => above(other) === payment.id && !seen.has(other.id))
      .sort(byTime)
      .map((other) => treeOf(other, new Set([...seen, other.id]))),
  });
  return all
    .filter((payment) => above(payment) === undefined)
    .sort(byTime)
    .map((payment) => treeOf(payment, new Set([payment.id])));
}

function byTime(one: PaymentRow, other: PaymentRow): number {
  return one.createdAtMs - other.createdAtMs || (one.id < other.id ? -1 : 1);
}
