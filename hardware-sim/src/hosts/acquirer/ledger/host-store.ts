import type { AccountRow, CardRow, ChargebackRow, ReversalRow, TransactionRow } from '../rows/tables.js';

/** A row without its place, which follows from the order of rows. */
export type New<Row> = Omit<Row, 'position'>;

/** What the host's ledger is kept in. */
export interface HostStore {
  /** Runs work exclusively in one transaction, which is durable on return. @throws what the work throws; DatabaseError */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  account(card: string, currency: string): Promise<AccountRow | undefined>;
  card(card: string): Promise<CardRow | undefined>;
  transaction(message: string): Promise<TransactionRow | undefined>;
  /** The reversal with this message, the one that gave something back where it came more than once. */
  reversal(message: string): Promise<ReversalRow | undefined>;
  /** Whether a message was reversed. */
  isReversed(message: string): Promise<boolean>;
  /** All transactions, or those of a day, in the order they were recorded. */
  transactions(day?: string): Promise<readonly TransactionRow[]>;
  /** All reversals, or those of a day. */
  reversals(day?: string): Promise<readonly ReversalRow[]>;
  /** All chargebacks, or those of a day. */
  chargebacks(day?: string): Promise<readonly ChargebackRow[]>;
  accounts(): Promise<readonly AccountRow[]>;
  cards(): Promise<readonly CardRow[]>;
  /** The current settlement day; undefined before the first. */
  day(): Promise<string | undefined>;
  /** Begins a settlement day, and closes the one before. */
  beginDay(day: string, nowMs: number): Promise<void>;
  putAccount(row: AccountRow): Promise<void>;
  putCard(row: CardRow): Promise<void>;
  addTransaction(row: New<TransactionRow>): Promise<void>;
  addReversal(row: New<ReversalRow>): Promise<void>;
  addChargeback(row: New<ChargebackRow>): Promise<void>;
  /** Writes what changes of a transaction: its amounts. */
  changeTransaction(row: TransactionRow): Promise<void>;
  /** Waits for what runs, then closes. */
  close(): Promise<void>;
}
