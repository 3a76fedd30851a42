import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';

/** Timers by name: setting one again replaces it. */
export class NamedTimers {
  readonly #clock: Pick<Clock, 'setTimer'>;
  readonly #timers = new Map<string, Timer>();

  constructor(clock: Pick<Clock, 'setTimer'>) {
    this.#clock = clock;
  }

  /** Calls `fire` once after the delay, unless cancelled or set again. */
  set(name: string, delayMs: number, fire: () => void): void {
    this.cancel(name);
    const timer = this.#clock.setTimer(delayMs, () => {
      this.#timers.delete(name);
      fire();
    });
    this.#timers.set(name, timer);
  }

  /** Ends the timer of this name, if there is one. */
  cancel(name: string): void {
    this.#timers.get(name)?.cancel();
    this.#timers.delete(name);
  }

  /** Ends all of them. */
  cancelAll(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }
}
