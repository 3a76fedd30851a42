import { expect, it } from 'vitest';
import { decideUse, type Use } from './decide-use.js';

const LIMIT = { uses: 2, windowMs: 1_000 };

/** Uses one after the other; gives how long each has to wait. */
function waits(...taken: readonly (readonly [atMs: number, what?: string])[]): readonly number[] {
  let uses: readonly Use[] = [];
  return taken.map(([atMs, what]) => {
    const verdict = decideUse(LIMIT, uses, atMs, what);
    uses = verdict.uses ?? uses;
    return verdict.waitMs;
  });
}

it('lets a subject through so often within the time, and states how long it has to wait', () => {
  // A use that was refused is not counted: the first one is a second old.
  expect(waits([0], [400], [500], [1_000], [1_001])).toEqual([0, 0, 500, 0, 399]);
});

it('counts what is used again once', () => {
  expect(waits([0, 'x'], [1, 'x'], [2, 'x'], [3, 'y'], [4, 'z'], [4, 'x'])).toEqual([0, 0, 0, 0, 996, 0]);
});

it('counts two uses of the same moment as two', () => {
  expect(waits([0], [0], [0])).toEqual([0, 0, 1_000]);
});

it('forgets uses that are too old to count', () => {
  expect(decideUse(LIMIT, [['a', 0]], 1_000, 'b').uses).toEqual([['b', 1_000]]);
});
