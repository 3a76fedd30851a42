import { describe, expect, it } from 'vitest';
import { covers, decisionOf, proofOf, shownOutcome } from './answers.js';
import type { Plan } from './plan.js';
import type { Outcome } from './session.js';

const PLAN: Plan = {
  ...{
    transId: 't',
    version: '2.2.0',
    channel: '02',
    category: '01',
    challengeInd: '05',
    exemptionFlag: '02',
  },
};
const OUTCOME: Outcome = {
  ...{ flow: 'challenge', status: 'Y', statusReason: '11', eci: '05', verificationId: 'cavv' },
  ...{ dsTransId: 'ds', acsTransId: 'acs' },
};
const AMOUNT = { minor: 1_234, currency: 'EUR' };

it('an answer shows what was requested and how it ended, and no authentication value', () => {
  const asked = { version: '2.2.0', challengeIndicator: '05', exemptionFlag: '02' };
  expect(shownOutcome(PLAN)).toEqual(asked);
  expect(shownOutcome(PLAN, OUTCOME)).toEqual({
    ...asked,
    ...{ flow: 'challenge', eci: '05', authenticationStatus: 'Y', transactionStatusReason: '11' },
    ...{ dsTransactionId: 'ds', acsTransactionId: 'acs' },
  });
});

describe('the timeline', () => {
  it('names the step that is waited for', () => {
    expect(decisionOf({ plan: PLAN, brand: null, step: { name: 'method' } })).toEqual({
      detail: 'method, version 2.2.0',
    });
  });

  it.each<[Outcome, object]>([
    [OUTCOME, { by: 'access control server', rule: 'Y', detail: 'challenge, version 2.2.0, ECI 05' }],
    [
      { flow: 'frictionless', status: 'N', refusal: '100.380.401' },
      {
        ...{ by: 'access control server', rule: 'N', code: '100.380.401' },
        detail: 'frictionless, version 2.2.0',
      },
    ],
    [
      { flow: 'frictionless', refusal: '000.400.107' },
      { code: '000.400.107', detail: 'frictionless, version 2.2.0' },
    ],
  ])('tells of %j', (outcome, expected) => {
    expect(decisionOf({ plan: PLAN, brand: null, step: { name: 'done', outcome } })).toEqual(expected);
  });
});

it('the proof is of the amount, and of none where nothing is paid', () => {
  expect(proofOf(PLAN, OUTCOME, AMOUNT)).toEqual({
    ...{ amount: AMOUNT, eci: '05', verificationId: 'cavv', dsTransactionId: 'ds', status: 'Y' },
    ...{ version: '2.2.0', exemptionFlag: '02', challengeIndicator: '05' },
  });
  const { amount } = proofOf({ ...PLAN, category: '02' }, OUTCOME, AMOUNT);
  expect(covers(amount, { minor: 1, currency: 'EUR' })).toBe(false);
});

it.each([
  [1_234, 'EUR', true],
  [1_233, 'EUR', true],
  [1_235, 'EUR', false],
  [1, 'USD', false],
])('12.34 EUR cover %i %s: %s', (minor, currency, isEnough) => {
  expect(covers(AMOUNT, { minor, currency })).toBe(isEnough);
});
