/** A piece of work that waits for its commit. */
export interface Waiting<Work, Result> {
  readonly work: Work;
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** Limits of a queue of commits. */
interface GroupLimits {
  /** Pieces of work that share one transaction, at most. */
  readonly maxBatch: number;
  /** Pieces of work that may wait; beyond it the disk is too slow to take more. */
  readonly maxWaiting: number;
}

/** Group commit: while one batch is on its way to the disk, the work that comes in forms the next. One batch runs at a time. */
export class GroupCommit<Work, Result> {
  readonly #commit: (batch: readonly Waiting<Work, Result>[]) => Promise<void>;
  readonly #limits: GroupLimits;
  readonly #refusal: (fault: 'overloaded' | 'closed', detail: string) => Error;
  readonly #waiting: Waiting<Work, Result>[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  /**
   * @param commit settles every piece of work of its batch and never rejects
   * @param refusal the error for work that is not taken
   */
  constructor(
    commit: (batch: readonly Waiting<Work, Result>[]) => Promise<void>,
    limits: GroupLimits,
    refusal: (fault: 'overloaded' | 'closed', detail: string) => Error,
  ) {
    this.#commit = commit;
    this.#limits = limits;
    this.#refusal = refusal;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when the work is committed. Rejects with the refusal when too much waits, or after {@link close}. */
  add(work: Work): Promise<Result> {
    const { maxWaiting } = this.#limits;
    if (this.#closed) return Promise.reject(this.#refusal('closed', 'no more is taken'));
    if (this.#waiting.length >= maxWaiting)
      return Promise.reject(this.#refusal('overloaded', `${maxWaiting} commits are waiting already`));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Takes away everything that waits. */
  takeAll(): readonly Waiting<Work, Result>[] {
    return this.#waiting.splice(0);
  }

  /** Resolves when nothing runs and nothing waits. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Takes no more, and carries out what waits. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.idle();
  }

  async #drain(): Promise<void> {
    // One turn of the event loop lets work that came in together share the first transaction.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, this.#limits.maxBatch));
    this.#running = undefined;
  }
}
