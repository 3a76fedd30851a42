import { chargebackRule } from '@tillbridge/wire/payment/chargeback-reasons.js';
import { formatAmount, smallestShown } from '@tillbridge/wire/payment/money.js';
import type { ChargebackRow, ReversalRow, TransactionKind, TransactionRow } from '../rows/tables.js';

/** Share of every sale that the host keeps, in hundredths of a percent. */
const FEE_BASIS_POINTS = 50;
/** The 36 columns of specification 2.11, spelled as there. */
const COLUMNS =
  'ReconciliationType;PaymentType;Cashflow;ClearingInstituteMerchantId;MerchantAccountId;MerchantAccountName;PspId;DivisionId;MerchantId;SettlementTxId;UniqueID;ShortId;ConnectorTxId1;ConnectorTxId2;ConnectorTxId3;Amount;Currency;Brand;TxRequestTime;SettlementAmount;SettlementCurrency;SettlementFee;SettlementFxRate;SettlementDate;SettlementStatus;Descriptor;AccountNumberLast4;BankCode;AccountHolder;ReasonCode;ReasonDesc;SettlementFileFormat;ClearingInsitituteName;MatchingStatus;MatchedTransactions;ChargebackId'.split(
    ';',
  );

/** What stands in the files of a day. */
export interface SettledDay {
  readonly day: string;
  readonly transactions: readonly TransactionRow[];
  readonly reversals: readonly ReversalRow[];
  readonly chargebacks: readonly ChargebackRow[];
  /** Every transaction that a reversal or chargeback of the day is of, by its message. */
  readonly originals: ReadonlyMap<string, TransactionRow>;
}

/** A line of a file. */
interface Line {
  readonly row: TransactionRow;
  readonly minor: number;
  readonly type: 'DEBIT' | 'REFUND' | 'CREDIT';
  /** Why a cardholder took money back. */
  readonly reason?: string;
}

/** Transaction types of the records. An authorization moves no money. */
const TYPES: Partial<Record<TransactionKind, Line['type']>> = {
  sale: 'DEBIT',
  capture: 'DEBIT',
  refund: 'REFUND',
  credit: 'CREDIT',
};

/**
 * The settlement file of a day: what moved money, without what was reversed of it on the same day; then what was reversed of earlier days, where it
 * gives money back or takes it again.
 */
export function settlementFile({ day, transactions, reversals, originals }: SettledDay): string {
  const reversed = new Map<string, number>();
  for (const { original, reversedMinor } of reversals)
    reversed.set(original, (reversed.get(original) ?? 0) + reversedMinor);
  const booked = transactions.flatMap((row): Line[] => {
    const type = TYPES[row.kind];
    const minor = row.amountMinor - (reversed.get(row.message) ?? 0);
    return row.approved === 1 && type !== undefined && minor > 0 ? [{ row, minor, type }] : [];
  });
  const later = [...reversed].flatMap(([message, minor]): Line[] => {
    const row = originals.get(message);
    if (!row || row.day === day || minor === 0 || TYPES[row.kind] === undefined) return [];
    return [{ row, minor, type: TYPES[row.kind] === 'DEBIT' ? 'REFUND' : 'DEBIT' }];
  });
  return fileOf(day, [...booked, ...later]);
}

/** The chargeback file of a day. */
export function chargebackFile({ day, chargebacks, originals }: SettledDay): string {
  const lines = chargebacks.flatMap(({ original, amountMinor: minor, reason }): Line[] => {
    const row = originals.get(original);
    return row ? [{ row, minor, type: 'DEBIT', reason }] : [];
  });
  return fileOf(day, lines);
}

function fileOf(day: string, lines: readonly Line[]): string {
  const texts = lines.map((line) => {
    const values = valuesOf(day, line);
    return COLUMNS.map((name) => values[name] ?? '').join(';');
  });
  return [COLUMNS.join(';'), ...texts, ''].join('\n');
}

function valuesOf(day: string, { row, minor, type, reason }: Line): Readonly<Record<string, string>> {
  const { currency, merchantId, rrn, last4Digits, message } = row;
  const amount = formatAmount({ minor, currency });
  const fee = type === 'DEBIT' && reason === undefined ? feeOf(minor, currency) : 0;
  return {
    ReconciliationType: reason === undefined ? 'SETTLED' : 'CHARGEBACK',
    PaymentType: type,
    Cashflow: type === 'DEBIT' && reason === undefined ? 'POS' : 'NEG',
    ClearingInstituteMerchantId: merchantId,
    SettlementTxId: message,
    ConnectorTxId1: rrn ?? '',
    Amount: amount,
    Currency: currency,
    TxRequestTime: timeText(message.split('/')[2] ?? ''),
    SettlementAmount: amount,
    SettlementCurrency: currency,
    SettlementFee: formatAmount({ minor: fee, currency }),
    SettlementFxRate: '1.00',
    SettlementDate: `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`,
    SettlementStatus: 'SUCCESS',
    AccountNumberLast4: last4Digits ?? '',
    ...(reason !== undefined && { ReasonCode: chargebackRule(reason).resultCode, ReasonDesc: reason }),
    SettlementFileFormat: 'TILLBRIDGE_SIM',
    ClearingInsitituteName: 'Simulated acquirer',
  };
}

/** `yyyyMMddHHmmss` as the files write times. */
function timeText(at: string): string {
  return at.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3 $4:$5:$6');
}

/** Rounded up to what two decimals can show. */
function feeOf(minor: number, currency: string): number {
  const unit = smallestShown(currency);
  return Math.ceil((minor * FEE_BASIS_POINTS) / (10_000 * unit)) * unit;
}
