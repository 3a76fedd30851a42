import { describe, expect, it } from 'vitest';
import { DEFAULT_THROTTLE_RATES, LocalThrottle } from './throttle.js';
import { type Bucket, takeFrom } from './token-bucket.js';

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
