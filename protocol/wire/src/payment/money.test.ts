import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyCodes } from './currency-codes.js';
import { minorDigits } from './minor-digits.js';
import {
  AmountFormatError,
  amountOrFault,
  exactAmount,
  formatAmount,
  hundredthsOf,
  parseAmount,
  smallestShown,
} from './money.js';

describe('amounts', () => {
  it.each([
    ['1', 'EUR', 100, '1.00'],
    ['0.01', 'EUR', 1, '0.01'],
    ['9999999999.99', 'EUR', 999_999_999_999, '9999999999.99'],
    ['1234', 'JPY', 1_234, '1234.00'],
    ['1234.00', 'JPY', 1_234, '1234.00'],
    ['1.23', 'KWD', 1_230, '1.23'],
    ['9999999999.99', 'KWD', 9_999_999_999_990, '9999999999.99'],
    ['12.34', 'CLF', 123_400, '12.34'],
  ])('%s %s is %i minor units, and %s outside', (text, currency, minor, outside) => {
    expect(parseAmount(text, currency)).toEqual({ minor, currency });
    expect(formatAmount({ minor, currency })).toBe(outside);
  });

  it.each([
    ['1.2', 'EUR'],
    ['1.234', 'KWD'],
    ['1.50', 'JPY'],
    ['.50', 'EUR'],
    ['12345678901', 'EUR'],
    ['-1', 'EUR'],
    ['1,00', 'EUR'],
    ['', 'EUR'],
  ])('%s %s is none', (text, currency) => {
    expect(() => parseAmount(text, currency)).toThrow(AmountFormatError);
    expect(amountOrFault(text, currency)).toMatch(
      text === '1.50' ? /^JPY has no minor unit/ : /^amount must be/,
    );
  });

  it.each([
    ['1.50', 150],
    ['7', 700],
    ['0.05', 5],
    ['9999999999.99', 999_999_999_999],
    ['1.5', undefined],
  ])('%s has %s hundredths, in whatever currency', (text, hundredths) => {
    expect(hundredthsOf(text)).toBe(hundredths);
  });

  it.each([
    ['JPY', 0, 1],
    ['EUR', 2, 1],
    ['KWD', 3, 10],
    ['CLF', 4, 100],
    ['???', 2, 1],
  ])('of %s have %i digits, and no smaller part than %i is shown', (currency, digits, smallest) => {
    expect([minorDigits(currency), smallestShown(currency)]).toEqual([digits, smallest]);
  });

  it.each([
    [1_234, 'KWD', '1.23', '1.234'],
    [1_235, 'KWD', '1.24', '1.235'],
    [-1_235, 'KWD', '-1.24', '-1.235'],
    [-4, 'KWD', '0.00', '-0.004'],
    [123_449, 'CLF', '12.34', '12.3449'],
    [123_450, 'CLF', '12.35', '12.3450'],
    [-1, 'EUR', '-0.01', '-0.01'],
    [100, 'JPY', '100.00', '100'],
    // More than a number of hundredths counts exactly.
    [9_007_199_254_740_991, 'JPY', '9007199254740991.00', '9007199254740991'],
  ])('%i of %s is shown as %s, and to people as %s', (minor, currency, shown, exact) => {
    expect([formatAmount({ minor, currency }), exactAmount({ minor, currency })]).toEqual([shown, exact]);
  });

  it('are shown in every currency, at most half of the last decimal off', () => {
    const minors = fc.maxSafeInteger();
    fc.assert(
      fc.property(fc.constantFrom(...currencyCodes()), minors, (currency, minor) => {
        const text = formatAmount({ minor, currency });
        expect(text).toMatch(/^-?\d+\.\d\d$/);
        const scale = 10n ** BigInt(Math.max(0, minorDigits(currency) - 2));
        const own = 10n ** BigInt(Math.max(0, 2 - minorDigits(currency)));
        const off = BigInt(text.replace('.', '')) * scale - BigInt(minor) * own;
        expect(2n * (off < 0n ? -off : off) <= (scale === 1n ? 0n : scale)).toBe(true);
      }),
    );
  });

  it('come back as they went out, in every currency', () => {
    const amount = fc.tuple(
      fc.constantFrom(...currencyCodes()),
      fc.integer({ min: 0, max: 999_999_999_999 }),
    );
    fc.assert(
      fc.property(amount, ([currency, hundredths]) => {
        const whole = minorDigits(currency) === 0 ? hundredths - (hundredths % 100) : hundredths;
        const text = `${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
        expect(formatAmount(parseAmount(text, currency))).toBe(text);
      }),
    );
  });
});
