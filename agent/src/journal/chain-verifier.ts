import { equalConstantTime } from '@tillbridge/wire/bytes.js';
import type { BuiltKept, Checkpoint } from './compaction.js';
import { CHAIN_START, KEPT_START, keptHash, sealedHash, verifyChain } from './hash-chain.js';
import type { ChainReport, JournalHead } from './journal.js';
import type { BuiltRow } from './row-builder.js';

/** A journal as a verification reads it, page by page. A running agent may write, and compact, meanwhile. */
export interface ChainSource {
  /** The newest checkpoint. */
  checkpoint(): Promise<Checkpoint | undefined>;
  /** Rows above `row`, oldest first. */
  rows(afterRow: number, limit: number): Promise<readonly BuiltRow[]>;
  /** Entries of what was kept above `position`, oldest first. */
  kept(afterPosition: number, limit: number): Promise<readonly BuiltKept[]>;
  /** The sealed bytes of a message, and whether a row has its delivery status. */
  blob(messageId: string): Promise<{ readonly sealed?: Uint8Array; readonly isClosed: boolean }>;
  /** The last row, to show how far a verification is. */
  lastRow(): Promise<number>;
}

/** Rows and entries read at once. */
const PAGE = 1_000;

type Broken = Extract<ChainReport, { readonly ok: false }>;

/**
 * Recomputes everything from the start of the chain, or from its checkpoint: rows, what was kept, and the hashes of blobs.
 * Returns the first broken place.
 */
export async function verifyJournal(
  source: ChainSource,
  progress: (row: number, of: number) => void = () => undefined,
): Promise<ChainReport> {
  const checkpoint = await source.checkpoint();
  const rows = await verifyRows(source, checkpoint?.base ?? CHAIN_START, progress);
  if (!rows.ok) return rows;
  return (await verifyKept(source)) ?? rows;
}

async function verifyRows(
  source: ChainSource,
  from: JournalHead,
  progress: (row: number, of: number) => void,
): Promise<ChainReport> {
  let base = from;
  let start = from;
  for (;;) {
    const page = await source.rows(start.row, PAGE);
    const report = verifyChain(start, page);
    if (!report.ok) {
      // Compaction may have removed what was to be read next: then its checkpoint is the start.
      const moved = (await source.checkpoint())?.base;
      if (report.damage !== 'missing-row' || !moved || moved.row <= start.row) return report;
      base = moved;
      start = moved;
      continue;
    }
    const broken = await verifyBlobs(source, page);
    if (broken) return broken;
    if (page.length === 0) return { ...report, removedTo: base.row };
    start = { row: report.rows, hash: report.head };
    progress(start.row, Math.max(start.row, await source.lastRow()));
  }
}

/** The blobs of a page of rows: as they were sealed, or wiped because a row has their message's delivery status. */
export async function verifyBlobs(
  source: ChainSource,
  rows: readonly BuiltRow[],
): Promise<Broken | undefined> {
  for (const { row, messageId, blobHash } of rows) {
    if (!blobHash || messageId === undefined) continue;
    const { sealed, isClosed } = await source.blob(messageId);
    if (sealed && !equalConstantTime(sealedHash(sealed), blobHash)) {
      const problem = 'the sealed data of the row are not those that were written with it';
      return { ok: false, badRow: row, damage: 'changed-blob', problem };
    }
    if (!sealed && !isClosed) {
      const problem = 'the sealed data of a message that still waits are gone';
      return { ok: false, badRow: row, damage: 'missing-blob', problem };
    }
  }
  return undefined;
}

async function verifyKept(source: ChainSource): Promise<Broken | undefined> {
  let { position, hash } = KEPT_START;
  const broken = (badRow: number, problem: string): Broken => ({
    ok: false,
    badRow,
    damage: 'changed-kept',
    problem,
  });
  for (;;) {
    const page = await source.kept(position, PAGE);
    for (const entry of page) {
      if (entry.position !== position + 1)
        return broken(position + 1, 'an entry of what was kept is missing');
      if (!equalConstantTime(keptHash(hash, entry), entry.hash)) {
        return broken(entry.position, 'an entry of what was kept was changed');
      }
      ({ position, hash } = entry);
    }
    if (page.length === 0) break;
  }
  // Read last: a compaction that ran meanwhile has added to both.
  const stands = (await source.checkpoint())?.kept ?? KEPT_START;
  if (stands.position < position) return broken(stands.position + 1, 'an entry of what was kept was added');
  if (stands.position > position) {
    const later = await source.kept(position, 1);
    return later.length > 0
      ? verifyKept(source)
      : broken(position + 1, 'an entry of what was kept is missing');
  }
  return equalConstantTime(stands.hash, hash)
    ? undefined
    : broken(position, 'what was kept differs from the checkpoint');
}
