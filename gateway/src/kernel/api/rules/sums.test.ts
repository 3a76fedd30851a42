import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRequest } from '../check/check-request.js';

const PAYMENT = {
  entityId: 'a'.repeat(32),
  amount: '100.00',
  currency: 'EUR',
  paymentType: 'DB',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2031',
};
type Sent = Readonly<Record<string, string>>;

const errors = (more: Sent, compatibility: 'specification' | 'legacy' = 'specification'): readonly string[] =>
  checkRequest(Object.entries({ ...PAYMENT, ...more }), { operation: 'payment', compatibility }).errors.map(
    ({ name, message }) => `${name}: ${message}`,
  );
const under = (prefix: string, fields: Sent): Sent =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [prefix + name, value]));
const item = (fields: Sent, at = 0): Sent => under(`cart.items[${at}].`, fields);
const leg = (at: string, fields: Sent): Sent => {
  const [passenger, number] = at.split('/');
  return under(`airline.passengers[${passenger}].legs[${number}].`, fields);
};

describe('what the amount includes', () => {
  it.each<Sent>([
    { taxAmount: '100.00' },
    { taxAmount: '0', 'shipping.cost': '0.00' },
    { taxAmount: '60.00', 'shipping.cost': '60.00' },
    // The specification does not say that it is included.
    { discountAmount: '250.00' },
  ])('is no more than it: %j', (sent) => {
    expect(errors(sent)).toEqual([]);
  });

  it('is named with the amount where it is more', () => {
    expect(errors({ taxAmount: '100.01', 'shipping.cost': '123.00' })).toEqual([
      'taxAmount: must not exceed "amount", which includes it: 100.00',
      'shipping.cost: must not exceed "amount", which includes it: 100.00',
    ]);
    expect(errors({ taxAmount: '101' }, 'legacy')).toEqual([]);
  });
});

describe('an item of a cart', () => {
  it.each<Sent>([
    { price: '19.99', quantity: '3', totalAmount: '59.97', taxAmount: '3.19', totalTaxAmount: '9.57' },
    // A third of 10.00, rounded: half a hundredth for each of three units.
    { price: '3.33', quantity: '3', totalAmount: '10.00' },
    { price: '12.34', quantity: '0.125', totalAmount: '1.54', quantityUnit: 'KG' },
    { price: '5.00', quantity: '2' },
    { totalAmount: '7.00', quantity: '2' },
    // Whether the total has the shipping is open.
    { price: '5.00', quantity: '2', totalAmount: '14.00', shipping: '4.00' },
    { originalPrice: '10.00', taxAmount: '1.90', price: '11.90', discount: '0.00' },
    { originalPrice: '10.00', taxAmount: '1.90', price: '9.50', discount: '20.00' },
    { originalPrice: 'ten euros', taxAmount: '1.00', price: '11.90' },
    { originalPrice: '10.00', price: '11.90' },
    { originalPrice: '10.00', taxAmount: '1.90', discount: '0.00' },
    // A hundredth is left to rounding.
    { originalPrice: '10.00', taxAmount: '1.90', price: '11.91' },
    { originalPrice: '10.00', taxAmount: '1.90', price: '11.89', discount: '0.00' },
    {
      originalPrice: '10.00',
      taxAmount: '1.90',
      price: '9.00',
      discount: '0.00',
      totalDiscountAmount: '2.90',
    },
    { taxAmount: '3.18', price: '3.18' },
    // Half a hundredth for each of three units, and half for the total.
    { price: '3.33', quantity: '3', totalAmount: '10.01' },
    { price: '3.33', quantity: '3', totalAmount: '9.97' },
  ])('may be %j', (fields) => {
    expect(errors(item(fields))).toEqual([]);
  });

  it.each<[Sent, string]>([
    [
      { price: '19.99', quantity: '3', totalAmount: '60.00' },
      'totalAmount: must be price × quantity of the item: 59.97',
    ],
    [
      { price: '19.99', quantity: '3', totalAmount: '19.99' },
      'totalAmount: must be price × quantity of the item: 59.97',
    ],
    [
      { taxAmount: '3.19', quantity: '3', totalTaxAmount: '3.19' },
      'totalTaxAmount: must be taxAmount × quantity of the item: 9.57',
    ],
    [
      { taxAmount: '3.19', price: '3.18' },
      'taxAmount: must not exceed "price" of the item, which includes it: 3.18',
    ],
    [
      { totalTaxAmount: '9.00', totalAmount: '8.00' },
      'totalTaxAmount: must not exceed "totalAmount" of the item, which includes it: 8.00',
    ],
    [
      { originalPrice: '10.00', taxAmount: '1.90', price: '12.00' },
      'price: must not exceed originalPrice + taxAmount of the item: 11.90',
    ],
    [
      { originalPrice: '10.00', taxAmount: '1.90', price: '11.00', discount: '0.00' },
      'price: must be originalPrice + taxAmount of the item: 11.90',
    ],
    [
      { price: '5.00', quantity: '2', totalAmount: '14.02', shipping: '4.00' },
      'totalAmount: must be price × quantity of the item: 10.00',
    ],
    [
      { originalPrice: '10.00', taxAmount: '1.90', price: '11.92' },
      'price: must not exceed originalPrice + taxAmount of the item: 11.90',
    ],
    [
      { originalPrice: '10.00', taxAmount: '1.90', price: '11.88', discount: '0.00' },
      'price: must be originalPrice + taxAmount of the item: 11.90',
    ],
    [
      { price: '3.33', quantity: '3', totalAmount: '10.02' },
      'totalAmount: must be price × quantity of the item: 9.99',
    ],
    [
      { price: '3.33', quantity: '3', totalAmount: '9.96' },
      'totalAmount: must be price × quantity of the item: 9.99',
    ],
    [
      { taxAmount: '1.00', quantity: '2', totalTaxAmount: '6.00', shipping: '4.00' },
      'totalTaxAmount: must be taxAmount × quantity of the item: 2.00',
    ],
  ])('may not be %j', (fields, error) => {
    expect(errors(item(fields, 7))).toEqual([`cart.items[7].${error}`]);
    expect(errors(item(fields, 7), 'legacy')).toEqual([]);
  });

  it('is rounded to whole units in a currency without a minor unit', () => {
    const yen = { currency: 'JPY', ...item({ price: '33.00', quantity: '3' }) };
    expect(errors({ ...yen, ...item({ totalAmount: '100.00' }) })).toEqual([]);
    expect(errors({ ...yen, ...item({ totalAmount: '102.00' }) })).toEqual([
      'cart.items[0].totalAmount: must be price × quantity of the item: 99.00',
    ]);
  });

  it('is taken where the price per unit is the rounded part of the total, whatever the quantity', () => {
    const total = fc.integer({ min: 0, max: 99_999_999 });
    fc.assert(
      fc.property(total, fc.integer({ min: 1, max: 999_999 }), (hundredths, thousandths) => {
        const each = Math.round((hundredths * 1_000) / thousandths);
        fc.pre(each <= 999_999_999_999);
        const fields = {
          price: (each / 100).toFixed(2),
          quantity: (thousandths / 1_000).toFixed(3),
          totalAmount: (hundredths / 100).toFixed(2),
        };
        expect(errors(item(fields))).toEqual([]);
      }),
      propertyRuns(100),
    );
  });
});

describe('the totals of an airline', () => {
  const legs = {
    ...leg('0/0', { fareAmount: '10.00', taxAmount: '1.00', feesAmount: '0.50', departureTaxAmount: '2.00' }),
    ...leg('0/1', { fareAmount: '20.00', taxAmount: '2.00', feesAmount: '0.50' }),
    ...leg('1/0', { fareAmount: '30', taxAmount: '3', feesAmount: '0' }),
  };
  const totals = (fare: string, tax: string, fees: string): Sent =>
    under('airline.', { totalFareAmount: fare, totalTaxAmount: tax, totalFeesAmount: fees });

  it('are the sums of all legs, with or without departure taxes', () => {
    expect(errors({ ...legs, ...totals('60.00', '6.00', '1.00') })).toEqual([]);
    expect(errors({ ...legs, ...totals('60.00', '8.00', '1.00') })).toEqual([]);
    expect(errors(totals('60.00', '8.00', '1.00'))).toEqual([]);
    expect(errors(legs)).toEqual([]);
    expect(errors({ ...legs, ...totals('60.01', '8.01', '0.99') }, 'legacy')).toEqual([]);
    expect(errors({ ...legs, ...totals('60.01', '8.01', '0.99') })).toEqual([
      'airline.totalFareAmount: must be the sum of fareAmount of all legs: 60.00',
      'airline.totalFeesAmount: must be the sum of feesAmount of all legs: 1.00',
      'airline.totalTaxAmount: must be the sum of taxAmount of all legs: 6.00',
    ]);
  });

  it('are no less than what some legs have, where others do not say', () => {
    const more = { ...legs, ...leg('1/1', { flightNumber: 'XX1' }) };
    expect(errors({ ...more, ...totals('90.00', '6.00', '1.00') })).toEqual([]);
    expect(errors({ ...more, ...totals('59.99', '6.00', '1.00') })).toEqual([
      'airline.totalFareAmount: must be no less than the sum of fareAmount: 60.00',
    ]);
  });
});
