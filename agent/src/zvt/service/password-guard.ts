import { equalConstantTime } from '@tillbridge/wire/bytes.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';

/** Six digits are found by trial unless trials are few. */
export const PASSWORD_LIMITS = {
  /** Wrong passwords in a row. */
  trials: 5,
  /** After them no password is looked at for so long, milliseconds. */
  lockMs: 60_000,
} as const;

/** Compares the password of one till, and bounds how often it may be tried. */
export class PasswordGuard {
  readonly #password: Uint8Array;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #wrong = 0;
  #lockedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(password: string, clock: Pick<Clock, 'monotonicMs'>) {
    this.#password = Buffer.from(password);
    this.#clock = clock;
  }

  /** Whether it is the password; false, too, while trials are locked. */
  check(given: string): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < this.#lockedUntilMs) return false;
    if (equalConstantTime(Buffer.from(given), this.#password)) {
      this.#wrong = 0;
      return true;
    }
    this.#wrong += 1;
    if (this.#wrong >= PASSWORD_LIMITS.trials) {
      this.#wrong = 0;
      this.#lockedUntilMs = nowMs + PASSWORD_LIMITS.lockMs;
    }
    return false;
  }
}
