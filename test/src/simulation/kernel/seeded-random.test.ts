import { expect, test } from 'vitest';
import { SeededRandom } from './seeded-random.js';

test('the same seed gives the same draws, another one others', () => {
  const draws = (seed: string) => {
    const random = new SeededRandom(seed);
    return [random.next(), random.whole(1, 6), Buffer.from(random.bytes(7)).toString('hex')];
  };
  expect(draws('a')).toEqual(draws('a'));
  expect(draws('b')).not.toEqual(draws('a'));
});

test('a branch depends on its name alone, not on what was drawn before', () => {
  const [early, late] = [new SeededRandom('a'), new SeededRandom('a')];
  late.bytes(100);
  expect(late.branch('till').next()).toBe(early.branch('till').next());
  expect(early.branch('disk').next()).not.toBe(early.branch('till').next());
});

test('draws are spread evenly enough, and stay in their bounds', () => {
  const random = new SeededRandom('dice');
  const counts = new Map<number, number>();
  for (let throwNumber = 0; throwNumber < 6_000; throwNumber += 1) {
    const eyes = random.whole(1, 6);
    counts.set(eyes, (counts.get(eyes) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  const weighted = Array.from({ length: 400 }, () => random.weighted({ often: 3, never: 0, seldom: 1 }));
  expect(weighted).not.toContain('never');
  expect(weighted.filter((name) => name === 'often').length).toBeGreaterThan(240);
});
