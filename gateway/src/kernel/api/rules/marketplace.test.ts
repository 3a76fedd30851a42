import { describe, expect, it } from 'vitest';
import { checkRequest } from '../check/check-request.js';
import { contentErrors } from '../content.js';

const PAYMENT = {
  entityId: 'a'.repeat(32),
  amount: '10.00',
  currency: 'EUR',
  paymentType: 'DB',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2031',
};
const errors = (more: Readonly<Record<string, string>>): readonly string[] =>
  checkRequest(Object.entries({ ...PAYMENT, ...more }), { operation: 'payment' }).errors.map(
    ({ name }) => name,
  );
const seller = (at: number, id: string, amount: string) => ({
  [`marketPlace.sellers[${at}].id`]: id,
  [`marketPlace.sellers[${at}].amount`]: amount,
});

describe('the sellers of a marketplace', () => {
  it('may have less than the amount of the payment, or all of it', () => {
    expect(errors({ ...seller(0, 'a', '4.00'), ...seller(1, 'b', '6.00') })).toEqual([]);
    expect(errors({ ...seller(0, 'a', '4.00'), 'cart.items[0].sellerId': 'a' })).toEqual([]);
    expect(errors({ ...seller(0, 'a', '10.00'), amount: '10' })).toEqual([]);
  });

  it('may not have more, which is no matter of format', () => {
    const codes = (more: Readonly<Record<string, string>>) =>
      contentErrors(
        checkRequest(Object.entries({ ...PAYMENT, ...more }), { operation: 'payment' }),
        0,
      ).filter(({ name }) => name.startsWith('marketPlace.'));
    const more = { ...seller(0, 'a', '4.00'), ...seller(1, 'b', '6.01'), ...seller(2, 'c', '1.00') };
    expect(codes(more)).toEqual([{ code: '100.550.301', name: 'marketPlace.sellers[1].amount' }]);
    // Cents are not lost: 0.1 + 0.2 is 0.3.
    expect(codes({ ...seller(0, 'a', '0.10'), ...seller(1, 'b', '0.20'), amount: '0.30' })).toEqual([]);
  });

  it('are named once, and those of items are among them', () => {
    expect(errors({ ...seller(0, 'a', '1.00'), ...seller(1, 'a', '1.00') })).toEqual([
      'marketPlace.sellers[1].id',
    ]);
    expect(errors({ ...seller(0, 'a', '1.00'), 'cart.items[0].sellerId': 'b' })).toEqual([
      'cart.items[0].sellerId',
    ]);
  });
});
