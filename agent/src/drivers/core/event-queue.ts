import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { PORT_CLOSED } from './command-link.js';
import { type SaleEnd, STOPPED_BY_TILL } from './result.js';

/** Most waiting events; older ones are dropped. */
const MAX_EVENTS = 64;

/** Why a wait ended without an event: timeout, stopped by the till, port closed. */
export type WaitEnd = 'timeout' | 'stopped' | 'gone';

/** Queue of unsolicited events of a device, for one reader at a time. */
export class EventQueue<E> {
  private readonly clock: Clock;
  private events: E[] = [];
  private waiter: (() => void) | undefined;
  private stopped = false;
  private gone = false;
  /** Called for each event as it comes, before the reader gets it. */
  onArrival: ((event: E) => void) | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  push(event: E): void {
    this.events.push(event);
    this.onArrival?.(event);
    if (this.events.length > MAX_EVENTS) this.events.shift();
    this.waiter?.();
  }

  /** A new command begins: an earlier {@link interrupt} no longer counts. */
  begin(): void {
    this.stopped = false;
  }

  /** Ends a wait that runs, and every further one until {@link begin}, as stopped. */
  interrupt(): void {
    this.stopped = true;
    this.waiter?.();
  }

  /** No more events will come. */
  end(): void {
    this.gone = true;
    this.waiter?.();
  }

  /** Drops the waiting events that `keep` does not take. */
  forget(keep: (event: E) => boolean = () => false): void {
    this.events = this.events.filter(keep);
  }

  /** Whether such an event is waiting. */
  has(wanted: (event: E) => boolean): boolean {
    return this.events.some(wanted);
  }

  /** The first event that `pick` takes, waiting or new; events that it does not take are dropped. */
  async next<T>(pick: (event: E) => T | undefined, timeoutMs: number): Promise<T | WaitEnd> {
    let late = false;
    const timer = this.clock.setTimer(timeoutMs, () => {
      late = true;
      this.waiter?.();
    });
    try {
      for (;;) {
        for (let event = this.events.shift(); event !== undefined; event = this.events.shift()) {
          const taken = pick(event);
          if (taken !== undefined) return taken;
        }
        if (this.stopped) return 'stopped';
        if (this.gone) return 'gone';
        if (late) return 'timeout';
        await new Promise<void>((resolve) => {
          this.waiter = resolve;
        });
      }
    } finally {
      this.waiter = undefined;
      timer.cancel();
    }
  }

  /** The same for a sale. Returns how the sale ends where nothing came. @param late its end when the time is up */
  async nextOrEnd<T>(
    pick: (event: E) => T | undefined,
    timeoutMs: number,
    late: SaleEnd,
  ): Promise<Exclude<T, string> | SaleEnd> {
    const event = await this.next(pick, timeoutMs);
    return typeof event === 'string' ? endOfWait(event as WaitEnd, late) : (event as Exclude<T, string>);
  }
}

/** How a sale ends whose wait ended without an event. @param late its end when the time is up */
export function endOfWait(why: WaitEnd, late: SaleEnd): SaleEnd {
  if (why === 'timeout') return late;
  return why === 'stopped' ? STOPPED_BY_TILL : PORT_CLOSED;
}
