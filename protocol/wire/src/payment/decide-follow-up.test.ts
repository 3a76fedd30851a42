import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../seams/testing/property-runs.js';
import { decideFollowUp, type FollowedPayment, type FollowUpFacts } from './decide-follow-up.js';
import type { FollowUp } from './lifecycle.js';

const HOUR = 3_600_000;
const PA: FollowedPayment = {
  type: 'PA',
  state: 'authorized',
  currency: 'EUR',
  amountMinor: 10_000,
  authorizedMinor: 10_000,
  capturedMinor: 0,
  refundedMinor: 0,
  chargedBackMinor: 0,
  reversedMinor: 0,
  captureCount: 0,
  maxCaptures: null,
  capturesClosed: 0,
  brand: 'VISA',
  createdAtMs: 0,
};
const DB: FollowedPayment = { ...PA, type: 'DB', state: 'captured', capturedMinor: 10_000 };

/** The amount that moves, or the code of the refusal. */
function decide(
  followUp: FollowUp,
  target: FollowedPayment,
  amountMinor?: number,
  more: Partial<FollowUpFacts> = {},
): number | string {
  const decision = decideFollowUp({ followUp, target, root: target, amountMinor, nowMs: HOUR, ...more });
  return decision.ok ? decision.amountMinor : decision.resultCode;
}

describe('captures', () => {
  it('takes parts up to the authorized sum', () => {
    expect(decide('CP', PA, 9_999)).toBe(9_999);
    expect(decide('CP', { ...PA, state: 'captured', capturedMinor: 4_000 }, 6_000)).toBe(6_000);
    expect(decide('CP', { ...PA, state: 'captured', capturedMinor: 4_000 }, 6_001)).toBe('700.400.100');
  });

  it('ends with numberOfCaptures and sequence=FINAL', () => {
    expect(decide('CP', { ...PA, maxCaptures: 2, captureCount: 1 }, 1)).toBe(1);
    expect(decide('CP', { ...PA, maxCaptures: 2, captureCount: 2 }, 1)).toBe('700.400.100');
    expect(decide('CP', { ...PA, capturesClosed: 1 }, 1)).toBe('700.400.100');
  });

  it('needs an amount, a PA and to be in time', () => {
    expect(decide('CP', PA)).toBe('100.550.300');
    expect(decide('CP', PA, 0)).toBe('100.550.300');
    expect(decide('CP', DB, 1)).toBe('700.400.510');
    expect(decide('CP', PA, 1, { nowMs: 31 * 24 * HOUR })).toBe('700.300.400');
  });
});

describe('refunds and reversals', () => {
  it('gives back no more than was taken, by target and by root', () => {
    expect(decide('RF', DB, 10_000)).toBe(10_000);
    expect(decide('RF', { ...DB, refundedMinor: 1 }, 10_000)).toBe('700.400.200');
    const capture: FollowedPayment = { ...DB, type: 'CP', state: 'completed', capturedMinor: 5_000 };
    const root: FollowedPayment = { ...PA, state: 'captured', capturedMinor: 5_000, refundedMinor: 3_000 };
    expect(decide('RF', capture, 2_000, { root })).toBe(2_000);
    expect(decide('RF', capture, 2_001, { root })).toBe('700.400.200');
  });

  it('gives nothing back after the last refund', () => {
    expect(decide('RF', { ...DB, refundedMinor: 1, refundsClosed: true }, 1)).toBe('700.400.200');
  });

  it('reverses the whole that is left and no part of it', () => {
    expect(decide('RV', PA)).toBe(10_000);
    expect(decide('RV', { ...PA, state: 'captured', capturedMinor: 4_000 })).toBe(6_000);
    expect(decide('RV', PA, 5_000)).toBe('100.550.701');
    expect(decide('RV', PA, 10_001)).toBe('700.400.300');
    expect(decide('RV', { ...DB, refundedMinor: 1 })).toBe('700.400.300');
    expect(decide('RV', DB, undefined, { nowMs: 73 * HOUR })).toBe('700.300.700');
    // A hold may be set free for as long as it lasts.
    expect(decide('RV', PA, undefined, { nowMs: 29 * 24 * HOUR })).toBe(10_000);
    expect(decide('RV', PA, undefined, { nowMs: 31 * 24 * HOUR })).toBe('700.300.700');
  });

  it('reverses a refund only for a till that reverses its own message, however late', () => {
    const refund: FollowedPayment = { ...DB, type: 'RF', state: 'completed' };
    expect(decide('RV', refund)).toBe('700.300.100');
    expect(decide('RV', refund, undefined, { reversesMessage: true, nowMs: 100 * HOUR })).toBe(10_000);
    const reversed: FollowedPayment = { ...refund, state: 'reversed' };
    expect(decide('RV', reversed, undefined, { reversesMessage: true })).toBe('700.400.300');
  });

  it('gives back a payment that was authorized and captured in one, or reverses it whole', () => {
    const both: FollowedPayment = { ...DB, type: 'PA.CP', captureCount: 1, capturesClosed: 1 };
    expect(decide('CP', both, 1)).toBe('700.400.100');
    expect(decide('RF', both, 10_000)).toBe(10_000);
    expect(decide('RV', both)).toBe(10_000);
    expect(decide('RV', { ...both, refundedMinor: 1 })).toBe('700.400.300');
  });

  it('gives back a receipt, and no more than it brought', () => {
    const receipt: FollowedPayment = { ...DB, type: 'RC', state: 'completed' };
    expect(decide('RF', receipt, 10_000)).toBe(10_000);
    expect(decide('RF', receipt, 10_001)).toBe('700.400.200');
    expect(decide('RV', receipt)).toBe('700.300.100');
  });

  it('stops after a chargeback', () => {
    expect(decide('RF', DB, 1, { chargedBack: true })).toBe('700.300.600');
    expect(decide('RV', DB, undefined, { chargedBack: true })).toBe('700.300.600');
  });
});

describe('references', () => {
  it.each([
    [{ currency: 'USD' }, '700.100.500'],
    [{ brand: 'MASTER' }, '700.100.400'],
    [{ otherMode: true }, '700.100.600'],
    [{ otherChannel: true }, '700.400.700'],
    [{ busy: true }, '800.700.100'],
  ] as const)('refuses %o with %s', (more, code) => {
    expect(decide('CP', PA, 1, more)).toBe(code);
  });

  it('keeps two lifecycles apart, where both are named', () => {
    const other = { lifecycleId: 'one', rootLifecycleId: 'other' };
    expect(decide('CP', PA, 1, other)).toBe('700.100.710');
    expect(decide('CP', PA, 1, { ...other, rootLifecycleId: 'one' })).toBe(1);
    expect(decide('CP', PA, 1, { lifecycleId: 'one' })).toBe(1);
    expect(decide('CP', PA, 1, { rootLifecycleId: 'one' })).toBe(1);
  });

  it('lets an authorization grow while nothing was taken', () => {
    expect(decide('INCREMENTAL_AUTH', PA, 500)).toBe(500);
    expect(decide('INCREMENTAL_AUTH', { ...PA, state: 'captured', capturedMinor: 1 }, 500)).toBe(
      '700.300.300',
    );
    expect(decide('REAUTHORIZATION', { ...PA, state: 'reversed', reversedMinor: 10_000 }, 500)).toBe(500);
  });
});

describe('any sequence of follow-ups', () => {
  const steps = fc.array(
    fc.record({
      followUp: fc.constantFrom<FollowUp>('CP', 'RF', 'RV', 'INCREMENTAL_AUTH'),
      amountMinor: fc.option(fc.integer({ min: -5, max: 12_000 }), { nil: undefined }),
    }),
    { maxLength: 30 },
  );

  it('never takes more than was authorized nor gives back more than was taken', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        let payment = PA;
        for (const { followUp, amountMinor } of sequence) {
          const decision = decideFollowUp({
            followUp,
            target: payment,
            root: payment,
            amountMinor,
            nowMs: HOUR,
          });
          if (decision.ok) payment = ledger(payment, followUp, decision.amountMinor);
          expect(payment.capturedMinor + payment.reversedMinor).toBeLessThanOrEqual(payment.authorizedMinor);
          expect(payment.refundedMinor).toBeLessThanOrEqual(payment.capturedMinor);
        }
      }),
      { numRuns: 500, seed: 4 },
    );
  });

  /** The acquirer's ledger: it adds up every request without a check. */
  function ledger(payment: FollowedPayment, followUp: FollowUp, minor: number): FollowedPayment {
    switch (followUp) {
      case 'CP':
        return { ...payment, state: 'captured', capturedMinor: payment.capturedMinor + minor };
      case 'RF':
        return { ...payment, refundedMinor: payment.refundedMinor + minor };
      case 'RV': {
        const state = payment.capturedMinor > 0 ? 'captured' : 'reversed';
        return { ...payment, state, reversedMinor: payment.reversedMinor + minor };
      }
      default:
        return { ...payment, authorizedMinor: payment.authorizedMinor + minor };
    }
  }
});

describe('a follow-up', () => {
  const minors = fc.nat({ max: 40 });
  const state = fc.record({
    isHold: fc.boolean(),
    authorized: fc.integer({ min: 1, max: 40 }),
    captured: minors,
    refunded: minors,
    chargedBack: minors,
    reversed: minors,
    isClosed: fc.boolean(),
    maxCaptures: fc.option(fc.integer({ min: 1, max: 3 })),
    captureCount: fc.nat({ max: 3 }),
    refundsClosed: fc.boolean(),
  });
  /** Sums that can be: no more taken than authorized, no more given back than taken. */
  const possible = state.filter(
    ({ isHold, authorized, captured, refunded, chargedBack, reversed }) =>
      captured + reversed <= authorized &&
      refunded + chargedBack <= captured &&
      (isHold || captured === authorized),
  );
  const wish = fc.record({
    followUp: fc.constantFrom<FollowUp>('CP', 'RF', 'RV'),
    minor: fc.option(fc.integer({ min: 0, max: 45 }), { nil: undefined }),
  });

  it('is allowed exactly where the sums on paper leave so much', () => {
    fc.assert(
      fc.property(possible, wish, (sums, { followUp, minor }) => {
        const { isHold, authorized, captured, refunded, chargedBack, reversed } = sums;
        const { isClosed, maxCaptures, captureCount, refundsClosed } = sums;
        const isReleased = isHold && reversed > 0 && captured === 0;
        const target: FollowedPayment = {
          ...PA,
          type: isHold ? 'PA' : 'DB',
          state: isReleased ? 'reversed' : captured > 0 ? 'captured' : 'authorized',
          ...{ amountMinor: authorized, authorizedMinor: authorized, capturedMinor: captured },
          ...{ refundedMinor: refunded, chargedBackMinor: chargedBack, reversedMinor: reversed },
          ...{ captureCount, maxCaptures, capturesClosed: isClosed ? 1 : 0, refundsClosed },
        };
        const [held, kept] = [authorized - captured - reversed, captured - refunded - chargedBack];
        const allowed = (): number | undefined => {
          const isSome = minor !== undefined && minor > 0;
          if (followUp === 'CP') {
            const isFull = isClosed || (maxCaptures !== null && captureCount >= maxCaptures);
            return isHold && !isReleased && !isFull && isSome && minor <= held ? minor : undefined;
          }
          if (followUp === 'RF')
            return captured > 0 && !refundsClosed && isSome && minor <= kept ? minor : undefined;
          const left = isHold ? held : refunded === 0 ? authorized : 0;
          const isWhole = minor === undefined || minor === left;
          return left > 0 && chargedBack === 0 && !isReleased && isWhole ? left : undefined;
        };
        const decision = decideFollowUp({ followUp, target, root: target, amountMinor: minor, nowMs: HOUR });
        expect(decision.ok ? decision.amountMinor : undefined).toBe(allowed());
      }),
      propertyRuns(1_000),
    );
  });

  it('gives back no more of a capture than the capture and its payment both have', () => {
    const part = fc.record({ captured: minors, refunded: minors, chargedBack: minors });
    const sound = part.filter(({ captured, refunded, chargedBack }) => refunded + chargedBack <= captured);
    fc.assert(
      fc.property(sound, sound, fc.integer({ min: 1, max: 45 }), (ofCapture, ofRoot, minor) => {
        const sums = ({ captured, refunded, chargedBack }: typeof ofRoot) => ({
          capturedMinor: captured,
          refundedMinor: refunded,
          chargedBackMinor: chargedBack,
        });
        const target: FollowedPayment = { ...DB, type: 'CP', state: 'completed', ...sums(ofCapture) };
        const root: FollowedPayment = { ...PA, state: 'captured', ...sums(ofRoot) };
        const left = [ofCapture, ofRoot].map((each) => each.captured - each.refunded - each.chargedBack);
        const isAllowed = left.every((each) => minor <= each);
        expect(decide('RF', target, minor, { root }) === minor).toBe(isAllowed);
      }),
      propertyRuns(500),
    );
  });
});

describe('what a follow-up names', () => {
  it('has the currency and the brand of the payment, where it names them', () => {
    expect(decide('CP', PA, 1, { currency: 'EUR', brand: 'VISA' })).toBe(1);
    expect(decide('CP', PA, 1, { currency: 'USD' })).toBe('700.100.500');
    expect(decide('CP', PA, 1, { brand: 'MASTER' })).toBe('700.100.400');
    expect(decide('CP', { ...PA, brand: null }, 1, { brand: 'MASTER' })).toBe(1);
  });
});

describe('the time of a follow-up', () => {
  it('counts from the payment, and lasts to its end', () => {
    const lifeMs = 30 * 24 * HOUR;
    const createdAtMs = 100 * lifeMs;
    const later = (ms: number) => decide('CP', { ...PA, createdAtMs }, 1, { nowMs: createdAtMs + ms });
    expect([later(lifeMs), later(lifeMs + 1)]).toEqual([1, '700.300.400']);
  });
});

describe('the reversal of a capture', () => {
  const capture: FollowedPayment = {
    ...DB,
    type: 'CP',
    state: 'completed',
    amountMinor: 5_000,
    capturedMinor: 5_000,
  };
  const root: FollowedPayment = { ...PA, state: 'captured', capturedMinor: 8_000 };

  it('takes all of it back, where nothing of it was refunded and its root has as much left', () => {
    expect(decide('RV', capture, undefined, { root })).toBe(5_000);
    expect(decide('RV', capture, undefined, { root: { ...root, refundedMinor: 3_000 } })).toBe(5_000);
    const refused = decide('RV', { ...capture, refundedMinor: 1 }, undefined, { root });
    expect(refused).toBeTypeOf('string');
    expect(decide('RV', capture, undefined, { root: { ...root, refundedMinor: 3_001 } })).toBe(refused);
  });
});

describe('after a chargeback', () => {
  const charged = { ...DB, chargedBackMinor: 4_000 };

  it('states that it is the reason where a refund would else have enough left', () => {
    expect(decide('RF', charged, 6_000)).toBe(6_000);
    expect(decide('RF', charged, 6_001)).toBe('700.300.600');
    expect(decide('RF', charged, 10_000)).toBe('700.300.600');
    expect(decide('RF', charged, 10_001)).toBe('700.400.200');
    const refunded = { ...charged, refundedMinor: 1_000 };
    expect(decide('RF', refunded, 9_000)).toBe('700.300.600');
    expect(decide('RF', refunded, 9_001)).toBe('700.400.200');
    expect(decide('RF', DB, 9_000, { root: { ...DB, refundedMinor: 2_000 } })).toBe('700.400.200');
    expect(decide('CP', { ...PA, capturedMinor: 8_000, state: 'captured' }, 2_001)).toBe('700.400.100');
  });

  it('of which the merchant knows, nothing is given back, and other follow-ups go on', () => {
    expect(decide('RF', DB, 1, { chargedBack: true })).toBe('700.300.600');
    expect(decide('RB', DB, 1, { chargedBack: true })).toBe(1);
  });
});

it('has no rule of its own for a capture by the message that it follows', () => {
  expect(decide('CP', PA, 1, { reversesMessage: true })).toBe(1);
});
