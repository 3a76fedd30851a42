import { performance } from 'node:perf_hooks';
import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';

/** The longest delay that Node's timers take; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The operating system's clocks. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer(delayMs: number, fire: () => void): Timer {
    const timer = setTimeout(fire, Math.min(Math.max(0, delayMs), MAX_TIMER_MS));
    return { cancel: () => clearTimeout(timer) };
  },
};
