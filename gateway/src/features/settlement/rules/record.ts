import { createHash } from 'node:crypto';
import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { present } from '@tillbridge/wire/present.js';
import type { RecordEntry } from '../../../core/acquirers/acquirer.js';
import { echoOf } from '../../../core/payments/rules/lifecycle-facts.js';
import { descriptorOf } from '../../../core/payments/view/descriptor.js';
import type { PaymentRow, SettlementRecordRow, SettlementRow } from '../../../kernel/store/rows.js';
import { countable, exchanged, ONE_FOR_ONE } from './exchange.js';
import { type FeeSchedule, type FeeType, feeOfDebit } from './fees.js';
import type { LedgerLine } from './ledger-line.js';

/** Name and file format of the simulated acquirer, as its records name them. */
export const INTERNAL_FORMAT = { format: 'TILLBRIDGE_INTERNAL', clearingName: 'INTERNAL' } as const;

/** What a settlement begins with: no record, and nothing to pay. */
export const BEGINNING = {
  state: 'open',
  recordCount: 0,
  creditMinor: 0,
  debitMinor: 0,
  feeMinor: 0,
  operations: '{}',
  rates: '[]',
  fileName: '',
  version: 1,
} as const satisfies Partial<SettlementRow>;

/** What a record has in addition to its amounts (docs/reconciliation.md). Texts as long as they came. */
export interface RecordDetail {
  readonly clearingMerchantId: string;
  readonly clearingName: string;
  readonly format: string;
  readonly settlementTxId?: string;
  readonly shortId?: string;
  /** Up to three. */
  readonly connectorTxIds?: readonly string[];
  readonly brand?: string;
  readonly descriptor?: string;
  readonly last4Digits?: string;
  readonly bankCode?: string;
  readonly holder?: string;
  /** Of chargebacks. */
  readonly resultCode?: string;
  readonly resultText?: string;
  /** The payments that the record fits. */
  readonly matched?: readonly string[];
  /** Why it fits none, or several, in words. */
  readonly mismatch?: string;
  readonly chargebackId?: string;
  readonly merchantTransactionId?: string;
  readonly merchantInvoiceId?: string;
}

/** Reads the column of a record. */
export function detailOfRecord({ detail }: Pick<SettlementRecordRow, 'detail'>): RecordDetail {
  return JSON.parse(detail) as RecordDetail;
}

/** The id of a record: the same line again has the same one. 32 lowercase hex. */
export function recordId(...about: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 32);
}

/** What an entry of the ledger is settled by. */
interface SettledEntry {
  readonly entry: RecordEntry;
  readonly line: LedgerLine;
  /** The payment of the entry: of a chargeback the chargeback. */
  readonly payment: PaymentRow;
  /** The payment with the card; the payment itself where it is one. */
  readonly root: PaymentRow;
  readonly settlement: Pick<SettlementRow, 'id' | 'currency' | 'settledAtMs' | 'recordCount'>;
  /** Millionths. */
  readonly rate: number;
  readonly fees: FeeSchedule;
  readonly clearingMerchantId: string;
  readonly entityName: string;
  readonly nowMs: number;
}

/** The record of an entry. Pure. */
export function recordOfEntry(settled: SettledEntry): SettlementRecordRow {
  const { entry, line, payment, settlement, rate, fees, nowMs } = settled;
  const { amountMinor, currency } = entry;
  const settlementMinor = exchanged(amountMinor, currency, settlement.currency, rate);
  const hasFee = line.recordType === 'SETTLED' && line.transactionType === 'DEBIT';
  return {
    id: recordId('INTERNAL', entry.acquirerReference),
    settlementId: settlement.id,
    position: settlement.recordCount,
    entityId: payment.entityId,
    ...line,
    paymentId: payment.id,
    amountMinor,
    currency,
    settlementMinor,
    settlementCurrency: settlement.currency,
    feeMinor: hasFee ? feeOfDebit(fees, settlementMinor, settlement.currency) : 0,
    rate,
    requestedAtMs: entry.atMs,
    settledAtMs: settlement.settledAtMs,
    status: 'SUCCESS',
    matching: 'MATCHED',
    detail: JSON.stringify(detailOf(settled)),
    createdAtMs: nowMs,
    version: 1,
  };
}

function detailOf({
  entry,
  line,
  payment,
  root,
  clearingMerchantId,
  entityName,
}: SettledEntry): RecordDetail {
  const isChargeback = line.recordType.startsWith('CHARGEBACK');
  const { merchantInvoiceId } = echoOf(payment);
  return {
    ...INTERNAL_FORMAT,
    clearingMerchantId,
    settlementTxId: entry.acquirerReference,
    shortId: payment.shortId,
    connectorTxIds: [entry.originalReference ?? entry.acquirerReference],
    ...paymentDetail(root, entityName),
    ...(isChargeback && {
      chargebackId: payment.id,
      resultCode: payment.resultCode,
      resultText: resultDescription(payment.resultCode),
    }),
    matched: [payment.id],
    ...present({ merchantTransactionId: payment.reference ?? root.reference ?? undefined }),
    ...(typeof merchantInvoiceId === 'string' && { merchantInvoiceId }),
  };
}

/** What a record shows of a payment's card and statement. */
export function paymentDetail(root: PaymentRow, entityName: string): Partial<RecordDetail> {
  const { brand, last4Digits, holder } = root;
  return {
    ...present({ brand, last4Digits, holder }),
    descriptor: descriptorOf(echoOf(root), root.id, entityName),
  };
}

/** The record of a fee for operations. Pure. */
export function recordOfFee(
  settlement: SettlementRow,
  type: FeeType,
  feeMinor: number,
  clearingMerchantId: string,
): SettlementRecordRow {
  const { id, entityId, currency, settledAtMs, recordCount } = settlement;
  const detail: RecordDetail = { ...INTERNAL_FORMAT, clearingMerchantId };
  return {
    id: recordId(id, type),
    settlementId: id,
    position: recordCount,
    entityId,
    recordType: 'FEE',
    transactionType: type,
    cashflow: 'NEG',
    paymentId: null,
    amountMinor: feeMinor,
    currency,
    settlementMinor: feeMinor,
    settlementCurrency: currency,
    feeMinor: 0,
    rate: ONE_FOR_ONE,
    requestedAtMs: settledAtMs,
    settledAtMs,
    status: 'SUCCESS',
    matching: null,
    detail: JSON.stringify(detail),
    createdAtMs: settledAtMs,
    version: 1,
  };
}

/** The settlement with a record more. Pure. @throws RangeError where its sums can be counted no more */
export function withRecord(settlement: SettlementRow, record: SettlementRecordRow): SettlementRow {
  const { cashflow, settlementMinor, feeMinor } = record;
  const isCredit = cashflow === 'POS';
  return {
    ...settlement,
    recordCount: settlement.recordCount + 1,
    creditMinor: countable(settlement.creditMinor + (isCredit ? settlementMinor : 0)),
    debitMinor: countable(settlement.debitMinor + (isCredit ? 0 : settlementMinor)),
    feeMinor: countable(settlement.feeMinor + feeMinor),
  };
}
