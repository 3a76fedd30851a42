import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { isOfSimulatedIssuer, makeCavv, verifyCavv } from './cavv.js';

const KEY = Buffer.alloc(32, 7);
const HEAD = Buffer.from([7, 1, 0x54, 0x42]);
const ABOUT = {
  pan: '4200000000000091',
  dsTransId: '5d0a3f60-8e11-4c5f-b6a7-18f9e0d1c2b3',
  amount: { minor: 1234, currency: 'EUR' },
};

it('is 20 bytes, as the table of its file states', () => {
  const text = ['4200000000000091', ABOUT.dsTransId, '1234', 'EUR'].join('\0');
  const mac = createHmac('sha256', KEY).update(HEAD).update(text).digest();
  expect(makeCavv(KEY, 'attempted', ABOUT)).toBe(
    Buffer.concat([HEAD, mac.subarray(0, 16)]).toString('base64'),
  );
  expect(makeCavv(KEY, 'authenticated', ABOUT)).toHaveLength(28);
  expect(isOfSimulatedIssuer(makeCavv(KEY, 'attempted', ABOUT))).toBe(true);
  expect(isOfSimulatedIssuer('AAACAgSRBklmQCFgMpEGAAAAAAA=')).toBe(false);
});

it('is verified for what it was made for, and states how the authentication ended', () => {
  for (const result of ['authenticated', 'attempted'] as const)
    expect(verifyCavv(KEY, makeCavv(KEY, result, ABOUT), ABOUT)).toBe(result);
  const upper = { ...ABOUT, dsTransId: ABOUT.dsTransId.toUpperCase() };
  expect(verifyCavv(KEY, makeCavv(KEY, 'attempted', ABOUT), upper)).toBe('attempted');
});

it.each([
  ['another amount', { ...ABOUT, amount: { minor: 1235, currency: 'EUR' } }],
  ['another currency', { ...ABOUT, amount: { minor: 1234, currency: 'USD' } }],
  ['another card', { ...ABOUT, pan: '4200000000000109' }],
  ['another transaction', { ...ABOUT, dsTransId: '5d0a3f60-8e11-4c5f-b6a7-18f9e0d1c2b4' }],
])('is not verified for %s', (_case, about) => {
  expect(verifyCavv(KEY, makeCavv(KEY, 'authenticated', ABOUT), about)).toBeUndefined();
});

it('is not verified under another key, changed, shortened or in another spelling', () => {
  const cavv = makeCavv(KEY, 'authenticated', ABOUT);
  expect(verifyCavv(Buffer.alloc(32, 8), cavv, ABOUT)).toBeUndefined();
  const promoted = Buffer.from(makeCavv(KEY, 'attempted', ABOUT), 'base64');
  promoted[0] = 0;
  expect(verifyCavv(KEY, promoted.toString('base64'), ABOUT)).toBeUndefined();
  expect(verifyCavv(KEY, cavv.slice(0, 24), ABOUT)).toBeUndefined();
  expect(verifyCavv(KEY, `${cavv} `, ABOUT)).toBeUndefined();
});
