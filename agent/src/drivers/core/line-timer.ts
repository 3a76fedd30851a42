import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';

/** A timer that fires so much too late ran out while the process stood still. */
export const LATE_MS = 50;
/** Time to read what waits at the port by then. */
export const CATCH_UP_MS = 250;

/**
 * Sets a timer that waits for bytes of a terminal. Where the process stood still, as on a busy machine, timers fire before bytes
 * are read that came in time: a timer that is {@link LATE_MS} late waits {@link CATCH_UP_MS} more, once.
 */
export function setLineTimer(clock: Clock, delayMs: number, fire: () => void): Timer {
  const dueMs = clock.monotonicMs() + delayMs;
  let timer = clock.setTimer(delayMs, () => {
    if (clock.monotonicMs() - dueMs < LATE_MS) fire();
    else timer = clock.setTimer(CATCH_UP_MS, fire);
  });
  return { cancel: () => timer.cancel() };
}
