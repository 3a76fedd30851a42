import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { withLeaf } from '@tillbridge/wire/digest/digest-tree.js';
import { leafDigest, nodeDigest } from '@tillbridge/wire/digest/node-digest.js';
import { type KeptHead, keptHash } from './hash-chain.js';
import {
  CHECKPOINT_ROW,
  type CompactedSale,
  type Compaction,
  type JournalHead,
  type JournalRow,
  JournalUnavailable,
  type JsonObject,
  type NewRow,
  noSaleRow,
} from './journal.js';

/** An entry ready to be stored: its data as text and as value. */
export interface BuiltKept extends CompactedSale {
  readonly dataText: string;
}

/** Content of a checkpoint row: the rows that it replaces. */
export interface Checkpoint {
  /** The last removed row. */
  readonly base: JournalHead;
  /** The last entry of what was kept. */
  readonly kept: KeptHead;
  /** The highest time of the removed rows. */
  readonly highestAtMs: number;
  /** The next number of each stream. */
  readonly streams: JsonObject;
  /**
   * Peaks of the digest tree over the removed rows, from the left: with them later rows stay provable. Absent where an older build began
   * to remove rows.
   */
  readonly peaks?: readonly Uint8Array[];
  /** The newest removed row of each carried kind. */
  readonly carried: readonly CarriedRow[];
}

/** A row of no sale that outlives its removal. */
interface CarriedRow {
  readonly kind: string;
  readonly row: number;
  readonly atMs: number;
  readonly data: JsonObject;
}

/** What a step of a compaction decides on: a state of the journal, and the rows behind its base. */
export interface CompactionSituation {
  readonly previous: Checkpoint | undefined;
  readonly keptHead: KeptHead;
  readonly nextSequences: ReadonlyMap<string, number>;
  /** Rows behind the last removed one, oldest first, none above the step's limit. */
  readonly rows: readonly JournalRow[];
  /** Sales that have no true end, or a message that is not acknowledged. */
  readonly held: ReadonlySet<string>;
  /** What is kept already of the sales of these rows. */
  readonly kept: ReadonlyMap<string, CompactedSale>;
}

/** What a step removes, and what it writes instead; `undefined` in `write` when there is nothing to remove. */
interface CompactionPlan {
  readonly heldBy?: string;
  readonly write?: {
    readonly base: JournalHead;
    readonly removedRows: number;
    readonly kept: readonly BuiltKept[];
    readonly checkpoint: NewRow;
  };
}

/**
 * Plans one step: rows go from the oldest on, up to the first row of a sale that is held. What is folded into an entry is what is
 * removed, nothing later: rows that come after the plan apply on top of it, so a plan cannot be overtaken.
 */
export function planCompaction(step: Compaction, situation: CompactionSituation): CompactionPlan {
  const { rows, held } = situation;
  const stop = rows.findIndex(({ reference }) => reference !== '' && held.has(reference));
  const removed = stop < 0 ? rows : rows.slice(0, stop);
  const heldBy = stop < 0 ? undefined : rows[stop]?.reference;
  const last = removed.at(-1);
  if (!last) return heldBy === undefined ? {} : { heldBy };
  const kept = keptOf(step, situation, removed);
  const base = { row: last.row, hash: last.hash };
  const checkpoint = checkpointRow(step, situation, removed, kept);
  return {
    write: { base, removedRows: removed.length, kept, checkpoint },
    ...(heldBy !== undefined && { heldBy }),
  };
}

function keptOf(
  { summarize }: Compaction,
  { kept, keptHead }: CompactionSituation,
  removed: readonly JournalRow[],
): BuiltKept[] {
  let { position, hash } = keptHead;
  return [...byReference(removed)].map(([reference, rows]) => {
    const before = kept.get(reference);
    const data = summarize(reference, before?.data, rows);
    const ids = rows.flatMap(({ messageId }) => (messageId === undefined ? [] : [messageId]));
    const messageIds = [...(before?.messageIds ?? []), ...ids];
    position += 1;
    const entry = { position, reference, messageIds, data, dataText: JSON.stringify(data) };
    hash = keptHash(hash, entry);
    return { ...entry, hash };
  });
}

function byReference(rows: readonly JournalRow[]): Map<string, JournalRow[]> {
  const groups = new Map<string, JournalRow[]>();
  for (const row of rows) {
    if (row.reference === '') continue;
    const group = groups.get(row.reference);
    if (group) group.push(row);
    else groups.set(row.reference, [row]);
  }
  return groups;
}

function checkpointRow(
  { carry }: Compaction,
  { previous, keptHead, nextSequences }: CompactionSituation,
  removed: readonly JournalRow[],
  kept: readonly BuiltKept[],
): NewRow {
  const last = removed.at(-1);
  const keptLast = kept.at(-1) ?? keptHead;
  const carried = carry.flatMap((kind) => {
    const row =
      removed.findLast((each) => each.kind === kind) ?? previous?.carried.find((c) => c.kind === kind);
    return row ? [{ kind, row: row.row, atMs: row.atMs, data: row.data }] : [];
  });
  const highestAtMs = removed.reduce((most, { atMs }) => Math.max(most, atMs), previous?.highestAtMs ?? 0);
  return noSaleRow(CHECKPOINT_ROW, {
    removedTo: last?.row ?? 0,
    removedHash: toHex(last?.hash ?? new Uint8Array()),
    keptTo: keptLast.position,
    keptHash: toHex(keptLast.hash),
    highestAtMs,
    streams: Object.fromEntries(nextSequences),
    ...peaksAfter(previous, removed),
    carried,
  });
}

/** The peaks of the digest tree over all removed rows; nothing where those of the rows before are not known. */
function peaksAfter(
  previous: Checkpoint | undefined,
  removed: readonly JournalRow[],
): { readonly peaks?: readonly string[] } {
  if (previous && !previous.peaks) return {};
  const size = previous?.base.row ?? 0;
  const peaks = removed.reduce<readonly Uint8Array[]>(
    (before, { hash, reference }, at) => withLeaf(size + at, before, leafDigest(hash, reference), nodeDigest),
    previous?.peaks ?? [],
  );
  return { peaks: peaks.map(toHex) };
}

/**
 * Reads a checkpoint row.
 * @throws JournalUnavailable `corrupt` when it is none: the chain vouches for it, so only a mix-up can be the reason
 */
export function readCheckpoint({ row, data }: Pick<JournalRow, 'row' | 'data'>): Checkpoint {
  const { removedTo, removedHash, keptTo, keptHash: keptHex, highestAtMs, streams, peaks, carried } = data;
  const readable =
    typeof removedTo === 'number' &&
    typeof removedHash === 'string' &&
    typeof keptTo === 'number' &&
    typeof keptHex === 'string' &&
    typeof highestAtMs === 'number' &&
    Array.isArray(carried);
  if (!readable) throw new JournalUnavailable('corrupt', `row ${row}: the checkpoint cannot be read`);
  return {
    base: { row: removedTo, hash: fromHex(removedHash) },
    kept: { position: keptTo, hash: fromHex(keptHex) },
    highestAtMs,
    streams: (streams ?? {}) as JsonObject,
    ...(Array.isArray(peaks) && { peaks: peaks.map((peak) => fromHex(String(peak))) }),
    carried: carried as unknown as readonly CarriedRow[],
  };
}

/** A carried row as the newest of its kind. Its hash is gone with the chain before the checkpoint. */
export function carriedRow({ kind, row, atMs, data }: CarriedRow): JournalRow {
  return { ...noSaleRow(kind, data), row, atMs, sequence: 0, hash: new Uint8Array() };
}
