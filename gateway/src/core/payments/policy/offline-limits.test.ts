import { OFFLINE_LIMIT_MAXIMA } from '@tillbridge/wire/payment/offline-maxima.js';
import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import { describe, expect, it } from 'vitest';
import { AGE_TOLERANCE_MS, boundsIn, brokenLimit, judgeAge } from './offline-limits.js';
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

describe('the age of an offline record', () => {
  const limits = { limits: {}, maxCount: 1 };
  const policy: StorePolicy = { version: 1, offline: { ...limits, deferred: limits, maxAgeMs: 1_000_000 } };
  const longestMs = 1_000_000 + AGE_TOLERANCE_MS;

  it.each([
    ['by both clocks', longestMs, longestMs, 'young'],
    ['by both clocks', longestMs + 1, longestMs + 1, 'too-old'],
    ['by the gateway alone', longestMs + 1, longestMs, 'disputed'],
    ['by the agent alone', longestMs, longestMs + 1, 'disputed'],
    ['where the agent counts none', longestMs, undefined, 'young'],
    ['where the agent counts none', longestMs + 1, undefined, 'too-old'],
  ] as const)('%s: of %i and %s ms it is %s', (_what, hereMs, ageMs, verdict) => {
    const decision = { kind: 'card-approved', decidedAtMs: NOW_MS - hereMs } as const;
    const counted = { ...decision, ...(ageMs !== undefined && { ageMs }) };
    expect(judgeAge(counted, NOW_MS, policy)).toBe(verdict);
    expect(judgeAge({ ...counted, ageAccepted: true }, NOW_MS, policy)).toBe('young');
  });

  it('is at most the compiled maximum where the store has none', () => {
    const aged = (ageMs: number) =>
      judgeAge({ kind: 'card-approved', decidedAtMs: NOW_MS - ageMs }, NOW_MS, NO_POLICY);
    const compiledMs = OFFLINE_LIMIT_MAXIMA.expiryMs + AGE_TOLERANCE_MS;
    expect([aged(compiledMs), aged(compiledMs + 1)]).toEqual(['young', 'too-old']);
  });
});

describe('the bounds in a currency', () => {
  const MAXIMA = { perSaleUnits: 100, sumUnits: 1_000, count: 50 };
  const own = (perSaleMinor: number, sumMinor: number, maxCount: number) => ({
    limits: { EUR: { perSaleMinor, sumMinor } },
    maxCount,
  });

  it('are the maxima where the store has none, in the minor units of the currency', () => {
    expect(boundsIn('EUR', undefined, MAXIMA)).toEqual({
      perSaleMinor: 10_000,
      sumMinor: 100_000,
      count: 50,
    });
    expect(boundsIn('JPY', undefined, MAXIMA)).toEqual({ perSaleMinor: 100, sumMinor: 1_000, count: 50 });
    expect(boundsIn('KWD', undefined, MAXIMA)).toEqual({ perSaleMinor: 1e5, sumMinor: 1e6, count: 50 });
  });

  it('are the lower ones of both, and nothing in a currency that the store leaves out', () => {
    expect(boundsIn('EUR', own(5, 7, 3), MAXIMA)).toEqual({ perSaleMinor: 5, sumMinor: 7, count: 3 });
    expect(boundsIn('EUR', own(1e9, 1e9, 1e9), MAXIMA)).toEqual(boundsIn('EUR', undefined, MAXIMA));
    for (const currency of ['USD', 'constructor'])
      expect(boundsIn(currency, own(5, 7, 3), MAXIMA)).toEqual({ perSaleMinor: 0, sumMinor: 0, count: 3 });
  });
});
