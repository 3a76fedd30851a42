import { expect, it } from 'vitest';
import { DayTotals, NO_TOTALS, sideOf, totalsDifference } from './day-totals.js';
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

it('names the totals of each merchant and currency', () => {
  const totals = new DayTotals();
  expect(totals.all).toEqual([]);
  totals.add(EXCHANGE, 'booked');
  totals.add(EXCHANGE, 'booked');
  const { request, booked } = EXCHANGE;
  if (request) totals.add({ ...EXCHANGE, request: { ...request, merchantId: 'M2' } }, 'booked');
  const both = { number: 2, minor: 2 * (booked?.minor ?? 0) };
  expect(
    totals.all.map(({ merchantId, currency, totals: { credits } }) => [merchantId, currency, credits]),
  ).toEqual([
    ['M1', 'EUR', both],
    ['M2', 'EUR', { number: 1, minor: 1234 }],
  ]);
});

it('counts nothing that moved no money, or is of no merchant', () => {
  const totals = new DayTotals();
  const { merchantId: _, ...ofNone } = EXCHANGE.request ?? {};
  const { amount: _amount, ...withoutAmount } = EXCHANGE.request ?? {};
  for (const request of [ofNone, withoutAmount, undefined])
    totals.add({ ...EXCHANGE, request } as ExchangeRecord, 'booked');
  const { booked: _booked, ...unbooked } = EXCHANGE;
  totals.add(unbooked, 'booked');
  expect(totals.all).toEqual([]);
  expect(sideOf({})).toBe('credits');
});

it('names what differs in two totals', () => {
  const ours = { ...NO_TOTALS, debits: { number: 2, minor: 300 }, credits: { number: 1, minor: 5 } };
  const theirs = { ...ours, debits: { number: 2, minor: 400 }, creditReversals: { number: 1, minor: 0 } };
  expect(totalsDifference(ours, ours)).toBe('');
  expect(totalsDifference(ours, theirs)).toBe(
    'debits: 2 of 300 here, 2 of 400 there; reversals of credits: 0 of 0 here, 1 of 0 there',
  );
});
