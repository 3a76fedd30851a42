import { expect, it } from 'vitest';
import { verifyCardholder } from './verify-cardholder.js';

const instrument = { kind: 'card', pan: '4200000000000000', expiryYear: '2031', expiryMonth: '12' } as const;

it.each([
  [{ street: 'High Street', postcode: '12345' }, 'F'],
  [{ street: 'High Street', postcode: '00000' }, 'A'],
  [{ street: 'Mismatch Street', postcode: '12345' }, 'Z'],
  [{ street: 'Mismatch Street', postcode: '000-00' }, 'N'],
  [{ street: 'High Street' }, 'U'],
  [{ postcode: '12345' }, 'U'],
])('answers the address %j with %s', (billing, avsResponse) => {
  expect(verifyCardholder({ kind: 'authorization', instrument, billing })).toEqual({ avsResponse });
});

it.each([
  ['123', 'M'],
  ['000', 'N'],
  ['0777', 'P'],
  ['888', 'S'],
  ['999', 'U'],
])('answers the verification value %s with %s', (cvv, cvvResponse) => {
  expect(verifyCardholder({ kind: 'authorization', instrument: { ...instrument, cvv } })).toEqual({
    cvvResponse,
  });
});

it('checks neither where nobody asks the issuer', () => {
  const billing = { street: 'High Street', postcode: '12345' };
  expect(verifyCardholder({ kind: 'capture', instrument: { ...instrument, cvv: '123' }, billing })).toEqual(
    {},
  );
  expect(verifyCardholder({ kind: 'authorization', instrument })).toEqual({});
});
