import { roundedHalfUp } from './exchange.js';

/** An operation that is paid for by itself (docs/reconciliation.md, `transactionType` of a FEE). */
export type FeeType = 'AUTH_FEE' | 'CAPTURE_FEE' | 'CANCEL_FEE' | 'REFUND_FEE';

/** What a merchant pays the acquirer. Minor units of the currency that the merchant is paid in. */
export interface FeeSchedule {
  /** Of each debit, in hundredths of a percent of what is settled. */
  readonly basisPoints: number;
  /** Of each debit, in addition. */
  readonly fixedMinor: number;
  /** Of each operation, whatever became of it. */
  readonly perOperation: Readonly<Record<FeeType, number>>;
}

/** What the simulated acquirer takes of everybody. */
export const STANDARD_FEES: FeeSchedule = {
  basisPoints: 140,
  fixedMinor: 5,
  perOperation: { AUTH_FEE: 2, CAPTURE_FEE: 0, CANCEL_FEE: 2, REFUND_FEE: 10 },
};

/** Fee of a debit that is settled with this amount, both parts of it rounded at once. @returns minor units that two decimals show */
export function feeOfDebit(
  { basisPoints, fixedMinor }: FeeSchedule,
  minor: number,
  currency: string,
): number {
  const exact = BigInt(minor) * BigInt(basisPoints) + BigInt(fixedMinor) * 10_000n;
  return roundedHalfUp(exact, 10_000n, currency);
}

/** Fee of all operations of a kind in a settlement, rounded at once. @returns minor units that two decimals show */
export function feeOfOperations(
  { perOperation }: FeeSchedule,
  type: FeeType,
  count: number,
  currency: string,
): number {
  return roundedHalfUp(BigInt(count) * BigInt(perOperation[type]), 1n, currency);
}
