import { expect, it } from 'vitest';
import { RecentUses } from './recent-uses.js';

it('lets a subject through so often within the time, and tells how long it has to wait', () => {
  const uses = new RecentUses({ uses: 2, windowMs: 1_000 });
  expect(uses.take('a', 0)).toBe(0);
  expect(uses.take('a', 400)).toBe(0);
  expect(uses.take('a', 500)).toBe(500);
  expect(uses.take('b', 500)).toBe(0);
  // A use that was refused is not counted: the first one is a second old.
  expect(uses.take('a', 1_000)).toBe(0);
  expect(uses.take('a', 1_001)).toBe(399);
});

it('counts what is used again once', () => {
  const uses = new RecentUses({ uses: 2, windowMs: 1_000 });
  for (const atMs of [0, 1, 2]) expect(uses.take('a', atMs, 'x')).toBe(0);
  expect(uses.take('a', 3, 'y')).toBe(0);
  expect(uses.take('a', 4, 'z')).toBeGreaterThan(0);
  expect(uses.take('a', 4, 'x')).toBe(0);
});

it('counts two uses of the same moment as two', () => {
  const uses = new RecentUses({ uses: 2, windowMs: 1_000 });
  expect([uses.take('a', 0), uses.take('a', 0), uses.take('a', 0)]).toEqual([0, 0, 1_000]);
});
