import type { AcquirerAnswer } from '../acquirer.js';
import type { LedgerRequest } from './ledger.js';
import type { LedgerRows } from './ledger-batch.js';
import type { LedgerRow } from './ledger-rows.js';

/** Amounts alone change once a transaction is recorded, and the decision where it comes later. */
export const CHANGING_COLUMNS = [
  'amountMinor',
  'capturedMinor',
  'refundedMinor',
  'chargedBackMinor',
  'returnAtMs',
  'reversedMinor',
  'approved',
  'resultCode',
  'responseCode',
  'approvalCode',
] as const satisfies readonly (keyof LedgerRow)[];

/** The INTERNAL acquirer's ledger: one contract (testing/ledger-store-contract.test.support.ts), several engines, one writer. */
export interface LedgerStore {
  /**
   * Decides on the requests, one after the other, and records what they change in one transaction; durable on return. Nothing is
   * recorded when one of them or the commit fails.
   * @throws StoreUnavailableError
   */
  record(requests: readonly LedgerRequest[]): Promise<readonly AcquirerAnswer[]>;
  /** What is committed for these references. */
  load(references: readonly string[]): Promise<LedgerRows>;
  /** The committed transaction with this reference. */
  find(reference: string): Promise<LedgerRow | undefined>;
  /** Every committed transaction in the order it was recorded. Inquiries move no money, and are none. */
  all(): Promise<readonly LedgerRow[]>;
  /** Committed transactions after a position (0: from the first), in the order they were recorded. */
  after(position: number, limit: number): Promise<readonly PlacedRow[]>;
  /** Committed transactions whose money is to be returned up to a time, after a place, the earliest first. */
  returning(after: ReturnPlace, untilMs: number, limit: number): Promise<readonly PlacedRow[]>;
  /** Closes the ledger. */
  close(): Promise<void>;
}

/** A place among the returns: by time, then by position. */
export interface ReturnPlace {
  readonly atMs: number;
  readonly position: number;
}

/** A transaction and its place in the ledger. The row is as the database gave it, which may have the position in it: no copy is made of each. */
export interface PlacedRow {
  readonly position: number;
  readonly row: LedgerRow;
}
