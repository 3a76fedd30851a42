import type { LedgerDecision, LedgerView } from './ledger.js';
import type { LedgerRow } from './ledger-rows.js';

/** The INTERNAL acquirer's ledger: one contract (testing/ledger-store-contract.test.support.ts), several engines, one writer. */
export interface LedgerStore {
  /**
   * Runs work in one transaction; it is durable on return, and nothing of it is kept when the work or the commit fails.
   * @throws what the work throws; StoreUnavailableError
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** What the ledger holds for a reference and for the one it follows; part of a {@link transaction}. */
  view(reference: string, originalReference: string | null): Promise<LedgerView>;
  /** Writes a decision; part of a {@link transaction}. */
  write(decision: LedgerDecision): Promise<void>;
  /** The committed transaction with this reference. */
  find(reference: string): Promise<LedgerRow | undefined>;
  /** Every committed transaction in the order it was recorded. */
  all(): Promise<readonly LedgerRow[]>;
  /** Committed transactions after a position (0: from the first), in the order they were recorded. */
  after(position: number, limit: number): Promise<readonly PlacedRow[]>;
  /** Closes the ledger. */
  close(): Promise<void>;
}

/** A transaction and its place in the ledger. */
export interface PlacedRow {
  readonly position: number;
  readonly row: LedgerRow;
}
