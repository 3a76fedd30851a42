import { formatAmount, minorDigits } from '@tillbridge/protocol/payment/money.js';
import type { ChargebackRow, ReversalRow, TransactionRow } from './rows/tables.js';

/** Share of every sale that the host keeps, in hundredths of a percent. */
const FEE_BASIS_POINTS = 50;
const COLUMNS =
  'RecordType;TransactionType;Merchant;Terminal;Trace;Time;Reference;ApprovalCode;Card;Amount;Currency;Fee;SettlementDate;Reason';

/** What stands in the files of a day. */
export interface SettledDay {
  readonly day: string;
  readonly transactions: readonly TransactionRow[];
  readonly reversals: readonly ReversalRow[];
  readonly chargebacks: readonly ChargebackRow[];
  /** Every transaction that a reversal or chargeback of the day is of, by its message. */
  readonly originals: ReadonlyMap<string, TransactionRow>;
}

/** Transaction types of the reconciliation file (spec 2.11). */
const TYPES: Readonly<Record<string, string>> = { sale: 'DB', capture: 'CP', refund: 'RF', credit: 'CD' };

/** The settlement file of a day: what took or gave money, then what was reversed of it. Authorizations are not among it. */
export function settlementFile({ day, transactions, reversals, originals }: SettledDay): string {
  const booked = transactions
    .filter(({ approved, kind }) => approved === 1 && TYPES[kind] !== undefined)
    .map((row) => line('SETTLED', TYPES[row.kind] ?? '', row, row.amountMinor, day));
  const reversed = reversals.flatMap(({ original, reversedMinor }) => {
    const row = originals.get(original);
    const isMoney = row !== undefined && reversedMinor > 0 && TYPES[row.kind] !== undefined;
    return isMoney ? [line('SETTLED', 'RV', row, reversedMinor, day)] : [];
  });
  return [COLUMNS, ...booked, ...reversed, ''].join('\n');
}

/** The chargeback file of a day. */
export function chargebackFile({ day, chargebacks, originals }: SettledDay): string {
  const lines = chargebacks.flatMap(({ original, amountMinor, reason }) => {
    const row = originals.get(original);
    return row ? [line('CHARGEBACK', 'CB', row, amountMinor, day, reason)] : [];
  });
  return [COLUMNS, ...lines, ''].join('\n');
}

function line(
  recordType: string,
  type: string,
  row: TransactionRow,
  minor: number,
  day: string,
  reason = '',
): string {
  const [terminal = '', trace = '', time = ''] = row.message.split('/');
  const { currency, merchantId, rrn, last4Digits } = row;
  const fee = type === 'DB' || type === 'CP' ? feeOf(minor, currency) : 0;
  const { approvalCode = '' } = JSON.parse(row.answer) as { approvalCode?: string };
  return [
    recordType,
    type,
    merchantId,
    terminal,
    trace,
    time,
    rrn ?? '',
    approvalCode,
    last4Digits ?? '',
    formatAmount({ minor, currency }),
    currency,
    formatAmount({ minor: fee, currency }),
    day,
    reason,
  ].join(';');
}

/** Rounded up to what two decimals can show. */
function feeOf(minor: number, currency: string): number {
  const unit = minorDigits(currency) > 2 ? 10 : 1;
  return Math.ceil((minor * FEE_BASIS_POINTS) / (10_000 * unit)) * unit;
}
