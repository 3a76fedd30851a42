import { expect, it } from 'vitest';
import type { ReversalRow, TransactionKind, TransactionRow } from '../rows/tables.js';
import { totalsOf } from './totals.js';

const DAY = '20261123';
const transaction = (
  kind: TransactionKind,
  amountMinor: number,
  more: Partial<TransactionRow> = {},
): TransactionRow => ({
  position: 1,
  message: `${kind} ${amountMinor}`,
  kind,
  isAdvice: 0,
  terminalId: 'T1',
  merchantId: 'M1',
  rrn: null,
  card: 'hash',
  last4Digits: '0000',
  currency: 'EUR',
  requestedMinor: amountMinor,
  amountMinor,
  heldMinor: 0,
  refundedMinor: 0,
  reversedMinor: 0,
  chargedBackMinor: 0,
  approved: 1,
  responseCode: '00',
  answer: '{}',
  original: null,
  day: DAY,
  atMs: 1,
  ...more,
});
const reversal = (original: string, reversedMinor: number, more: Partial<ReversalRow> = {}): ReversalRow => ({
  position: 1,
  message: `reversal of ${original}`,
  original,
  reversedMinor,
  currency: 'EUR',
  day: DAY,
  atMs: 1,
  ...more,
});
const none = { number: 0, minor: 0 };

it('adds what was taken and given on the day, and what was reversed on it', () => {
  const transactions = [
    transaction('sale', 1),
    transaction('capture', 2),
    transaction('refund', 4),
    transaction('credit', 8),
    transaction('authorization', 16),
    transaction('increment', 32),
    transaction('sale', 64, { day: '20261122' }),
    transaction('sale', 128, { currency: 'USD' }),
    transaction('sale', 256, { approved: 0 }),
  ];
  const reversals = [
    reversal('sale 1', 1),
    reversal('sale 64', 30),
    reversal('refund 4', 3),
    reversal('authorization 16', 16),
    reversal('never came', 5),
    reversal('sale 1', 7, { currency: 'USD' }),
    reversal('capture 2', 0),
  ];
  expect(totalsOf({ day: DAY, currency: 'EUR' }, transactions, reversals)).toEqual({
    debits: { number: 2, minor: 3 },
    credits: { number: 2, minor: 12 },
    debitReversals: { number: 2, minor: 31 },
    creditReversals: { number: 1, minor: 3 },
  });
});

it('is nothing on a day without transactions', () => {
  expect(totalsOf({ day: DAY, currency: 'EUR' }, [], [])).toEqual({
    debits: none,
    credits: none,
    debitReversals: none,
    creditReversals: none,
  });
});
