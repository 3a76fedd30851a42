import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';

/** Most digits of an amount that is typed: ten and two decimals. */
const MAX_DIGITS = 12;

/** The digits after one more key: a digit, `00`, or one back. */
export function typed(digits: string, key: string): string {
  if (key === 'back') return digits.slice(0, -1);
  const next = `${digits}${key}`.replace(/^0+/, '');
  return next.length > MAX_DIGITS ? digits : next;
}

/** The amount that digits mean, as a decimal text: `1234` is `12.34`, or `1234` in a currency without decimals. */
export function typedAmount(digits: string, currency: string): string {
  if (decimalsOf(currency) === 0) return digits === '' ? '0' : digits;
  const padded = digits.padStart(3, '0');
  return `${padded.slice(0, -2)}.${padded.slice(-2)}`;
}

/** The sum of amounts in digits, as digits: they are minor units of the same currency, to two decimals. */
export function sumOfDigits(all: readonly string[]): string {
  return String(all.reduce((sum, digits) => sum + Number(digits), 0)).replace(/^0$/, '');
}

/** The digits that mean an amount of the till API: {@link typedAmount} the other way round. */
export function digitsFor(amount: string, currency: string): string {
  const [whole = '', decimals = ''] = amount.split('.');
  return digitsOf(whole + (decimalsOf(currency) === 0 ? '' : decimals.padEnd(2, '0')));
}

/** The digits of an amount that is typed into a field. */
export function digitsOf(amount: string): string {
  return amount.replace(/\D/g, '').replace(/^0+/, '').slice(0, MAX_DIGITS);
}

/** Decimals of amounts of the till API: none or two. */
function decimalsOf(currency: string): number {
  return Math.min(2, minorDigits(currency));
}
