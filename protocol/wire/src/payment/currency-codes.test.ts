import list from 'currency-codes';
import { describe, expect, it } from 'vitest';
import {
  currencyAlpha,
  currencyCodes,
  currencyDigits,
  currencyNumber,
  isCurrency,
} from './currency-codes.js';

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

  it('knows money from metals, from what has ended and from what is no code', () => {
    expect(['EUR', 'JPY', 'KWD', 'CLF', 'UYW', 'XCG', 'XOF', 'ZWG'].every(isCurrency)).toBe(true);
    expect(['XAU', 'XXX', 'XTS', 'ZWL', 'ANG', 'BGN', 'eur', ''].some(isCurrency)).toBe(false);
    expect(currencyAlpha('532')).toBe('XCG');
  });

  it('agrees with the published list of June 2024 but for what began and ended since', () => {
    const published = new Map(list.data.map((currency) => [currency.code, currency]));
    expect(currencyCodes().filter((code) => !published.has(code))).toEqual(['XCG']);
    for (const code of currencyCodes()) {
      const { number, digits } = published.get(code) ?? { number: '532', digits: 2 };
      expect([code, currencyNumber(code), currencyDigits(code)]).toEqual([code, number, digits]);
    }
    // Metals, bond units and the like begin with X.
    const missing = [...published.keys()].filter((code) => !isCurrency(code) && !code.startsWith('X'));
    expect(missing).toEqual(['ANG', 'BGN']);
    expect(currencyCodes().filter((code) => code.startsWith('X'))).toEqual([
      'XAF',
      'XCD',
      'XCG',
      'XOF',
      'XPF',
    ]);
  });

  it('knows no made-up code', () => {
    expect(currencyNumber('XXX')).toBeUndefined();
    expect(currencyAlpha('000')).toBeUndefined();
    expect(currencyDigits('XXX')).toBeUndefined();
  });
});
