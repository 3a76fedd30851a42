import { expect, it } from 'vitest';
import { verifyCardholder } from './verify-cardholder.js';

it.each([
  [{ street: 'High Street', postcode: '12345' }, 'F'],
  [{ street: 'High Street', postcode: '00000' }, 'A'],
  [{ street: 'Mismatch Street', postcode: '12345' }, 'Z'],
  [{ street: 'Mismatch Street', postcode: '000-00' }, 'N'],
  [{ street: 'High Street' }, 'U'],
  [{ postcode: '12345' }, 'U'],
])('answers the address %j with %s', (billing, avsResponse) => {
  expect(verifyCardholder({ billing })).toEqual({ avsResponse });
});

it.each([
  ['123', 'M'],
  ['000', 'N'],
  ['0777', 'P'],
  ['888', 'S'],
  ['999', 'U'],
])('answers the verification value %s with %s', (cvv, cvvResponse) => {
  expect(verifyCardholder({ cvv })).toEqual({
    cvvResponse,
  });
});

it('checks neither where nothing was given', () => {
  expect(verifyCardholder({})).toEqual({});
});
