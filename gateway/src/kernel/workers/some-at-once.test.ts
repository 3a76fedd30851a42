import { expect, test } from 'vitest';
import { someAtOnce } from './some-at-once.js';

test('does so many at once and no more, and gives the results in the order of the items', async () => {
  let running = 0;
  let most = 0;
  const results = await someAtOnce([5, 1, 4, 2, 3], 2, async (turns) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    running -= 1;
    return turns * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(2);
  expect(await someAtOnce([], 2, async () => 1)).toEqual([]);
});

test('begins nothing more after an error, and throws it when what was begun has ended', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    await Promise.resolve();
    if (item === 1) throw new Error('no disk');
    await Promise.resolve();
    ended.push(item);
  };
  await expect(someAtOnce([1, 2, 3, 4], 2, work)).rejects.toThrow('no disk');
  expect(begun).toEqual([1, 2]);
  expect(ended).toEqual([2]);
});
