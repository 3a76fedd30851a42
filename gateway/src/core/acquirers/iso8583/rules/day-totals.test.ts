import { expect, it } from 'vitest';
import { DayTotals, NO_TOTALS } from './day-totals.js';
import type { ExchangeRecord } from './exchange-record.js';

const EXCHANGE: ExchangeRecord = {
  reference: 'r',
  request: {
    kind: 'financial',
    isAdvice: false,
    isResponse: false,
    isRepeat: false,
    stan: '000001',
    at: '20261123072200',
    merchantId: 'M1',
    amount: { minor: 1234, currency: 'EUR' },
  },
  state: 'reversed',
  booked: { day: 20261123, minor: 1234 },
  reversed: { day: 20261123, minor: 200 },
  lateApprovals: 0,
  createdAtMs: 0,
  version: 1,
};

it.each([
  ['purchase', 'debits', 'debitReversals'],
  ['funding', 'debits', 'debitReversals'],
  ['refund', 'credits', 'creditReversals'],
  ['credit', 'credits', 'creditReversals'],
] as const)('counts a %s among %s, and its reversal among %s', (transaction, side, reversals) => {
  const { request } = EXCHANGE;
  const record = { ...EXCHANGE, ...(request && { request: { ...request, transaction } }) };
  const totals = new DayTotals();
  totals.add(record, 'booked');
  totals.add(record, 'reversed');
  expect(totals.of('M1', 'EUR')).toEqual({
    ...NO_TOTALS,
    [side]: { number: 1, minor: 1234 },
    [reversals]: { number: 1, minor: 200 },
  });
});
