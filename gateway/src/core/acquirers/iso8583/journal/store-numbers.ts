import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { CommitConflict, type Store } from '../../../../kernel/store/store.js';
import type { NumberSource } from '../link/link-deps.js';
import type { NewNumber } from '../rules/decide-exchange.js';

/** Trace numbers in a row that are all different: 000001 to 999999. */
export const STAN_WINDOW = 999_999;
/** Numbers that a node takes at once. */
export const STAN_BLOCK = 200;
/** How long a node uses the numbers of a block, in milliseconds: others must not have come round to them. */
export const STAN_BLOCK_KEEP_MS = 10 * 60_000;

/**
 * Numbers that the clock alone lets pass, per second: fewer than a day has, so that none comes again within a day. A database that was restored
 * goes on where the clock is, behind what was used since its backup.
 */
export const NUMBERS_PER_SECOND = 10;
/**
 * How far ahead of the clock a process begins: behind those that a busy link may have used before a restore. Not ahead of what is stored, or the first
 * process after a restore would begin where the first one after the backup did.
 */
export const START_SKIP = 10_000;

/** What the source works with. */
interface StoreNumbersDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  /** Name of the acquirer. */
  readonly acquirer: string;
  readonly block?: number;
}

/** Numbers of messages, unique across the nodes on a database: each takes blocks of them for itself. */
export class StoreNumbers implements NumberSource {
  readonly #deps: StoreNumbersDeps;
  #next = 0;
  #end = 0;
  #blockEndsMs = 0;
  #taking: Promise<void> | undefined;

  constructor(deps: StoreNumbersDeps) {
    this.#deps = deps;
  }

  /** @throws StoreUnavailableError */
  async next(): Promise<NewNumber> {
    const { clock } = this.#deps;
    while (this.#next >= this.#end || clock.monotonicMs() >= this.#blockEndsMs) {
      this.#taking ??= this.#take().finally(() => {
        this.#taking = undefined;
      });
      await this.#taking;
    }
    const sequence = this.#next;
    this.#next += 1;
    return { sequence, stan: stanOf(sequence), at: timeText(clock.nowMs()) };
  }

  async #take(): Promise<void> {
    const { store, clock, acquirer, block = STAN_BLOCK } = this.#deps;
    for (;;) {
      const stored = await store.get('linkNumbers', [acquirer]);
      const byClock = Math.floor((clock.nowMs() * NUMBERS_PER_SECOND) / 1_000);
      const ahead = this.#end === 0 && stored ? START_SKIP : 0;
      const first = Math.max(stored?.nextSequence ?? 0, byClock + ahead);
      const row = { acquirer, nextSequence: first + block, version: stored?.version ?? 1 };
      try {
        await store.commit([{ op: stored ? 'update' : 'insert', table: 'linkNumbers', row }]);
      } catch (error) {
        // Another node was faster: its block is another one.
        if (error instanceof CommitConflict) continue;
        throw error;
      }
      this.#next = first;
      this.#end = first + block;
      this.#blockEndsMs = clock.monotonicMs() + STAN_BLOCK_KEEP_MS;
      return;
    }
  }
}

/** The trace number of a place among all messages: six digits, never 000000. */
export function stanOf(sequence: number): string {
  return String((sequence % STAN_WINDOW) + 1).padStart(6, '0');
}

/** The lowest place among all messages that one of a time, or after it, may have: a node uses the numbers of a block for a while. */
export function firstSequenceAt(ms: number): number {
  return Math.max(0, Math.floor(((ms - STAN_BLOCK_KEEP_MS) * NUMBERS_PER_SECOND) / 1_000));
}

/** `yyyyMMddHHmmss` in UTC. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14);
}
