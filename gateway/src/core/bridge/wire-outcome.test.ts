import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';
import { Disposition, StatusState } from '@tillbridge/wire/bridge/messages.js';
import { describe, expect, it } from 'vitest';
import { TryLaterError } from '../../kernel/errors/try-later-error.js';
import type { PaymentResult } from '../payments/rules/requests.js';
import { refusedOutcome, shortened, wireOutcome, wireStatus } from './wire-outcome.js';

const APPROVED: PaymentResult = {
  disposition: 'approved',
  resultCode: '000.100.110',
  description: 'Request processed',
};

describe('an outcome for the agent', () => {
  it('has empty texts for what the result does not state', () => {
    expect(wireOutcome(APPROVED)).toEqual({
      disposition: Disposition.APPROVED,
      paymentId: '',
      resultCode: '000.100.110',
      description: 'Request processed',
      approvalCode: '',
      responseCode: '',
      iccDataResponse: new Uint8Array(),
      brand: '',
    });
  });

  it('has each value of the result', () => {
    const amount = { minor: 100, currency: 'EUR' };
    const values = {
      paymentId: 'p',
      amount,
      approvalCode: '123456',
      responseCode: '00',
      iccDataResponse: Uint8Array.of(1),
      brand: 'VISA',
      availableBalance: { ...amount, minor: 7 },
      cashBack: { ...amount, minor: 5 },
    };
    expect(wireOutcome({ ...APPROVED, ...values } as PaymentResult)).toEqual({
      disposition: Disposition.APPROVED,
      resultCode: '000.100.110',
      description: 'Request processed',
      ...values,
    });
  });

  it('is none of a payment that waits', () => {
    const pending: PaymentResult = { ...APPROVED, disposition: 'pending', paymentId: 'p' };
    expect(() => wireOutcome(pending)).toThrow(TryLaterError);
    expect(() => wireOutcome(pending)).toThrow('the payment waits');
    expect(() => wireOutcome(pending)).toThrow(expect.objectContaining({ paymentId: 'p' }));
  });

  it('refuses what could not be translated as invalid', () => {
    expect(refusedOutcome('no reference')).toMatchObject({
      disposition: Disposition.REFUSED,
      resultCode: '200.300.404',
      description: 'no reference',
      paymentId: '',
    });
  });
});

describe('the status of a message', () => {
  it('has its outcome where it is answered', () => {
    expect(wireStatus('m', { state: 'answered', result: APPROVED })).toEqual({
      messageId: 'm',
      state: StatusState.ANSWERED,
      outcome: wireOutcome(APPROVED),
    });
  });

  it('has none before', () => {
    expect(wireStatus('m', { state: 'not-seen' })).toEqual({ messageId: 'm', state: StatusState.NOT_SEEN });
  });
});

it('cuts a text to the limit of the wire', () => {
  const longest = 'x'.repeat(BRIDGE_LIMITS.maxReasonLength);
  expect(shortened(longest)).toBe(longest);
  expect(shortened(`${longest}y`)).toBe(longest);
  expect(wireOutcome({ ...APPROVED, description: `${longest}y` }).description).toBe(longest);
});
