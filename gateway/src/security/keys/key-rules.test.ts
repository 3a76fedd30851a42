import { describe, expect, it } from 'vitest';
import { requireFit } from './key-rules.js';
import { KeyStoreError, type NewKey } from './key-store.js';

const A = '0123456789ABCDEF';
const B = 'FEDCBA9876543210';
const C = '1313131313131313';

function fits(algorithm: NewKey['algorithm'], hex: string): boolean {
  const about = { id: 'k', usage: 'mac', scope: 'P', label: '' } as const;
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

  it('are no matter of AES', () => {
    expect(fits('aes128', A + A)).toBe(true);
  });
});
