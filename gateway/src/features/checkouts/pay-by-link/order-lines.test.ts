import { expect, it } from 'vitest';
import { orderLines } from './order-lines.js';

it('lines stand in their order, with the amount of all pieces', () => {
  const lines = orderLines({
    currency: 'EUR',
    'cart.items[10].name': 'Cup',
    'cart.items[10].price': '7.00',
    'cart.items[2].name': 'Coffee',
    'cart.items[2].quantity': '2',
    'cart.items[2].price': '9.45',
    'cart.items[2].totalAmount': '18.90',
    'cart.items[3].price': '1.00',
    'cart.items[4].name': 'Tea',
    'cart.items[4].quantity': '3',
    'cart.items[4].price': '2.00',
  });
  expect(lines).toEqual([
    { name: 'Coffee', quantity: '2', price: { amount: '18.90', currency: 'EUR' } },
    { name: 'Tea', quantity: '3' },
    { name: 'Cup', price: { amount: '7.00', currency: 'EUR' } },
  ]);
});
