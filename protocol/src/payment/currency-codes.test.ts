import { describe, expect, it } from 'vitest';
import { currencyCodes } from '../api/iso-codes.js';
import { currencyAlpha, currencyNumber } from './currency-codes.js';

describe('ISO 4217 codes', () => {
  it.each([
    ['EUR', '978'],
    ['USD', '840'],
    ['JPY', '392'],
    ['KWD', '414'],
    ['AUD', '036'],
  ])('%s is %s', (alpha, numeric) => {
    expect(currencyNumber(alpha)).toBe(numeric);
    expect(currencyAlpha(numeric)).toBe(alpha);
  });

  it('has a number for every currency that can be paid in, and the newer of two that share one', () => {
    expect(currencyCodes().filter((code) => currencyNumber(code) === undefined)).toEqual([]);
    expect(currencyAlpha('532')).toBe('XCG');
  });

  it('knows no made-up code', () => {
    expect(currencyNumber('XXX')).toBeUndefined();
    expect(currencyAlpha('000')).toBeUndefined();
  });
});
