import { describe, expect, it } from 'vitest';
import { DEFAULT_THROTTLE_RATES, LocalThrottle } from './throttle.js';
import { type Bucket, spendFrom, takeFrom } from './token-bucket.js';

const rate = { perSecond: 2, burst: 3 };

/** Takes at each of the times; the waits. */
function waits(times: readonly number[]): number[] {
  let bucket: Bucket | undefined;
  return times.map((atMs) => {
    const taken = takeFrom(bucket, rate, atMs);
    bucket = taken.bucket;
    return taken.waitMs;
  });
}

describe('takeFrom', () => {
  it('lets the burst pass, then the rate', () => {
    expect(waits([0, 0, 0, 0])).toEqual([0, 0, 0, 500]);
    expect(waits([0, 0, 0, 250, 500, 500, 1_000])).toEqual([0, 0, 0, 250, 0, 500, 0]);
  });

  it('holds no more than the burst after any rest', () => {
    expect(waits([0, 1e9, 1e9, 1e9, 1e9])).toEqual([0, 0, 0, 0, 500]);
  });
});

describe('spendFrom', () => {
  it('takes what has passed elsewhere out of what is left, and of a new bucket out of all', () => {
    expect(spendFrom(undefined, rate, { count: 1, nowMs: 0 })).toEqual({ tokens: 2, atMs: 0 });
    expect(spendFrom({ tokens: 1, atMs: 0 }, rate, { count: 2, nowMs: 250 })).toEqual({
      tokens: -0.5,
      atMs: 250,
    });
  });

  it('owes no more than a whole burst, which is waited for', () => {
    const bucket = spendFrom({ tokens: 0, atMs: 0 }, rate, { count: 100, nowMs: 0 });
    expect(bucket).toEqual({ tokens: -3, atMs: 0 });
    expect(takeFrom(bucket, rate, 0)).toEqual({ bucket, waitMs: 2_000 });
    expect(takeFrom(bucket, rate, 2_000)).toEqual({ bucket: { tokens: 0, atMs: 2_000 }, waitMs: 0 });
  });
});

describe('LocalThrottle', () => {
  it('counts merchants and operations apart', async () => {
    const rates = { ...DEFAULT_THROTTLE_RATES, payments: { perSecond: 1, burst: 1 } };
    const throttle = new LocalThrottle(rates, { monotonicMs: () => 0 });
    expect(await throttle.take('a', 'payments')).toBe(0);
    expect(await throttle.take('a', 'payments')).toBe(1_000);
    expect(await throttle.take('b', 'payments')).toBe(0);
    expect(await throttle.take('a', 'reads')).toBe(0);
  });
});
