import { StoreUnavailableError } from '../../../../kernel/store/store.js';
import type { AcquirerAnswer } from '../../acquirer.js';
import type { LedgerRequest } from '../ledger.js';
import { type LedgerChanges, type LedgerReads, type LedgerRows, loadBatch } from '../ledger-batch.js';
import type { LedgerRow } from '../ledger-rows.js';
import type { LedgerStore, PlacedRow, ReturnPlace } from '../ledger-store.js';

/** What survives a restart of a memory ledger: the next ledger is opened on the same one. */
export interface MemoryLedger {
  /** By acquirer reference, in the order they were recorded. */
  readonly rows: Map<string, LedgerRow>;
  readonly tombstones: Set<string>;
}

/** An empty ledger. */
export function newMemoryLedger(): MemoryLedger {
  return { rows: new Map(), tombstones: new Set() };
}

/** Puts what a transaction changes into a ledger. */
export function applyChanges(ledger: MemoryLedger, { inserted, updated, tombstones }: LedgerChanges): void {
  for (const row of [...inserted, ...updated]) ledger.rows.set(row.acquirerReference, row);
  for (const { acquirerReference } of tombstones) ledger.tombstones.add(acquirerReference);
}

/** The ledger in memory, for tests and the simulation: the contract of the file, no durability of its own. */
export class MemoryLedgerStore implements LedgerStore {
  readonly #ledger: MemoryLedger;
  readonly #commit: (changes: LedgerChanges) => Promise<void>;
  #closed = false;

  /** @param commit puts changes into the ledger; a simulated disk delays it or fails */
  constructor(
    ledger: MemoryLedger = newMemoryLedger(),
    commit: (changes: LedgerChanges) => Promise<void> = async (changes) => applyChanges(ledger, changes),
  ) {
    this.#ledger = ledger;
    this.#commit = commit;
  }

  async record(requests: readonly LedgerRequest[]): Promise<readonly AcquirerAnswer[]> {
    if (this.#closed) throw new StoreUnavailableError('closed', 'the ledger is closed');
    const reads: LedgerReads = {
      load: (references) => this.load(references),
      ofGiftCards: async (cards) =>
        [...this.#ledger.rows.values()].filter(
          ({ giftCard }) => giftCard !== null && cards.includes(giftCard),
        ),
    };
    const batch = await loadBatch(reads, requests);
    const answers = requests.map((request) => batch.decide(request));
    await this.#commit(batch.changes());
    return answers;
  }

  async load(references: readonly string[]): Promise<LedgerRows> {
    const { rows, tombstones } = this.#ledger;
    return {
      rows: references.flatMap((reference) => rows.get(reference) ?? []),
      tombstones: references.filter((reference) => tombstones.has(reference)),
    };
  }

  async find(reference: string): Promise<LedgerRow | undefined> {
    return this.#ledger.rows.get(reference);
  }

  async all(): Promise<readonly LedgerRow[]> {
    return [...this.#ledger.rows.values()].filter(({ kind }) => kind !== 'inquiry');
  }

  async after(position: number, limit: number): Promise<readonly PlacedRow[]> {
    const rows = [...this.#ledger.rows.values()].map((row, at) => ({ position: at + 1, row }));
    const isNext = (each: PlacedRow): boolean => each.position > position && each.row.kind !== 'inquiry';
    return rows.filter(isNext).slice(0, limit);
  }

  async returning(after: ReturnPlace, untilMs: number, limit: number): Promise<readonly PlacedRow[]> {
    const order = (a: ReturnPlace, b: ReturnPlace): number => a.atMs - b.atMs || a.position - b.position;
    return [...this.#ledger.rows.values()]
      .map((row, at) => ({ atMs: row.returnAtMs ?? Number.POSITIVE_INFINITY, position: at + 1, row }))
      .filter((each) => order(each, after) > 0 && each.atMs <= untilMs)
      .sort(order)
      .slice(0, limit)
      .map(({ position, row }) => ({ position, row }));
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}
