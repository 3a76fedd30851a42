import type { Clock, Timer } from '../clock.js';

interface Alarm {
  readonly atMs: number;
  readonly fire: () => void;
}

/** Most timers one `advance` may fire: a timer that always sets itself again at once is a mistake, not a wait. */
const MAX_FIRES_PER_ADVANCE = 100_000;

/** Time that moves only when the test advances it; timers fire in the order of their time, then of their setting. */
export class VirtualClock implements Clock {
  private elapsedMs = 0;
  private wallOffsetMs: number;
  /** The next to fire comes last: taking it moves nothing. */
  private readonly alarms: Alarm[] = [];

  /** `startMs`: the wall clock's first reading, milliseconds since 1970. */
  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.wallOffsetMs = startMs;
  }

  nowMs(): number {
    return this.wallOffsetMs + this.elapsedMs;
  }

  monotonicMs(): number {
    return this.elapsedMs;
  }

  setTimer(delayMs: number, fire: () => void): Timer {
    const alarm: Alarm = { atMs: this.elapsedMs + Math.max(0, delayMs), fire };
    this.insert(alarm);
    return { cancel: () => this.remove(alarm) };
  }

  /** Milliseconds until the next timer; undefined when none is set. */
  nextTimerInMs(): number | undefined {
    const next = this.alarms.at(-1);
    return next && next.atMs - this.elapsedMs;
  }

  /** Moves the wall clock alone, as an operator or NTP would. */
  jumpWall(deltaMs: number): void {
    this.wallOffsetMs += deltaMs;
  }

  /**
   * Moves time by `ms` and fires what falls due, each at its own time. Between two timers all pending microtasks and
   * promise jobs run, so that code that answers a timer with a promise sees the time at which it was set.
   */
  async advance(ms: number): Promise<void> {
    const untilMs = this.elapsedMs + ms;
    await settle();
    for (let fires = 0; fires < MAX_FIRES_PER_ADVANCE; fires += 1) {
      const next = this.alarms.at(-1);
      if (!next || next.atMs > untilMs) {
        this.elapsedMs = untilMs;
        return;
      }
      this.alarms.pop();
      this.elapsedMs = Math.max(this.elapsedMs, next.atMs);
      next.fire();
      await settle();
    }
    throw new Error(`more than ${MAX_FIRES_PER_ADVANCE} timers in one advance`);
  }

  /** Of two that are due at once the later set one stands before the other. */
  private insert(alarm: Alarm): void {
    let at = this.alarms.length;
    while (at > 0 && (this.alarms[at - 1] as Alarm).atMs <= alarm.atMs) at -= 1;
    this.alarms.splice(at, 0, alarm);
  }

  private remove(alarm: Alarm): void {
    const at = this.alarms.indexOf(alarm);
    if (at >= 0) this.alarms.splice(at, 1);
  }
}

/** Lets every pending promise job run: one turn of the event loop, in no measurable time. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
