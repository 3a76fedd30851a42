import { StoreUnavailableError } from '../../../store/store.js';
import type { LedgerDecision, LedgerView } from '../ledger.js';
import type { LedgerRow } from '../ledger-rows.js';
import type { LedgerStore, PlacedRow } from '../ledger-store.js';
import { type LedgerReader, readView } from '../ledger-view.js';

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

/** What a transaction adds and replaces. */
export interface LedgerEntry {
  readonly rows: readonly LedgerRow[];
  readonly tombstones: readonly string[];
}

/** Puts a transaction into a ledger. */
export function applyEntry(ledger: MemoryLedger, { rows, tombstones }: LedgerEntry): void {
  for (const row of rows) ledger.rows.set(row.acquirerReference, row);
  for (const reference of tombstones) ledger.tombstones.add(reference);
}

/** The ledger in memory, for tests and the simulation: the contract of the file, no durability of its own. */
export class MemoryLedgerStore implements LedgerStore {
  readonly #ledger: MemoryLedger;
  readonly #commit: (entry: LedgerEntry) => Promise<void>;
  #staged: MemoryLedger | undefined;
  #closed = false;

  /** @param commit puts an entry into the ledger; a simulated disk delays it or fails */
  constructor(
    ledger: MemoryLedger = newMemoryLedger(),
    commit: (entry: LedgerEntry) => Promise<void> = async (entry) => applyEntry(ledger, entry),
  ) {
    this.#ledger = ledger;
    this.#commit = commit;
  }

  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new StoreUnavailableError('closed', 'the ledger is closed');
    const staged = newMemoryLedger();
    this.#staged = staged;
    try {
      const result = await work();
      await this.#commit({ rows: [...staged.rows.values()], tombstones: [...staged.tombstones] });
      return result;
    } finally {
      this.#staged = undefined;
    }
  }

  view(reference: string, originalReference: string | null): Promise<LedgerView> {
    const { rows, tombstones } = this.#ledger;
    const staged = this.#staged;
    const reader: LedgerReader = {
      find: async (wanted) => staged?.rows.get(wanted) ?? rows.get(wanted),
      isTombstoned: async (wanted) => tombstones.has(wanted) || staged?.tombstones.has(wanted) === true,
    };
    return readView(reader, reference, originalReference);
  }

  async write({ insert, updates, tombstone }: LedgerDecision): Promise<void> {
    if (!this.#staged) throw new Error('a decision is written in a transaction');
    for (const row of insert ? [insert, ...updates] : updates)
      this.#staged.rows.set(row.acquirerReference, row);
    if (insert && tombstone !== undefined) this.#staged.tombstones.add(tombstone);
  }

  async find(reference: string): Promise<LedgerRow | undefined> {
    return this.#ledger.rows.get(reference);
  }

  async all(): Promise<readonly LedgerRow[]> {
    return [...this.#ledger.rows.values()];
  }

  async after(position: number, limit: number): Promise<readonly PlacedRow[]> {
    const rows = [...this.#ledger.rows.values()].slice(position, position + limit);
    return rows.map((row, at) => ({ position: position + at + 1, row }));
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}
