import { expect, it } from 'vitest';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { endCart } from './end-cart.js';
import { sellerPartChanges } from './seller-parts.js';

const PAYMENT = { id: 'p', entityId: 'e', type: 'DB', currency: 'EUR', state: 'captured' } as PaymentRow;
const parts = (echo: unknown, more: Partial<PaymentRow> = {}) =>
  sellerPartChanges({ ...PAYMENT, ...more }, echo as never, 5);

it('notes what each seller has of an approved payment', () => {
  const marketPlace = {
    sellers: [
      { id: 's1', amount: '12.34' },
      { id: 's2', amount: '1.00' },
    ],
  };
  const row = { paymentId: 'p', entityId: 'e', type: 'DB', currency: 'EUR', createdAtMs: 5, version: 1 };
  expect(parts({ marketPlace })).toEqual([
    { op: 'insert', table: 'sellerParts', row: { ...row, sellerId: 's1', amountMinor: 1_234 } },
    { op: 'insert', table: 'sellerParts', row: { ...row, sellerId: 's2', amountMinor: 100 } },
  ]);
  expect(parts({ marketPlace }, { state: 'declined' })).toEqual([]);
});

it.each([
  [{}],
  [{ marketPlace: 'x' }],
  [{ marketPlace: [] }],
  [{ marketPlace: { sellers: 'x' } }],
  [{ marketPlace: { sellers: ['x', { id: 's1' }, { amount: '1.00' }, [], { id: ['s'], amount: '1.00' }] } }],
])('notes nothing of %j', (echo) => {
  expect(parts(echo)).toEqual([]);
});

it('keeps the gift-card payments of an order that is paid, and reverses those of any other', () => {
  const row = { paymentId: 'g', orderId: 'p', state: 'open', dueAtMs: null } as never;
  expect(endCart([row], true, 5)).toEqual([
    { op: 'update', table: 'cartPayments', row: { ...(row as object), state: 'kept' } },
  ]);
  expect(endCart([row], false, 5)).toEqual([
    { op: 'update', table: 'cartPayments', row: { ...(row as object), state: 'reversing', dueAtMs: 5 } },
  ]);
});
