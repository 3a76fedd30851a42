import { describe, expect, it } from 'vitest';
import { restPayment, tillSale } from '../payment-harness.test.support.js';
import { policyRefusal } from './policy-refusal.js';
import { NO_POLICY, readStorePolicy, StorePolicyError, showStorePolicy } from './store-policy.js';

describe('a policy of stores', () => {
  it('is read from JSON, and shown as it was written', () => {
    const written = {
      offline: { limits: { EUR: '50.00', JPY: '500.00' }, deferred: {}, maxAgeHours: 24 },
      unlinkedRefunds: true,
      ceilings: { EUR: '5000.00' },
    };
    const policy = readStorePolicy(JSON.stringify(written));
    expect(policy).toEqual({
      offline: { limits: { EUR: 5_000, JPY: 500 }, deferred: {}, maxAgeMs: 86_400_000 },
      unlinkedRefunds: true,
      ceilings: { EUR: 500_000 },
    });
    expect(showStorePolicy({ ...policy, version: 3 })).toEqual({ version: 3, ...written });
    expect(readStorePolicy('{"offline": {}}')).toEqual({
      offline: { limits: {}, deferred: {}, maxAgeMs: 72 * 3_600_000 },
    });
  });

  it.each([
    ['no JSON', '{', 'not JSON'],
    ['a list', '[]', 'must be an object'],
    ['an unknown field', '{"limit": 1}', 'limit is no field: expected offline, unlinkedRefunds, ceilings'],
    ['an unknown limit', '{"offline": {"sum": 1}}', 'offline: sum is no field'],
    ['an age beyond the maximum', '{"offline": {"maxAgeHours": 73}}', 'at most 72'],
    ['no age', '{"offline": {"maxAgeHours": "1"}}', 'above 0'],
    ['a number for an amount', '{"ceilings": {"EUR": 5}}', 'ceilings.EUR must be an amount in quotes'],
    ['one decimal', '{"ceilings": {"EUR": "5.1"}}', 'ceilings.EUR'],
    ['no currency', '{"ceilings": {"EURO": "5.10"}}', 'EURO is no ISO 4217 currency'],
    ['a word for a flag', '{"unlinkedRefunds": "no"}', 'true or false'],
  ])('with %s is refused by name', (_what, json, message) => {
    expect(() => readStorePolicy(json)).toThrow(StorePolicyError);
    expect(() => readStorePolicy(json)).toThrow(message);
  });
});

describe('what a policy refuses', () => {
  const ceilings = { version: 1, ceilings: { EUR: 1_233 } };
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
