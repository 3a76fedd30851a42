import { currencyDigits } from '@tillbridge/wire/payment/currency-codes.js';
import { amountOrFault } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { SettlementRecordRow } from '../../../kernel/store/rows.js';
import { RECORD_TYPES, TRANSACTION_TYPES } from '../../../kernel/store/tables/settlement.js';
import { CSV_HEADERS, OTHER_HEADERS } from './columns.js';
import { parseRate } from './exchange.js';
import { type RecordDetail, recordId } from './record.js';

/** A row of a settlement or chargeback file of an acquirer, as it stands there. */
export interface ImportedRow
  extends Pick<
    SettlementRecordRow,
    | 'recordType'
    | 'transactionType'
    | 'cashflow'
    | 'amountMinor'
    | 'currency'
    | 'settlementMinor'
    | 'settlementCurrency'
    | 'feeMinor'
    | 'rate'
    | 'requestedAtMs'
    | 'settledAtMs'
    | 'status'
  > {
  /** The same row again has the same id. */
  readonly id: string;
  readonly accountId?: string;
  /** `UniqueID`. */
  readonly paymentId?: string;
  readonly detail: RecordDetail;
}

/** A row that can be read, or everything that is wrong with it. */
export type ReadRow =
  | { readonly row: ImportedRow; readonly faults?: undefined }
  | { readonly faults: readonly string[] };

const NAMES: readonly string[] = [...CSV_HEADERS, ...OTHER_HEADERS];
const RATE = /^\d{1,6}\.\d{2}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/;
const ID = /^[0-9A-Za-z]{32}$/;
const REASON_CODE = /^[0-9.]{2,11}$/;

/** Longest texts (docs/reconciliation.md). */
const LENGTHS: readonly (readonly [name: string, max: number])[] = Object.entries({
  SettlementTxId: 64,
  ShortId: 14,
  ConnectorTxId1: 64,
  ConnectorTxId2: 64,
  ConnectorTxId3: 64,
  Brand: 16,
  Descriptor: 128,
  AccountNumberLast4: 4,
  BankCode: 12,
  AccountHolder: 128,
  ReasonDesc: 128,
  SettlementFileFormat: 32,
  ClearingInsitituteName: 64,
});

/** Reads the values of a row by the headings of docs/reconciliation.md. Pure. @param nowMs stands for a missing time */
export function readImportRow(values: ReadonlyMap<string, string>, nowMs: number): ReadRow {
  const { faults, of, check, oneOf, money, currencyOf } = checkedValues(values);
  for (const [name, max] of LENGTHS) {
    const { length } = of(name) ?? '';
    // Characters are counted where there may be too many alone: it costs more than all else.
    if (length > max && [...(of(name) ?? '')].length > max)
      faults.push(`${name} has more than ${max} characters`);
  }
  const recordType = oneOf('ReconciliationType', RECORD_TYPES);
  const transactionType = oneOf('PaymentType', TRANSACTION_TYPES);
  const cashflow = oneOf('Cashflow', ['POS', 'NEG'] as const);
  const status = oneOf('SettlementStatus', ['SUCCESS', 'FAILED'] as const);
  const currency = currencyOf('Currency');
  const settlementCurrency = currencyOf('SettlementCurrency');
  const amountMinor = money('Amount', currency);
  const settlementMinor = money('SettlementAmount', settlementCurrency);
  const feeMinor = of('SettlementFee') === undefined ? 0 : money('SettlementFee', settlementCurrency);
  const rate = check('SettlementFxRate', rateOf(of('SettlementFxRate')), 'must be a rate with two decimals');
  const settledAtMs = check('SettlementDate', timeOf(of('SettlementDate')), 'must be a date');
  const requested = of('TxRequestTime');
  const requestedAtMs =
    requested === undefined ? nowMs : check('TxRequestTime', timeOf(requested), 'must be a date with a time');
  const clearing = of('ClearingInstituteMerchantId');
  if (clearing === undefined || clearing.length < 5 || clearing.length > 64)
    faults.push('ClearingInstituteMerchantId must have 5 to 64 characters');
  for (const name of ['MerchantAccountId', 'UniqueID'])
    if (of(name) !== undefined && !ID.test(of(name) ?? ''))
      faults.push(`${name} must have 32 letters and digits`);
  const resultCode = of('ReasonCode');
  if (resultCode !== undefined && !REASON_CODE.test(resultCode))
    faults.push('ReasonCode must be a result code');
  if (resultCode !== undefined && recordType !== undefined && !recordType.startsWith('CHARGEBACK'))
    faults.push('ReasonCode belongs to chargebacks alone');
  if (faults.length > 0) return { faults };
  const read = {
    recordType,
    transactionType,
    cashflow,
    status,
    currency,
    settlementCurrency,
    amountMinor,
    settlementMinor,
    feeMinor,
    rate,
    settledAtMs,
    requestedAtMs,
  };
  return {
    row: {
      // Without faults none of them is undefined.
      ...(read as { [Name in keyof typeof read]: NonNullable<(typeof read)[Name]> }),
      id: recordId('FILE', ...NAMES.map((name) => of(name) ?? '')),
      ...present({ accountId: of('MerchantAccountId'), paymentId: of('UniqueID') }),
      detail: detailOf(of),
    },
  };
}

/** The values of a row, each checked as it is read; `faults` gathers what is wrong. */
function checkedValues(values: ReadonlyMap<string, string>) {
  const faults: string[] = [];
  const of = (name: string): string | undefined => values.get(name) || undefined;
  const check = <T>(name: string, value: T | undefined, rule: string): T | undefined => {
    if (value === undefined) faults.push(`${name} ${rule}`);
    return value;
  };
  const oneOf = <T extends string>(name: string, allowed: readonly T[]): T | undefined =>
    check(
      name,
      allowed.find((each) => each === of(name)),
      `must be one of ${allowed.join(', ')}`,
    );
  const money = (name: string, currency: string | undefined): number | undefined => {
    const text = of(name);
    const read = text?.includes('.') && currency !== undefined ? amountOrFault(text, currency) : '';
    return check(
      name,
      typeof read === 'string' ? undefined : read.minor,
      'must be an amount with two decimals',
    );
  };
  const currencyOf = (name: string): string | undefined => {
    const code = of(name);
    const isKnown = code !== undefined && currencyDigits(code) !== undefined;
    return check(name, isKnown ? code : undefined, 'must be a currency of ISO 4217');
  };
  return { faults, of, check, oneOf, money, currencyOf };
}

function detailOf(of: (name: string) => string | undefined): RecordDetail {
  const connectorTxIds = [1, 2, 3].map((at) => of(`ConnectorTxId${at}`)).filter((id) => id !== undefined);
  return {
    clearingMerchantId: of('ClearingInstituteMerchantId') ?? '',
    clearingName: of('ClearingInsitituteName') ?? '',
    format: of('SettlementFileFormat') ?? '',
    ...(connectorTxIds.length > 0 && { connectorTxIds }),
    ...present({
      settlementTxId: of('SettlementTxId'),
      shortId: of('ShortId'),
      brand: of('Brand'),
      descriptor: of('Descriptor'),
      last4Digits: of('AccountNumberLast4'),
      bankCode: of('BankCode'),
      holder: of('AccountHolder'),
      resultCode: of('ReasonCode'),
      resultText: of('ReasonDesc'),
      merchantTransactionId: of('TransactionId'),
      merchantInvoiceId: of('InvoiceId'),
    }),
  };
}

/** A rate with two decimals (docs/reconciliation.md); millionths. */
function rateOf(text: string | undefined): number | undefined {
  return text !== undefined && RATE.test(text) ? parseRate(text) : undefined;
}

/** `2026-11-20` or `2026-11-20 19:36:00`, in UTC; undefined for another form, and for a day that there is not. */
export function timeOf(text: string | undefined): number | undefined {
  const [, day, time = '00:00:00'] = DATE_TIME.exec(text ?? '') ?? [];
  if (day === undefined) return undefined;
  const ms = Date.parse(`${day}T${time}Z`);
  // A day that the month does not have is another day.
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(day) ? undefined : ms;
}
