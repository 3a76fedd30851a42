import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { describe, expect, test } from 'vitest';
import { combineComponents, readComponent } from './key-components.js';
import { checkValue } from './key-rules.js';
import { type KeyAlgorithm, KeyStoreError } from './key-store.js';

function refusal(action: () => unknown): KeyStoreError {
  try {
    action();
  } catch (error) {
    if (error instanceof KeyStoreError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function read(text: string, algorithm: KeyAlgorithm = 'tdes2'): Buffer {
  return readComponent(algorithm, 'component 1', Buffer.from(text));
}

describe('components', () => {
  test('are read with blanks, hyphens and either case', () => {
    expect(toHex(read('0123 4567-89ab cdef\n FEDC BA98 7654 3210\r\n'))).toBe(
      '0123456789ABCDEFFEDCBA9876543210',
    );
    expect(checkValue('tdes2', read('0123456789ABCDEFFEDCBA9876543210'))).toBe('08D7B4');
  });

  test('make a key that none of them shows, of odd parity', () => {
    const parts = [
      '6D6B E51F 04F7 6167 4915 54FE 25F7 ABEF',
      '6752 9B2C F5DF 7B20 3E58 DB70 2CE6 1A2A',
      '37F4 C1A8 D3E2 9B07 5A6D 0E9F 8C4B 1D23',
    ].map((text) => read(text));
    const raw = parts.reduce((sum, part) => sum.map((byte, i) => byte ^ (part[i] ?? 0)), new Uint8Array(16));
    const key = combineComponents('tdes2', parts);
    for (const [i, byte] of key.entries()) expect(byte & 0xfe).toBe((raw[i] ?? 0) & 0xfe);
    // A check value does not depend on parity bits, so paper and store agree.
    expect(toHex(tdesKcv(key))).toBe(toHex(tdesKcv(raw)));
    for (const byte of key) expect(byte.toString(2).replaceAll('0', '').length % 2).toBe(1);
    expect(toHex(combineComponents('aes128', parts))).toBe(toHex(raw));
  });

  const A = '0123456789ABCDEFFEDCBA9876543210';
  test.each([
    ['one alone', () => combineComponents('aes128', [fromHex(A)])],
    ['the same twice', () => combineComponents('aes128', [fromHex(A), fromHex(A)])],
    ['one of zeros', () => combineComponents('aes128', [fromHex(A), Buffer.alloc(16)])],
    ['one of parity bits alone', () => combineComponents('tdes2', [fromHex(A), Buffer.alloc(16, 1)])],
    ['another length', () => combineComponents('aes128', [fromHex(A), fromHex(A + A)])],
    [
      'six',
      () =>
        combineComponents(
          'aes128',
          Array.from({ length: 6 }, () => fromHex(A)),
        ),
    ],
    ['too few digits', () => read(A.slice(1))],
    ['too many digits', () => read(`${A}0`)],
    ['another letter', () => read(`${A.slice(1)}G`)],
    ['nothing', () => read('')],
  ])('are refused: %s', (_what, action) => {
    const error = refusal(action);
    expect(error.code).toBe('badComponents');
    expect(error.message).not.toMatch(/[0-9A-F]{6}/);
  });
});
