import { StoreUnavailableError } from '../../../store/store.js';
import type { LedgerDecision, LedgerView } from '../ledger.js';
import type { LedgerRow } from '../ledger-rows.js';
import type { LedgerStore, PlacedRow } from '../ledger-store.js';

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

/** The ledger in memory, for simulated worlds: same contract as the file, no durability of its own. */
export class MemoryLedgerStore implements LedgerStore {
  readonly #ledger: MemoryLedger;
  readonly #commit: (entry: LedgerEntry) => Promise<void>;
  #staged: MemoryLedger | undefined;
  #closed = false;

  /** @param commit how an entry gets into the ledger; a simulated disk takes its time, or fails */
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

  async view(reference: string, originalReference: string | null): Promise<LedgerView> {
    const existing = this.#row(reference);
    const original = originalReference === null ? undefined : this.#row(originalReference);
    const root = original && this.#rootOf(original);
    const { tombstones } = this.#ledger;
    return {
      tombstoned: tombstones.has(reference) || this.#staged?.tombstones.has(reference) === true,
      ...(existing && { existing }),
      ...(original && { original }),
      ...(root && { root }),
    };
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

  #row(reference: string): LedgerRow | undefined {
    return this.#staged?.rows.get(reference) ?? this.#ledger.rows.get(reference);
  }

  /** A refund may follow a capture that follows an authorization: two steps at most. */
  #rootOf(original: LedgerRow): LedgerRow | undefined {
    let row: LedgerRow | undefined = original;
    for (let step = 0; step < 2 && row?.originalReference; step += 1) row = this.#row(row.originalReference);
    return row === original ? undefined : row;
  }
}
