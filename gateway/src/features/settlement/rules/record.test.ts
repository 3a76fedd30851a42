import { describe, expect, it } from 'vitest';
import type { RecordEntry } from '../../../core/acquirers/acquirer.js';
import { BEGINNING as PAYMENT_BEGINNING } from '../../../core/payments/rules/drafts.js';
import type { PaymentRow, SettlementRecordRow, SettlementRow } from '../../../kernel/store/rows.js';
import { ONE_FOR_ONE } from './exchange.js';
import { STANDARD_FEES } from './fees.js';
import type { LedgerLine } from './ledger-line.js';
import { BEGINNING, detailOfRecord, recordId, recordOfEntry, recordOfFee, withRecord } from './record.js';

const HEX = /^[0-9a-f]{32}$/;
const NOW_MS = 9_000;
const SALE = 'd'.repeat(32);
const ROOT = {
  ...PAYMENT_BEGINNING,
  ...{ id: SALE, entityId: 'shop', shortId: '1234.5678.9012', type: 'DB', reference: 'order-1' },
  ...{ brand: 'VISA', last4Digits: '0000', holder: 'Jane Jones', resultCode: '000.100.110', echo: '{}' },
} as PaymentRow;
const ENTRY: RecordEntry = {
  ...{ acquirerReference: 'ref-1', originalReference: null, messageId: null, kind: 'capture' },
  ...{ approved: true, isPending: false, captureNow: false, currency: 'EUR', amountMinor: 10_000 },
  ...{ capturedMinor: 0, refundedMinor: 0, chargedBackMinor: 0, reversedMinor: 0, reason: null, atMs: 5_000 },
};
const DEBIT: LedgerLine = { recordType: 'SETTLED', transactionType: 'DEBIT', cashflow: 'POS' };
const REFUND: LedgerLine = { recordType: 'SETTLED', transactionType: 'REFUND', cashflow: 'NEG' };
const CHARGEBACK: LedgerLine = { recordType: 'CHARGEBACK', transactionType: 'DEBIT', cashflow: 'NEG' };
const SETTLEMENT: SettlementRow = {
  ...BEGINNING,
  ...{ id: 's1', entityId: 'shop', merchantId: 'shop', source: 'INTERNAL', format: 'F', currency: 'USD' },
  ...{ settledAtMs: 7_000, createdAtMs: 7_000, recordCount: 3 },
};
const SETTLED = {
  ...{ entry: ENTRY, line: DEBIT, payment: ROOT, root: ROOT, settlement: SETTLEMENT, rate: 1_100_000 },
  ...{ fees: STANDARD_FEES, clearingMerchantId: '4711-0815', entityName: 'Shop', nowMs: NOW_MS },
};
const recordOf = (more: Partial<typeof SETTLED> = {}) => recordOfEntry({ ...SETTLED, ...more });
const detailOf = (more: Partial<typeof SETTLED> = {}) => detailOfRecord(recordOf(more));

describe('the record of an entry', () => {
  it('has its amounts in both currencies, and what it is about', () => {
    expect(recordOf()).toEqual({
      ...DEBIT,
      ...{ id: expect.stringMatching(HEX), settlementId: 's1', position: 3, entityId: 'shop' },
      ...{ paymentId: SALE, amountMinor: 10_000, currency: 'EUR', settlementMinor: 11_000 },
      ...{ settlementCurrency: 'USD', feeMinor: 159, rate: 1_100_000, requestedAtMs: 5_000 },
      ...{ settledAtMs: 7_000, status: 'SUCCESS', matching: 'MATCHED', createdAtMs: NOW_MS, version: 1 },
      detail: expect.any(String),
    });
    expect(detailOf()).toEqual({
      ...{ format: 'TILLBRIDGE_INTERNAL', clearingName: 'INTERNAL', clearingMerchantId: '4711-0815' },
      ...{ settlementTxId: 'ref-1', shortId: '1234.5678.9012', connectorTxIds: ['ref-1'], brand: 'VISA' },
      ...{ last4Digits: '0000', holder: 'Jane Jones', descriptor: expect.stringMatching(/ Shop$/) },
      ...{ matched: [SALE], merchantTransactionId: 'order-1' },
    });
  });

  it('is paid for where it is a debit alone', () => {
    const fees = [DEBIT, REFUND, CHARGEBACK].map((line) => recordOf({ line }).feeMinor);
    expect(fees).toEqual([159, 0, 0]);
  });

  it('has the reason of a chargeback, and of nothing else', () => {
    const payment = { ...ROOT, id: 'cb', rootId: SALE, resultCode: '000.100.203', reference: null };
    expect(detailOf({ line: CHARGEBACK, payment })).toMatchObject({
      ...{ chargebackId: 'cb', resultCode: '000.100.203', resultText: expect.any(String), matched: ['cb'] },
      // Its own, or that of the payment with the card.
      merchantTransactionId: 'order-1',
    });
    const reversal: LedgerLine = { ...CHARGEBACK, recordType: 'CHARGEBACK REVERSAL', cashflow: 'POS' };
    expect(detailOf({ line: reversal, payment })).toMatchObject({
      ...{ chargebackId: 'cb', resultCode: '000.100.203' },
    });
    for (const line of [DEBIT, REFUND])
      for (const name of ['chargebackId', 'resultCode', 'resultText'])
        expect(detailOf({ line, payment })).not.toHaveProperty(name);
  });

  it('names the entry that it follows, and what the merchant calls it', () => {
    const payment = { ...ROOT, reference: 'order-2', echo: '{"merchantInvoiceId":"invoice-1"}' };
    const entry = { ...ENTRY, originalReference: 'ref-0' };
    expect(detailOf({ payment, entry })).toMatchObject({
      ...{ settlementTxId: 'ref-1', connectorTxIds: ['ref-0'] },
      ...{ merchantTransactionId: 'order-2', merchantInvoiceId: 'invoice-1' },
    });
    const root = { ...ROOT, reference: null };
    expect(detailOf({ payment: root, root })).not.toHaveProperty('merchantTransactionId');
  });

  it('has the same id again, and another one for another entry', () => {
    const other = recordOf({ entry: { ...ENTRY, acquirerReference: 'ref-2' } });
    expect(recordOf({ nowMs: 1 }).id).toBe(recordOf().id);
    expect(other.id).not.toBe(recordOf().id);
    // No two texts are joined to the same one.
    expect(recordId('a', 'bc')).not.toBe(recordId('ab', 'c'));
  });
});

it('the record of a fee takes it from the merchant in the currency of the settlement', () => {
  const record = recordOfFee(SETTLEMENT, 'AUTH_FEE', 12, '4711-0815');
  expect(record).toEqual({
    ...{ id: expect.stringMatching(HEX), settlementId: 's1', position: 3, entityId: 'shop' },
    ...{ recordType: 'FEE', transactionType: 'AUTH_FEE', cashflow: 'NEG', paymentId: null },
    ...{ amountMinor: 12, currency: 'USD', settlementMinor: 12, settlementCurrency: 'USD', feeMinor: 0 },
    ...{ rate: ONE_FOR_ONE, requestedAtMs: 7_000, settledAtMs: 7_000, status: 'SUCCESS', matching: null },
    ...{ detail: expect.any(String), createdAtMs: 7_000, version: 1 },
  });
  expect(detailOfRecord(record)).toEqual({
    ...{ format: 'TILLBRIDGE_INTERNAL', clearingName: 'INTERNAL', clearingMerchantId: '4711-0815' },
  });
  expect(recordOfFee(SETTLEMENT, 'REFUND_FEE', 12, '4711-0815').id).not.toBe(record.id);
});

describe('a settlement with a record more', () => {
  const record = (more: Partial<SettlementRecordRow>) => ({ ...recordOf(), ...more });

  it('sums what comes, what goes and the fees, each for itself', () => {
    const credit = record({ cashflow: 'POS', settlementMinor: 100, feeMinor: 7 });
    const debit = record({ cashflow: 'NEG', settlementMinor: 30, feeMinor: 1 });
    const { creditMinor, debitMinor, feeMinor, recordCount, id } = [credit, debit, credit].reduce(
      withRecord,
      SETTLEMENT,
    );
    expect({ creditMinor, debitMinor, feeMinor, recordCount, id }).toEqual({
      ...{ creditMinor: 200, debitMinor: 30, feeMinor: 15, recordCount: 6, id: 's1' },
    });
  });

  it('is refused where a sum is more than a number counts', () => {
    const most = { ...SETTLEMENT, creditMinor: Number.MAX_SAFE_INTEGER };
    expect(() => withRecord(most, record({ cashflow: 'POS', settlementMinor: 1 }))).toThrow(RangeError);
    expect(withRecord(most, record({ cashflow: 'NEG', settlementMinor: 1 })).debitMinor).toBe(1);
  });
});
