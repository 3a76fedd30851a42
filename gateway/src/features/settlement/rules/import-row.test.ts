import { describe, expect, it } from 'vitest';
import { type ReadRow, readImportRow, timeOf } from './import-row.js';

const NOW_MS = Date.UTC(2026, 10, 30);

type Row = Readonly<Record<string, string>>;
const ROW: Row = {
  ReconciliationType: 'SETTLED',
  PaymentType: 'DEBIT',
  Cashflow: 'POS',
  ClearingInstituteMerchantId: '4711-0815',
  Amount: '12.34',
  Currency: 'EUR',
  SettlementAmount: '13.57',
  SettlementCurrency: 'USD',
  SettlementFxRate: '1.10',
  SettlementDate: '2026-11-21',
  SettlementStatus: 'SUCCESS',
};
const CHARGEBACK: Row = {
  ...ROW,
  ReconciliationType: 'CHARGEBACK',
  Cashflow: 'NEG',
  SettlementStatus: 'FAILED',
};
const ALL: Row = {
  ...CHARGEBACK,
  MerchantAccountId: 'a'.repeat(32),
  UniqueID: 'b'.repeat(32),
  SettlementTxId: 'S1',
  ShortId: '1234.5678.9012',
  ConnectorTxId1: 'C1',
  ConnectorTxId2: 'C2',
  ConnectorTxId3: 'C3',
  Brand: 'VISA',
  TxRequestTime: '2026-11-20 19:36:00',
  SettlementFee: '0.25',
  Descriptor: 'Shop',
  AccountNumberLast4: '0000',
  BankCode: '37040044',
  AccountHolder: 'Jane Jones',
  ReasonCode: '000.100.203',
  ReasonDesc: 'not received',
  SettlementFileFormat: 'ACME_V2',
  ClearingInsitituteName: 'Acme Acquiring',
  TransactionId: 'order-1',
  InvoiceId: 'invoice-1',
};

const read = (row: Row): ReadRow => readImportRow(new Map(Object.entries(row)), NOW_MS);
const faultsOf = (row: Row) => read(row).faults ?? [];

describe('a row of an acquirer', () => {
  it('is read with all of its values', () => {
    expect(read(ALL)).toEqual({
      row: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        ...{ accountId: 'a'.repeat(32), paymentId: 'b'.repeat(32) },
        ...{ recordType: 'CHARGEBACK', transactionType: 'DEBIT', cashflow: 'NEG', status: 'FAILED' },
        ...{ amountMinor: 1_234, currency: 'EUR', settlementMinor: 1_357, settlementCurrency: 'USD' },
        ...{ feeMinor: 25, rate: 1_100_000 },
        requestedAtMs: Date.UTC(2026, 10, 20, 19, 36),
        settledAtMs: Date.UTC(2026, 10, 21),
        detail: {
          ...{ clearingMerchantId: '4711-0815', clearingName: 'Acme Acquiring', format: 'ACME_V2' },
          ...{ settlementTxId: 'S1', shortId: '1234.5678.9012', connectorTxIds: ['C1', 'C2', 'C3'] },
          ...{ brand: 'VISA', descriptor: 'Shop', last4Digits: '0000', bankCode: '37040044' },
          ...{ holder: 'Jane Jones', resultCode: '000.100.203', resultText: 'not received' },
          ...{ merchantTransactionId: 'order-1', merchantInvoiceId: 'invoice-1' },
        },
      },
    });
  });

  it('is read without what it need not have: no fee, at the time of now', () => {
    expect(read(ROW)).toEqual({
      row: expect.objectContaining({
        feeMinor: 0,
        requestedAtMs: NOW_MS,
        detail: { clearingMerchantId: '4711-0815', clearingName: '', format: '' },
      }),
    });
    expect(read({ ...ROW, ConnectorTxId2: 'C2' })).toMatchObject({
      row: { detail: { connectorTxIds: ['C2'] } },
    });
    const { row } = read(ROW) as { row: object };
    expect(row).not.toHaveProperty('accountId');
    expect(row).not.toHaveProperty('paymentId');
  });

  it('has the same id again, and another one with any other value', () => {
    const idOf = (row: Row) => (read(row) as { row: { id: string } }).row.id;
    expect(idOf({ ...ALL })).toBe(idOf(ALL));
    const others: Row = {
      Brand: 'MASTER',
      Amount: '12.35',
      TransactionId: 'order-2',
      InvoiceId: 'invoice-2',
    };
    const ids = Object.entries(others).map(([name, value]) => idOf({ ...ALL, [name]: value }));
    expect(new Set([idOf(ALL), ...ids]).size).toBe(1 + ids.length);
  });

  it.each<[Row, string]>([
    [
      { ReconciliationType: 'SETTLE' },
      'ReconciliationType must be one of SETTLED, CHARGEBACK, CHARGEBACK REVERSAL, FEE',
    ],
    [
      { ReconciliationType: '' },
      'ReconciliationType must be one of SETTLED, CHARGEBACK, CHARGEBACK REVERSAL, FEE',
    ],
    [{ Cashflow: 'pos' }, 'Cashflow must be one of POS, NEG'],
    [{ SettlementStatus: 'DONE' }, 'SettlementStatus must be one of SUCCESS, FAILED'],
    [{ Amount: '12' }, 'Amount must be an amount with two decimals'],
    [{ Amount: '' }, 'Amount must be an amount with two decimals'],
    [{ Amount: '12.345' }, 'Amount must be an amount with two decimals'],
    [{ SettlementAmount: '-1.00' }, 'SettlementAmount must be an amount with two decimals'],
    [{ SettlementFee: 'x' }, 'SettlementFee must be an amount with two decimals'],
    [{ SettlementFxRate: '1' }, 'SettlementFxRate must be a rate with two decimals'],
    [{ SettlementFxRate: '1.100' }, 'SettlementFxRate must be a rate with two decimals'],
    [{ SettlementFxRate: '0.00' }, 'SettlementFxRate must be a rate with two decimals'],
    [{ SettlementFxRate: '' }, 'SettlementFxRate must be a rate with two decimals'],
    [{ SettlementDate: '2026-02-30' }, 'SettlementDate must be a date'],
    [{ SettlementDate: '' }, 'SettlementDate must be a date'],
    [{ TxRequestTime: '2026-11-20 25:00:00' }, 'TxRequestTime must be a date with a time'],
    [{ ClearingInstituteMerchantId: '' }, 'ClearingInstituteMerchantId must have 5 to 64 characters'],
    [{ ClearingInstituteMerchantId: '4711' }, 'ClearingInstituteMerchantId must have 5 to 64 characters'],
    [
      { ClearingInstituteMerchantId: '4'.repeat(65) },
      'ClearingInstituteMerchantId must have 5 to 64 characters',
    ],
    [{ MerchantAccountId: 'a' }, 'MerchantAccountId must have 32 letters and digits'],
    [{ UniqueID: `${'b'.repeat(31)}-` }, 'UniqueID must have 32 letters and digits'],
    [{ ReasonCode: '000.100.203' }, 'ReasonCode belongs to chargebacks alone'],
  ])('is refused with %j: %s', (wrong, fault) => {
    expect(faultsOf({ ...ROW, ...wrong })).toEqual([fault]);
  });

  it('is refused for the form of its reason', () => {
    expect(faultsOf({ ...CHARGEBACK, ReasonCode: 'late' })).toEqual(['ReasonCode must be a result code']);
  });

  it('may have merchant numbers of 5 and of 64 characters', () => {
    for (const length of [5, 64])
      expect(faultsOf({ ...ROW, ClearingInstituteMerchantId: '4'.repeat(length) })).toEqual([]);
  });

  it('is refused for everything that is wrong with it at once, and for no amount where the currency is wrong', () => {
    expect(faultsOf({ ...ROW, Currency: 'x', Cashflow: '', UniqueID: '1' })).toEqual([
      'Cashflow must be one of POS, NEG',
      'Currency must be a currency of ISO 4217',
      'Amount must be an amount with two decimals',
      'UniqueID must have 32 letters and digits',
    ]);
    expect(faultsOf({ ...ROW, SettlementCurrency: '' })).toEqual([
      'SettlementCurrency must be a currency of ISO 4217',
      'SettlementAmount must be an amount with two decimals',
    ]);
    expect(faultsOf({ ...ROW, ReconciliationType: 'x', ReasonCode: '000.100.203' })).toEqual([
      expect.stringMatching(/^ReconciliationType must be one of/),
    ]);
    expect(faultsOf({}).length).toBeGreaterThan(9);
  });

  it.each([
    ...['SettlementTxId', 'ConnectorTxId1', 'ConnectorTxId2', 'ConnectorTxId3', 'ClearingInsitituteName'].map(
      (name): [string, number] => [name, 64],
    ),
    ...['Descriptor', 'AccountHolder', 'ReasonDesc'].map((name): [string, number] => [name, 128]),
    ...([
      ['ShortId', 14],
      ['Brand', 16],
      ['AccountNumberLast4', 4],
      ['BankCode', 12],
      ['SettlementFileFormat', 32],
    ] satisfies [string, number][]),
  ])('has in %s at most %i characters, whatever bytes they take', (name, max) => {
    for (const character of ['x', '\u{1f600}']) {
      expect(faultsOf({ ...ROW, [name]: character.repeat(max) })).toEqual([]);
      expect(faultsOf({ ...ROW, [name]: character.repeat(max + 1) })).toEqual([
        `${name} has more than ${max} characters`,
      ]);
    }
  });
});

it.each([
  ['2026-11-20', Date.UTC(2026, 10, 20)],
  ['2026-11-20 19:36:01', Date.UTC(2026, 10, 20, 19, 36, 1)],
  ['2028-02-29', Date.UTC(2028, 1, 29)],
  ['2026-02-29', undefined],
  ['2026-13-01', undefined],
  ['2026-11-20 24:00:01', undefined],
  ['2026-11-20T19:36:01', undefined],
  ['20.11.2026', undefined],
  ['', undefined],
  [undefined, undefined],
])('the time %j is %j', (text, ms) => {
  expect(timeOf(text)).toBe(ms);
});
