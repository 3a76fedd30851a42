import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import { smallestShown } from '@tillbridge/wire/payment/money.js';
import type { ExchangeRateRow } from '../../../kernel/store/rows.js';

/** Rates are whole numbers of millionths; this is one for one. */
export const ONE_FOR_ONE = 1_000_000;

/** Digits behind the dot. */
const DECIMALS = 6;
const RATE = /^(\d{1,6})(?:\.(\d{1,6}))?$/;

/** A rate that records of a settlement were changed by, as it was then: what is set later changes it no more. */
export interface UsedRate extends Pick<ExchangeRateRow, 'currency' | 'rate' | 'fromMs' | 'source'> {}

/** How a movement of money is settled. */
export interface Conversion {
  /** That it is settled in. */
  readonly currency: string;
  /** Millionths. */
  readonly rate: number;
  /** Absent within one currency. */
  readonly used?: UsedRate;
}

/** Reads a rate with up to six decimals, in millionths; undefined for what is none. */
export function parseRate(text: string): number | undefined {
  const [, units, decimals = ''] = RATE.exec(text) ?? [];
  if (units === undefined) return undefined;
  const rate = Number(units) * ONE_FOR_ONE + Number(decimals.padEnd(DECIMALS, '0'));
  return rate > 0 ? rate : undefined;
}

/** A rate with its six decimals. @param rate millionths */
export function rateText(rate: number): string {
  return (rate / ONE_FOR_ONE).toFixed(DECIMALS);
}

/** A rate with the two decimals of docs/reconciliation.md; one that would be nothing is 0.01. @param rate millionths */
export function shortRateText(rate: number): string {
  return Math.max(rate / ONE_FOR_ONE, 0.01).toFixed(2);
}

/** An amount in another currency, or what two decimals show of it in its own; a half is rounded up. @param rate millionths */
export function exchanged(minor: number, from: string, to: string, rate: number): number {
  const [digitsFrom, digitsTo] = [minorDigits(from), minorDigits(to)];
  const numerator = BigInt(minor) * BigInt(rate) * 10n ** BigInt(digitsTo);
  return roundedHalfUp(numerator, BigInt(ONE_FOR_ONE) * 10n ** BigInt(digitsFrom), to);
}

/**
 * What is computed, in minor units that two decimals can show: of a currency with three digits tens, of four digits hundreds. So the sum of what
 * a file or report shows is the sum that it names.
 * @throws RangeError for more than a number counts exactly
 */
export function roundedHalfUp(numerator: bigint, denominator: bigint, currency: string): number {
  const step = BigInt(smallestShown(currency));
  const whole = denominator * step;
  return countable(Number(((2n * numerator + whole) / (2n * whole)) * step));
}

/** @throws RangeError for more minor units than a number counts exactly */
export function countable(minor: number): number {
  if (Number.isSafeInteger(minor)) return minor;
  throw new RangeError('more minor units than can be counted');
}

/** The settlement's column with a rate more, unless it is there. */
export function withUsedRate(rates: string, used: UsedRate): string {
  const known = JSON.parse(rates) as readonly UsedRate[];
  const isKnown = known.some(({ currency, fromMs }) => currency === used.currency && fromMs === used.fromMs);
  return isKnown ? rates : JSON.stringify([...known, used]);
}
