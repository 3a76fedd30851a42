import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Store } from '../../store/store.js';
import { repeat } from '../../workers/repeat.js';

/** Limits of the work on deadlines. */
export const DEADLINE_LIMITS = {
  /** Waits that are read in one round, the longest overdue first. */
  batch: 200,
} as const;

/** What {@link WaitDeadlines} works with. */
export interface WaitDeadlineParts {
  readonly store: Pick<Store, 'findRange'>;
  readonly clock: Clock;
  /** Ends the wait of a payment whose deadline is over. */
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

  /** Ends every wait that is over, up to {@link DEADLINE_LIMITS.batch}. @throws StoreUnavailableError */
  async round(): Promise<void> {
    const { store, clock, end, onFault } = this.#parts;
    const { batch: limit } = DEADLINE_LIMITS;
    for (const { paymentId } of await store.findRange('waits', 'due', { below: clock.nowMs() + 1, limit }))
      await end(paymentId).catch((error: unknown) =>
        onFault(`ending the wait of payment ${paymentId}`, error),
      );
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
