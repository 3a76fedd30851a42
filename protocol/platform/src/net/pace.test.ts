import { expect, test } from 'vitest';
import { Pace } from './pace.js';

test('what comes at once within the burst, or at the rate, need not wait', () => {
  const pace = new Pace({ perSecond: 10, burst: 3 });
  expect([pace.count(0), pace.count(0), pace.count(0)]).toEqual([0, 0, 0]);
  for (let ms = 100; ms < 2_000; ms += 100) expect(pace.count(ms)).toBe(0);
});

test('what comes too fast is owed', () => {
  const pace = new Pace({ perSecond: 10, burst: 3 });
  const waits = Array.from({ length: 23 }, () => pace.count(0));
  expect(waits.at(3)).toBe(100);
  expect(waits.at(-1)).toBe(2_000);
  expect(pace.count(2_000)).toBe(100);
});

test('a quiet time is not saved up beyond the burst', () => {
  const pace = new Pace({ perSecond: 10, burst: 2 });
  expect([pace.count(1e9), pace.count(1e9), pace.count(1e9)]).toEqual([0, 0, 100]);
});

test('what is given back is owed no more, and saved up neither', () => {
  const pace = new Pace({ perSecond: 10, burst: 1 });
  for (let at = 0; at < 3; at += 1) pace.count(0);
  expect(pace.giveBack(0)).toBe(100);
  expect(pace.owedMs(0)).toBe(100);
  for (const forwardMs of [100, 100, 0]) expect(pace.giveBack(0)).toBe(forwardMs);
  expect([pace.count(0), pace.count(0)]).toEqual([0, 100]);
});
