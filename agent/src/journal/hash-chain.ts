import { createHash } from 'node:crypto';
import { equalConstantTime } from '@tillbridge/protocol/bytes.js';
import type { ChainReport, JournalHead, NewRow } from './journal.js';

/** The hash before the first row. */
export const CHAIN_START: JournalHead = { row: 0, hash: new Uint8Array(32) };

/** A row as it is hashed: its data as the JSON text that is stored. */
export interface HashedRow extends Omit<NewRow, 'data' | 'inStream'> {
  readonly row: number;
  readonly atMs: number;
  readonly sequence: number;
  readonly dataText: string;
}

/** SHA-256 over the previous hash and the row's fields as one JSON list (no two rows share a text). */
export function rowHash(previous: Uint8Array, row: HashedRow): Uint8Array {
  const fields = [
    row.row,
    row.atMs,
    row.kind,
    row.reference,
    row.terminalId,
    row.messageId ?? null,
    row.sequence,
    row.settles ?? null,
    row.dataText,
  ];
  return createHash('sha256').update(previous).update(JSON.stringify(fields)).digest();
}

/**
 * Checks rows that follow `start` without a gap, each with the hash that was stored with it.
 * Tells the first row that was changed, removed or added.
 */
export function verifyChain(
  start: JournalHead,
  rows: readonly (HashedRow & { readonly hash: Uint8Array })[],
): ChainReport {
  let { row: last, hash: previous } = start;
  for (const row of rows) {
    if (row.row !== last + 1) return { ok: false, badRow: last + 1, problem: 'row is missing' };
    if (!equalConstantTime(rowHash(previous, row), row.hash)) {
      return { ok: false, badRow: row.row, problem: 'hash does not match the row and the rows before it' };
    }
    last = row.row;
    previous = row.hash;
  }
  return { ok: true, rows: last, head: previous };
}
