import { expect, it } from 'vitest';
import { decideKsnUse, type KsnUse } from './ksn-use.js';

const WANTED: KsnUse = { ksn: 'K', serial: 'S1', counter: 7, sale: 'sale', data: 'data', paymentId: 'p2' };
const STORED = { ...WANTED, paymentId: 'p1', createdAtMs: 1, version: 4 };
const UNKNOWN = { stored: undefined, forgottenCounter: 0, unknownCounter: 0 };
const KNOWN = { stored: STORED, forgottenCounter: 0, unknownCounter: 0 };

it('takes a KSN that was not used, also one below others', () => {
  const row = { ...WANTED, createdAtMs: 9, version: 1 };
  expect(decideKsnUse(WANTED, UNKNOWN, false, 9)).toEqual({ op: 'insert', table: 'usedKsns', row });
});

it('lets the offline record of the sale alone use it again, with the same data', () => {
  const row = { ...STORED, paymentId: 'p2' };
  expect(decideKsnUse(WANTED, KNOWN, true, 9)).toEqual({ op: 'update', table: 'usedKsns', row });
  expect(decideKsnUse(WANTED, KNOWN, false, 9)).toBeUndefined();
  expect(decideKsnUse({ ...WANTED, sale: 'other' }, KNOWN, true, 9)).toBeUndefined();
  expect(decideKsnUse({ ...WANTED, data: 'other' }, KNOWN, true, 9)).toBeUndefined();
});

it('takes none whose use may have been forgotten', () => {
  expect(decideKsnUse(WANTED, { ...UNKNOWN, forgottenCounter: 7 }, false, 9)).toBeUndefined();
  expect(decideKsnUse(WANTED, { ...UNKNOWN, forgottenCounter: 6 }, false, 9)).toBeDefined();
  expect(
    decideKsnUse({ ...WANTED, counter: null }, { ...UNKNOWN, forgottenCounter: 9 }, false, 9),
  ).toBeDefined();
  expect(decideKsnUse(WANTED, { ...KNOWN, forgottenCounter: 9 }, true, 9)).toBeDefined();
});

it('takes a KSN whose use may have been forgotten from a record alone', () => {
  const behind = { ...UNKNOWN, unknownCounter: 7 };
  expect(decideKsnUse(WANTED, behind, false, 9)).toBeUndefined();
  expect(decideKsnUse(WANTED, behind, true, 9)).toBeDefined();
  expect(decideKsnUse({ ...WANTED, counter: 8 }, behind, false, 9)).toBeDefined();
  expect(decideKsnUse(WANTED, { ...behind, forgottenCounter: 7 }, true, 9)).toBeUndefined();
});
