import { paymentMethodOf } from '@tillbridge/wire/payment/account-methods.js';
import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { harmlessCell } from '../../../kernel/api/cell.js';
import type { SettlementRecordRow } from '../../../kernel/store/rows.js';
import type { SettlementAccount } from './account.js';
import { shortRateText } from './exchange.js';
import { detailOfRecord, type RecordDetail } from './record.js';

/** A record, and whose it is. */
export interface RecordView {
  readonly record: SettlementRecordRow;
  readonly detail: RecordDetail;
  readonly account: SettlementAccount;
}

/** A field of a record (docs/reconciliation.md). */
interface Field {
  /** Heading of the CSV column; undefined: a field of the API alone. */
  readonly header?: string;
  /** Name in the API, members parted by dots; undefined: a column of the file alone. */
  readonly name?: string | ((view: RecordView) => string);
  /** The value; undefined: there is none. */
  readonly of: (view: RecordView) => string | undefined;
  /** Longest value in characters; what is longer is cut. */
  readonly max?: number;
}

/** The view of a record. */
export function viewOf(record: SettlementRecordRow, account: SettlementAccount): RecordView {
  return { record, detail: detailOfRecord(record), account };
}

/** `2026-11-20 19:36:00` in the zone of the clearing institute, which is UTC for all that we know. */
const time = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

const instrumentOf = ({ detail }: RecordView): 'card' | 'bankAccount' =>
  detail.brand === undefined || paymentMethodOf(detail.brand) === 'CC' ? 'card' : 'bankAccount';

const connector = (at: number) => ({
  header: `ConnectorTxId${at}`,
  name: `clearingInstitute.txId${at}`,
  of: ({ detail }: RecordView) => detail.connectorTxIds?.[at - 1],
  max: 64,
});

/** Every field in the order of the file (docs/reconciliation.md); its headings are spelled as there. */
const RECORD_FIELDS: readonly Field[] = [
  { header: 'ReconciliationType', name: 'recordType', of: ({ record }) => record.recordType },
  { header: 'PaymentType', name: 'transactionType', of: ({ record }) => record.transactionType },
  { header: 'Cashflow', name: 'settlement.cashflow', of: ({ record }) => record.cashflow },
  {
    header: 'ClearingInstituteMerchantId',
    name: 'clearingInstitute.merchantId',
    of: ({ detail }) => detail.clearingMerchantId,
    max: 64,
  },
  { header: 'MerchantAccountId', name: 'merchantAccount.id', of: ({ account }) => account.entityId },
  {
    header: 'MerchantAccountName',
    name: 'merchantAccount.name',
    of: ({ account }) => account.entityName,
    max: 32,
  },
  { header: 'PspId', name: 'pspEntityId', of: ({ account }) => account.pspId },
  { header: 'DivisionId', name: 'divisionEntityId', of: ({ account }) => account.divisionId },
  { header: 'MerchantId', name: 'merchantEntityId', of: ({ account }) => account.merchantId },
  { header: 'SettlementTxId', name: 'settlement.id', of: ({ detail }) => detail.settlementTxId, max: 64 },
  { header: 'UniqueID', name: 'payment.id', of: ({ record }) => record.paymentId ?? undefined },
  { header: 'ShortId', of: ({ detail }) => detail.shortId, max: 14 },
  connector(1),
  connector(2),
  connector(3),
  {
    header: 'Amount',
    name: 'amount',
    of: ({ record }) => formatAmount({ minor: record.amountMinor, currency: record.currency }),
  },
  { header: 'Currency', name: 'currency', of: ({ record }) => record.currency },
  { header: 'Brand', name: 'paymentBrand', of: ({ detail }) => detail.brand, max: 16 },
  { header: 'TxRequestTime', name: 'presentmentDate', of: ({ record }) => time(record.requestedAtMs) },
  {
    header: 'SettlementAmount',
    name: 'settlement.amount',
    of: ({ record }) => settled(record, record.settlementMinor),
  },
  {
    header: 'SettlementCurrency',
    name: 'settlement.currency',
    of: ({ record }) => record.settlementCurrency,
  },
  { header: 'SettlementFee', name: 'settlement.fee', of: ({ record }) => settled(record, record.feeMinor) },
  { header: 'SettlementFxRate', name: 'settlement.fxRate', of: ({ record }) => shortRateText(record.rate) },
  { header: 'SettlementDate', name: 'settlement.date', of: ({ record }) => time(record.settledAtMs) },
  { header: 'SettlementStatus', name: 'settlement.status', of: ({ record }) => record.status },
  { header: 'Descriptor', name: 'descriptor', of: ({ detail }) => detail.descriptor, max: 128 },
  {
    header: 'AccountNumberLast4',
    name: (view) => `${instrumentOf(view)}.last4Digits`,
    of: ({ detail }) => detail.last4Digits,
    max: 4,
  },
  { header: 'BankCode', name: 'bankAccount.bankCode', of: ({ detail }) => detail.bankCode, max: 12 },
  {
    header: 'AccountHolder',
    name: (view) => `${instrumentOf(view)}.holder`,
    of: ({ detail }) => detail.holder,
    max: 128,
  },
  { header: 'ReasonCode', name: 'result.code', of: ({ detail }) => detail.resultCode },
  { header: 'ReasonDesc', name: 'result.description', of: ({ detail }) => detail.resultText, max: 128 },
  { header: 'SettlementFileFormat', name: 'settlement.format', of: ({ detail }) => detail.format, max: 32 },
  {
    header: 'ClearingInsitituteName',
    name: 'clearingInstitute.name',
    of: ({ detail }) => detail.clearingName,
    max: 64,
  },
  {
    header: 'MatchingStatus',
    name: 'matchedTransactions.status',
    of: ({ record }) => record.matching ?? undefined,
  },
  { header: 'MatchedTransactions', of: ({ detail }) => detail.matched?.join(' ') },
  { header: 'ChargebackId', name: 'chargebackTransaction.id', of: ({ detail }) => detail.chargebackId },
  // Described in 2.11, and not among the columns of its file.
  { name: 'merchantTransactionId', of: ({ detail }) => detail.merchantTransactionId },
  { name: 'merchantInvoiceId', of: ({ detail }) => detail.merchantInvoiceId },
  { name: 'matchedTransactions.reason', of: ({ detail }) => detail.mismatch },
];

/** Headings of the 36 columns, in their order. */
export const CSV_HEADERS: readonly string[] = RECORD_FIELDS.flatMap(({ header }) => header ?? []);

/** Headings that a file may have in addition to them: described in 2.11, and not in its file. */
export const OTHER_HEADERS: readonly string[] = ['TransactionId', 'InvoiceId'];

/** The cells of a record's columns, harmless in a spreadsheet; an empty text where there is no value. */
export function csvRow(view: RecordView): readonly string[] {
  return RECORD_FIELDS.flatMap((field) =>
    field.header === undefined ? [] : harmlessCell(textOf(field, view) ?? ''),
  );
}

/** A record as the API shows it. */
export function recordJson(view: RecordView): object {
  const root: Record<string, unknown> = {};
  for (const field of RECORD_FIELDS) {
    const value = textOf(field, view);
    const name = typeof field.name === 'function' ? field.name(view) : field.name;
    if (value !== undefined && name !== undefined) place(root, name.split('.'), value);
  }
  const { matched } = view.detail;
  if (matched && matched.length > 0)
    place(
      root,
      ['matchedTransactions', 'payment'],
      matched.map((id) => ({ id })),
    );
  return root;
}

function textOf({ of, max }: Field, view: RecordView): string | undefined {
  const value = of(view);
  return value === undefined || max === undefined ? value : [...value].slice(0, max).join('');
}

function settled({ settlementCurrency: currency }: SettlementRecordRow, minor: number): string {
  return formatAmount({ minor, currency });
}

function place(
  object: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    object[name] = value;
    return;
  }
  const inner = (object[name] ?? {}) as Record<string, unknown>;
  object[name] = inner;
  place(inner, rest, value);
}
