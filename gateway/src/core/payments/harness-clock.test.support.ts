import type { Timer } from '@tillbridge/wire/seams/clock.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';

/** Longest timer that {@link overTime} lets pass. */
const SHORT_MS = 1_000;

/** A virtual clock that {@link overTime} moves. */
export class HarnessClock extends VirtualClock {
  #waiting = 0;
  #moves: Promise<void> = Promise.resolve();

  override setTimer(delayMs: number, fire: () => void): Timer {
    const timer = super.setTimer(delayMs, fire);
    if (this.#waiting > 0) this.#move();
    return timer;
  }

  /** The result of work; short timers fire at once meanwhile. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#waiting += 1;
    this.#move();
    try {
      return await work;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** One move after the other: two at once would set the time back. */
  #move(): void {
    this.#moves = this.#moves.then(async () => {
      for (;;) {
        const nextMs = this.nextTimerInMs();
        if (this.#waiting === 0 || nextMs === undefined || nextMs > SHORT_MS) return;
        await this.advance(nextMs);
      }
    });
  }
}

/** The result of work that waits on the clock for a short time. */
export function overTime<T>(clock: HarnessClock, work: Promise<T>): Promise<T> {
  return clock.during(work);
}
