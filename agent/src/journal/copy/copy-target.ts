import { JOURNAL_LIMITS } from '../journal.js';

/** What an entry of a copy holds. */
export type CopyKind =
  /** Identity, blob key, tills' token and generation: what a new home needs. */
  | 'home'
  /** Up to where the copy follows the journal. */
  | 'place'
  | 'row'
  | 'kept'
  | 'blob';

/** One entry, sealed under the copy's key: the replica can read nothing but its kind, number and name. */
export interface CopyEntry {
  readonly kind: CopyKind;
  /** The row, or the position of a kept entry; 0 for others. */
  readonly number: number;
  /** The message id of a blob; empty for others. */
  readonly name: string;
  readonly sealed: Uint8Array;
}

/** What becomes true of a copy at once, or not at all. */
export interface CopyBatch {
  readonly put: readonly CopyEntry[];
  /** Message ids whose blobs go. */
  readonly dropBlobs: readonly string[];
  /** Rows up to this one go; 0: none. */
  readonly dropRowsTo: number;
}

/** Limits of a copy, by name. */
export const COPY_LIMITS = {
  /** Rows and kept entries in one batch: as many rows as one write may have. */
  maxEntriesPerBatch: JOURNAL_LIMITS.maxRowsPerWrite,
  /** How long a write waits for a required copy before it goes on without it. */
  waitMs: 2_000,
  /** First and longest wait before a copy that failed is tried again. */
  retryMinMs: 1_000,
  retryMaxMs: 30_000,
  /** Rows that a best-effort copy may be behind before it is an alarm. */
  alarmRows: 1_000,
  /** Copies of earlier journals that are stored next to the current one. */
  maxAside: 3,
} as const;

/** Where a copy is kept. */
export interface CopyTarget {
  /** An entry by its place. @throws CopyUnavailable */
  get(kind: CopyKind, number: number, name?: string): Promise<Uint8Array | undefined>;
  /** Entries of a kind behind a place (by number, then name), in order. @throws CopyUnavailable */
  list(
    kind: CopyKind,
    after: Pick<CopyEntry, 'number' | 'name'>,
    limit: number,
  ): Promise<readonly CopyEntry[]>;
  /** Resolves after the batch is durable. @throws CopyUnavailable: nothing of it was written */
  write(batch: CopyBatch): Promise<void>;
  /** Puts what is there aside, and begins empty: the journal is not the one that was copied. @throws CopyUnavailable */
  beginAnew(): Promise<void>;
  close(): Promise<void>;
}
