import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countable,
  exchanged,
  ONE_FOR_ONE,
  parseRate,
  rateText,
  roundedHalfUp,
  shortRateText,
  withUsedRate,
} from './exchange.js';
import { type FeeSchedule, feeOfDebit, feeOfOperations } from './fees.js';

describe('a rate', () => {
  it.each([
    ['1', 1_000_000],
    ['1.1', 1_100_000],
    ['0.000001', 1],
    ['999999.999999', 999_999_999_999],
    ['0', undefined],
    ['0.000000', undefined],
    ['1.1234567', undefined],
    ['1000000', undefined],
    ['-1', undefined],
    ['1,1', undefined],
    ['', undefined],
  ])('%s is %s millionths', (text, rate) => {
    expect(parseRate(text)).toBe(rate);
  });

  it('is shown with six decimals, and read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (rate) => {
        expect(rateText(rate)).toMatch(/^\d+\.\d{6}$/);
        expect(parseRate(rateText(rate))).toBe(rate);
      }),
    );
  });

  it.each([
    [1_000_000, '1.00'],
    [1_106_000, '1.11'],
    [4_000, '0.01'],
    [1, '0.01'],
  ])('of %i millionths is %s in a file', (rate, text) => {
    expect(shortRateText(rate)).toBe(text);
  });
});

describe('an amount in another currency', () => {
  it.each([
    [1_234, 'EUR', 'EUR', ONE_FOR_ONE, 1_234],
    [1_000, 'EUR', 'USD', 1_100_000, 1_100],
    // A half up, of what two decimals show.
    [1, 'EUR', 'USD', 500_000, 1],
    [1, 'EUR', 'USD', 499_999, 0],
    [100, 'EUR', 'JPY', 160_500_000, 161],
    [100, 'JPY', 'EUR', 6_200, 62],
    [1_000, 'EUR', 'KWD', 330_449, 3_300],
    [1_000, 'EUR', 'KWD', 330_500, 3_310],
    [1_235, 'KWD', 'KWD', ONE_FOR_ONE, 1_240],
    [1_000, 'KWD', 'EUR', 3_000_000, 300],
    [123_450, 'CLF', 'CLF', ONE_FOR_ONE, 123_500],
  ])('%i of %s is in %s by %i millionths %i', (minor, from, to, rate, expected) => {
    expect(exchanged(minor, from, to, rate)).toBe(expected);
  });

  it('is no more than half of the smallest part that is shown away from what it is', () => {
    const amounts = fc.record({
      numerator: fc.bigInt({ min: 0n, max: 10n ** 15n }),
      denominator: fc.bigInt({ min: 1n, max: 10n ** 9n }),
      currency: fc.constantFrom('JPY', 'EUR', 'KWD', 'CLF'),
    });
    const steps = new Map([
      ...['JPY', 'EUR'].map((each) => [each, 1n] as const),
      ['KWD', 10n],
      ['CLF', 100n],
    ]);
    fc.assert(
      fc.property(amounts, ({ numerator, denominator, currency }) => {
        const step = steps.get(currency) ?? 0n;
        const rounded = BigInt(roundedHalfUp(numerator, denominator, currency));
        expect(rounded % step).toBe(0n);
        const off = rounded * denominator - numerator;
        expect(2n * off <= step * denominator && 2n * off > -step * denominator).toBe(true);
      }),
    );
  });

  it('is refused where it is more than a number counts', () => {
    expect(() => exchanged(Number.MAX_SAFE_INTEGER, 'EUR', 'USD', 2_000_000)).toThrow(RangeError);
    expect(countable(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => countable(Number.MAX_SAFE_INTEGER + 1)).toThrow('more minor units than can be counted');
  });
});

it('a settlement keeps each rate that it was changed by once', () => {
  const used = { currency: 'USD', rate: 1_100_000, fromMs: 1, source: 'file' };
  const one = withUsedRate('[]', used);
  expect(JSON.parse(one)).toEqual([used]);
  expect(withUsedRate(one, { ...used })).toBe(one);
  for (const other of [
    { ...used, fromMs: 2 },
    { ...used, currency: 'JPY' },
  ])
    expect(JSON.parse(withUsedRate(one, other))).toEqual([used, other]);
});

describe('a fee', () => {
  const fees: FeeSchedule = {
    ...{ basisPoints: 140, fixedMinor: 5 },
    perOperation: { AUTH_FEE: 2, CAPTURE_FEE: 0, CANCEL_FEE: 3, REFUND_FEE: 10 },
  };

  it.each([
    [10_000, 'EUR', 145],
    [0, 'EUR', 5],
    // 0.7 and 0.5 of the fixed part are rounded together.
    [50, 'EUR', 6],
    [35, 'EUR', 5],
    [36, 'EUR', 6],
    [10_000, 'KWD', 150],
  ])('of a debit of %i %s is %i', (minor, currency, fee) => {
    expect(feeOfDebit(fees, minor, currency)).toBe(fee);
  });

  it.each([
    ['AUTH_FEE', 3, 'EUR', 6],
    ['CAPTURE_FEE', 3, 'EUR', 0],
    ['CANCEL_FEE', 1, 'EUR', 3],
    ['REFUND_FEE', 2, 'EUR', 20],
    ['CANCEL_FEE', 1, 'KWD', 0],
    ['CANCEL_FEE', 2, 'KWD', 10],
  ] as const)('%s of %i operations in %s is %i', (type, count, currency, fee) => {
    expect(feeOfOperations(fees, type, count, currency)).toBe(fee);
  });
});
