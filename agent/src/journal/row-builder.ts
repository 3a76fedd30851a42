import { CHAIN_START, rowHash, sealedHash } from './hash-chain.js';
import {
  JOURNAL_LIMITS,
  type JournalHead,
  JournalLimitError,
  type JournalRow,
  type JournalWrite,
  type JsonObject,
  type NewRow,
  STREAMS_ROW,
} from './journal.js';

/** A row ready to be stored: its data as text and as value. */
export interface BuiltRow extends JournalRow {
  readonly dataText: string;
}

/** Where the journal stands: the next row, hash and stream numbers follow from it. */
export interface Cursor {
  readonly head: JournalHead;
  readonly nextSequences: ReadonlyMap<string, number>;
  /** The last removed row; the start of the chain while nothing was removed. */
  readonly base: JournalHead;
}

/** The cursor of an empty journal. */
export const EMPTY_CURSOR: Cursor = { head: CHAIN_START, nextSequences: new Map(), base: CHAIN_START };

/** @throws JournalLimitError naming the limit */
export function checkWrite(write: JournalWrite): void {
  const { maxRowsPerWrite, maxBlobBytes } = JOURNAL_LIMITS;
  if (write.rows.length > maxRowsPerWrite) throw limit('rows', write.rows.length, maxRowsPerWrite);
  for (const { messageId, bytes } of write.blobs ?? []) {
    if (bytes.length > maxBlobBytes) throw limit('blob bytes', bytes.length, maxBlobBytes);
    // The chain covers a blob through its row: one without a row could be changed unseen.
    if (!write.rows.some((row) => row.messageId === messageId)) {
      throw new JournalLimitError('journal write has a blob whose message none of its rows creates');
    }
  }
}

/**
 * Numbers, hashes and serialises rows behind the cursor, and gives the cursor behind them. `sealed` are the blobs as they are stored.
 * @throws JournalLimitError when a row's data is too long
 */
export function buildRows(
  cursor: Cursor,
  atMs: number,
  rows: readonly NewRow[],
  sealed: ReadonlyMap<string, Uint8Array> = new Map(),
): { rows: BuiltRow[]; cursor: Cursor } {
  let head = cursor.head;
  const nextSequences = rows.some(movesStream) ? new Map(cursor.nextSequences) : undefined;
  const built = rows.map((row) => {
    const dataText = JSON.stringify(row.data);
    const bytes = Buffer.byteLength(dataText);
    if (bytes > JOURNAL_LIMITS.maxDataBytes) throw limit('data bytes', bytes, JOURNAL_LIMITS.maxDataBytes);
    const sequence = row.inStream ? (nextSequences?.get(row.terminalId) ?? 1) : 0;
    if (sequence > 0) nextSequences?.set(row.terminalId, sequence + 1);
    if (nextSequences && row.kind === STREAMS_ROW) raise(nextSequences, row.data);
    const blob = row.messageId === undefined ? undefined : sealed.get(row.messageId);
    const blobHash = blob && { blobHash: sealedHash(blob) };
    const numbered = { ...row, row: head.row + 1, atMs, sequence, dataText, ...blobHash, hash: head.hash };
    numbered.hash = rowHash(head.hash, numbered);
    head = { row: numbered.row, hash: numbered.hash };
    return numbered;
  });
  return { rows: built, cursor: { ...cursor, head, ...(nextSequences && { nextSequences }) } };
}

function movesStream({ inStream, kind }: NewRow): boolean {
  return inStream === true || kind === STREAMS_ROW;
}

/** Raises each stream to at least the number that stands in the data of a streams row or a checkpoint. */
export function raise(nextSequences: Map<string, number>, data: JsonObject): void {
  for (const [terminalId, next] of Object.entries(data)) {
    if (typeof next === 'number')
      nextSequences.set(terminalId, Math.max(next, nextSequences.get(terminalId) ?? 1));
  }
}

function limit(what: string, is: number, most: number): JournalLimitError {
  return new JournalLimitError(`journal write has ${is} ${what}, limit ${most}`);
}
