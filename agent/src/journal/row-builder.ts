import { CHAIN_START, rowHash } from './hash-chain.js';
import {
  JOURNAL_LIMITS,
  type JournalHead,
  JournalLimitError,
  type JournalRow,
  type JournalWrite,
  type NewRow,
} from './journal.js';

/** A row ready to be stored: its data as text beside the value. */
export interface BuiltRow extends JournalRow {
  readonly dataText: string;
}

/** Where the journal stands: the next row, hash and stream numbers follow from it. */
export interface Cursor {
  readonly head: JournalHead;
  readonly nextSequences: ReadonlyMap<string, number>;
}

/** The cursor of an empty journal. */
export const EMPTY_CURSOR: Cursor = { head: CHAIN_START, nextSequences: new Map() };

/** @throws JournalLimitError naming the limit */
export function checkWrite(write: JournalWrite): void {
  const { maxRowsPerWrite, maxBlobBytes } = JOURNAL_LIMITS;
  if (write.rows.length > maxRowsPerWrite) throw limit('rows', write.rows.length, maxRowsPerWrite);
  for (const { bytes } of write.blobs ?? []) {
    if (bytes.length > maxBlobBytes) throw limit('blob bytes', bytes.length, maxBlobBytes);
  }
}

/**
 * Numbers, hashes and serialises rows behind the cursor, and gives the cursor behind them.
 * @throws JournalLimitError when a row's data is too long
 */
export function buildRows(
  cursor: Cursor,
  atMs: number,
  rows: readonly NewRow[],
): { rows: BuiltRow[]; cursor: Cursor } {
  let head = cursor.head;
  const nextSequences = new Map(cursor.nextSequences);
  const built = rows.map((row) => {
    const dataText = JSON.stringify(row.data);
    const bytes = Buffer.byteLength(dataText);
    if (bytes > JOURNAL_LIMITS.maxDataBytes) throw limit('data bytes', bytes, JOURNAL_LIMITS.maxDataBytes);
    const sequence = row.inStream ? (nextSequences.get(row.terminalId) ?? 1) : 0;
    if (sequence > 0) nextSequences.set(row.terminalId, sequence + 1);
    const numbered = { ...row, row: head.row + 1, atMs, sequence, dataText };
    const hash = rowHash(head.hash, numbered);
    head = { row: numbered.row, hash };
    return { ...numbered, hash };
  });
  return { rows: built, cursor: { head, nextSequences } };
}

function limit(what: string, is: number, most: number): JournalLimitError {
  return new JournalLimitError(`journal write has ${is} ${what}, limit ${most}`);
}
