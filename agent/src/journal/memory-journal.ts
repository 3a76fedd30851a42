import { CHAIN_START, verifyChain } from './hash-chain.js';
import {
  ACKNOWLEDGED_ROW,
  type ChainReport,
  DuplicateKey,
  FIRST_ROW,
  type Journal,
  type JournalHead,
  type JournalRow,
  type JournalState,
  JournalUnavailable,
  type JournalWrite,
  type OpenMessage,
  PARKED_ROW,
  type UnavailableReason,
} from './journal.js';
import { type BuiltRow, buildRows, type Cursor, checkWrite, EMPTY_CURSOR } from './row-builder.js';
import { StateListeners } from './state-listeners.js';

/** What survives a restart of a memory journal: the next journal is opened on the same disk. */
export interface MemoryDisk {
  rows: BuiltRow[];
  cursor: Cursor;
  openSales: Set<string>;
  blobs: Map<string, Uint8Array>;
}

/** An empty disk. */
export function newMemoryDisk(): MemoryDisk {
  return { rows: [], cursor: EMPTY_CURSOR, openSales: new Set(), blobs: new Map() };
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
    const { rows, cursor } = buildRows(this.#disk.cursor, write.atMs, write.rows);
    for (const [index, row] of rows.entries()) this.#checkUnique(row, rows.slice(0, index));
    this.#disk.cursor = cursor;
    this.#disk.rows.push(...rows);
    if (write.sale?.open) this.#disk.openSales.add(write.sale.reference);
    else if (write.sale) this.#disk.openSales.delete(write.sale.reference);
    for (const { messageId, bytes } of write.blobs ?? [])
      this.#disk.blobs.set(messageId, Uint8Array.from(bytes));
    for (const messageId of write.wipe ?? []) this.#wipe(messageId);
    // A real disk answers later: whoever relies on an answer at once must fail here too.
    await Promise.resolve();
    return rows;
  }

  async rowsOf(reference: string): Promise<readonly JournalRow[]> {
    return this.#read().filter((row) => row.reference === reference);
  }

  async rowsAfter(after: number, limit: number): Promise<readonly JournalRow[]> {
    return this.#read().slice(after, after + limit);
  }

  async rowOfMessage(messageId: string): Promise<JournalRow | undefined> {
    return this.#read().find((row) => row.messageId === messageId);
  }

  async lastOfKind(kind: string): Promise<JournalRow | undefined> {
    return this.#read().findLast((row) => row.kind === kind);
  }

  async openSales(): Promise<readonly string[]> {
    const first = this.#read().filter((row) => row.kind === FIRST_ROW);
    return first.map((row) => row.reference).filter((reference) => this.#disk.openSales.has(reference));
  }

  async openMessages(): Promise<readonly OpenMessage[]> {
    const settled = (messageId: string | undefined, kind: string) =>
      this.#read().find((row) => row.kind === kind && row.settles === messageId);
    return this.#read()
      .filter((row) => row.sequence > 0 && !settled(row.messageId, ACKNOWLEDGED_ROW))
      .map((row) => {
        const parked = settled(row.messageId, PARKED_ROW);
        return parked ? { row, parked } : { row };
      });
  }

  async nextSequences(): Promise<ReadonlyMap<string, number>> {
    this.#check();
    return this.#disk.cursor.nextSequences;
  }

  async highestAtMs(): Promise<number> {
    return this.#read().reduce((highest, row) => Math.max(highest, row.atMs), 0);
  }

  async blob(messageId: string): Promise<Uint8Array | undefined> {
    this.#check();
    const kept = this.#disk.blobs.get(messageId);
    return kept && Uint8Array.from(kept);
  }

  async verify(): Promise<ChainReport> {
    return verifyChain(CHAIN_START, this.#read());
  }

  async close(): Promise<void> {
    this.#listeners.set({ kind: 'unavailable', reason: 'closed', detail: 'the journal was closed' });
  }

  #read(): readonly BuiltRow[] {
    this.#check();
    return this.#disk.rows;
  }

  #check(): void {
    if (this.state.kind === 'unavailable') throw new JournalUnavailable(this.state.reason, this.state.detail);
  }

  #checkUnique(row: BuiltRow, before: readonly BuiltRow[]): void {
    const others = [...this.#disk.rows, ...before];
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
