import { AUTHENTICATION_COURSES } from '@tillbridge/wire/payment/authentication-test-cards.js';
import type { Message } from '@tillbridge/wire/three-d-secure/messages/tables.js';
import { testFlowExtension } from '@tillbridge/wire/three-d-secure/test-flow.js';
import { describe, expect, it } from 'vitest';
import { decideAuthentication } from './decide-authentication.js';

const cardOf = (behaviour: string): string =>
  AUTHENTICATION_COURSES.find((course) => course.behaviour === behaviour)?.pans[0] ?? '';
const areq = (behaviour: string, more: Partial<Message<'AReq'>> = {}): Message<'AReq'> =>
  ({
    messageVersion: '2.2.0',
    deviceChannel: '02',
    acctNumber: cardOf(behaviour),
    ...more,
  }) as Message<'AReq'>;
const decide = (behaviour: string, more?: Partial<Message<'AReq'>>) =>
  decideAuthentication(areq(behaviour, more));

describe('the simulated issuer', () => {
  it.each([
    ['frictionless', { transStatus: 'Y' }],
    ['attempt', { transStatus: 'A' }],
    ['refuse', { transStatus: 'N', transStatusReason: '01' }],
    ['fault', { transStatus: 'U', transStatusReason: '22' }],
    ['challenge', { transStatus: 'C', passes: true }],
    ['challenge-fails', { transStatus: 'C', passes: false }],
    ['a card that is in no row', { transStatus: 'U', transStatusReason: '22' }],
  ])('decides as the card states: %s', (behaviour, decision) => {
    expect(decide(behaviour)).toEqual(decision);
  });

  it('has the reasons of 2.1.0 for a request of 2.1.0', () => {
    expect(decide('fault', { messageVersion: '2.1.0' }).transStatusReason).toBe('14');
  });

  it('cannot decide without a card', () => {
    const { acctNumber: _, ...withoutCard } = areq('frictionless');
    expect(decideAuthentication(withoutCard as Message<'AReq'>).transStatus).toBe('U');
  });

  it('decides as a test requests, whatever the card', () => {
    expect(decide('refuse', { messageExtension: [testFlowExtension('frictionless')] }).transStatus).toBe('Y');
    expect(decide('refuse', { messageExtension: [testFlowExtension('challenge')] }).transStatus).toBe('C');
  });

  it.each(['05', '06', '07', '08'])('grants the exemption %s', (threeDSRequestorChallengeInd) => {
    expect(decide('frictionless', { threeDSRequestorChallengeInd })).toEqual({ transStatus: 'I' });
    expect(decide('challenge', { threeDSRequestorChallengeInd }).transStatus).toBe('C');
  });

  it.each(['03', '04', '09'])(
    'challenges where the requestor wants it by %s',
    (threeDSRequestorChallengeInd) => {
      expect(decide('frictionless', { threeDSRequestorChallengeInd })).toEqual({
        transStatus: 'C',
        passes: true,
      });
    },
  );

  it.each(['01', '02'])('challenges no frictionless card by %s', (threeDSRequestorChallengeInd) => {
    expect(decide('frictionless', { threeDSRequestorChallengeInd }).transStatus).toBe('Y');
  });

  it('authenticates away from the purchase where the requestor waits for it, from 2.2.0 on', () => {
    const waits = { threeDSRequestorDecReqInd: 'Y' } as const;
    expect(decide('challenge', waits)).toEqual({ transStatus: 'D', passes: true });
    expect(decide('challenge-fails', { ...waits, deviceChannel: '03' })).toEqual({
      transStatus: 'D',
      passes: false,
    });
    expect(decide('challenge', { ...waits, messageVersion: '2.1.0' }).transStatus).toBe('C');
    expect(decide('challenge', { threeDSRequestorDecReqInd: 'N' }).transStatus).toBe('C');
  });

  it('refuses the merchant alone what needs the cardholder', () => {
    expect(decide('challenge', { deviceChannel: '03' })).toEqual({
      transStatus: 'N',
      transStatusReason: '23',
    });
    expect(decide('challenge', { deviceChannel: '03', messageVersion: '2.1.0' })).toEqual({
      transStatus: 'N',
      transStatusReason: '01',
    });
  });
});
