import {
  type Compaction,
  type CompactionResult,
  JOURNAL_LIMITS,
  type JournalRow,
  JournalUnavailable,
  type JournalWrite,
} from './journal.js';

/** A write of a caller, or a step of a compaction, which finds its rows inside the transaction. */
export interface QueuedWrite extends JournalWrite {
  readonly compaction?: { readonly step: Compaction; readonly done: (result: CompactionResult) => void };
}

/** A write that waits for its commit. */
export interface PendingWrite {
  readonly write: QueuedWrite;
  resolve(rows: readonly JournalRow[]): void;
  reject(error: Error): void;
}

/** Group commit: while one batch is on its way to the disk, the writes that come in form the next. */
export class CommitQueue {
  readonly #commit: (batch: readonly PendingWrite[]) => Promise<void>;
  #pending: PendingWrite[] = [];
  #running: Promise<void> | undefined;

  /** `commit` settles every write of its batch and never rejects. */
  constructor(commit: (batch: readonly PendingWrite[]) => Promise<void>) {
    this.#commit = commit;
  }

  get waiting(): number {
    return this.#pending.length;
  }

  /** @throws JournalUnavailable `overloaded` beyond {@link JOURNAL_LIMITS.maxWaiting} */
  add(write: QueuedWrite): Promise<readonly JournalRow[]> {
    if (this.#pending.length >= JOURNAL_LIMITS.maxWaiting) {
      return Promise.reject(
        new JournalUnavailable('overloaded', `${this.#pending.length} writes wait for the disk`),
      );
    }
    const committed = new Promise<readonly JournalRow[]>((resolve, reject) => {
      this.#pending.push({ write, resolve, reject });
    });
    this.#running ??= this.#drain();
    return committed;
  }

  /** Takes away everything that waits. */
  takeAll(): readonly PendingWrite[] {
    return this.#pending.splice(0);
  }

  /** Resolves when nothing runs and nothing waits. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    // Writes of the same turn of the event loop share the first batch, too.
    await Promise.resolve();
    while (this.#pending.length > 0) await this.#commit(this.#pending.splice(0, JOURNAL_LIMITS.maxBatch));
    this.#running = undefined;
  }
}
