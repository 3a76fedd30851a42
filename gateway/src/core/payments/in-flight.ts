import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { TryLaterError } from '../../kernel/errors/try-later-error.js';

/** Running work by key. A second request for the same key gets the same promise. */
export class InFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** The running work of this key, or `work` started now. */
  once(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running) return running;
    const started = work().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }

  /** The running work of this key. */
  get(key: string): Promise<T> | undefined {
    return this.#running.get(key);
  }

  /** Ends when all that runs now has ended, however it ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}

/** Runs one task at a time per key, in the order of the requests, each with a deadline for waiting. */
export class Turns {
  readonly #tails = new Map<string, Promise<void>>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs `work` when the earlier ones of this key are done. @throws TryLaterError when they take longer than `waitMs` */
  async take<T>(key: string, waitMs: number, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    let release: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tail = before.then(() => done);
    this.#tails.set(key, tail);
    try {
      await within(this.#clock, waitMs, before, 'another request on this payment is still running');
      return await work();
    } finally {
      release();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}

/** The promise, but no longer than `limitMs`. @throws TryLaterError with the message when it takes longer */
export function within<T>(clock: Clock, limitMs: number, promise: Promise<T>, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(limitMs, () => reject(new TryLaterError(message)));
    promise.then(resolve, reject).finally(() => timer.cancel());
  });
}
