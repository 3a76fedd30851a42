import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import type { SettlementRecordRow, SettlementRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { describe, expect, it } from 'vitest';
import type { SettlementTerms } from '../sharing/settlement-terms.js';
import type { FileLine } from './file-lines.js';
import { checkTerms, type SettledMerchant } from './terms-judge.js';

const TERMS: SettlementTerms = {
  basisPoints: 140,
  fixedMinor: 5,
  perOperation: { AUTH_FEE: 2, CAPTURE_FEE: 0, CANCEL_FEE: 7, REFUND_FEE: 9 },
  currency: 'JPY',
  rates: [
    { currency: 'EUR', fromMs: 100, untilMs: null, rate: 160_500_000 },
    { currency: 'EUR', fromMs: 200, untilMs: 300, rate: 161_000_000 },
  ],
};

/** A payment of EUR 10.01 and its settlement in yen: 1,606.605 yen, a fee of 22.498 + 5 yen, and an operation. */
const paid = {
  Amount: '10.01',
  Currency: 'EUR',
  SettlementAmount: '1607.00',
  SettlementCurrency: 'JPY',
  SettlementFee: '27.00',
  Cashflow: 'POS',
  ReconciliationType: 'SETTLED',
  PaymentType: 'DEBIT',
  SettlementTxId: 'r1',
};
const feeLine = {
  ...{ Amount: '2.00', Currency: 'JPY', SettlementAmount: '2.00', SettlementCurrency: 'JPY' },
  ...{ SettlementFee: '0.00', Cashflow: 'NEG', ReconciliationType: 'FEE', PaymentType: 'AUTH_FEE' },
};
const row = {
  kind: 'authorization',
  acquirerReference: 'r1',
  amountMinor: 1_001,
  currency: 'EUR',
  atMs: 199,
};
const settlement = {
  id: 's1',
  currency: 'JPY',
  operations: '{"AUTH_FEE":1}',
  creditMinor: 1_607,
  debitMinor: 2,
};
const feeRecord = { settlementId: 's1', transactionType: 'AUTH_FEE', settlementMinor: 2 };

interface Found {
  readonly lines?: readonly object[];
  readonly row?: object;
  readonly settlement?: object;
  readonly feeRecord?: object;
}

function judged({ lines = [paid, feeLine], ...found }: Found): readonly string[] {
  const breaches: string[] = [];
  const fileLine =
    (values: object): FileLine =>
    (header) =>
      (values as Readonly<Record<string, string>>)[header] ?? '';
  const settled: SettledMerchant = {
    terms: TERMS,
    rows: [{ row: { ...row, ...found.row } as LedgerRow, currency: 'EUR' }],
    lines: lines.map(fileLine),
    settlements: [{ ...settlement, feeMinor: 27, ...found.settlement } as SettlementRow],
    feeRecords: [{ ...feeRecord, ...found.feeRecord } as SettlementRecordRow],
  };
  checkTerms(settled, (text) => breaches.push(text));
  return breaches;
}

describe('what a merchant is paid', () => {
  it('has the rate of its time and the fees of the table', () => {
    expect(judged({})).toEqual([]);
  });

  it('has no other amount, rate or fee', () => {
    expect(judged({ row: { atMs: 200 } })).toHaveLength(1);
    expect(judged({ row: { atMs: 300 } })).not.toEqual([]);
    expect(judged({ row: { amountMinor: 1_002 } })).toHaveLength(1);
    expect(judged({ lines: [{ ...paid, SettlementFee: '28.00' }, feeLine] })).toHaveLength(2);
    expect(judged({ lines: [{ ...paid, ReconciliationType: 'CHARGEBACK' }, feeLine] })).toHaveLength(1);
  });

  it('has each movement of its payments once', () => {
    expect(judged({ lines: [paid, paid, feeLine] })).toContain('authorization r1 is settled twice');
    expect(judged({ lines: [{ ...paid, SettlementTxId: 'r2' }, feeLine] })).toHaveLength(1);
  });

  it('pays for each operation once', () => {
    expect(judged({ settlement: { operations: '{"AUTH_FEE":2}' } })).not.toEqual([]);
    expect(judged({ feeRecord: { settlementMinor: 3 } })).toHaveLength(1);
    expect(judged({ lines: [paid] })).not.toEqual([]);
  });

  it('sums up to what its settlements state', () => {
    expect(judged({ settlement: { creditMinor: 1_608 } })).toHaveLength(1);
    expect(judged({ settlement: { feeMinor: 26 } })).toHaveLength(1);
  });
});
