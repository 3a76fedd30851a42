import { describe, expect, it } from 'vitest';
import { decideAmount, halfOf } from './issuer-rules.js';

describe('a card with half of an amount', () => {
  const half = { kind: 'approve-half' } as const;

  it.each([
    ['EUR', 1_235, 617],
    ['JPY', 101, 50],
    ['KWD', 1_230, 610],
    ['CLF', 123_400, 61_700],
    ['KWD', 10, 0],
    ['EUR', 1, 0],
  ])('has of %s %i minor units %i, which two decimals show', (currency, minor, part) => {
    const amount = { minor, currency };
    expect(halfOf(amount)).toBe(part);
    // What cannot be halved is approved.
    const code = decideAmount({ amount, isAdvice: false, partialAllowed: true }, half);
    expect(code).toBe(part === 0 ? '00' : '10');
  });
});
