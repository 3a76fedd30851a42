import type { LedgerDecision, LedgerView } from './ledger.js';
import type { LedgerRow } from './ledger-rows.js';

/** The acquirer's ledger: one contract (ledger-store.test.ts), a file and a memory engine. One writer at a time. */
export interface LedgerStore {
  /**
   * Runs work in one transaction; it is durable on return, and nothing of it stays when the work or the commit fails.
   * @throws what the work throws; StoreUnavailableError
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** What stands in the ledger for a reference and the one it follows; part of a {@link transaction}. */
  view(reference: string, originalReference: string | null): Promise<LedgerView>;
  /** Writes a decision; part of a {@link transaction}. */
  write(decision: LedgerDecision): Promise<void>;
  /** The committed transaction with this reference. */
  find(reference: string): Promise<LedgerRow | undefined>;
  /** Every committed transaction in the order it was recorded. */
  all(): Promise<readonly LedgerRow[]>;
  /** Committed transactions behind a position (0: from the first), in the order they were recorded. */
  after(position: number, limit: number): Promise<readonly PlacedRow[]>;
  /** Ends the ledger. */
  close(): Promise<void>;
}

/** A transaction and its place in the ledger. */
export interface PlacedRow {
  readonly position: number;
  readonly row: LedgerRow;
}
