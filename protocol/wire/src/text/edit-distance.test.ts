import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance } from './edit-distance.js';

/** The textbook recursion over the whole table, as an oracle. */
function whole(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const row = table[i] ?? [];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(a.length, b.length);
}

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['kitten', 'sitten', 1],
    ['amount', 'amunt', 1],
    ['amount', 'maount', 1],
    ['abcd', 'badc', 2],
    ['amount', 'currency', undefined],
    ['', 'abc', undefined],
  ])('%s to %s is %s', (a, b, distance) => {
    expect(editDistance(a, b, 2)).toBe(distance);
  });

  it('agrees with the whole table up to the limit', () => {
    const word = fc.stringMatching(/^[ab.]{0,8}$/);
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, limit) => {
        const distance = whole(a, b);
        expect(editDistance(a, b, limit)).toBe(distance <= limit ? distance : undefined);
      }),
      { numRuns: 2_000, seed: 5 },
    );
  });
});
