import { minorDigits } from './minor-digits.js';

/** An amount of money: minor units of an ISO 4217 currency (gateway/docs/amounts.md: in the API, a text with two decimals). */
export interface Money {
  /** Whole minor units, a safe integer: 1234 is EUR 12.34, JPY 1234 or KWD 1.234. */
  readonly minor: number;
  /** ISO 4217 alpha-3, uppercase. */
  readonly currency: string;
}

/** The text is not an amount; the message has the rule that it breaks. */
export class AmountFormatError extends Error {
  override readonly name = 'AmountFormatError';
}

/** Decimal text of at most ten integer digits with no decimals or exactly two (spec, notation: "amount format"). */
const AMOUNT = /^(\d{1,10})(?:\.(\d{2}))?$/;

/** Decimals of the amounts of the API (spec, notation: "amount format"). */
const API_DECIMALS = 2;

/**
 * The smallest part of a currency that two decimals can show, in minor units: 1, of three digits 10, of four digits 100. The card networks take
 * no smaller part of a currency with three digits either.
 */
export function smallestShown(currency: string): number {
  return 10 ** Math.max(0, minorDigits(currency) - API_DECIMALS);
}

/**
 * Reads an amount of the API: decimals none or exactly two. A currency without minor unit takes `.00` alone;
 * one with three or four minor digits is stored in its own minor units: hundredths × 10, × 100.
 * @throws AmountFormatError
 */
export function parseAmount(text: string, currency: string): Money {
  const read = amountOrFault(text, currency);
  if (typeof read === 'string') throw new AmountFormatError(read);
  return read;
}

/** Hundredths of an amount of the API, whatever its currency; undefined for a text of another form. */
export function hundredthsOf(text: string): number | undefined {
  const match = AMOUNT.exec(text);
  return match ? Number(match[1]) * 100 + Number(match[2] ?? '0') : undefined;
}

/** As {@link parseAmount}; for a text that is no amount the rule that it breaks. */
export function amountOrFault(text: string, currency: string): Money | string {
  const hundredths = hundredthsOf(text);
  if (hundredths === undefined)
    return 'amount must be up to 10 digits, then optionally a dot and exactly 2 decimals';
  const digits = minorDigits(currency);
  if (digits === 0 && hundredths % 100 !== 0) return `${currency} has no minor unit: decimals must be .00`;
  return { minor: digits === 0 ? hundredths / 100 : hundredths * 10 ** (digits - 2), currency };
}

/**
 * The API's text of an amount: always two decimals, a minus in front of what is below zero. Every whole number of minor units has one: what two
 * decimals cannot show is rounded, a half away from zero.
 */
export function formatAmount({ minor, currency }: Money): string {
  const units = BigInt(minor);
  if (minorDigits(currency) < API_DECIMALS) return decimalText(units * 100n, API_DECIMALS);
  return decimalText(roundedTo(units, BigInt(smallestShown(currency))), API_DECIMALS);
}

/** An amount with the digits of its currency, for people: `12.34` of EUR, `100` of JPY, `1.234` of KWD. Nothing is rounded. */
export function exactAmount({ minor, currency }: Money): string {
  return decimalText(BigInt(minor), minorDigits(currency));
}

/** How many steps a number has, a half away from zero. */
function roundedTo(units: bigint, step: bigint): bigint {
  const half = units < 0n ? -step : step;
  return (2n * units + half) / (2n * step);
}

/** Digits with a dot in front of the last ones. */
function decimalText(units: bigint, decimals: number): string {
  const figures = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const at = figures.length - decimals;
  const fraction = decimals === 0 ? '' : `.${figures.slice(at)}`;
  return `${units < 0n ? '-' : ''}${figures.slice(0, at)}${fraction}`;
}
