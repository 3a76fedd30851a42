/** How fast something may come. */
export interface PaceLimits {
  readonly perSecond: number;
  /** At once after a quiet time. */
  readonly burst: number;
}

/** Measures how far a sender is ahead of its rate. What came too fast is owed: the sender waits longer for it. */
export class Pace {
  readonly #intervalMs: number;
  readonly #burstMs: number;
  /** When all that came would have come at the rate. */
  #dueMs = 0;

  constructor({ perSecond, burst }: PaceLimits) {
    this.#intervalMs = 1_000 / perSecond;
    this.#burstMs = burst * this.#intervalMs;
  }

  /** Counts one; how long to wait for the next, in milliseconds: 0 while the rate holds. `nowMs` is of a clock that only grows. */
  count(nowMs: number): number {
    this.#dueMs = Math.max(this.#dueMs, nowMs) + this.#intervalMs;
    return this.owedMs(nowMs);
  }

  /** Takes one back that was counted; by how much that brings the others forward, in milliseconds. What is not owed is not saved up. */
  giveBack(nowMs: number): number {
    const dueMs = Math.max(Math.min(this.#dueMs, nowMs), this.#dueMs - this.#intervalMs);
    const forwardMs = this.#dueMs - dueMs;
    this.#dueMs = dueMs;
    return forwardMs;
  }

  /** How long the next one has to wait, in milliseconds. */
  owedMs(nowMs: number): number {
    return Math.max(0, Math.ceil(this.#dueMs - nowMs - this.#burstMs));
  }
}
