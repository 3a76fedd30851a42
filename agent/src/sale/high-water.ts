import type { Clock } from '@tillbridge/protocol/seams/clock.js';

/** How far the wall clock may be behind a time heard from the gateway without being called wrong: two clocks never agree. */
export const CLOCK_TOLERANCE_MS = 30_000;

/**
 * Time that never goes back: the highest ever journaled or heard from the gateway, or the wall clock beyond it (P6).
 * Ages are measured with it, so that a clock set back makes nothing younger.
 */
export class HighWater {
  readonly #clock: Clock;
  #highestMs = 0;
  #contactMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The wall clock as it is: what rows are stamped with. */
  wallMs(): number {
    return this.#clock.nowMs();
  }

  nowMs(): number {
    return Math.max(this.#clock.nowMs(), this.#highestMs);
  }

  /** A time that was journaled. */
  journaled(timeMs: number): void {
    this.#highestMs = Math.max(this.#highestMs, timeMs);
  }

  /** A time heard from the gateway: it is also a contact. */
  heard(gatewayMs: number): void {
    this.#highestMs = Math.max(this.#highestMs, gatewayMs);
    this.#contactMs = this.nowMs();
  }

  /** The contact that an earlier boot journaled. */
  restoreContact(contactMs: number): void {
    this.journaled(contactMs);
    this.#contactMs = contactMs;
  }

  /** The wall clock is behind what is known: nothing that depends on an age may be trusted to it. */
  isBehind(): boolean {
    return this.#clock.nowMs() < this.#highestMs - CLOCK_TOLERANCE_MS;
  }

  /** Since the gateway was last heard; `undefined`: never. */
  contactAgeMs(): number | undefined {
    return this.#contactMs === undefined ? undefined : Math.max(0, this.nowMs() - this.#contactMs);
  }

  /** Age of a journaled time. */
  ageMs(timeMs: number): number {
    return Math.max(0, this.nowMs() - timeMs);
  }
}
