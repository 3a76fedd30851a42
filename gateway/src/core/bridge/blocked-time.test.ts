import { expect, test } from 'vitest';
import { type BlockedTime, blockedTime, type VainTry } from './limits/blocked-time.js';

const LIMITS = { retryMaxMs: 30_000 };

function after(...tries: readonly (readonly [atMs: number, more?: Partial<VainTry>])[]): number | undefined {
  let time: BlockedTime | undefined;
  for (const [atMs, more] of tries)
    time = blockedTime(time, { messageId: 'm', atMs, outage: false, ...more }, LIMITS);
  return time?.blockedMs;
}

test.each([
  ['nothing at the first try', [[5_000]], 0],
  ['the time between tries', [[5_000], [6_000], [36_000]], 31_000],
  ['no time that ends in an outage', [[0], [20_000, { outage: true }], [30_000]], 10_000],
  ['no more than two waits without a try', [[0], [8 * 3_600_000]], 60_000],
  ['from the start for another message', [[0], [30_000], [60_000, { messageId: 'n' }]], 0],
] as const)('counts %s', (_what, tries, blockedMs) => {
  expect(after(...tries)).toBe(blockedMs);
});
