import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';

/** PCI wants a device to test itself once a day: it resets so long after it was started. */
export const RESET_AFTER_MS = 23 * 60 * 60 * 1_000;
const MINUTE_MS = 60_000;

/** What the daily reset does. */
interface SelfResetHooks {
  readonly clock: Clock;
  /** Minutes of warning as the device is set; 0 gives none. */
  readonly warningMinutes: () => number;
  readonly warn: (minutes: number) => void;
  readonly reset: () => void;
}

/** Counts the day of a device that is plugged in. */
export class SelfReset {
  readonly #hooks: SelfResetHooks;
  #bootedMs: number;
  #timers: readonly Timer[] = [];

  constructor(hooks: SelfResetHooks) {
    this.#hooks = hooks;
    this.#bootedMs = hooks.clock.monotonicMs();
  }

  /** The device was started anew. */
  booted(): void {
    this.#bootedMs = this.#hooks.clock.monotonicMs();
    this.arm();
  }

  /** Begins to wait for the end of the day, warning ahead. */
  arm(): void {
    const { clock, warn, reset, warningMinutes } = this.#hooks;
    this.disarm();
    const leftMs = Math.max(0, this.#bootedMs + RESET_AFTER_MS - clock.monotonicMs());
    const minutes = warningMinutes();
    const warning = minutes > 0 && leftMs > minutes * MINUTE_MS;
    this.#timers = [
      clock.setTimer(leftMs, reset),
      ...(warning ? [clock.setTimer(leftMs - minutes * MINUTE_MS, () => warn(minutes))] : []),
    ];
  }

  /** Stops the timers: the line is closed. */
  disarm(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers = [];
  }
}
