import type { AcquirerRequestKind, ChargebackKind, RecordEntry } from '../../../core/acquirers/acquirer.js';
import type { SettlementRecordRow } from '../../../kernel/store/rows.js';
import type { FeeType } from './fees.js';

/** What kind of line an entry of the ledger is. */
export type LedgerLine = Pick<SettlementRecordRow, 'recordType' | 'transactionType' | 'cashflow'>;

type Kind = AcquirerRequestKind | ChargebackKind;
type Moving = Pick<RecordEntry, 'kind' | 'captureNow'>;

const DEBIT: LedgerLine = { recordType: 'SETTLED', transactionType: 'DEBIT', cashflow: 'POS' };
const REFUND: LedgerLine = { recordType: 'SETTLED', transactionType: 'REFUND', cashflow: 'NEG' };

/** Lines of what an entry moves; a kind that is not here moves nothing, or depends on the entry. */
const LINES: Readonly<Partial<Record<Kind, LedgerLine>>> = {
  capture: DEBIT,
  advice: DEBIT,
  receipt: DEBIT,
  refund: REFUND,
  credit: { recordType: 'SETTLED', transactionType: 'CREDIT', cashflow: 'NEG' },
  chargeback: { recordType: 'CHARGEBACK', transactionType: 'DEBIT', cashflow: 'NEG' },
  'chargeback-reversal': {
    recordType: 'CHARGEBACK REVERSAL',
    transactionType: 'DEBIT',
    cashflow: 'POS',
  },
};

/** Fees that an entry is paid for by itself, declined or not. */
const FEES: Readonly<Partial<Record<Kind, FeeType>>> = {
  authorization: 'AUTH_FEE',
  increment: 'AUTH_FEE',
  capture: 'CAPTURE_FEE',
  reversal: 'CANCEL_FEE',
  refund: 'REFUND_FEE',
};

/** The line of an approved entry; undefined for one that moves no money. @param original what a reversal reverses */
export function lineOf(entry: Moving, original: Moving | undefined): LedgerLine | undefined {
  if (entry.kind === 'authorization') return entry.captureNow ? DEBIT : undefined;
  if (entry.kind !== 'reversal') return LINES[entry.kind];
  const reversed = original && original.kind !== 'reversal' ? lineOf(original, undefined) : undefined;
  // What was given back comes again as a debit, what was taken goes back as a refund.
  return reversed && (reversed.cashflow === 'POS' ? REFUND : DEBIT);
}

/** The fee of an entry. */
export function feeTypeOf({ kind }: Pick<RecordEntry, 'kind'>): FeeType | undefined {
  return FEES[kind];
}
