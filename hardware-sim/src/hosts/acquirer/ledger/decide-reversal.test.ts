import { describe, expect, it } from 'vitest';
import type { AccountRow, TransactionKind, TransactionRow } from '../rows/tables.js';
import { decideReversal } from './decide-reversal.js';

const ACCOUNT: AccountRow = { card: 'hash', currency: 'EUR', balanceMinor: 1_000, heldMinor: 300 };
const transaction = (kind: TransactionKind, more: Partial<TransactionRow> = {}): TransactionRow => ({
  position: 1,
  message: 'T1/000001/20261123072200',
  kind,
  isAdvice: 0,
  terminalId: 'T1',
  merchantId: 'M1',
  rrn: null,
  card: 'hash',
  last4Digits: '0000',
  currency: 'EUR',
  requestedMinor: 100,
  amountMinor: 100,
  heldMinor: kind === 'authorization' ? 100 : 0,
  refundedMinor: 0,
  reversedMinor: 0,
  chargedBackMinor: 0,
  approved: 1,
  responseCode: '00',
  answer: '{}',
  original: null,
  day: '20261123',
  atMs: 1,
  ...more,
});
const euros = (minor: number) => ({ minor, currency: 'EUR' });
const decide = (
  original: TransactionRow | undefined,
  {
    root,
    remaining,
    account = ACCOUNT,
  }: { root?: TransactionRow; remaining?: { minor: number; currency: string }; account?: AccountRow } = {},
) => decideReversal(remaining, { original, root, account });

describe('a reversal gives back what its original took', () => {
  it('the money of a sale', () => {
    const sale = transaction('sale');
    expect(decide(sale)).toEqual({
      responseCode: '00',
      reversedMinor: 100,
      account: { ...ACCOUNT, balanceMinor: 1_100 },
      transactions: [{ ...sale, reversedMinor: 100 }],
    });
  });

  it('the hold of an authorization', () => {
    const authorization = transaction('authorization');
    expect(decide(authorization)).toEqual({
      responseCode: '00',
      reversedMinor: 100,
      account: { ...ACCOUNT, heldMinor: 200 },
      transactions: [{ ...authorization, reversedMinor: 100, heldMinor: 0 }],
    });
  });

  it('what an increment added to the hold, of the authorization as well', () => {
    const increment = transaction('increment', { amountMinor: 40 });
    const root = transaction('authorization', { amountMinor: 140, heldMinor: 140 });
    expect(decide(increment, { root })).toEqual({
      responseCode: '00',
      reversedMinor: 40,
      account: { ...ACCOUNT, heldMinor: 260 },
      transactions: [
        { ...increment, reversedMinor: 40 },
        { ...root, amountMinor: 100, heldMinor: 100 },
      ],
    });
  });

  it('the money of a capture, which is held again', () => {
    const capture = transaction('capture', { amountMinor: 60 });
    const root = transaction('authorization', { heldMinor: 40 });
    expect(decide(capture, { root })).toEqual({
      responseCode: '00',
      reversedMinor: 60,
      account: { ...ACCOUNT, balanceMinor: 1_060, heldMinor: 360 },
      transactions: [
        { ...capture, reversedMinor: 60 },
        { ...root, heldMinor: 100 },
      ],
    });
  });

  it('takes a refund from the cardholder again, whose sale may be refunded again', () => {
    const refund = transaction('refund', { amountMinor: 30 });
    const root = transaction('sale', { refundedMinor: 50 });
    expect(decide(refund, { root })).toEqual({
      responseCode: '00',
      reversedMinor: 30,
      account: { ...ACCOUNT, balanceMinor: 970 },
      transactions: [
        { ...refund, reversedMinor: 30 },
        { ...root, refundedMinor: 20 },
      ],
    });
  });

  it.each(['refund', 'credit', 'capture'] as const)(
    'a %s whose root is not there changes it alone',
    (kind) => {
      const row = transaction(kind);
      expect(decide(row).transactions).toEqual([{ ...row, reversedMinor: 100 }]);
    },
  );

  it('takes a credit from the cardholder again', () => {
    expect(decide(transaction('credit')).account).toEqual({ ...ACCOUNT, balanceMinor: 900 });
  });
});

describe('a reversal leaves', () => {
  it('the amount that stays', () => {
    expect(decide(transaction('sale'), { remaining: euros(30) }).reversedMinor).toBe(70);
    expect(decide(transaction('authorization'), { remaining: euros(99) }).reversedMinor).toBe(1);
    expect(decide(transaction('sale', { reversedMinor: 20 }), { remaining: euros(30) })).toMatchObject({
      reversedMinor: 50,
      transactions: [{ reversedMinor: 70 }],
    });
  });

  it('what was reversed, refunded and charged back of a sale', () => {
    const sale = transaction('sale', { reversedMinor: 10, refundedMinor: 20, chargedBackMinor: 30 });
    expect(decide(sale)).toMatchObject({ reversedMinor: 40, transactions: [{ reversedMinor: 50 }] });
  });

  it('what was captured of an authorization and of its increments', () => {
    expect(decide(transaction('authorization', { heldMinor: 25 }))).toMatchObject({
      reversedMinor: 25,
      transactions: [{ heldMinor: 0 }],
    });
    const increment = transaction('increment', { amountMinor: 40 });
    expect(
      decide(increment, { root: transaction('authorization', { amountMinor: 140, heldMinor: 15 }) }),
    ).toMatchObject({
      reversedMinor: 15,
    });
    expect(decide(increment)).toEqual({ responseCode: '00', reversedMinor: 0, transactions: [] });
  });
});

const NOTHING = { responseCode: '00', reversedMinor: 0, transactions: [] };

describe('a reversal moves no money, and is approved, where', () => {
  it('its original never came', () => expect(decide(undefined)).toEqual(NOTHING));
  it('its original was declined', () =>
    expect(decide(transaction('sale', { approved: 0 }))).toEqual(NOTHING));
  it('the card has no account', () =>
    expect(
      decideReversal(undefined, { original: transaction('sale'), root: undefined, account: undefined }),
    ).toEqual(NOTHING));
  it('nothing is left', () => expect(decide(transaction('sale', { reversedMinor: 100 }))).toEqual(NOTHING));
  it('all of it stays, or more', () => {
    expect(decide(transaction('sale'), { remaining: euros(100) })).toEqual(NOTHING);
    expect(decide(transaction('sale'), { remaining: euros(101) })).toEqual(NOTHING);
  });
});

it('refuses to leave an amount of another currency', () => {
  expect(decide(transaction('sale'), { remaining: { minor: 30, currency: 'USD' } })).toEqual({
    ...NOTHING,
    responseCode: '12',
  });
});

it('reverses no more than the amount, in whatever parts', () => {
  for (const parts of [
    [90, 50, 10, 0],
    [50, 70, 20],
    [100, 99, 0, 0],
    [0, 50],
  ]) {
    let row = transaction('sale');
    let account = ACCOUNT;
    for (const minor of parts) {
      const effect = decide(row, { remaining: euros(minor), account });
      row = effect.transactions[0] ?? row;
      account = effect.account ?? account;
      expect(account.balanceMinor - ACCOUNT.balanceMinor).toBe(row.reversedMinor);
      expect(100 - row.reversedMinor).toBeGreaterThanOrEqual(0);
    }
    expect(row.reversedMinor).toBe(100 - Math.min(...parts));
  }
});
