import { currencyDigits } from './currency-codes.js';

/** An amount of money: minor units of an ISO 4217 currency (spec 2.1: outside, a text with two decimals). */
export interface Money {
  /** Whole minor units, a safe integer: 1234 is EUR 12.34, JPY 1234 or KWD 1.234. */
  readonly minor: number;
  /** ISO 4217 alpha-3, uppercase. */
  readonly currency: string;
}

/** The text is not an amount; the message says which rule it breaks. */
export class AmountFormatError extends Error {
  override readonly name = 'AmountFormatError';
}

/** Decimal text of at most ten integer digits with no decimals or exactly two (spec, notation: "amount format"). */
const AMOUNT = /^(\d{1,10})(?:\.(\d{2}))?$/;

/** How many minor digits the currency has; 2 for one that is not known. */
export function minorDigits(currency: string): number {
  return currencyDigits(currency) ?? 2;
}

/**
 * Reads an amount of the API: decimals none or exactly two. A currency without minor unit takes `.00` alone;
 * one with three minor digits is stored in thousandths, so hundredths × 10.
 * @throws AmountFormatError
 */
export function parseAmount(text: string, currency: string): Money {
  const match = AMOUNT.exec(text);
  if (!match)
    throw new AmountFormatError(
      'amount must be up to 10 digits, then optionally a dot and exactly 2 decimals',
    );
  const hundredths = Number(match[1]) * 100 + Number(match[2] ?? '0');
  const digits = minorDigits(currency);
  if (digits === 0 && hundredths % 100 !== 0) {
    throw new AmountFormatError(`${currency} has no minor unit: decimals must be .00`);
  }
  return { minor: digits === 0 ? hundredths / 100 : hundredths * 10 ** (digits - 2), currency };
}

/** The API's text of an amount: always two decimals. Thousandths that do not fit two decimals are refused. */
export function formatAmount(money: Money): string {
  const digits = minorDigits(money.currency);
  const hundredths = digits === 0 ? money.minor * 100 : money.minor / 10 ** (digits - 2);
  if (!Number.isSafeInteger(hundredths) || hundredths < 0) {
    throw new AmountFormatError(
      `${money.minor} minor units of ${money.currency} have no text with two decimals`,
    );
  }
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}
