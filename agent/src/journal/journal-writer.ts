import type { CommitResult } from '@tillbridge/platform/metrics/commit-metrics.js';
import { GroupCommit, type Waiting } from '@tillbridge/platform/sqlite/group-commit.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { type CrashPoint, crashNow } from './crash-point.js';
import { CHECKPOINT_ROW, JOURNAL_LIMITS, type JournalRow, JournalUnavailable } from './journal.js';
import type { QueuedWrite } from './sqlite-write.js';

/** What became of one write of a transaction: its rows, or why it was refused. */
export type WriteResult = { readonly rows: readonly JournalRow[] } | { readonly error: Error };

/** The disk below the writer. */
export interface JournalWriterPorts {
  readonly clock: Clock;
  /**
   * One transaction for the whole batch: resolves when it is durable, with what became of each write.
   * Rejects when nothing of it counts.
   */
  write(batch: readonly QueuedWrite[]): Promise<readonly WriteResult[]>;
  /** The batch is durable and its callers were answered; the next batch waits for it. */
  answered?(batch: readonly QueuedWrite[]): Promise<void>;
  /** Nothing of the batch counts and its callers got the error; the next batch waits for it. */
  failed(fault: JournalUnavailable): Promise<void>;
  /** Where a test wants this process to die. */
  readonly crashAt?: CrashPoint;
  /** Called after every transaction. */
  readonly onCommit?: (commit: CommitResult) => void;
}

type PendingWrite = Waiting<QueuedWrite, readonly JournalRow[]>;

/**
 * The single writer of a journal: writes that wait while a transaction runs share the next one and its fsync (group commit). A caller
 * is answered only when the transaction of its write is durable. A fault refuses everything that waits.
 */
export class JournalWriter {
  readonly #ports: JournalWriterPorts;
  readonly #queue: GroupCommit<QueuedWrite, readonly JournalRow[]>;

  constructor(ports: JournalWriterPorts) {
    this.#ports = ports;
    this.#queue = new GroupCommit(
      (batch) => this.#commit(batch),
      JOURNAL_LIMITS,
      (fault, detail) => new JournalUnavailable(fault, detail),
    );
  }

  /** Writes that wait for a transaction. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Resolves with the rows when they are durable. @throws JournalUnavailable, DuplicateKey, JournalLimitError */
  add(write: QueuedWrite): Promise<readonly JournalRow[]> {
    return this.#queue.add(write);
  }

  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  async #commit(batch: readonly PendingWrite[]): Promise<void> {
    const { clock, onCommit } = this.#ports;
    const writes = batch.map(({ work }) => work);
    this.#crashIf('before', writes);
    const startedMs = clock.monotonicMs();
    const report = (ok: boolean): void => {
      onCommit?.({ writes: batch.length, seconds: (clock.monotonicMs() - startedMs) / 1_000, ok });
    };
    try {
      const results = await this.#ports.write(writes);
      report(true);
      this.#crashIf('after', writes);
      for (const [index, pending] of batch.entries()) settle(pending, results[index]);
      await this.#ports.answered?.(writes);
    } catch (error) {
      report(false);
      const fault = asUnavailable(error);
      for (const pending of [...batch, ...this.#queue.takeAll()]) pending.reject(fault);
      await this.#ports.failed(fault);
    }
  }

  #crashIf(moment: CrashPoint['moment'], batch: readonly QueuedWrite[]): void {
    const { crashAt } = this.#ports;
    if (crashAt?.moment !== moment) return;
    if (batch.some((write) => kindsOf(write).includes(crashAt.kind))) crashNow();
  }
}

/** The fault of the journal that an error of its disk stands for. */
export function asUnavailable(error: unknown): JournalUnavailable {
  if (error instanceof JournalUnavailable) return error;
  return new JournalUnavailable('io-error', error instanceof Error ? error.message : String(error));
}

function kindsOf({ compaction, rows }: QueuedWrite): readonly string[] {
  return compaction ? [CHECKPOINT_ROW] : rows.map(({ kind }) => kind);
}

function settle(pending: PendingWrite, result: WriteResult | undefined): void {
  if (result && 'rows' in result) pending.resolve(result.rows);
  else pending.reject(result?.error ?? new Error('a write of the batch has no result'));
}
