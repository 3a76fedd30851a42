import { fromHex } from '@tillbridge/wire/bytes.js';
import { expect, it } from 'vitest';
import { isInitialKsn, ksnParts } from './ksn.js';

it.each([
  ['FFFF9876543210E00001', 'FFFF9876543210E00000', 1],
  ['ffff9877000001000402', 'FFFF9877000001000000', 0x402],
  // Of the eighth byte the first three bits are the device's (X9.24-1 A.2).
  ['FFFF98765432FFF00001', 'FFFF98765432FFE00000', 0x100001],
  ['123456789012345600010000', '123456789012345600000000', 0x10000],
])('takes %s apart', (ksn, initialKsn, counter) => {
  expect(ksnParts(fromHex(ksn))).toEqual({ ksn: ksn.toUpperCase(), initialKsn, counter });
});

it.each([
  ['no transaction', 'FFFF9876543210E00000'],
  ['more than ten one-bits', 'FFFF9876543210FFFFFF'],
  ['no transaction under AES', '123456789012345600000000'],
  ['neither 10 nor 12 bytes', 'FFFF9876543210E0'],
  ['11 bytes', 'FFFF9876543210E0000100'],
  ['more than 12 bytes', '12345678901234560001000000'],
  ['nothing', ''],
])('is no KSN of a transaction: %s', (_what, ksn) => {
  expect(ksnParts(fromHex(ksn))).toBeUndefined();
});

it.each([
  ['FFFF9876543210E00000', true],
  ['123456789012345600000000', true],
  ['FFFF9876543210E00001', false],
  ['FFFF9876543210F00000', false],
  ['123456789012345600000001', false],
  ['FFFF9876543210FFFFFF', false],
  ['123456789012345FFFFFFFFF', false],
  ['ffff9876543210e00000', false],
  ['FFFF98', false],
  ['', false],
  // What stands around it is no part of it.
  ['00FFFF9876543210E00000', false],
  ['FFFF9876543210E00000 ', false],
  ['xFFFF9876543210E00000', false],
  ['FFFF9876543210E000000', false],
])('%s is an initial KSN: %s', (text, is) => {
  expect(isInitialKsn(text)).toBe(is);
});
