import { createHash } from 'node:crypto';
import { equalConstantTime, toHex } from '@tillbridge/wire/bytes.js';
import { chainedRowText } from '@tillbridge/wire/proof/row-text.js';
import type { ChainReport, CompactedSale, JournalHead, NewRow } from './journal.js';

/** The hash before the first row. */
export const CHAIN_START: JournalHead = { row: 0, hash: new Uint8Array(32) };

/** A row as it is hashed: its data as the JSON text that is stored. */
interface HashedRow extends Omit<NewRow, 'data' | 'inStream'> {
  readonly row: number;
  readonly atMs: number;
  readonly sequence: number;
  readonly dataText: string;
  readonly blobHash?: Uint8Array;
}

/** SHA-256 over the previous hash and the row's fields as one JSON list (no two rows share a text). */
export function rowHash(previous: Uint8Array, row: HashedRow): Uint8Array {
  const text = chainedRowText(row, row.blobHash && toHex(row.blobHash));
  return createHash('sha256').update(previous).update(text).digest();
}

/**
 * Checks rows that follow `start` without a gap, each with the hash that was stored with it.
 * Returns the first row that was changed, removed or added.
 */
export function verifyChain(
  start: JournalHead,
  rows: readonly (HashedRow & { readonly hash: Uint8Array })[],
): ChainReport {
  let { row: last, hash: previous } = start;
  for (const row of rows) {
    if (row.row !== last + 1) {
      return { ok: false, badRow: last + 1, damage: 'missing-row', problem: 'row is missing' };
    }
    if (!equalConstantTime(rowHash(previous, row), row.hash)) {
      const problem = 'hash does not match the row and the rows before it';
      return { ok: false, badRow: row.row, damage: 'changed-row', problem };
    }
    last = row.row;
    previous = row.hash;
  }
  return { ok: true, rows: last, head: previous, removedTo: start.row };
}

/** SHA-256 over sealed bytes, as rows carry it. */
export function sealedHash(sealed: Uint8Array): Uint8Array {
  return createHash('sha256').update(sealed).digest();
}

/** Where the list of what was kept stands. */
export interface KeptHead {
  readonly position: number;
  readonly hash: Uint8Array;
}

/** The list before its first entry. */
export const KEPT_START: KeptHead = { position: 0, hash: new Uint8Array(32) };

/** SHA-256 over the previous entry's hash and the entry's fields. */
export function keptHash(
  previous: Uint8Array,
  entry: Pick<CompactedSale, 'position' | 'reference' | 'messageIds'> & { readonly dataText: string },
): Uint8Array {
  const fields = [entry.position, entry.reference, entry.messageIds, entry.dataText];
  return createHash('sha256').update(previous).update(JSON.stringify(fields)).digest();
}
