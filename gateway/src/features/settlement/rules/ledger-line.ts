import { isChargebackKind, type RecordEntry } from '../../../core/acquirers/acquirer.js';
import { REQUEST_KINDS } from '../../../core/acquirers/request-kinds.js';
import type { SettlementRecordRow } from '../../../kernel/store/rows.js';
import type { FeeType } from './fees.js';

/** What kind of line an entry of the ledger is. */
export type LedgerLine = Pick<SettlementRecordRow, 'recordType' | 'transactionType' | 'cashflow'>;

type Moving = Pick<RecordEntry, 'kind' | 'captureNow'>;

const DEBIT: LedgerLine = { recordType: 'SETTLED', transactionType: 'DEBIT', cashflow: 'POS' };
const REFUND: LedgerLine = { recordType: 'SETTLED', transactionType: 'REFUND', cashflow: 'NEG' };

const LINES = {
  debit: DEBIT,
  refund: REFUND,
  credit: { recordType: 'SETTLED', transactionType: 'CREDIT', cashflow: 'NEG' },
  chargeback: { recordType: 'CHARGEBACK', transactionType: 'DEBIT', cashflow: 'NEG' },
  'chargeback-reversal': {
    recordType: 'CHARGEBACK REVERSAL',
    transactionType: 'DEBIT',
    cashflow: 'POS',
  },
} as const satisfies Readonly<Record<string, LedgerLine>>;

/** The line of an approved entry; undefined for one that moves no money. @param original what a reversal reverses */
export function lineOf(entry: Moving, original: Moving | undefined): LedgerLine | undefined {
  if (isChargebackKind(entry.kind)) return LINES[entry.kind];
  if (entry.kind === 'authorization') return entry.captureNow ? DEBIT : undefined;
  const { moves } = REQUEST_KINDS[entry.kind];
  if (entry.kind !== 'reversal') return moves && LINES[moves];
  const reversed = original && original.kind !== 'reversal' ? lineOf(original, undefined) : undefined;
  // What was given back comes again as a debit, what was taken goes back as a refund.
  return reversed && (reversed.cashflow === 'POS' ? REFUND : DEBIT);
}

/** The fee that an entry is paid for by itself, declined or not. */
export function feeTypeOf({ kind }: Pick<RecordEntry, 'kind'>): FeeType | undefined {
  return isChargebackKind(kind) ? undefined : REQUEST_KINDS[kind].fee;
}
