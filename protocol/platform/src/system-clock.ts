import type { Clock } from '@tillbridge/wire/seams/clock.js';

/** The longest delay that runtimes take, in milliseconds (24.8 days); a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The operating system's clocks. A timer of more than {@link MAX_TIMER_MS} fires after that time. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer: (delayMs, fire) => {
    const handle = setTimeout(fire, Math.min(Math.max(0, delayMs), MAX_TIMER_MS));
    return { cancel: () => clearTimeout(handle) };
  },
};
