import { expect, test } from 'vitest';
import { backoffMs } from './backoff.js';

test('doubles the wait with each failure up to the longest, however many there are', () => {
  expect([1, 2, 3, 6, 1e6].map((failures) => backoffMs(failures, 250, 5_000))).toEqual([
    250, 500, 1_000, 5_000, 5_000,
  ]);
});
