import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { WaitRow } from '../../store/rows.js';
import type { Store } from '../../store/store.js';
import { WAIT_KINDS, type WaitKind } from '../../store/tables/wait-kinds.js';
import { repeat } from '../../workers/repeat.js';

/** Limits of the work on deadlines. */
export const DEADLINE_LIMITS = {
  /** Waits that are read at once, the longest overdue first. */
  batch: 200,
  /** Waits that are ended at once: an acquirer that is away takes its time for each. */
  atOnce: 16,
  /** A wait that could not be ended so long after its deadline is told to a person, in milliseconds. */
  overdueMs: 10 * 60_000,
} as const;

/** What {@link WaitDeadlines} works with. */
export interface WaitDeadlineParts {
  readonly store: Pick<Store, 'findRange'>;
  readonly clock: Clock;
  /** Ends the wait of a payment whose deadline is over; undefined while it cannot be ended. */
  readonly end: (paymentId: string) => Promise<unknown>;
  readonly onFault: (what: string, error: unknown) => void;
}

/** Ends waits whose deadline is over. One that cannot be ended yet is tried again in the next round. */
export class WaitDeadlines {
  readonly #parts: WaitDeadlineParts;
  #end: (() => Promise<void>) | undefined;
  /** Waits that the last round found long overdue. */
  #overdue = 0;

  constructor(parts: WaitDeadlineParts) {
    this.#parts = parts;
  }

  /**
   * Ends every wait that is over. Those at a gate come first: what they keep is wiped, whether an acquirer answers or not.
   * @throws StoreUnavailableError
   */
  async round(): Promise<void> {
    const atGates = await this.#endAll(WAIT_KINDS.filter((kind) => kind !== 'redirect'));
    this.#overdue = atGates + (await this.#endAll(['redirect']));
  }

  /** What is wrong with waits that are long over; undefined while nothing is. */
  get fault(): string | undefined {
    const { overdueMs } = DEADLINE_LIMITS;
    return this.#overdue === 0
      ? undefined
      : `${this.#overdue} payments wait ${overdueMs / 60_000} minutes longer than they may`;
  }

  /** Ends the waits of these kinds; returns how many of those that stay are long overdue. */
  async #endAll(kinds: readonly WaitKind[]): Promise<number> {
    const { store, clock } = this.#parts;
    const { batch: limit, atOnce, overdueMs } = DEADLINE_LIMITS;
    const nowMs = clock.nowMs();
    const below = nowMs + 1;
    let overdue = 0;
    // What cannot be ended yet is passed over: it holds up nothing behind it.
    for (let skip = 0; ; ) {
      const page = await store.findRange('waits', 'due', { below, among: { kind: kinds }, skip, limit });
      for (let at = 0; at < page.length; at += atOnce) {
        const waits = page.slice(at, at + atOnce);
        const ended = await Promise.all(waits.map((wait) => this.#endOne(wait)));
        const left = waits.filter((_, place) => !ended[place]);
        skip += left.length;
        overdue += left.filter(({ dueAtMs }) => nowMs - (dueAtMs ?? nowMs) >= overdueMs).length;
      }
      if (page.length < limit) return overdue;
    }
  }

  /** Whether the wait is over now. */
  async #endOne({ paymentId }: WaitRow): Promise<boolean> {
    const { end, onFault } = this.#parts;
    try {
      return (await end(paymentId)) !== undefined;
    } catch (error) {
      onFault(`ending the wait of payment ${paymentId}`, error);
      return false;
    }
  }

  /** Runs a {@link round} now and every `intervalMs`, until {@link stop}. */
  start(intervalMs: number): void {
    const { clock, onFault } = this.#parts;
    const work = () => this.round();
    this.#end = repeat({
      clock,
      intervalMs,
      work,
      onFault: (error) => onFault('the deadlines of waits', error),
    });
  }

  /** Begins nothing new; resolves when the running round has ended. */
  async stop(): Promise<void> {
    await this.#end?.();
  }
}
