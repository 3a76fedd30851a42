import { expect, it } from 'vitest';
import { newMessageId } from './message-id.js';

const filled = (byte: number) => ({ bytes: (length: number) => new Uint8Array(length).fill(byte) });

it('lays out the example of RFC 9562 A.6', () => {
  const tail = Buffer.from('0cc318c4dc0c0c07398f', 'hex');
  expect(newMessageId(0x017f22e279b0, { bytes: () => tail })).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
});

it('keeps version and variant whatever the random bits are', () => {
  expect(newMessageId(0, filled(0xff))).toBe('00000000-0000-7fff-bfff-ffffffffffff');
  expect(newMessageId(0, filled(0x00))).toBe('00000000-0000-7000-8000-000000000000');
});

it('lives with a wall clock that is out of range', () => {
  expect(newMessageId(-5, filled(0))).toMatch(/^00000000-0000-7/);
  expect(newMessageId(Number.MAX_SAFE_INTEGER, filled(0))).toMatch(/^ffffffff-ffff-7/);
});
