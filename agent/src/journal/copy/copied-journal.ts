import type {
  ChainReport,
  Compaction,
  CompactionResult,
  Journal,
  JournalHead,
  JournalPart,
  JournalRow,
  JournalState,
  JournalWrite,
  KeptSale,
  OpenMessage,
} from '../journal.js';
import type { JournalCopier } from './journal-copier.js';

/**
 * A journal whose rows are also copied. With a `required` copy an append resolves when the copy has its rows too, or after a bounded
 * wait: the rows are true by then in any case, and a card in a terminal cannot wait for a disk that may never come back.
 */
export class CopiedJournal implements Journal {
  readonly #journal: Journal;
  readonly #copier: JournalCopier;

  constructor(journal: Journal, copier: JournalCopier) {
    this.#journal = journal;
    this.#copier = copier;
    journal.onState((state) => {
      if (state.kind === 'ready') copier.wake();
    });
    copier.wake();
  }

  get state(): JournalState {
    return this.#journal.state;
  }

  get head(): JournalHead {
    return this.#journal.head;
  }

  onState(listener: (state: JournalState) => void): () => void {
    return this.#journal.onState(listener);
  }

  async append(write: JournalWrite): Promise<readonly JournalRow[]> {
    const rows = await this.#journal.append(write);
    const last = rows.at(-1);
    if (last && this.#copier.mode === 'required') await this.#copier.reached(last.row);
    else this.#copier.wake();
    return rows;
  }

  rowsOf(reference: string): Promise<readonly JournalRow[]> {
    return this.#journal.rowsOf(reference);
  }

  rowsAfter(row: number, limit: number): Promise<readonly JournalRow[]> {
    return this.#journal.rowsAfter(row, limit);
  }

  rowOfMessage(messageId: string): Promise<JournalRow | undefined> {
    return this.#journal.rowOfMessage(messageId);
  }

  lastOfKind(kind: string): Promise<JournalRow | undefined> {
    return this.#journal.lastOfKind(kind);
  }

  openSales(): Promise<readonly string[]> {
    return this.#journal.openSales();
  }

  openMessages(): Promise<readonly OpenMessage[]> {
    return this.#journal.openMessages();
  }

  nextSequences(): Promise<ReadonlyMap<string, number>> {
    return this.#journal.nextSequences();
  }

  highestAtMs(): Promise<number> {
    return this.#journal.highestAtMs();
  }

  blob(messageId: string): Promise<Uint8Array | undefined> {
    return this.#journal.blob(messageId);
  }

  kept(reference: string): Promise<KeptSale | undefined> {
    return this.#journal.kept(reference);
  }

  hashAt(row: number): Promise<Uint8Array | undefined> {
    return this.#journal.hashAt(row);
  }

  part(afterRow: number, afterKept: number, limit: number): Promise<JournalPart> {
    return this.#journal.part(afterRow, afterKept, limit);
  }

  async compact(step: Compaction): Promise<CompactionResult> {
    const result = await this.#journal.compact(step);
    this.#copier.wake();
    return result;
  }

  verify(progress?: (row: number, of: number) => void): Promise<ChainReport> {
    return this.#journal.verify(progress);
  }

  scrub(rows: number): Promise<void> {
    return this.#journal.scrub(rows);
  }

  /** Closes the copy first: what it can still take over is there while the journal is open. */
  async close(): Promise<void> {
    await this.#copier.reached(this.#journal.head.row);
    await this.#copier.close();
    await this.#journal.close();
  }
}
