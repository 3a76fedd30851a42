import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creditorReference, TRANSFER_TEXT_LENGTH, transferReferencesIn } from './creditor-reference.js';

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

const CHARACTERS = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const text = (minLength: number, maxLength: number) => fc.string({ unit: CHARACTERS, minLength, maxLength });

it('every creditor reference has two check digits that leave 1 (ISO 7064)', () => {
  fc.assert(
    fc.property(text(1, 21), (of) => {
      const reference = creditorReference(of);
      expect(reference.slice(0, 2) + reference.slice(4)).toBe(`RF${of}`);
      expect(reference.slice(2, 4)).toMatch(/^\d\d$/);
      const digits = [...of, ...reference.slice(0, 4)].map((one) => Number.parseInt(one, 36)).join('');
      expect(BigInt(digits) % 97n).toBe(1n);
    }),
  );
});

describe('the references of transfers in a purpose', () => {
  const reference = text(TRANSFER_TEXT_LENGTH, TRANSFER_TEXT_LENGTH).map(creditorReference);
  /** As payers write it: with blanks between any characters, and small letters. */
  const written = (of: string) =>
    fc
      .array(fc.constantFrom('', ' ', '-', '_', ' / '), { minLength: of.length, maxLength: of.length })
      .map((between) => [...of.toLowerCase()].map((one, at) => one + between[at]).join(''));

  it('are found with blanks and small letters, before and behind other words', () => {
    const purpose = fc.tuple(reference, reference).chain(([one, other]) =>
      fc.tuple(written(one), written(other)).map(([first, second]) => ({
        references: [one, other],
        words: `Rechnung 7, ${first} und ${second}; danke`,
      })),
    );
    fc.assert(
      fc.property(purpose, ({ references, words }) => {
        expect(transferReferencesIn(words)).toEqual(expect.arrayContaining(references));
      }),
    );
  });

  it.each([
    ['RF18539007547034', 'is shorter than that of a transfer'],
    ['7'.repeat(20), 'has none'],
    ['', 'has none'],
    ['RF', 'has none'],
  ])('are none in %j: it %s', (words) => {
    expect(transferReferencesIn(words)).toEqual([]);
  });

  it('are none where a digit is wrong', () => {
    const wrong = fc.tuple(reference, fc.integer({ min: 2, max: 19 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(wrong, ([of, at, by]) => {
        const digit = of[at] ?? '';
        fc.pre(/\d/.test(digit));
        const changed = of.slice(0, at) + ((Number(digit) + by) % 10) + of.slice(at + 1);
        expect(transferReferencesIn(changed)).toEqual([]);
      }),
    );
  });
});
