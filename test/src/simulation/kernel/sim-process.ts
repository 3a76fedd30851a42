import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { Trace } from './trace.js';

/** How a process ends: `kill` leaves what the operating system holds, `power` takes everything that was not synced. */
export type DeathKind = 'kill' | 'power';

/** Wall clock of one machine: its own error on top of the simulation's time. */
export interface WallClock {
  offsetMs: number;
}

/** A wall clock that remembers whether it was ever wrong. */
export class WatchedWallClock implements WallClock {
  #offsetMs = 0;
  #wasWrong = false;

  get offsetMs(): number {
    return this.#offsetMs;
  }

  set offsetMs(offsetMs: number) {
    this.#offsetMs = offsetMs;
    this.#wasWrong ||= offsetMs !== 0;
  }

  get wasWrong(): boolean {
    return this.#wasWrong;
  }
}

/**
 * One process of a simulation: as long as it runs its timers fire and its calls reach the outside. A dead one may still run to
 * the end of its promises, but it has no effect any more, as after `kill -9`.
 */
export class SimProcess {
  readonly name: string;
  readonly clock: Clock;
  readonly #trace: Trace;
  readonly #deathListeners: ((how: DeathKind) => void)[] = [];
  readonly #timers = new Set<Timer>();
  #alive = true;
  /** What goes on once the process is not stopped any more; undefined while it runs. */
  #stopped: (() => void)[] | undefined;
  #effects = 0;
  #stopAt: { readonly effect: number; readonly stopped: () => void } | undefined;
  #dieAt: { readonly effect: number; readonly how: DeathKind } | undefined;

  constructor(name: string, simulation: Clock, wall: WallClock, trace: Trace) {
    this.name = name;
    this.#trace = trace;
    const bootMs = simulation.monotonicMs();
    this.clock = {
      nowMs: () => simulation.nowMs() + wall.offsetMs,
      monotonicMs: () => simulation.monotonicMs() - bootMs,
      setTimer: (delayMs, fire) => this.#setTimer(simulation, delayMs, fire),
    };
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Effects that the process has had on the outside so far. */
  get effects(): number {
    return this.#effects;
  }

  /** Stands still as after SIGSTOP before its `after`th effect from now, until {@link goOn}: what it waits for happens, and no event reaches it. */
  stopAfter(after: number, stopped: () => void): void {
    this.#stopAt = { effect: this.#effects + after, stopped };
  }

  goOn(): void {
    this.#stopAt = undefined;
    const acts = this.#stopped ?? [];
    this.#stopped = undefined;
    for (const act of acts) act();
  }

  /** Calls `act` now, or when the process goes on. */
  whenRunning(act: () => void): void {
    if (this.#stopped) this.#stopped.push(act);
    else act();
  }

  /** What to wait for before an effect; undefined while the process runs: then nothing is waited for. */
  get pause(): Promise<void> | undefined {
    const stop = this.#stopAt;
    if (stop && this.#effects >= stop.effect && this.#alive) {
      this.#stopAt = undefined;
      this.#stopped ??= [];
      stop.stopped();
    }
    return this.#stopped && new Promise((resolve) => this.whenRunning(resolve));
  }

  /** Dies when it is about to have its `after`th effect from now. */
  dieAfter(after: number, how: DeathKind): void {
    this.#dieAt = { effect: this.#effects + after, how };
  }

  /** The process is about to touch the outside, or has just done so. @returns false when it died of it */
  effect(what: string): boolean {
    if (!this.#alive) return false;
    this.#effects += 1;
    const end = this.#dieAt;
    if (end && this.#effects >= end.effect) {
      this.#trace.add(this.name, `${end.how === 'kill' ? 'killed' : 'power cut'} at ${what}`);
      this.die(end.how);
    }
    return this.#alive;
  }

  /** Calls `listener` when the process dies. */
  onDeath(listener: (how: DeathKind) => void): void {
    this.#deathListeners.push(listener);
  }

  die(how: DeathKind): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#stopped = undefined;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    for (const listener of this.#deathListeners) listener(how);
  }

  /** A call to the outside: the process may die before it, or before it gets the answer. */
  async call<T>(what: string, work: () => Promise<T>): Promise<T> {
    const before = this.pause;
    if (before) await before;
    if (!this.effect(`${what}, before`)) return never();
    try {
      const result = await work();
      const after = this.pause;
      if (after) await after;
      return this.effect(`${what}, after`) ? result : await never<T>();
    } catch (error) {
      if (this.#alive) throw error;
      return never();
    }
  }

  #setTimer(simulation: Clock, delayMs: number, fire: () => void): Timer {
    if (!this.#alive) return { cancel: () => undefined };
    const timer = simulation.setTimer(delayMs, () => {
      this.#timers.delete(timer);
      this.whenRunning(fire);
    });
    this.#timers.add(timer);
    return {
      cancel: () => {
        this.#timers.delete(timer);
        timer.cancel();
      },
    };
  }
}

/** What a dead process waits for. */
export function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
