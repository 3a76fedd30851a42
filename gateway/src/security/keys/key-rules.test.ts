import { describe, expect, it } from 'vitest';
import { requireFit } from './key-rules.js';
import { KeyStoreError, type NewKey } from './key-store.js';

const A = '0123456789ABCDEF';
const B = 'FEDCBA9876543210';
const C = '1313131313131313';

function fits(algorithm: NewKey['algorithm'], hex: string, usage: NewKey['usage'] = 'mac'): boolean {
  const about = { id: 'k', usage, scope: 'P', label: '' } as const;
  try {
    requireFit({ ...about, algorithm, key: Buffer.from(hex, 'hex') });
    return true;
  } catch (error) {
    if (error instanceof KeyStoreError && error.code === 'badKey') return false;
    throw error;
  }
}

describe('the parts of a TDES key', () => {
  it.each([
    ['tdes2', A + B, true],
    ['tdes2', A + A, false],
    ['tdes3', A + B + C, true],
    ['tdes3', A + B + A, true],
    ['tdes3', A + A + B, false],
    ['tdes3', B + A + A, false],
    ['tdes3', A + A + A, false],
  ] as const)('%s %s fits: %s (parts that undo each other leave single DES)', (algorithm, hex, expected) => {
    expect(fits(algorithm, hex)).toBe(expected);
  });

  it('must be three in a protection key that counts as one of three', () => {
    expect(fits('tdes3', A + B + C, 'kbpk')).toBe(true);
    expect(fits('tdes3', A + B + A, 'kbpk')).toBe(false);
    expect(fits('tdes2', A + B, 'kbpk')).toBe(true);
  });

  it('are no matter of AES', () => {
    expect(fits('aes128', A + A)).toBe(true);
  });
});
