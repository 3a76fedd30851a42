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

  constructor(parts: WaitDeadlineParts) {
    this.#parts = parts;
  }

  /**
   * Ends every wait that is over. Those at a gate come first: what they keep is wiped, whether an acquirer answers or not.
   * @throws StoreUnavailableError
   */
  async round(): Promise<void> {
    await this.#endAll(WAIT_KINDS.filter((kind) => kind !== 'redirect'));
    await this.#endAll(['redirect']);
  }

  async #endAll(kinds: readonly WaitKind[]): Promise<void> {
    const { store, clock } = this.#parts;
    const { batch: limit, atOnce } = DEADLINE_LIMITS;
    const below = clock.nowMs() + 1;
    // What cannot be ended yet is passed over: it holds up nothing behind it.
    for (let skip = 0; ; ) {
      const page = await store.findRange('waits', 'due', { below, among: { kind: kinds }, skip, limit });
      for (let at = 0; at < page.length; at += atOnce) {
        const ended = await Promise.all(page.slice(at, at + atOnce).map((wait) => this.#endOne(wait)));
        skip += ended.filter((isEnded) => !isEnded).length;
      }
      if (page.length < limit) return;
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
