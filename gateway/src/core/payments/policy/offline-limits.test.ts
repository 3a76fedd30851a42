import { OFFLINE_LIMIT_MAXIMA } from '@tillbridge/wire/payment/offline-maxima.js';
import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import { describe, expect, it } from 'vitest';
import { AGE_TOLERANCE_MS, brokenLimit, judgeAge } from './offline-limits.js';
import { NO_POLICY } from './store-policy.js';

const NOW_MS = 1_700_000_000_000;
const POLICY: StorePolicy = {
  version: 1,
  offline: {
    limits: {
      EUR: { perSaleMinor: 5_000, sumMinor: 9_000 },
      JPY: { perSaleMinor: 9_999_999, sumMinor: 9_999_999 },
    },
    maxCount: 9_999,
    deferred: {
      limits: { EUR: { perSaleMinor: 100, sumMinor: 100 }, USD: { perSaleMinor: 100, sumMinor: 100 } },
      maxCount: 10,
    },
    maxAgeMs: 1_000_000_000,
  },
};

describe('the limits of an offline record', () => {
  it.each([
    ['card-approved', 100_000, 'EUR', NO_POLICY, undefined],
    ['card-approved', 100_001, 'EUR', NO_POLICY, 'an offline sale is at most 1000.00 EUR'],
    ['deferred', 25_000, 'EUR', NO_POLICY, undefined],
    ['deferred', 25_001, 'EUR', NO_POLICY, 'an offline sale is at most 250.00 EUR'],
    ['card-approved', 5_001, 'EUR', POLICY, 'an offline sale is at most 50.00 EUR'],
    ['deferred', 101, 'EUR', POLICY, 'an offline sale is at most 1.00 EUR'],
    ['card-approved', 1, 'USD', POLICY, 'no offline sale in USD'],
    ['deferred', 1, 'JPY', POLICY, 'no deferred authorization in JPY'],
    ['deferred', 1, 'USD', POLICY, 'no deferred authorization in USD'],
  ] as const)('%s, %i %s', (kind, minor, currency, policy, broken) => {
    expect(brokenLimit({ kind, decidedAtMs: NOW_MS }, { minor, currency }, policy)).toBe(broken);
  });

  it('are never above the compiled maxima', () => {
    const yen = { minor: 1_001, currency: 'JPY' };
    expect(brokenLimit({ kind: 'card-approved', decidedAtMs: NOW_MS }, yen, POLICY)).toContain('at most');
    const longest = OFFLINE_LIMIT_MAXIMA.expiryMs + AGE_TOLERANCE_MS;
    const aged = (ageMs: number) =>
      judgeAge({ kind: 'card-approved', decidedAtMs: NOW_MS - ageMs, ageMs }, NOW_MS, POLICY);
    expect([aged(longest), aged(longest + 1)]).toEqual(['young', 'too-old']);
  });
});
