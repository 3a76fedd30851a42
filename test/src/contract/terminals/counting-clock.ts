import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';

/** A clock that knows how many of the timers set on it still wait. */
export class CountingClock implements Clock {
  readonly #clock: Clock;
  readonly #waiting = new Set<Timer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Timers that were set and have neither fired nor been cancelled. */
  get timers(): number {
    return this.#waiting.size;
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  setTimer(delayMs: number, fire: () => void): Timer {
    const timer = this.#clock.setTimer(delayMs, () => {
      this.#waiting.delete(timer);
      fire();
    });
    this.#waiting.add(timer);
    return {
      cancel: () => {
        this.#waiting.delete(timer);
        timer.cancel();
      },
    };
  }
}
