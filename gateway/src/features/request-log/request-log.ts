import type { RequestLogRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';

/** Limits of the log on its way to the database. */
export const REQUEST_LOG_LIMITS = {
  /** Requests that wait to be written; further ones are dropped, and counted. */
  waiting: 2_000,
  /** Rows of one commit: small enough to hold up no payment behind it. */
  batch: 100,
  /** From a request until it is written, at most; milliseconds. */
  intervalMs: 1_000,
} as const;

/** Requests that were answered and wait to be written, a batch at a time. What cannot be written is dropped: no request waits for its log. */
export class RequestLog {
  /** Requests that are not in the log because too many waited, or the database did not take them. */
  dropped = 0;
  readonly #store: Pick<Store, 'commit'>;
  #waiting: RequestLogRow[] = [];
  #writing: Promise<void> | undefined;

  constructor(store: Pick<Store, 'commit'>) {
    this.#store = store;
  }

  /** Whether there is room for another request: what has none is not masked for nothing. */
  hasRoom(): boolean {
    if (this.#waiting.length < REQUEST_LOG_LIMITS.waiting) return true;
    this.dropped += 1;
    return false;
  }

  /** Takes a request that was answered; none where it is of no merchant, as of an operator who named none. */
  take(row: RequestLogRow | undefined): void {
    if (row) this.#waiting.push(row);
  }

  /** The same of one whose owner is being looked up; where that fails it is dropped. */
  takeLater(row: Promise<RequestLogRow | undefined>): void {
    row.then(
      (known) => this.take(known),
      () => {
        this.dropped += 1;
      },
    );
  }

  /** Writes what waits; a batch that the database does not take is dropped. @throws StoreUnavailableError */
  flush(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const rows = this.#waiting.splice(0, REQUEST_LOG_LIMITS.batch);
      try {
        await this.#store.commit(rows.map((row) => ({ op: 'insert', table: 'requestLog', row })));
      } catch (error) {
        this.dropped += rows.length;
        throw error;
      }
    }
  }

  /** Writes what waits, the last time. */
  async stop(): Promise<void> {
    await this.#writing?.catch(() => undefined);
    await this.flush().catch(() => undefined);
  }
}
