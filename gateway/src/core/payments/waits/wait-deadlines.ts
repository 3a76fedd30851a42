import type { Seams } from '@tillbridge/wire/seams/seams.js';
import type { WaitRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { WAIT_KINDS, type WaitKind } from '../../../kernel/store/tables/wait-kinds.js';
import type { ClaimLoop, ClaimNode } from '../../../kernel/workers/claim-loop.js';
import { claimRows } from '../../../kernel/workers/claim-rows.js';
import { repeat } from '../../../kernel/workers/repeat.js';
import type { WaitCause } from '../rules/waits.js';

/** Limits of the work on deadlines. */
export const DEADLINE_LIMITS = {
  /** Waits of a kind that are ended at once: an acquirer that is away takes its time for each. */
  concurrency: 16,
  /** When one is tried again that could not be ended, in milliseconds: at first, and at last. In between it is half the time since its deadline. */
  retryMs: 10_000,
  lastRetryMs: 5 * 60_000,
  /** When one is tried again whose work never comes to an end, in milliseconds: nothing but an outcome ends it. */
  poisonedMs: 3_600_000,
  /** A wait that could not be ended so long after its deadline raises an alert, in milliseconds. */
  overdueMs: 10 * 60_000,
  /** How many of a kind are counted of those at most. */
  counted: 200,
} as const;

/** What {@link WaitDeadlines} works with. */
interface WaitDeadlineDeps extends Seams {
  readonly store: Pick<Store, 'findRange' | 'commit'>;
  readonly node?: ClaimNode | undefined;
  /** Ends the wait of a payment whose deadline is over, or that has news; undefined while it cannot be ended. */
  readonly end: (paymentId: string, why: WaitCause) => Promise<unknown>;
  readonly onFault: (what: string, error: unknown) => void;
}

/**
 * Ends waits whose deadline is over, each kind in its own loop: a bank that is away holds up no payment at a gate, whose card data is
 * wiped at its end.
 */
export class WaitDeadlines {
  readonly #deps: WaitDeadlineDeps;
  readonly #loops: readonly ClaimLoop<WaitRow>[];
  #end: (() => Promise<void>) | undefined;
  /** Waits that the last count found long overdue. */
  #overdue = 0;

  constructor(deps: WaitDeadlineDeps) {
    this.#deps = deps;
    this.#loops = WAIT_KINDS.map((kind) => loopOf(deps, kind));
  }

  /** Ends every wait that is due, and counts those long overdue. @throws StoreUnavailableError */
  async round(): Promise<void> {
    this.#wake();
    await Promise.all(this.#loops.map((loop) => loop.idle()));
    await this.#count();
  }

  /** What is wrong with waits that are long over; undefined while nothing is. */
  get fault(): string | undefined {
    const { overdueMs } = DEADLINE_LIMITS;
    return this.#overdue === 0
      ? undefined
      : `${this.#overdue} payments wait ${overdueMs / 60_000} minutes longer than they may`;
  }

  /** Looks for waits that are over now and every `intervalMs`, until {@link stop}. */
  start(intervalMs: number): void {
    const { clock, onFault } = this.#deps;
    const work = async (): Promise<void> => {
      this.#wake();
      await this.#count();
    };
    this.#end = repeat({
      clock,
      intervalMs,
      work,
      onFault: (error) => onFault('the deadlines of waits', error),
    });
  }

  /** Begins nothing new; resolves when what is worked on has ended. */
  async stop(): Promise<void> {
    await Promise.all([this.#end?.(), ...this.#loops.map((loop) => loop.stop())]);
  }

  #wake(): void {
    for (const loop of this.#loops) loop.wake();
  }

  async #count(): Promise<void> {
    const { store, clock } = this.#deps;
    const { overdueMs, counted: limit } = DEADLINE_LIMITS;
    const range = { below: clock.nowMs() - overdueMs + 1, limit };
    const found = await Promise.all(
      WAIT_KINDS.map((kind) => store.findRange('waits', 'until', { ...range, equals: [kind] })),
    );
    this.#overdue = found.flat().length;
  }
}

/** Whether the deadline of a wait is over; what has news is due before it. */
function isOver({ untilMs }: Pick<WaitRow, 'untilMs'>, nowMs: number): boolean {
  return untilMs === null || untilMs <= nowMs;
}

/** When a wait is tried again that could not be ended. One that was looked at for its news goes on to its deadline. */
function retryAtMs({ untilMs }: WaitRow, nowMs: number): number {
  const { retryMs, lastRetryMs } = DEADLINE_LIMITS;
  if (untilMs !== null && !isOver({ untilMs }, nowMs)) return untilMs;
  const overdueMs = nowMs - (untilMs ?? nowMs);
  return nowMs + Math.min(lastRetryMs, Math.max(retryMs, Math.ceil(overdueMs / 2)));
}

function loopOf({ end, onFault, ...deps }: WaitDeadlineDeps, kind: WaitKind): ClaimLoop<WaitRow> {
  const { clock } = deps;
  const { concurrency, poisonedMs } = DEADLINE_LIMITS;
  return claimRows('waits', {
    ...deps,
    equals: [kind],
    // The commit of the outcome, or of going on, gives the wait back.
    work: async (row) =>
      (await end(row.paymentId, isOver(row, clock.nowMs()) ? 'deadline' : 'news')) === undefined
        ? { row: { ...row, dueAtMs: retryAtMs(row, clock.nowMs()) } }
        : undefined,
    poisoned: (row, nowMs) => ({ row: { ...row, claims: 0, dueAtMs: nowMs + poisonedMs } }),
    // Every round wakes it.
    limits: { concurrency, pollMs: 60_000 },
    onFault: (error) => onFault('ending a wait whose deadline is over', error),
  });
}
