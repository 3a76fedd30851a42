import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_TIMER_MS, systemClock } from './system-clock.js';

describe('system clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_795_210_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('gives both times of the host', () => {
    const before = systemClock.monotonicMs();
    vi.advanceTimersByTime(20);
    expect(systemClock.nowMs()).toBe(1_795_210_000_020);
    expect(systemClock.monotonicMs() - before).toBe(20);
  });

  it.each([
    [0, 0],
    [5, 5],
    [-5, 0],
    [MAX_TIMER_MS, MAX_TIMER_MS],
    [MAX_TIMER_MS + 1, MAX_TIMER_MS],
    [Number.POSITIVE_INFINITY, MAX_TIMER_MS],
  ])('fires a timer of %s ms after %s ms, once', (delayMs, expected) => {
    let fired = 0;
    const timer = systemClock.setTimer(delayMs, () => {
      fired += 1;
    });
    vi.advanceTimersByTime(Math.max(0, expected - 1));
    if (expected > 0) expect(fired).toBe(0);
    vi.advanceTimersByTime(1);
    expect(fired).toBe(1);
    timer.cancel();
    timer.cancel();
  });

  it('leaves a cancelled timer silent', () => {
    let fired = 0;
    systemClock
      .setTimer(5, () => {
        fired += 1;
      })
      .cancel();
    vi.advanceTimersByTime(10);
    expect(fired).toBe(0);
  });
});
