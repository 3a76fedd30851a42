import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyCodes } from './currency-codes.js';
import { AmountFormatError, formatAmount, minorDigits, parseAmount } from './money.js';

describe('amounts', () => {
  it.each([
    ['1', 'EUR', 100, '1.00'],
    ['0.01', 'EUR', 1, '0.01'],
    ['9999999999.99', 'EUR', 999_999_999_999, '9999999999.99'],
    ['1234', 'JPY', 1_234, '1234.00'],
    ['1234.00', 'JPY', 1_234, '1234.00'],
    ['1.23', 'KWD', 1_230, '1.23'],
    ['9999999999.99', 'KWD', 9_999_999_999_990, '9999999999.99'],
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
  });

  it('have no text where they do not fit two decimals', () => {
    expect(() => formatAmount({ minor: 1_235, currency: 'KWD' })).toThrow(AmountFormatError);
    expect(() => formatAmount({ minor: -1, currency: 'EUR' })).toThrow(AmountFormatError);
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
