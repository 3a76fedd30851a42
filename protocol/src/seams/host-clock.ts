import type { Clock } from './clock.js';

/** What a runtime has of time: `globalThis` of Node is one. */
export interface HostTime<Handle> {
  readonly Date: { now(): number };
  readonly performance: { now(): number };
  setTimeout(fire: () => void, delayMs: number): Handle;
  clearTimeout(handle: Handle): void;
}

/** The longest delay that runtimes take, in milliseconds (24.8 days); a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The clocks of a runtime behind the seam. A timer of more than {@link MAX_TIMER_MS} fires after that time. */
export function hostClock<Handle>(host: HostTime<Handle>): Clock {
  return {
    nowMs: () => host.Date.now(),
    monotonicMs: () => host.performance.now(),
    setTimer: (delayMs, fire) => {
      const handle = host.setTimeout(fire, Math.min(Math.max(0, delayMs), MAX_TIMER_MS));
      return { cancel: () => host.clearTimeout(handle) };
    },
  };
}
