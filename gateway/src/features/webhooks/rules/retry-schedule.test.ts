import { describe, expect, it } from 'vitest';
import { nextTry, RETRY_SCHEDULE } from './retry-schedule.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The times of all tries of a delivery that no receiver takes, in minutes since it was queued. */
function tries(): number[] {
  const times = [0];
  for (let nowMs = 0; ; ) {
    const nextMs = nextTry(times.length, 0, nowMs);
    if (nextMs === undefined) return times;
    nowMs = nextMs;
    times.push(nowMs / MINUTE_MS);
  }
}

describe('a delivery that no receiver takes', () => {
  it('is tried after 2, 4, 8, 15, 30 and 60 minutes, then once a day', () => {
    expect(tries().slice(0, 9)).toEqual([0, 2, 6, 14, 29, 59, 119, 119 + 1_440, 119 + 2 * 1_440]);
  });

  it('is given up after 30 days', () => {
    const all = tries();
    expect(all).toHaveLength(7 + 29);
    expect(all.at(-1)).toBeLessThanOrEqual(RETRY_SCHEDULE.giveUpAfterMs / MINUTE_MS);
    expect(nextTry(all.length, 0, RETRY_SCHEDULE.giveUpAfterMs)).toBeUndefined();
  });

  it('is tried to the last moment', () => {
    expect(nextTry(20, 0, 29 * DAY_MS)).toBe(30 * DAY_MS);
    expect(nextTry(20, 0, 29 * DAY_MS + 1)).toBeUndefined();
  });
});
