import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { type AuthenticatedFor, makeCavv } from '@tillbridge/wire/three-d-secure/cavv.js';
import { expect, it } from 'vitest';
import type { AcquirerAuthentication } from '../authentication.js';
import { isAuthenticationAccepted } from './verify-authentication.js';

const ENROLLED = '4200000000000091';
const PLAIN = '4200000000000000';
const TRANSACTION = '5d0a3f60-8e11-4c5f-b6a7-18f9e0d1c2b3';
const EUR_12 = { minor: 1234, currency: 'EUR' };
const FOREIGN = 'AAACAgSRBklmQCFgMpEGAAAAAAA=';

function made(about: Partial<AuthenticatedFor> = {}): AcquirerAuthentication {
  const amount = about.amount ?? EUR_12;
  const verificationId = makeCavv(developmentKey('cavvKey'), 'authenticated', {
    pan: ENROLLED,
    dsTransId: TRANSACTION,
    ...about,
    amount,
  });
  return { amount, verificationId, dsTransactionId: TRANSACTION };
}

function isTaken(
  authentication: AcquirerAuthentication | undefined,
  { pan = ENROLLED, amount = EUR_12 } = {},
) {
  const instrument = { kind: 'card', pan, expiryYear: '2031', expiryMonth: '12' } as const;
  return isAuthenticationAccepted({ amount, instrument, ...(authentication && { authentication }) });
}

it('takes what was made for exactly this', () => {
  expect(isTaken(made())).toBe(true);
  expect(isTaken(undefined)).toBe(true);
  expect(isTaken({ amount: EUR_12, eci: '07' })).toBe(true);
});

it.each([
  ['another amount', { ...made({ amount: { minor: 9999, currency: 'EUR' } }), amount: EUR_12 }],
  ['another currency', { ...made({ amount: { minor: 1234, currency: 'USD' } }), amount: EUR_12 }],
  ['another card', made({ pan: '4200000000000109' })],
  ['another transaction', { ...made(), dsTransactionId: '5d0a3f60-8e11-4c5f-b6a7-18f9e0d1c2b4' }],
  [
    'nothing that this issuer knows',
    { amount: EUR_12, verificationId: FOREIGN, dsTransactionId: TRANSACTION },
  ],
])('refuses what was made for %s', (_case, authentication) => {
  expect(isTaken(authentication)).toBe(false);
});

it('takes less than was authenticated, and never more or another currency', () => {
  const more = made({ amount: { minor: 5000, currency: 'EUR' } });
  expect(isTaken(more)).toBe(true);
  expect(isTaken(more, { amount: { minor: 5001, currency: 'EUR' } })).toBe(false);
  expect(isTaken(made({ amount: { minor: 5000, currency: 'USD' } }))).toBe(false);
});

it('takes the proof of who the cardholder is, which names no amount', () => {
  expect(isTaken(made({ amount: { minor: 0, currency: '' } }))).toBe(true);
});

it('leaves values of other issuers to them, and never takes one of its own for a card that is not its', () => {
  expect(isTaken({ amount: EUR_12, verificationId: FOREIGN }, { pan: PLAIN })).toBe(true);
  expect(isTaken(made(), { pan: PLAIN })).toBe(false);
});
