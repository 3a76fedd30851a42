import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { describe, expect, it } from 'vitest';
import type { AccountRow, TransactionKind, TransactionRow } from '../rows/tables.js';
import { decideTransaction, kindOf } from './decide-transaction.js';

const CARD = { card: 'hash', last4Digits: '0000', pinTriesLeft: 3, lastAtc: 0 };
const ACCOUNT: AccountRow = { card: 'hash', currency: 'EUR', balanceMinor: 1_000, heldMinor: 300 };
const ORIGINAL = {
  type: { kind: 'financial', isAdvice: false },
  stan: '000001',
  at: '20261123072200',
} as const;
const message = (minor: number, more: Partial<ExchangeMessage> = {}): ExchangeMessage => ({
  kind: 'financial',
  isAdvice: false,
  isResponse: false,
  isRepeat: false,
  stan: '000002',
  at: '20261123072300',
  transaction: 'purchase',
  amount: { minor, currency: 'EUR' },
  ...more,
});
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

interface About {
  readonly original?: TransactionRow;
  readonly isReversed?: boolean;
  readonly responseCode?: string;
  readonly hasCryptogram?: boolean;
}

const decide = (
  kind: TransactionKind,
  request: ExchangeMessage,
  { original, isReversed = false, responseCode = '00', hasCryptogram = false }: About = {},
) =>
  decideTransaction(request, kind, {
    account: ACCOUNT,
    card: CARD,
    original,
    isReversed,
    issuer: { responseCode, hasCryptogram, card: CARD, iccData: () => undefined },
  });
const refused = (responseCode: string) => ({ responseCode, amountMinor: 0 });

describe('the kind of a message', () => {
  it.each([
    [{ kind: 'authorization', transaction: 'purchase' }, 'authorization'],
    [{ kind: 'authorization', transaction: 'funding' }, 'authorization'],
    [{ kind: 'authorization', transaction: 'purchase', original: ORIGINAL }, 'increment'],
    [{ kind: 'authorization', transaction: 'refund' }, undefined],
    [{ kind: 'authorization', transaction: 'credit' }, undefined],
    [{ kind: 'financial', transaction: 'purchase' }, 'sale'],
    [{ kind: 'financial', transaction: 'purchase', original: ORIGINAL }, 'capture'],
    [{ kind: 'financial', transaction: 'refund', original: ORIGINAL }, 'refund'],
    [{ kind: 'financial', transaction: 'credit' }, 'credit'],
    [{ kind: 'reversal', transaction: 'purchase' }, undefined],
    [{ kind: 'network' }, undefined],
  ] as const)('%o is %s', (about, kind) => {
    expect(kindOf(message(100, about))).toBe(kind);
  });
});

describe('a transaction', () => {
  it('of a sale takes money', () => {
    expect(decide('sale', message(100))).toEqual({
      responseCode: '00',
      amountMinor: 100,
      account: { ...ACCOUNT, balanceMinor: 900 },
    });
  });

  it('of an authorization holds money', () => {
    expect(decide('authorization', message(100))).toEqual({
      responseCode: '00',
      amountMinor: 100,
      account: { ...ACCOUNT, heldMinor: 400 },
    });
  });

  it('needs an amount above zero', () => {
    const { amount: _, ...withoutAmount } = message(100);
    expect(decide('sale', withoutAmount)).toEqual(refused('13'));
    expect(decide('sale', message(0))).toEqual(refused('13'));
    expect(decide('sale', message(1)).amountMinor).toBe(1);
  });

  it('that was reversed before it came is refused', () => {
    expect(decide('sale', message(100), { isReversed: true })).toEqual(refused('12'));
  });

  it.each(['51', '14', '91'])('that its issuer declines with %s moves no money', (responseCode) => {
    expect(decide('sale', message(100), { responseCode })).toEqual(refused(responseCode));
  });

  it('takes what is neither spent nor held, and nothing above', () => {
    expect(decide('sale', message(700)).amountMinor).toBe(700);
    expect(decide('sale', message(701))).toEqual(refused('51'));
    expect(decide('sale', message(701, { isAdvice: true }))).toMatchObject({
      amountMinor: 701,
      account: { balanceMinor: 299 },
    });
  });

  it('of which a part is approved takes half', () => {
    expect(decide('sale', message(101), { responseCode: '10' })).toEqual({
      responseCode: '10',
      amountMinor: 50,
      account: { ...ACCOUNT, balanceMinor: 950 },
    });
    expect(decide('sale', message(1), { responseCode: '10' }).amountMinor).toBe(1);
    // What is not approved needs no money of the account.
    expect(decide('sale', message(1_400), { responseCode: '10' }).amountMinor).toBe(700);
    // Two of the three decimals of a dinar are shown.
    const amount = { minor: 1_010, currency: 'BHD' };
    expect(decide('sale', message(1_010, { amount }), { responseCode: '10' }).amountMinor).toBe(500);
  });

  it.each(['chip', 'contactless-chip'] as const)('of a %s needs its cryptogram', (entryMode) => {
    const request = message(100, { entryMode });
    expect(decide('sale', request)).toEqual(refused('63'));
    expect(decide('sale', request, { hasCryptogram: true }).amountMinor).toBe(100);
    expect(decide('sale', { ...request, isAdvice: true }).amountMinor).toBe(100);
    // The issuer declined it before.
    expect(decide('sale', request, { responseCode: '51' })).toEqual(refused('51'));
  });

  it.each(['magstripe', 'fallback', 'contactless-magstripe', 'keyed'] as const)(
    'of a card that was read as %s needs none',
    (entryMode) => {
      expect(decide('sale', message(100, { entryMode })).amountMinor).toBe(100);
    },
  );
});

describe('an increment', () => {
  const request = message(40, { kind: 'authorization', original: ORIGINAL });

  it('holds more, of the authorization as well', () => {
    const original = transaction('authorization');
    expect(decide('increment', request, { original })).toEqual({
      responseCode: '00',
      amountMinor: 40,
      account: { ...ACCOUNT, heldMinor: 340 },
      original: { ...original, amountMinor: 140, heldMinor: 140 },
    });
  });

  it('is declined as an authorization is, and changes nothing', () => {
    const original = transaction('authorization');
    expect(decide('increment', request, { original, responseCode: '51' })).toEqual(refused('51'));
    expect(decide('increment', message(701, { original: ORIGINAL }), { original })).toEqual(refused('51'));
  });

  it('needs an authorization that was not reversed', () => {
    expect(decide('increment', request, { original: transaction('sale') })).toEqual(refused('25'));
    expect(
      decide('increment', request, { original: transaction('authorization', { reversedMinor: 1 }) }),
    ).toEqual(refused('12'));
  });
});

describe('a capture', () => {
  const request = (minor: number) => message(minor, { original: ORIGINAL });

  it('takes of what is held', () => {
    const original = transaction('authorization');
    expect(decide('capture', request(60), { original })).toEqual({
      responseCode: '00',
      amountMinor: 60,
      account: { ...ACCOUNT, heldMinor: 240, balanceMinor: 940 },
      original: { ...original, heldMinor: 40 },
    });
  });

  it('takes no more than that', () => {
    const original = transaction('authorization', { heldMinor: 60 });
    expect(decide('capture', request(60), { original }).amountMinor).toBe(60);
    expect(decide('capture', request(61), { original })).toEqual(refused('13'));
  });

  it('needs an authorization', () => {
    expect(decide('capture', request(60), { original: transaction('sale') })).toEqual(refused('25'));
  });
});

describe('a refund', () => {
  const request = (minor: number) => message(minor, { transaction: 'refund', original: ORIGINAL });

  it.each(['sale', 'capture'] as const)('gives back of a %s', (kind) => {
    const original = transaction(kind, { refundedMinor: 10 });
    expect(decide('refund', request(60), { original })).toEqual({
      responseCode: '00',
      amountMinor: 60,
      account: { ...ACCOUNT, balanceMinor: 1_060 },
      original: { ...original, refundedMinor: 70 },
    });
  });

  it('gives back no more than is left', () => {
    const original = transaction('sale', { refundedMinor: 10, reversedMinor: 20, chargedBackMinor: 30 });
    expect(decide('refund', request(40), { original }).amountMinor).toBe(40);
    expect(decide('refund', request(41), { original })).toEqual(refused('13'));
  });

  it.each(['authorization', 'refund', 'credit'] as const)('of a %s is refused', (kind) => {
    expect(decide('refund', request(60), { original: transaction(kind) })).toEqual(refused('25'));
  });

  it('without an original pays to the card, as a credit does, whatever the issuer thinks of a sale', () => {
    const paid = { responseCode: '00', amountMinor: 60, account: { ...ACCOUNT, balanceMinor: 1_060 } };
    const about = { responseCode: '51', original: transaction('sale') };
    expect(decide('refund', message(60, { transaction: 'refund' }), about)).toEqual(paid);
    expect(decide('credit', message(60, { transaction: 'credit' }), about)).toEqual(paid);
    expect(decide('credit', message(60, { transaction: 'credit' }), { responseCode: '14' })).toEqual(
      refused('14'),
    );
  });

  it('a credit pays to the card although its message names another one', () => {
    expect(decide('credit', message(60, { transaction: 'credit', original: ORIGINAL })).amountMinor).toBe(60);
  });
});

describe.each([
  ['increment', 'authorization'],
  ['capture', 'authorization'],
  ['refund', 'sale'],
] as const)('what follows, as an %s does,', (kind, root) => {
  const request = message(40, { original: ORIGINAL });

  it('needs an original that was approved, in its currency', () => {
    expect(decide(kind, request, { original: transaction(root) }).amountMinor).toBe(40);
    expect(decide(kind, request)).toEqual(refused('25'));
    expect(decide(kind, request, { original: transaction(root, { approved: 0 }) })).toEqual(refused('25'));
    expect(decide(kind, request, { original: transaction(root, { currency: 'USD' }) })).toEqual(
      refused('25'),
    );
  });
});
