import { beforeEach, describe, expect, it } from 'vitest';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { cartRows, isOfGiftCard, paysForPart, reverseCart, takeCart } from './cart-payments.js';

const GIFT = {
  id: 'g1',
  entityId: 'merchant',
  brand: 'GIFTCARD',
  state: 'captured',
  currency: 'EUR',
  rootId: null,
  refundedMinor: 0,
  reversedMinor: 0,
} as PaymentRow;

let payments: Map<string, PaymentRow>;
let carts: Map<string, object>;
beforeEach(() => {
  payments = new Map([
    ['g1', GIFT],
    ['g2', { ...GIFT, id: 'g2', entityId: 'channel' }],
  ]);
  carts = new Map();
});
const ENTITIES: Readonly<Record<string, object>> = {
  channel: { parentId: 'merchant' },
  other: { parentId: null },
};
const store = {
  get: async (table: string, [id]: readonly [string]) => {
    if (table === 'entities') return ENTITIES[id];
    return table === 'payments' ? payments.get(id) : carts.get(id);
  },
} as never;
const context = { store, clock: { nowMs: () => 5 } };
const order = (cart: readonly string[] | undefined, { entityId = 'merchant', currency = 'EUR' } = {}) =>
  ({ ...(cart && { cart }), origin: { kind: 'rest', entityId }, amount: { minor: 1, currency } }) as never;
const rowOf = (paymentId: string, state: string, entityId: string) => ({
  paymentId,
  orderId: 'o',
  entityId,
  state,
  dueAtMs: state === 'reversing' ? 5 : null,
  leasedBy: null,
  claims: 0,
  createdAtMs: 5,
  version: 1,
});

describe('a payment pays for a part of an order', () => {
  it.each([
    [{}, true],
    [{ state: 'authorized' }, true],
    [{ state: 'declined' }, false],
    [{ state: 'reversed' }, false],
    [{ rootId: 'r' }, false],
    [{ refundedMinor: 1 }, false],
    [{ reversedMinor: 1 }, false],
    [{ brand: 'VISA' }, false],
    [{ brand: null }, false],
  ] as const)('with %j: %s', (more, pays) => {
    expect(paysForPart({ ...GIFT, ...more } as PaymentRow)).toBe(pays);
  });

  it('with a gift card alone', () => {
    expect(isOfGiftCard(GIFT)).toBe(true);
    expect(isOfGiftCard({ ...GIFT, brand: 'PAYPAL' })).toBe(false);
  });
});

describe('an order', () => {
  it('takes its gift-card payments, also those of a channel of its merchant', async () => {
    expect(await takeCart(context, order(['g1', 'g2']), 'o')).toEqual({
      changes: [
        { op: 'update', table: 'payments', row: payments.get('g1') },
        { op: 'insert', table: 'cartPayments', row: rowOf('g1', 'open', 'merchant') },
        { op: 'update', table: 'payments', row: payments.get('g2') },
        { op: 'insert', table: 'cartPayments', row: rowOf('g2', 'open', 'channel') },
      ],
    });
    expect((await takeCart(context, order(['g1'], { entityId: 'channel' }), 'o')).changes).toHaveLength(2);
    expect(await takeCart(context, order(undefined), 'o')).toEqual({ changes: [] });
  });

  it('is refused where one of them cannot pay', async () => {
    const refused = { changes: [], refusal: { resultCode: '700.300.300', responseCode: null } };
    expect(await takeCart(context, order(['g1', 'gone']), 'o')).toEqual(refused);
    expect(await takeCart(context, order(['g1'], { entityId: 'other' }), 'o')).toEqual(refused);
    expect(await takeCart(context, order(['g1'], { currency: 'USD' }), 'o')).toEqual(refused);
    payments.set('g1', { ...GIFT, refundedMinor: 1 });
    expect(await takeCart(context, order(['g1']), 'o')).toEqual(refused);
    carts.set('g2', {});
    expect(await takeCart(context, order(['g2']), 'o')).toEqual(refused);
  });

  it('that is refused has those reversed that could have paid', async () => {
    carts.set('g2', {});
    expect(await reverseCart(context, order(['g1', 'g2', 'gone']), 'o')).toEqual([
      { op: 'insert', table: 'cartPayments', row: rowOf('g1', 'reversing', 'merchant') },
    ]);
    expect(await reverseCart(context, order(['g1'], { entityId: 'other' }), 'o')).toEqual([]);
    expect(await reverseCart(context, order(undefined), 'o')).toEqual([]);
  });

  it('has the rows of its gift-card payments', async () => {
    carts.set('g2', { paymentId: 'g2' });
    expect(await cartRows(store, ['g1', 'g2'])).toEqual([{ paymentId: 'g2' }]);
    expect(await cartRows(store)).toEqual([]);
  });
});
