import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { describe, expect, it } from 'vitest';
import { LocalSignals } from '../../store/signals/signals.js';
import { SHARE_INTERVAL_MS, SharedThrottle } from './shared-throttle.js';
import { everyRate } from './testing/every-rate.js';
import { LocalThrottle } from './throttle.js';

const MERCHANT = 'a'.repeat(32);
const RATE = { perSecond: 50, burst: 100 };
const STEP_MS = 10;

/** Nodes that share their counts, at different times. */
function nodes(count: number, signals = new LocalSignals()) {
  const clock = new VirtualClock(0);
  const throttles = Array.from({ length: count }, () => {
    const local = new LocalThrottle(everyRate(RATE), clock);
    return new SharedThrottle(local, signals, systemRandom);
  });
  /** Requests that pass while each node gets so many a second. */
  const passed = async (perSecond: readonly number[], seconds: number): Promise<number> => {
    let count = 0;
    const due = perSecond.map(() => 0);
    for (let atMs = 0; atMs < seconds * 1_000; atMs += STEP_MS) {
      await clock.advance(STEP_MS);
      for (const [at, throttle] of throttles.entries()) {
        due[at] = (due[at] ?? 0) + ((perSecond[at] ?? 0) * STEP_MS) / 1_000;
        for (; (due[at] ?? 0) >= 1; due[at] = (due[at] ?? 0) - 1)
          if ((await throttle.take(MERCHANT, 'payments')) === 0) count += 1;
        if ((atMs + 30 * at) % SHARE_INTERVAL_MS === 0) throttle.share();
      }
    }
    return count;
  };
  return { signals, throttles, passed };
}

describe('nodes that throttle a merchant as one', () => {
  it.each([
    ['evenly', [200, 200]],
    ['unevenly', [380, 20]],
    ['at one alone', [400, 0]],
    ['at three', [150, 150, 150]],
  ])('let its rate pass within 10 %%, loaded %s', async (_, load) => {
    const seconds = 20;
    const count = await nodes(load.length).passed(load, seconds);
    const expected = RATE.burst + RATE.perSecond * seconds;
    expect(Math.abs(count - expected) / expected).toBeLessThan(0.1);
  });

  it('refuse no request below the rate', async () => {
    expect(await nodes(2).passed([20, 20], 10)).toBe(400);
  });

  it('take nothing from what makes no sense, and never more than a burst below nothing', async () => {
    const { signals, throttles } = nodes(1);
    const other = 'b'.repeat(32);
    for (const key of [
      '',
      'x',
      `${other} payments ${MERCHANT}`,
      `${other} payments ${MERCHANT} -5`,
      `${other} all ${MERCHANT} 5`,
    ])
      signals.send({ topic: 'throttle', key });
    expect(await throttles[0]?.take(MERCHANT, 'payments')).toBe(0);
    signals.send({ topic: 'throttle', key: `${other} payments ${MERCHANT} 9999999` });
    expect(await throttles[0]?.take(MERCHANT, 'payments')).toBe(((RATE.burst + 1) * 1_000) / RATE.perSecond);
  });
});
