import { AUTHENTICATION_COURSES } from '@tillbridge/wire/payment/authentication-test-cards.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, Merchant, SHOP } from './merchant.js';
import { walk } from './shopper.js';
import { startThreeDSecureStack, type ThreeDSecureStack } from './three-d-secure-stack.js';

let stack: ThreeDSecureStack;
let merchant: Merchant;
beforeAll(async () => {
  stack = await startThreeDSecureStack('three-d-secure-cards');
  merchant = new Merchant(stack);
});
afterAll(() => stack.end());

/** The code and ECI (VISA and AMEX, MASTER and MAESTRO) that each course ends with. */
const ENDS = {
  frictionless: { code: '000.100.110', status: 'Y', eci: ['05', '02'] },
  attempt: { code: '000.100.110', status: 'A', eci: ['06', '01'] },
  fault: { code: '000.400.103', status: 'U', eci: undefined },
  refuse: { code: '100.380.401', status: 'N', eci: undefined },
  challenge: { code: '000.100.110', status: 'Y', eci: ['05', '02'] },
  'challenge-fails': { code: '100.380.401', status: 'N', eci: undefined },
  none: { code: '000.400.101', status: undefined, eci: undefined },
} as const;

const CASES = AUTHENTICATION_COURSES.flatMap(({ behaviour, methodCall, pans }) =>
  pans.map((pan) => [pan, behaviour ?? 'none', methodCall === true] as const),
);

describe('the test cards of 3D Secure 2', () => {
  it('are 44', () => expect(CASES).toHaveLength(44));

  it.each(CASES)('%s: %s, method call: %s', async (pan, behaviour, hasMethod) => {
    const begun = await merchant.pay(pan);
    const waits = hasMethod || behaviour.startsWith('challenge');
    let ended: Answer = begun;
    if (waits) {
      expect([begun.status, begun.result.code]).toEqual([200, '000.200.000']);
      const { end } = await walk(begun.redirect, { code: '1234', shop: SHOP });
      expect(end).toBe(
        `${SHOP}done?order=7&id=${begun.id}&resourcePath=${encodeURIComponent(`/v1/payments/${begun.id}`)}`,
      );
      ended = await merchant.get(`/v1/payments/${begun.id}`);
    }
    const { code, status, eci } = ENDS[behaviour];
    expect(ended.result.code).toBe(code);
    expect(ended.threeDSecure?.authenticationStatus).toBe(status);
    expect(ended.threeDSecure?.eci).toBe(eci?.[/^[56]/.test(pan) ? 1 : 0]);
    expect(ended.redirect).toBeUndefined();
    const sent = stack.recorder.of('AReq').filter(({ request }) => request.acctNumber === pan);
    expect(sent.map(({ request }) => request.threeDSCompInd)).toEqual(
      behaviour === 'none' ? [] : [hasMethod ? 'Y' : 'U'],
    );
  });

  it('refuses a card in no row', async () => {
    const { status, result } = await merchant.pay('4200000000000000');
    expect([status, result.code]).toEqual([400, '000.400.109']);
  });
});
