import { describe, expect, it } from 'vitest';
import { hostClock, MAX_TIMER_MS } from './host-clock.js';

describe('hostClock', () => {
  const timers = new Map<number, { readonly fire: () => void; readonly delayMs: number }>();
  const clock = hostClock({
    Date: { now: () => 1_795_210_000_000 },
    performance: { now: () => 12.5 },
    setTimeout: (fire, delayMs) => {
      timers.set(timers.size, { fire, delayMs });
      return timers.size - 1;
    },
    clearTimeout: (handle: number) => timers.delete(handle),
  });

  it('tells both times of the host', () => {
    expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1_795_210_000_000, 12.5]);
  });

  it.each([
    [0, 0],
    [5, 5],
    [-5, 0],
    [MAX_TIMER_MS, MAX_TIMER_MS],
    [MAX_TIMER_MS + 1, MAX_TIMER_MS],
    [Number.POSITIVE_INFINITY, MAX_TIMER_MS],
  ])('sets a timer of %s ms to %s ms, and cancels it', (delayMs, expected) => {
    let fired = 0;
    const timer = clock.setTimer(delayMs, () => {
      fired += 1;
    });
    const [set] = timers.values();
    expect(set?.delayMs).toBe(expected);
    set?.fire();
    expect(fired).toBe(1);
    timer.cancel();
    timer.cancel();
    expect(timers.size).toBe(0);
  });

  it('runs on the clocks of this runtime', async () => {
    const real = hostClock(globalThis);
    const before = real.monotonicMs();
    await new Promise<void>((resolve) => {
      real.setTimer(Number.NaN, resolve);
    });
    expect(real.monotonicMs()).toBeGreaterThanOrEqual(before);
  });
});
