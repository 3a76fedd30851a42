import { describe, expect, test } from 'vitest';
import type { RecordEntry } from '../../core/acquirers/acquirer.js';
import type { PaymentRow } from '../../kernel/store/rows.js';
import { comparePayment } from './compare-payment.js';

const payment = {
  type: 'DB',
  state: 'captured',
  rootId: null,
  amountMinor: 1_000,
  currency: 'EUR',
  authorizedMinor: 1_000,
  capturedMinor: 1_000,
  refundedMinor: 0,
  chargedBackMinor: 0,
  reversedMinor: 0,
} as PaymentRow;

const entry: RecordEntry = {
  acquirerReference: 'a',
  originalReference: null,
  messageId: null,
  kind: 'authorization',
  approved: true,
  isPending: false,
  captureNow: true,
  currency: 'EUR',
  amountMinor: 1_000,
  capturedMinor: 1_000,
  refundedMinor: 0,
  chargedBackMinor: 0,
  reversedMinor: 0,
  reason: null,
  atMs: 1,
};

const kinds = (ours: Partial<PaymentRow>, theirs: Partial<RecordEntry> | undefined) =>
  comparePayment({ ...payment, ...ours }, theirs && { ...entry, ...theirs }).map(({ kind, detail }) => [
    kind,
    detail,
  ]);

describe('a payment that stands on its own', () => {
  test('agrees with the entry of the same amounts', () => {
    expect(kinds({}, {})).toEqual([]);
    const reversed = { state: 'reversed', capturedMinor: 0, reversedMinor: 1_000 } as const;
    expect(kinds(reversed, { capturedMinor: 0, reversedMinor: 1_000 })).toEqual([]);
  });

  test.each([
    ['currency', { currency: 'USD' }, 'currency: EUR here, USD there'],
    ['authorized', { amountMinor: 900 }, 'authorized: 1000 here, 900 there'],
    ['captured', { capturedMinor: 999 }, 'captured: 1000 here, 999 there'],
    ['refunded', { refundedMinor: 1 }, 'refunded: 0 here, 1 there'],
    ['reversed', { reversedMinor: 5 }, 'reversed: 0 here, 5 there'],
  ])('differs in what is %s', (_name, theirs, detail) => {
    expect(kinds({}, theirs)).toEqual([['amount-differs', detail]]);
  });

  test('must be known to the acquirer when approved, and approved there too', () => {
    expect(kinds({}, undefined)).toEqual([['payment-not-at-acquirer', 'DB of 1000 EUR (minor units)']]);
    expect(kinds({}, { approved: false })).toEqual([['outcome-differs', 'approved here, declined there']]);
  });

  test('that is declined moved no money, or all of it was taken back', () => {
    const declined = { state: 'declined' } as const;
    expect(kinds(declined, undefined)).toEqual([]);
    expect(kinds(declined, { approved: false })).toEqual([]);
    expect(kinds(declined, { reversedMinor: 1_000 })).toEqual([]);
    expect(kinds(declined, { reversedMinor: 999 })).toEqual([
      ['outcome-differs', 'declined here, approved there'],
    ]);
  });
});

describe('a payment that follows another', () => {
  const refund = {
    type: 'RF',
    state: 'completed',
    rootId: 'root',
    authorizedMinor: 0,
    capturedMinor: 0,
  } as const;
  const recorded = { kind: 'refund', capturedMinor: 0 } as const;

  test('agrees in its own amount, and in whether it was reversed', () => {
    expect(kinds(refund, recorded)).toEqual([]);
    expect(kinds({ ...refund, state: 'reversed' }, { ...recorded, reversedMinor: 1_000 })).toEqual([]);
    expect(kinds(refund, { ...recorded, reversedMinor: 1_000 })).toEqual([
      ['amount-differs', 'reversed: false here, true there'],
    ]);
    expect(kinds(refund, { ...recorded, amountMinor: 1 })).toEqual([
      ['amount-differs', 'amount: 1000 here, 1 there'],
    ]);
  });
});
