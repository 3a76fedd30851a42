import type { DatabaseFault } from '@tillbridge/platform/sqlite/database-error.js';
import { NamedError } from '@tillbridge/wire/errors/coded-error.js';
import { JOURNAL_FAULTS } from '../errors/error-table.js';

/** A value that survives JSON unchanged. */
type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Content of a row; never card data, PIN blocks, keys or tokens (P7): those go into blobs, or nowhere. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** The kind that begins a sale; at most one row of it per reference, for ever (P2). */
export const FIRST_ROW = 'accepted';
/** The kinds that record the delivery status of a stream message (`statusOf`). */
const ACKNOWLEDGED_ROW = 'acknowledged';
const WITHDRAWN_ROW = 'withdrawn';
export const PARKED_ROW = 'parked';
/** Of these, the ones after which the message is out of the queue for good. */
export const CLOSING_ROWS: readonly string[] = [ACKNOWLEDGED_ROW, WITHDRAWN_ROW];
/** All of them. */
export const STATUS_ROWS: readonly string[] = [...CLOSING_ROWS, PARKED_ROW];
/** The kind that stands for removed rows: it carries the last removed hash. Only compaction writes it. */
export const CHECKPOINT_ROW = 'checkpoint';
/** The kind that raises the numbers of streams: `data` is the next sequence by terminal. */
export const STREAMS_ROW = 'streams';

/** The kind that begins a new generation: the journal was restored, or a person declared it good as it is. */
export const RESTORED_ROW = 'restored';

/** The kind that records whether this journal may still be the agent's. */
export const STANDING_ROW = 'standing';

/** The kind that keeps a head of this journal which the gateway has countersigned. */
export const COUNTERSIGNED_ROW = 'countersigned';

/** The first row of every journal that was not restored. */
export const OPENED_ROW = 'opened';

/** Limits of the journal, by name. */
export const JOURNAL_LIMITS = {
  /** Appends that may wait for the disk; beyond it the disk is too slow to accept more. */
  maxWaiting: 1_024,
  /** Appends that share one fsync. */
  maxBatch: 256,
  /** A sale with all of its captures parked, resolved in one write, needs about two for each. */
  maxRowsPerWrite: 256,
  /** One row's data as JSON, bytes. */
  maxDataBytes: 16 * 1_024,
  /** One blob in clear, bytes. */
  maxBlobBytes: 8 * 1_024,
  /** The file, bytes. */
  maxFileBytes: 8 * 1_024 ** 3,
  /** How often an unavailable journal is tried again. */
  probeIntervalMs: 2_000,
  /** How often a damaged file is looked at again: a person has to replace it first. */
  corruptProbeIntervalMs: 30_000,
  /** Rows at the end of the chain that are verified when the file is opened. */
  verifiedOnOpen: 1_000,
  /** Rows that one step of a compaction looks at and removes. */
  maxRowsPerCompaction: 500,
} as const;

/** One row to append. */
export interface NewRow {
  readonly kind: string;
  /** The sale; empty for rows of no sale. */
  readonly reference: string;
  readonly terminalId: string;
  readonly data: JsonObject;
  /** The bridge message that this row brings into being; unique for ever. */
  readonly messageId?: string;
  /** The message gets the next number of its terminal's stream, in the same transaction. */
  readonly inStream?: boolean;
  /** The message whose delivery status this row records. */
  readonly statusOf?: string;
}

/** A row of no sale. */
export function noSaleRow(kind: string, data: JsonObject): NewRow {
  return { kind, reference: '', terminalId: '', data };
}

/** A row as it stands. */
export interface JournalRow extends NewRow {
  /** From 1, without gaps. */
  readonly row: number;
  /** The writer's wall clock, milliseconds since 1970. */
  readonly atMs: number;
  /** Position in the terminal's stream from 1; 0 outside. */
  readonly sequence: number;
  /** SHA-256 over the row and the hash of the row before. */
  readonly hash: Uint8Array;
  /** SHA-256 of the sealed blob of the row's message: the chain vouches for the blob, which can be wiped all the same. */
  readonly blobHash?: Uint8Array;
}

/** What is left of a sale whose first rows were removed: its facts without card data, kept for ever. */
export interface CompactedSale {
  /** Position in the list of what was kept, from 1. */
  readonly position: number;
  readonly reference: string;
  /** The messages of the removed rows. */
  readonly messageIds: readonly string[];
  /** The fold of the removed rows, as `summarize` gave it. */
  readonly data: JsonObject;
  /** SHA-256 over the entry and the hash of the entry before. */
  readonly hash: Uint8Array;
}

/** One bounded step of a compaction. */
export interface Compaction {
  readonly atMs: number;
  /** No row above this one is removed. */
  readonly upToRow: number;
  /** The sale as it was before these rows (`before`, or nothing) and after them, as a value that is kept for ever; no card data. */
  readonly summarize: (
    reference: string,
    before: JsonObject | undefined,
    rows: readonly JournalRow[],
  ) => JsonObject;
  /** Kinds of rows of no sale whose newest row outlives the compaction in the checkpoint. */
  readonly carry: readonly string[];
}

/** What a step of a compaction did. */
export interface CompactionResult {
  readonly removedRows: number;
  /** The last removed row of all steps so far. */
  readonly removedTo: number;
  /** The sale that keeps the next row: it has no true end, or a message of it is not acknowledged. */
  readonly heldBy?: string;
}

/** Everything a copy needs to follow the journal from one place to a later one. */
export interface JournalPart {
  /** Rows behind the place, oldest first. */
  readonly rows: readonly JournalRow[];
  /** Entries behind the place, oldest first. */
  readonly kept: readonly CompactedSale[];
  /** Sealed blobs of the rows that are still there. */
  readonly blobs: readonly { readonly messageId: string; readonly sealed: Uint8Array }[];
  /** Messages whose delivery status the rows record, and whose blobs are wiped. */
  readonly wiped: readonly string[];
  /** The last row that compaction removed; the start of the chain while there is none. */
  readonly base: JournalHead;
}

/** Of a row, what the digest tree is made of (agent/docs/proofs.md). */
export type JournalLeaf = Pick<JournalRow, 'row' | 'hash' | 'reference'>;

/** What stands or falls together. */
export interface JournalWrite {
  readonly atMs: number;
  readonly rows: readonly NewRow[];
  /** Marks the sale as one that has no true end yet, or takes the mark away. */
  readonly sale?: { readonly reference: string; readonly open: boolean };
  /** Sensitive bytes, stored encrypted in a separate table until they are wiped. */
  readonly blobs?: readonly { readonly messageId: string; readonly bytes: Uint8Array }[];
  /** Message ids whose blobs are deleted and overwritten. */
  readonly wipe?: readonly string[];
}

/** Why the journal cannot be used; each has a way back. */
export type UnavailableReason = DatabaseFault;

/** Nothing of the write was journaled, as far as can be known; the state shows when to try again. */
export class JournalUnavailable extends NamedError {
  readonly reason: UnavailableReason;
  /** What is wrong, and what to do. */
  readonly detail: string;

  constructor(reason: UnavailableReason, detail: string) {
    const [, advice] = JOURNAL_FAULTS[reason];
    const whole = !detail.includes(advice) ? `${detail}; ${advice}` : detail;
    super(`journal unavailable (${reason}): ${whole}`);
    this.reason = reason;
    this.detail = whole;
  }
}

/** The write repeats a reference or a message id that the journal already has; nothing of it was journaled. */
export class DuplicateKey extends NamedError {}

/** The write breaks a limit: a mistake of the caller. */
export class JournalLimitError extends NamedError {}

/** Whether the journal takes writes. */
export type JournalState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly detail: string };

/** A stream message that is not acknowledged, and the row that parked it, if any. */
export interface OpenMessage {
  readonly row: JournalRow;
  readonly parked?: JournalRow;
}

/** What kind of damage a verification found. */
export type Damage =
  /** A row is not there, although later ones are. */
  | 'missing-row'
  /** A row differs from what was hashed, or was put in. */
  | 'changed-row'
  /** The sealed bytes of a row are not the ones that were hashed. */
  | 'changed-blob'
  /** The sealed bytes of a message that still waits are gone. */
  | 'missing-blob'
  /** An entry of what compaction kept was changed, removed or added. */
  | 'changed-kept'
  /** The file itself cannot be read there. */
  | 'unreadable';

/** What a verification of the chain found. `rows` counts up to the head; the first `removedTo` of them are a checkpoint. */
export type ChainReport =
  | { readonly ok: true; readonly rows: number; readonly head: Uint8Array; readonly removedTo: number }
  | {
      readonly ok: false;
      /** The first broken row; of `changed-kept` the position of the entry. */
      readonly badRow: number;
      readonly damage: Damage;
      readonly problem: string;
    };

/** Which rows of a kind to read. */
export interface RowRange {
  /** Their time: from here on, and before `untilMs`; milliseconds since 1970, the writer's wall clock. */
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Rows behind this one in their order; 0: from the first. */
  readonly afterRow: number;
  /** Default: oldest first. */
  readonly newestFirst?: boolean;
  readonly limit: number;
}

/** The last row and its hash; row 0 and zeros while there is none. */
export interface JournalHead {
  readonly row: number;
  readonly hash: Uint8Array;
}

/**
 * The append-only record of intents and outcomes. One process owns it.
 * Every method rejects with {@link JournalUnavailable} while the disk does not do its part.
 */
export interface Journal {
  readonly state: JournalState;
  readonly head: JournalHead;
  onState(listener: (state: JournalState) => void): () => void;
  /**
   * Appends all or nothing; resolves after the rows are synced to disk.
   * @throws JournalUnavailable, DuplicateKey, JournalLimitError
   */
  append(write: JournalWrite): Promise<readonly JournalRow[]>;
  rowsOf(reference: string): Promise<readonly JournalRow[]>;
  /** Rows above `row`, oldest first. */
  rowsAfter(row: number, limit: number): Promise<readonly JournalRow[]>;
  /** Rows of a kind that were written within a time; compaction removes the oldest ones. */
  rowsOfKind(kind: string, range: RowRange): Promise<readonly JournalRow[]>;
  /** Of the rows above `row`, oldest first, what the digest tree is made of. */
  leaves(afterRow: number, limit: number): Promise<readonly JournalLeaf[]>;
  /** The row that brought the message into being; `undefined` also when it was removed. */
  rowOfMessage(messageId: string): Promise<JournalRow | undefined>;
  /** The newest row of a kind; of a kind that compaction carries also a removed one. */
  lastOfKind(kind: string): Promise<JournalRow | undefined>;
  /** Sales marked as open, in the order of their first row. */
  openSales(): Promise<readonly string[]>;
  /** Stream messages without an acknowledgement, by row. */
  openMessages(): Promise<readonly OpenMessage[]>;
  /** For each stream the number its next message will get. */
  nextSequences(): Promise<ReadonlyMap<string, number>>;
  /** The highest `atMs` ever written; 0 for an empty journal. */
  highestAtMs(): Promise<number>;
  /** The highest `atMs` of the rows above a row; 0 when there are none. */
  highestAtMsAfter(row: number): Promise<number>;
  /** Sensitive bytes kept for the message, in clear; the caller wipes its copy. `undefined` when none are kept. */
  blob(messageId: string): Promise<Uint8Array | undefined>;
  /** What is kept of a sale whose first rows were removed; its later rows have the rest. */
  kept(reference: string): Promise<CompactedSale | undefined>;
  /** The hash of a row, or of the last removed one; `undefined` for rows that are not there. */
  hashAt(row: number): Promise<Uint8Array | undefined>;
  /** What stands behind a row and a kept entry: at most `limit` of each. */
  part(afterRow: number, afterKept: number, limit: number): Promise<JournalPart>;
  /**
   * Removes the oldest rows up to the first that must stay (an open sale's, or of a sale with an unacknowledged message), at most
   * {@link JOURNAL_LIMITS.maxRowsPerCompaction}, in one transaction with the checkpoint row that stands for them.
   * @throws JournalUnavailable
   */
  compact(step: Compaction): Promise<CompactionResult>;
  /** Recomputes the whole hash chain, that of what was kept, and the hashes of blobs. */
  verify(progress?: (row: number, of: number) => void): Promise<ChainReport>;
  /** Verifies the next `rows` rows, beginning anew behind the last one. A damage makes the journal unavailable (`corrupt`). */
  scrub(rows: number): Promise<void>;
  close(): Promise<void>;
}
