import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { APPROVED, context, OFFLINE_POLICY, REQUEST, stateOf } from '../../sale.test.support.js';
import { AUTHORIZING, LINKED_REFUND } from '../machine.test.support.js';
import type { GatewayAnswer } from '../state/gateway-answer.js';
import { accepts, approvesAll, failureDetail, isReferral, resolveFrom, reversal } from './common.js';

const SALE = stateOf(REQUEST, AUTHORIZING);
const POLICIES = {
  accept: { ...OFFLINE_POLICY, partialApproval: 'accept' },
  reverse: { ...OFFLINE_POLICY, partialApproval: 'reverse' },
} as const;
const part = (amountMinor: number, currency = 'EUR'): GatewayAnswer => ({
  ...APPROVED,
  amountMinor,
  currency,
});

describe('an approval counts', () => {
  it.each<[string, GatewayAnswer, boolean, boolean]>([
    ['of all', part(1_234), true, true],
    ['without an amount', APPROVED, true, true],
    ['of a part', part(1_233), false, true],
    ['of the smallest part', part(1), false, true],
    ['of nothing', part(0), false, false],
    ['of more', part(1_235), false, false],
    ['of as much of another currency', part(1_234, 'SEK'), false, false],
    ['of a part of another currency', part(617, 'SEK'), false, false],
    ['of a part, which is a decline', { ...part(617), disposition: 'declined' }, false, false],
  ])('%s', (_, answer, all, withParts) => {
    expect(approvesAll(SALE, answer)).toBe(all);
    expect(accepts(SALE, answer, POLICIES.reverse)).toBe(all);
    expect(accepts(SALE, answer, POLICIES.accept)).toBe(withParts);
  });

  it('of no part of a refund', () => {
    const refund = stateOf(LINKED_REFUND, AUTHORIZING);
    expect(accepts(refund, part(617), POLICIES.accept)).toBe(false);
    expect(accepts(refund, part(1_234), POLICIES.accept)).toBe(true);
  });

  it('never of more than was requested, nor of another currency, whatever is answered', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -2, max: 3_000 }),
        fc.constantFrom('EUR', 'SEK'),
        fc.constantFrom('accept' as const, 'reverse' as const),
        (minor, currency, policy) => {
          const isTaken = accepts(SALE, part(minor, currency), POLICIES[policy]);
          const mayBe = currency === 'EUR' && minor > 0 && minor <= REQUEST.minor;
          expect(isTaken).toBe(mayBe && (policy === 'accept' || minor === REQUEST.minor));
        },
      ),
      propertyRuns(200),
    );
  });
});

it.each([
  ['declined', '01', true],
  ['declined', '02', true],
  ['declined', '05', false],
  ['declined', undefined, false],
  ['approved', '01', false],
] as const)(
  'an answer that is %s with code %s: whether the issuer wants a call',
  (disposition, responseCode, isOne) => {
    expect(isReferral({ disposition, ...(responseCode && { responseCode }) })).toBe(isOne);
  },
);

it('reverses nothing that was never sent', () => {
  expect(() => reversal(stateOf(REQUEST), 'r1', 'no-answer', 'failed')).toThrow('a reversal needs a message');
});

it('keeps 200 characters of the fault of a terminal, and no card data', () => {
  const kept = failureDetail({ failure: 'no-card', detail: `4761739001010119 ${'x'.repeat(300)}` });
  expect(kept).toHaveLength(200);
  expect(kept).toMatch(/^no-card: /);
  expect(kept).not.toContain('4761739001010119');
});

it('resolves after the first pause of the schedule, at once where there is none', () => {
  const delayOf = (statusScheduleMs: readonly number[]) =>
    resolveFrom(context({ policy: { ...OFFLINE_POLICY, statusScheduleMs } }));
  expect(delayOf([5, 9])).toEqual({ do: 'set-timer', timer: 'resolve', delayMs: 5 });
  expect(delayOf([])).toMatchObject({ delayMs: 0 });
});
