import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SettlementRecordRow } from '../../../kernel/store/rows.js';
import type { SettlementAccount } from './account.js';
import { CSV_HEADERS, csvRow, OTHER_HEADERS, recordJson, viewOf } from './columns.js';
import { STANDARD_FEES } from './fees.js';
import { readImportRow } from './import-row.js';
import type { RecordDetail } from './record.js';

const ACCOUNT: SettlementAccount = {
  ...{ entityId: 'a'.repeat(32), entityName: 'Shop', merchantId: 'b'.repeat(32), pspId: 'c'.repeat(32) },
  ...{ divisionId: 'd'.repeat(32), clearingMerchantId: '4711-0815', currency: null, fees: STANDARD_FEES },
};
const DETAIL: RecordDetail = {
  ...{ clearingMerchantId: '4711-0815', clearingName: 'Acme Acquiring', format: 'ACME_V2' },
  ...{ settlementTxId: 'S1', shortId: '1234.5678.9012', connectorTxIds: ['C1', 'C2', 'C3'], brand: 'VISA' },
  ...{ descriptor: 'Shop', last4Digits: '0000', bankCode: '37040044', holder: 'Jane Jones' },
  ...{ resultCode: '000.100.203', resultText: 'not received', matched: ['p1', 'p2'], mismatch: 'two fit' },
  ...{ chargebackId: 'cb1', merchantTransactionId: 'order-1', merchantInvoiceId: 'invoice-1' },
};
const RECORD: SettlementRecordRow = {
  ...{ id: 'r1', settlementId: 's1', position: 0, entityId: ACCOUNT.entityId, paymentId: 'p1' },
  ...{ recordType: 'CHARGEBACK', transactionType: 'DEBIT', cashflow: 'NEG' },
  ...{
    amountMinor: 1_234,
    currency: 'EUR',
    settlementMinor: 1_357,
    settlementCurrency: 'KWD',
    feeMinor: 250,
  },
  ...{ rate: 1_100_000, requestedAtMs: Date.UTC(2026, 10, 20, 19, 36), settledAtMs: Date.UTC(2026, 10, 21) },
  ...{ status: 'SUCCESS', matching: 'MULTIPLE_MATCHES', detail: '', createdAtMs: 1, version: 1 },
};

/** A view of a record, made of what differs from the one above. */
const view = (record: Partial<SettlementRecordRow> = {}, detail: object = DETAIL, account = ACCOUNT) =>
  viewOf({ ...RECORD, ...record, detail: JSON.stringify(detail) }, account);
const LEAST = { clearingMerchantId: '4711-0815', clearingName: 'Acme', format: 'ACME_V2' };
const { divisionId: _, ...NO_DIVISION } = ACCOUNT;

describe('a record in the file', () => {
  it('has the value of each column, in the order of the headings', () => {
    expect(csvRow(view())).toEqual([
      ...['CHARGEBACK', 'DEBIT', 'NEG', '4711-0815', 'a'.repeat(32), 'Shop', 'c'.repeat(32), 'd'.repeat(32)],
      ...['b'.repeat(32), 'S1', 'p1', '1234.5678.9012', 'C1', 'C2', 'C3', '12.34', 'EUR', 'VISA'],
      ...['2026-11-20 19:36:00', '1.36', 'KWD', '0.25', '1.10', '2026-11-21 00:00:00', 'SUCCESS', 'Shop'],
      ...['0000', '37040044', 'Jane Jones', '000.100.203', 'not received', 'ACME_V2', 'Acme Acquiring'],
      ...['MULTIPLE_MATCHES', 'p1 p2', 'cb1'],
    ]);
    expect(CSV_HEADERS).toHaveLength(36);
  });

  it('has empty cells where there is no value', () => {
    const cells = csvRow(view({ paymentId: null, matching: null }, LEAST, NO_DIVISION));
    const empty = CSV_HEADERS.filter((_heading, at) => cells[at] === '');
    expect(empty).toEqual([
      ...['DivisionId', 'SettlementTxId', 'UniqueID', 'ShortId', 'ConnectorTxId1', 'ConnectorTxId2'],
      ...['ConnectorTxId3', 'Brand', 'Descriptor', 'AccountNumberLast4', 'BankCode', 'AccountHolder'],
      ...['ReasonCode', 'ReasonDesc', 'MatchingStatus', 'MatchedTransactions', 'ChargebackId'],
    ]);
  });

  it('calculates nothing in a spreadsheet, and is cut by characters', () => {
    const cells = csvRow(view({}, { ...DETAIL, holder: '=1+1', descriptor: '\u{1f600}'.repeat(129) }));
    expect(cells[CSV_HEADERS.indexOf('AccountHolder')]).toBe("'=1+1");
    expect(cells[CSV_HEADERS.indexOf('Descriptor')]).toBe('\u{1f600}'.repeat(128));
  });

  it('is read back by the import as it was', () => {
    const record = fc.record({
      recordType: fc.constantFrom('CHARGEBACK', 'CHARGEBACK REVERSAL'),
      transactionType: fc.constantFrom('DEBIT', 'REFUND', 'CREDIT'),
      cashflow: fc.constantFrom('POS', 'NEG'),
      status: fc.constantFrom('SUCCESS', 'FAILED'),
      amountMinor: fc.integer({ min: 0, max: 999_999_999_999 }),
      settlementMinor: fc.integer({ min: 0, max: 999_999_999_999 }),
      feeMinor: fc.integer({ min: 0, max: 999_999 }),
      rate: fc.integer({ min: 1, max: 99_999_999 }).map((hundredths) => hundredths * 10_000),
      requestedAtMs: fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1_000),
      settledAtMs: fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1_000),
    } as const);
    fc.assert(
      fc.property(record, (changed) => {
        const cells = csvRow(view({ ...changed, settlementCurrency: 'USD', paymentId: 'e'.repeat(32) }));
        const values = new Map(CSV_HEADERS.map((heading, at) => [heading, cells[at] ?? '']));
        values.set(OTHER_HEADERS[0] ?? '', 'order-1').set(OTHER_HEADERS[1] ?? '', 'invoice-1');
        const { matched: _ids, mismatch: _why, chargebackId: _id, ...detail } = DETAIL;
        expect(readImportRow(values, 0)).toEqual({
          row: {
            ...changed,
            ...{ currency: 'EUR', settlementCurrency: 'USD', id: expect.any(String), detail },
            ...{ accountId: ACCOUNT.entityId, paymentId: 'e'.repeat(32) },
          },
        });
      }),
    );
  });
});

describe('a record in the API', () => {
  it('has its values by name', () => {
    expect(recordJson(view())).toEqual({
      ...{ recordType: 'CHARGEBACK', transactionType: 'DEBIT', amount: '12.34', currency: 'EUR' },
      settlement: {
        ...{ cashflow: 'NEG', id: 'S1', amount: '1.36', currency: 'KWD', fee: '0.25', fxRate: '1.10' },
        ...{ date: '2026-11-21 00:00:00', status: 'SUCCESS', format: 'ACME_V2' },
      },
      clearingInstitute: {
        ...{ merchantId: '4711-0815', txId1: 'C1', txId2: 'C2', txId3: 'C3', name: 'Acme Acquiring' },
      },
      merchantAccount: { id: ACCOUNT.entityId, name: 'Shop' },
      ...{ pspEntityId: ACCOUNT.pspId, divisionEntityId: 'd'.repeat(32), merchantEntityId: 'b'.repeat(32) },
      payment: { id: 'p1' },
      ...{ paymentBrand: 'VISA', presentmentDate: '2026-11-20 19:36:00', descriptor: 'Shop' },
      card: { last4Digits: '0000', holder: 'Jane Jones' },
      bankAccount: { bankCode: '37040044' },
      result: { code: '000.100.203', description: 'not received' },
      matchedTransactions: {
        ...{ status: 'MULTIPLE_MATCHES', reason: 'two fit', payment: [{ id: 'p1' }, { id: 'p2' }] },
      },
      chargebackTransaction: { id: 'cb1' },
      ...{ merchantTransactionId: 'order-1', merchantInvoiceId: 'invoice-1' },
    });
  });

  it.each([
    ['VISA', 'card'],
    [undefined, 'card'],
    ['DIRECTDEBIT_SEPA', 'bankAccount'],
  ])('of the brand %s has digits and holder in %s', (brand, member) => {
    const { brand: _brand, bankCode: _code, ...detail } = DETAIL;
    const json = recordJson(view({}, { ...detail, ...(brand !== undefined && { brand }) }));
    expect(json).toMatchObject({ [member]: { last4Digits: '0000', holder: 'Jane Jones' } });
    expect(json).not.toHaveProperty(member === 'card' ? 'bankAccount' : 'card');
  });

  it('names no payment where none fits', () => {
    for (const matched of [undefined, []]) {
      const json = recordJson(view({ matching: 'NOT_MATCHED', paymentId: null }, { ...LEAST, matched }));
      expect(json).toMatchObject({ matchedTransactions: { status: 'NOT_MATCHED' } });
      expect(json).not.toHaveProperty('matchedTransactions.payment');
      expect(json).not.toHaveProperty('payment');
    }
  });
});
