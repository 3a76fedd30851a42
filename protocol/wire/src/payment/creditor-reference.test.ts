import { expect, it } from 'vitest';
import { creditorReference } from './creditor-reference.js';

it.each([
  // ISO 11649, and the examples of banks.
  ['539007547034', 'RF18539007547034'],
  ['2348231', 'RF712348231'],
  ['ABC123', 'RF47ABC123'],
])('a creditor reference of %s has its check digits', (text, reference) => {
  expect(creditorReference(text)).toBe(reference);
  const moved = `${reference.slice(4)}${reference.slice(0, 4)}`;
  const digits = [...moved].map((character) => Number.parseInt(character, 36)).join('');
  expect(BigInt(digits) % 97n).toBe(1n);
});

it('refuses what no creditor reference may hold', () => {
  for (const text of ['', 'a1', 'A-1', '1'.repeat(22)])
    expect(() => creditorReference(text)).toThrow('1 to 21');
});
