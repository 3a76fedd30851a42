import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restPayment, tillSale } from '../payment-harness.test.support.js';
import { policyRefusal } from './policy-refusal.js';
import { NO_POLICY, readStorePolicy, StorePolicyError, showStorePolicy } from './store-policy.js';

describe('a policy of stores', () => {
  it('is read from JSON, and shown as it was written', () => {
    const written = {
      offline: {
        limits: { EUR: { perSale: '50.00', sum: '500.00' }, JPY: { perSale: '500.00', sum: '900.00' } },
        maxCount: 60,
        deferred: { limits: { EUR: { perSale: '25.00', sum: '50.00' } }, maxCount: 10 },
        maxAgeHours: 24,
      },
      unlinkedRefunds: true,
      ceilings: { EUR: '5000.00' },
      maxTipPercent: 25,
      cashBack: { EUR: '200.00' },
    };
    const policy = readStorePolicy(JSON.stringify(written));
    expect(policy).toEqual({
      offline: {
        limits: { EUR: { perSaleMinor: 5_000, sumMinor: 50_000 }, JPY: { perSaleMinor: 500, sumMinor: 900 } },
        maxCount: 60,
        deferred: { limits: { EUR: { perSaleMinor: 2_500, sumMinor: 5_000 } }, maxCount: 10 },
        maxAgeMs: 86_400_000,
      },
      unlinkedRefunds: true,
      ceilings: { EUR: 500_000 },
      maxTipPercent: 25,
      cashBack: { EUR: 20_000 },
    });
    expect(showStorePolicy({ ...policy, version: 3 })).toEqual({ version: 3, ...written });
    expect(readStorePolicy('{"offline": {"limits": {"EUR": {"perSale": "50.00"}}}}')).toEqual({
      offline: {
        limits: { EUR: { perSaleMinor: 5_000, sumMinor: 2_500_000 } },
        maxCount: 500,
        deferred: { limits: {}, maxCount: 100 },
        maxAgeMs: 72 * 3_600_000,
      },
    });
  });

  it('sets nothing that it does not name', () => {
    expect(readStorePolicy('{}')).toEqual({});
    expect(showStorePolicy(NO_POLICY)).toEqual({ version: 0, unlinkedRefunds: false });
  });

  it('is the same once it was shown and read again, in the digits of each currency', () => {
    const smallestMinor = { JPY: 1, EUR: 1, KWD: 10, CLF: 100 };
    const amounts = <T>(ofSmallest: (minor: number) => fc.Arbitrary<T>) =>
      fc
        .subarray(Object.entries(smallestMinor))
        .chain((some) =>
          fc.tuple(...some.map(([code, minor]) => ofSmallest(minor).map((value) => [code, value] as const))),
        )
        .map((entries) => Object.fromEntries(entries));
    const amount = (minor: number) => fc.nat({ max: 9_999_999 }).map((count) => count * minor);
    const bounds = {
      limits: amounts((minor) => fc.record({ perSaleMinor: amount(minor), sumMinor: amount(minor) })),
      maxCount: fc.nat({ max: 100 }),
    };
    const maxAgeMs = fc.integer({ min: 1, max: 72 }).map((hours) => hours * 3_600_000);
    const policies = fc.record(
      {
        offline: fc.record({ ...bounds, deferred: fc.record(bounds), maxAgeMs }),
        ceilings: amounts(amount),
        unlinkedRefunds: fc.boolean(),
      },
      { requiredKeys: ['unlinkedRefunds'] },
    );
    fc.assert(
      fc.property(policies, (policy) => {
        const { version, ...shown } = showStorePolicy({ version: 7, ...policy }) as { version: number };
        expect(version).toBe(7);
        expect(readStorePolicy(JSON.stringify(shown))).toEqual(policy);
      }),
      propertyRuns(100),
    );
  });

  it.each([
    ['no JSON', '{', 'not JSON'],
    ['a list', '[]', 'must be an object'],
    [
      'an unknown field',
      '{"limit": 1}',
      'limit is no known field; expected offline, unlinkedRefunds, ceilings',
    ],
    ['an unknown limit', '{"offline": {"sum": 1}}', 'offline.sum is no known field'],
    [
      'a limit without a sale’s',
      '{"offline": {"limits": {"EUR": {}}}}',
      'offline.limits.EUR.perSale is missing: expected an amount in quotes',
    ],
    ['a bare amount', '{"offline": {"limits": {"EUR": "5.00"}}}', 'offline.limits.EUR must be an object'],
    ['a count beyond the maximum', '{"offline": {"maxCount": 501}}', 'offline.maxCount must be'],
    [
      'a deferred count beyond it',
      '{"offline": {"deferred": {"maxCount": 101}}}',
      'deferred.maxCount must be',
    ],
    ['an age beyond the maximum', '{"offline": {"maxAgeHours": 73}}', 'at most 72'],
    ['no age', '{"offline": {"maxAgeHours": "1"}}', 'must be hours above 0 and at most 72, not "1"'],
    ['a number for an amount', '{"ceilings": {"EUR": 5}}', 'ceilings.EUR must be an amount in quotes'],
    ['one decimal', '{"ceilings": {"EUR": "5.1"}}', 'ceilings.EUR is wrong: amount must be up to 10 digits'],
    [
      'no currency',
      '{"ceilings": {"EURO": "5.10"}}',
      'ceilings.EURO must be an ISO 4217 code such as EUR, not "EURO"; did you mean EUR?',
    ],
    ['a tip of more than all', '{"maxTipPercent": 101}', 'maxTipPercent must be'],
    ['no text of cash back', '{"cashBack": {"EUR": 50}}', 'cashBack.EUR must be an amount in quotes'],
    ['a word for a flag', '{"unlinkedRefunds": "no"}', 'true or false'],
  ])('with %s is refused by name', (_what, json, message) => {
    expect(() => readStorePolicy(json)).toThrow(StorePolicyError);
    expect(() => readStorePolicy(json)).toThrow(message);
  });
});

describe('what a policy refuses', () => {
  const ceilings = { version: 1, ceilings: { EUR: 1_233 } };
  const parts = { version: 1, maxTipPercent: 10, cashBack: { EUR: 500 } };
  const euros = (minor: number) => ({ minor, currency: 'EUR' });
  const sale = (more: object) => tillSale('m1', 'R-1', { amount: euros(1_600), ...more });
  it.each([
    [
      'a refund of a terminal without a sale',
      tillSale('m1', 'R-1', { type: 'CD' }),
      NO_POLICY,
      '600.200.202',
    ],
    [
      'the same, where it is allowed',
      tillSale('m1', 'R-1', { type: 'CD' }),
      { version: 1, unlinkedRefunds: true },
      undefined,
    ],
    ['a sale of a terminal', tillSale('m1', 'R-1'), NO_POLICY, undefined],
    ['a tip where there are none', sale({ tip: euros(1) }), NO_POLICY, '600.200.202'],
    ['cash back where there is none', sale({ cashBack: euros(1) }), NO_POLICY, '600.200.202'],
    ['both within the policy', sale({ tip: euros(100), cashBack: euros(500) }), parts, undefined],
    [
      'a tip above its share of the purchase',
      sale({ tip: euros(101), cashBack: euros(500) }),
      parts,
      '800.100.164',
    ],
    ['more cash back than allowed', sale({ cashBack: euros(501) }), parts, '800.100.164'],
    ['a credit over REST', restPayment({ type: 'CD' }), NO_POLICY, undefined],
    ['a payment above the ceiling', restPayment(), ceilings, '800.100.164'],
    ['a payment at the ceiling', restPayment(), { version: 1, ceilings: { EUR: 1_234 } }, undefined],
    [
      'a payment in another currency',
      restPayment({ amount: { minor: 9_999, currency: 'USD' } }),
      ceilings,
      undefined,
    ],
    [
      'a sale that took place offline',
      tillSale('m1', 'R-1', { offline: { kind: 'deferred', decidedAtMs: 1 } }),
      ceilings,
      undefined,
    ],
  ])('%s', (_what, request, policy, code) => {
    expect(policyRefusal(request, policy)?.resultCode).toBe(code);
  });
});
