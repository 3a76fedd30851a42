import { type ChainSource, verifyJournal } from '../chain-verifier.js';
import {
  type BuiltKept,
  type Checkpoint,
  carriedRow,
  planCompaction,
  readCheckpoint,
} from '../compaction.js';
import { KEPT_START } from '../hash-chain.js';
import {
  CHECKPOINT_ROW,
  type ChainReport,
  CLOSING_ROWS,
  type CompactedSale,
  type Compaction,
  type CompactionResult,
  DuplicateKey,
  FIRST_ROW,
  JOURNAL_LIMITS,
  type Journal,
  type JournalHead,
  type JournalLeaf,
  type JournalPart,
  type JournalRow,
  type JournalState,
  JournalUnavailable,
  type JournalWrite,
  type OpenMessage,
  PARKED_ROW,
  type RowRange,
  type UnavailableReason,
} from '../journal.js';
import { type BuiltRow, buildRows, type Cursor, checkWrite, EMPTY_CURSOR } from '../row-builder.js';
import { StateListeners } from '../state-listeners.js';

/** What survives a restart of a memory journal: the next journal is opened on the same disk. */
export interface MemoryDisk {
  rows: BuiltRow[];
  cursor: Cursor;
  openSales: Set<string>;
  blobs: Map<string, Uint8Array>;
  kept: BuiltKept[];
}

/** An empty disk. */
export function newMemoryDisk(): MemoryDisk {
  return { rows: [], cursor: EMPTY_CURSOR, openSales: new Set(), blobs: new Map(), kept: [] };
}

/** The journal's engine for tests and the simulation: the same contract, no file. */
export class MemoryJournal implements Journal {
  readonly #disk: MemoryDisk;
  readonly #listeners = new StateListeners();

  constructor(disk: MemoryDisk = newMemoryDisk()) {
    this.#disk = disk;
  }

  get state(): JournalState {
    return this.#listeners.state;
  }

  get head(): JournalHead {
    return this.#disk.cursor.head;
  }

  onState(listener: (state: JournalState) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** The disk stops taking anything, until {@link repair}. */
  fail(reason: UnavailableReason): void {
    this.#listeners.set({ kind: 'unavailable', reason, detail: 'memory disk' });
  }

  /** The disk is back. */
  repair(): void {
    this.#listeners.set({ kind: 'ready' });
  }

  async append(write: JournalWrite): Promise<readonly JournalRow[]> {
    checkWrite(write);
    this.#check();
    const sealed = new Map((write.blobs ?? []).map(({ messageId, bytes }) => [messageId, bytes] as const));
    const { rows, cursor } = buildRows(this.#disk.cursor, write.atMs, write.rows, sealed);
    for (const [index, row] of rows.entries()) this.#checkUnique(row, rows.slice(0, index));
    this.#disk.cursor = cursor;
    this.#disk.rows.push(...rows);
    if (write.sale?.open) this.#disk.openSales.add(write.sale.reference);
    else if (write.sale) this.#disk.openSales.delete(write.sale.reference);
    for (const { messageId, bytes } of write.blobs ?? [])
      this.#disk.blobs.set(messageId, Uint8Array.from(bytes));
    for (const messageId of write.wipe ?? []) this.#wipe(messageId);
    // A real disk answers later: code that relies on an answer at once must fail here too.
    await Promise.resolve();
    return rows;
  }

  async rowsOf(reference: string): Promise<readonly JournalRow[]> {
    return this.#read().filter((row) => row.reference === reference);
  }

  async rowsAfter(after: number, limit: number): Promise<readonly JournalRow[]> {
    return this.#after(after).slice(0, limit);
  }

  async leaves(after: number, limit: number): Promise<readonly JournalLeaf[]> {
    return this.#after(after)
      .slice(0, limit)
      .map(({ row, hash, reference }) => ({ row, hash, reference }));
  }

  async rowsOfKind(kind: string, { sinceMs, untilMs, afterRow, newestFirst, limit }: RowRange) {
    const isIn = (row: JournalRow) => row.kind === kind && row.atMs >= sinceMs && row.atMs < untilMs;
    if (!newestFirst) return this.#after(afterRow).filter(isIn).slice(0, limit);
    const before = this.#after(0).filter(({ row }) => afterRow === 0 || row < afterRow);
    return before.filter(isIn).reverse().slice(0, limit);
  }

  async rowOfMessage(messageId: string): Promise<JournalRow | undefined> {
    return this.#read().find((row) => row.messageId === messageId);
  }

  async lastOfKind(kind: string): Promise<JournalRow | undefined> {
    const carried = this.#checkpoint()?.carried.find((each) => each.kind === kind);
    return this.#read().findLast((row) => row.kind === kind) ?? (carried && carriedRow(carried));
  }

  async openSales(): Promise<readonly string[]> {
    // A set keeps the order of first occurrence.
    const references = new Set(this.#read().map(({ reference }) => reference));
    return [...references].filter((reference) => this.#disk.openSales.has(reference));
  }

  async openMessages(): Promise<readonly OpenMessage[]> {
    const statusRow = (messageId: string | undefined, kinds: readonly string[]) =>
      this.#read().find((row) => kinds.includes(row.kind) && row.statusOf === messageId);
    return this.#read()
      .filter((row) => row.sequence > 0 && !statusRow(row.messageId, CLOSING_ROWS))
      .map((row) => {
        const parked = statusRow(row.messageId, [PARKED_ROW]);
        return parked ? { row, parked } : { row };
      });
  }

  async nextSequences(): Promise<ReadonlyMap<string, number>> {
    this.#check();
    return this.#disk.cursor.nextSequences;
  }

  async highestAtMsAfter(after: number): Promise<number> {
    return this.#read().reduce(
      (highest, { row, atMs }) => (row > after ? Math.max(highest, atMs) : highest),
      0,
    );
  }

  async highestAtMs(): Promise<number> {
    const removed = this.#checkpoint()?.highestAtMs ?? 0;
    return this.#read().reduce((highest, row) => Math.max(highest, row.atMs), removed);
  }

  async blob(messageId: string): Promise<Uint8Array | undefined> {
    this.#check();
    const kept = this.#disk.blobs.get(messageId);
    return kept && Uint8Array.from(kept);
  }

  async kept(reference: string): Promise<CompactedSale | undefined> {
    this.#check();
    return this.#disk.kept.findLast((entry) => entry.reference === reference);
  }

  async hashAt(row: number): Promise<Uint8Array | undefined> {
    const { base } = this.#disk.cursor;
    return row === base.row ? base.hash : this.#read().find((each) => each.row === row)?.hash;
  }

  async part(afterRow: number, afterKept: number, limit: number): Promise<JournalPart> {
    const rows = this.#after(afterRow).slice(0, limit);
    const { blobs, kept, cursor } = this.#disk;
    const messageIds = rows.flatMap(({ statusOf }) => (statusOf === undefined ? [] : [statusOf]));
    return {
      rows,
      kept: kept.slice(afterKept, afterKept + limit),
      blobs: rows.flatMap(({ messageId = '' }) => {
        const sealed = blobs.get(messageId);
        return sealed ? [{ messageId, sealed: Uint8Array.from(sealed) }] : [];
      }),
      wiped: messageIds.filter((messageId) => !blobs.has(messageId)),
      base: cursor.base,
    };
  }

  async compact(step: Compaction): Promise<CompactionResult> {
    this.#check();
    const disk = this.#disk;
    const { cursor } = disk;
    const limit = Math.min(step.upToRow, cursor.head.row - 1);
    const previous = this.#checkpoint();
    const plan = planCompaction(step, {
      previous,
      keptHead: previous?.kept ?? KEPT_START,
      nextSequences: cursor.nextSequences,
      rows: disk.rows.filter(({ row }) => row <= limit).slice(0, JOURNAL_LIMITS.maxRowsPerCompaction),
      held: new Set([...disk.openSales, ...(await this.openMessages()).map(({ row }) => row.reference)]),
      kept: new Map(disk.kept.map((entry) => [entry.reference, entry])),
    });
    const heldBy = plan.heldBy === undefined ? {} : { heldBy: plan.heldBy };
    if (!plan.write) return { removedRows: 0, removedTo: cursor.base.row, ...heldBy };
    const { base, kept, checkpoint, removedRows } = plan.write;
    const built = buildRows(cursor, step.atMs, [checkpoint]);
    disk.rows = [...disk.rows.filter(({ row }) => row > base.row), ...built.rows];
    disk.kept.push(...kept);
    disk.cursor = { ...built.cursor, base };
    await Promise.resolve();
    return { removedRows, removedTo: base.row, ...heldBy };
  }

  verify(progress?: (row: number, of: number) => void): Promise<ChainReport> {
    this.#check();
    return verifyJournal(this.#source(), progress);
  }

  async scrub(): Promise<void> {
    const report = await this.verify();
    if (!report.ok) this.fail('corrupt');
  }

  async close(): Promise<void> {
    this.#listeners.set({ kind: 'unavailable', reason: 'closed', detail: 'the journal was closed' });
  }

  #read(): readonly BuiltRow[] {
    this.#check();
    return this.#disk.rows;
  }

  #after(row: number): readonly BuiltRow[] {
    return this.#read().filter((each) => each.row > row);
  }

  #checkpoint(): Checkpoint | undefined {
    const row = this.#read().findLast(({ kind }) => kind === CHECKPOINT_ROW);
    return row && readCheckpoint(row);
  }

  #source(): ChainSource {
    const { blobs, kept } = this.#disk;
    return {
      checkpoint: async () => this.#checkpoint(),
      rows: async (afterRow, limit) => this.#after(afterRow).slice(0, limit),
      kept: async (afterPosition, limit) => kept.slice(afterPosition, afterPosition + limit),
      blob: async (messageId) => {
        const sealed = blobs.get(messageId);
        const isClosed = this.#read().some(({ statusOf }) => statusOf === messageId);
        return { isClosed, ...(sealed && { sealed }) };
      },
      lastRow: async () => this.#disk.cursor.head.row,
    };
  }

  #check(): void {
    if (this.state.kind === 'unavailable') throw new JournalUnavailable(this.state.reason, this.state.detail);
  }

  #checkUnique(row: BuiltRow, before: readonly BuiltRow[]): void {
    const others = [...this.#disk.rows, ...before];
    const { kept } = this.#disk;
    if (row.kind === FIRST_ROW && kept.some(({ reference }) => reference === row.reference)) {
      throw new DuplicateKey('reference is already journaled');
    }
    if (kept.some(({ messageIds }) => messageIds.includes(row.messageId ?? ''))) {
      throw new DuplicateKey('message id is already journaled');
    }
    if (row.kind === FIRST_ROW && others.some((o) => o.kind === FIRST_ROW && o.reference === row.reference)) {
      throw new DuplicateKey('reference is already journaled');
    }
    if (row.messageId && others.some((other) => other.messageId === row.messageId)) {
      throw new DuplicateKey('message id is already journaled');
    }
  }

  #wipe(messageId: string): void {
    this.#disk.blobs.get(messageId)?.fill(0);
    this.#disk.blobs.delete(messageId);
  }
}
