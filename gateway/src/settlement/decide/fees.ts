import { minorDigits } from '@tillbridge/protocol/payment/money.js';

/** An operation that is paid for by itself (spec 2.11, `transactionType` of a FEE). */
export type FeeType = 'AUTH_FEE' | 'CAPTURE_FEE' | 'CANCEL_FEE' | 'REFUND_FEE';

/** What a merchant pays the acquirer. Minor units of the currency that the merchant is paid in. */
export interface FeeSchedule {
  /** Of each debit, in hundredths of a percent of what is settled. */
  readonly basisPoints: number;
  /** Of each debit, beside that. */
  readonly fixedMinor: number;
  /** Of each operation, whatever became of it. */
  readonly perOperation: Readonly<Record<FeeType, number>>;
}

/** What the simulated acquirer takes of everybody. */
export const STANDARD_FEES: FeeSchedule = {
  basisPoints: 140,
  fixedMinor: 5,
  perOperation: { AUTH_FEE: 2, CAPTURE_FEE: 0, CANCEL_FEE: 2, REFUND_FEE: 10 },
};

/**
 * Hundredths of one unit of a currency in another one: what the simulated acquirer changes for. Currencies without a rate are settled as
 * they are. Made up.
 */
const RATES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  EUR: { USD: 92, GBP: 117, CHF: 104, PLN: 23, SEK: 9 },
  USD: { EUR: 108, GBP: 127, CHF: 113 },
  GBP: { EUR: 85, USD: 78, CHF: 88 },
};

/** The currency that a payment is settled in, and the rate in hundredths: 100 within one currency. */
export function settledIn(
  currency: string,
  wanted: string | null,
): { readonly currency: string; readonly rate: number } {
  const rate = wanted === null || wanted === currency ? undefined : RATES[wanted]?.[currency];
  return rate === undefined || wanted === null ? { currency, rate: 100 } : { currency: wanted, rate };
}

/** An amount in another currency; a half is rounded up. @param rate hundredths */
export function exchanged(minor: number, from: string, to: string, rate: number): number {
  if (from === to && rate === 100) return minor;
  const [digitsFrom, digitsTo] = [minorDigits(from), minorDigits(to)];
  const numerator = BigInt(minor) * BigInt(rate) * 10n ** BigInt(digitsTo);
  return roundedHalfUp(numerator, 100n * 10n ** BigInt(digitsFrom), to);
}

/** Fee of a debit that is settled with this amount; a half is rounded up. */
export function feeOfDebit(
  { basisPoints, fixedMinor }: FeeSchedule,
  minor: number,
  currency: string,
): number {
  return roundedHalfUp(BigInt(minor) * BigInt(basisPoints), 10_000n, currency) + fixedMinor;
}

/** Minor units, as few as the two decimals of amounts can show: of a currency with three, tens. */
function roundedHalfUp(numerator: bigint, denominator: bigint, currency: string): number {
  const step = 10n ** BigInt(Math.max(0, minorDigits(currency) - 2));
  const whole = denominator * step;
  return Number(((2n * numerator + whole) / (2n * whole)) * step);
}
