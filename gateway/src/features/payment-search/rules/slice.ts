import { paymentTypeOf } from '../../../core/payments/rules/lifecycle-facts.js';
import type { PaymentRow, PaymentSliceRow } from '../../../kernel/store/rows.js';
import { emailOf, emailTerms, termsOf } from './search-terms.js';
import { termFilter } from './term-filter.js';

export const HOUR_MS = 3_600_000;

/** What payments of a slice add up to that are alike: a row of `paymentSlices.totals`. */
export interface SliceTotal {
  /** `paymentType`. */
  readonly type: string;
  readonly brand: string | null;
  readonly currency: string;
  readonly resultCode: string;
  readonly responseCode: string | null;
  readonly approved: boolean;
  readonly count: number;
  /** Sum of their amounts, minor units. */
  readonly minor: number;
}

/** Turns an e-mail address into what a filter holds of it. */
export type EmailMark = (email: string) => string;

/** The slice of these payments: all of the entity from `fromMs` on and before `toMs`, within one hour. Pure. */
export function sliceOf(
  { entityId, fromMs, toMs }: Pick<PaymentSliceRow, 'entityId' | 'fromMs' | 'toMs'>,
  payments: readonly PaymentRow[],
  markOf: EmailMark,
): PaymentSliceRow {
  const terms = payments.flatMap((payment) => {
    const email = emailOf(payment);
    return [...termsOf(payment), ...(email === undefined ? [] : emailTerms(markOf(email)))];
  });
  return {
    ...{ entityId, fromMs, toMs },
    count: payments.length,
    totals: JSON.stringify(totalsOf(payments)),
    terms: termFilter(terms),
    version: 1,
  };
}

/** What payments add up to, those that are alike together. Pure. */
export function totalsOf(payments: readonly PaymentRow[]): readonly SliceTotal[] {
  const totals = new Map<string, SliceTotal>();
  for (const payment of payments) {
    const { brand, currency, resultCode, responseCode, state, amountMinor } = payment;
    const like = {
      ...{ type: paymentTypeOf(payment), brand, currency, resultCode, responseCode },
      approved: state !== 'declined',
    };
    const key = JSON.stringify(like);
    const before = totals.get(key);
    const [count, minor] = [(before?.count ?? 0) + 1, (before?.minor ?? 0) + amountMinor];
    totals.set(key, { ...like, count, minor });
  }
  return [...totals.values()];
}

/** The hour that a time lies in: when it began. Pure. */
export function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS;
}
