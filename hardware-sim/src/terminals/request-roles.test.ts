import { expect, test } from 'vitest';
import { requestedAmount, requestRole } from './request-roles.js';

test('knows the requests that begin, end and poll by their whole name', () => {
  expect(requestRole('MIURA_M020', 'START TRANSACTION E0{9C=00}')).toBe('begins');
  expect(requestRole('MIURA_M020', 'ABORT')).toBe('ends');
  expect(requestRole('NEWLAND_P180', 'STATUS')).toBe('polls');
  expect(requestRole('NEWLAND_P180', 'STATUSES')).toBeUndefined();
  expect(requestRole('GERTEC_PPC930', 'GIX SPE_IDLIST=<40 bytes>')).toBeUndefined();
});

test('reads the amount of each maker', () => {
  const euro = { minor: 1_234, currency: '978' };
  expect(requestedAmount('GCX SPE_AMOUNT=000000001234 SPE_TRNCURR=978')).toEqual(euro);
  expect(requestedAmount('ACTIVATE TRANSACTION 3C 9C=00 9F02=000000001234 5F2A=0978')).toEqual(euro);
  expect(requestedAmount('START TRANSACTION 82=3C 86=9C01009F02060000000012345F2A020978')).toEqual(euro);
  expect(requestedAmount('CARD STATUS')).toBeUndefined();
});
