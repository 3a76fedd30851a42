/** A value that survives JSON unchanged. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** What a row says; never card data, PIN blocks, keys or tokens (P7): those go into blobs, or nowhere. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** The kind that begins a sale; at most one row of it per reference, for ever (P2). */
export const FIRST_ROW = 'accepted';
/** The kinds that tell the fate of a stream message (`settles`). */
export const ACKNOWLEDGED_ROW = 'acknowledged';
export const PARKED_ROW = 'parked';

/** Limits of the journal, by name. */
export const JOURNAL_LIMITS = {
  /** Appends that may wait for the disk; beyond it the disk is too slow to accept more. */
  maxWaiting: 1_024,
  /** Appends that share one fsync. */
  maxBatch: 128,
  maxRowsPerWrite: 16,
  /** One row's data as JSON, bytes. */
  maxDataBytes: 16 * 1_024,
  /** One blob in clear, bytes. */
  maxBlobBytes: 8 * 1_024,
  /** The file, bytes. */
  maxFileBytes: 8 * 1_024 ** 3,
  /** How often an unavailable journal is tried again. */
  probeIntervalMs: 2_000,
  /** Rows at the end of the chain that are verified when the file is opened. */
  verifiedOnOpen: 1_000,
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
  /** The message whose fate this row tells. */
  readonly settles?: string;
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
}

/** What stands or falls together. */
export interface JournalWrite {
  readonly atMs: number;
  readonly rows: readonly NewRow[];
  /** Marks the sale as one that has no true end yet, or takes the mark away. */
  readonly sale?: { readonly reference: string; readonly open: boolean };
  /** Sensitive bytes, kept encrypted beside the rows until they are wiped. */
  readonly blobs?: readonly { readonly messageId: string; readonly bytes: Uint8Array }[];
  /** Message ids whose blobs are deleted and overwritten. */
  readonly wipe?: readonly string[];
}

/** Why the journal cannot be used; each has a way back. */
export type UnavailableReason =
  | 'disk-full'
  | 'read-only'
  | 'cannot-open'
  | 'locked'
  | 'io-error'
  | 'corrupt'
  | 'overloaded'
  | 'closed';

/** Nothing of the write was journaled, as far as can be known; the state tells when to try again. */
export class JournalUnavailable extends Error {
  override readonly name = 'JournalUnavailable';
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason, detail: string) {
    super(`journal unavailable (${reason}): ${detail}`);
    this.reason = reason;
  }
}

/** The write repeats a reference or a message id that the journal already has; nothing of it was journaled. */
export class DuplicateKey extends Error {
  override readonly name = 'DuplicateKey';
}

/** The write breaks a limit: a mistake of the caller. */
export class JournalLimitError extends Error {
  override readonly name = 'JournalLimitError';
}

/** Whether the journal takes writes. */
export type JournalState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly detail: string };

/** A stream message that is not acknowledged, and the row that parked it, if any. */
export interface OpenMessage {
  readonly row: JournalRow;
  readonly parked?: JournalRow;
}

/** What a verification of the chain found. */
export type ChainReport =
  | { readonly ok: true; readonly rows: number; readonly head: Uint8Array }
  | { readonly ok: false; readonly badRow: number; readonly problem: string };

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
  /** The row that brought the message into being. */
  rowOfMessage(messageId: string): Promise<JournalRow | undefined>;
  /** The newest row of a kind. */
  lastOfKind(kind: string): Promise<JournalRow | undefined>;
  /** Sales marked as open, in the order of their first row. */
  openSales(): Promise<readonly string[]>;
  /** Stream messages without an acknowledgement, by row. */
  openMessages(): Promise<readonly OpenMessage[]>;
  /** For each stream the number its next message will get. */
  nextSequences(): Promise<ReadonlyMap<string, number>>;
  /** The highest `atMs` ever written; 0 for an empty journal. */
  highestAtMs(): Promise<number>;
  /** Sensitive bytes kept for the message, in clear; the caller wipes its copy. `undefined` when none are kept. */
  blob(messageId: string): Promise<Uint8Array | undefined>;
  /** Recomputes the whole hash chain. */
  verify(): Promise<ChainReport>;
  close(): Promise<void>;
}
