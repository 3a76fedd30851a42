import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type Answer,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { ENTITY } from '../payments/payment-harness.test.support.js';

type Form = Readonly<Record<string, string>>;

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

const SELLERS = {
  'marketPlace.sellers[0].id': 'bakery',
  'marketPlace.sellers[0].amount': '10.00',
  'marketPlace.sellers[1].id': 'florist',
  'marketPlace.sellers[1].amount': '2.34',
};
const pay = (more: Form): Promise<Answer> =>
  harness.post('/v1/payments', { ...CARD, paymentType: 'DB', ...more });
const partsOf = async (id: string) =>
  (await harness.store.find('sellerParts', 'payment', [id])).map(
    ({ sellerId, type, amountMinor, currency }) => [sellerId, type, amountMinor, currency],
  );

it('keeps what each seller has of an approved payment, and of its refund, apart', async () => {
  const { body } = await pay(SELLERS);
  expect(await partsOf(body.id)).toEqual([
    ['bakery', 'DB', 1_000, 'EUR'],
    ['florist', 'DB', 234, 'EUR'],
  ]);
  const refund = {
    paymentType: 'RF',
    amount: '2.34',
    currency: 'EUR',
    'marketPlace.sellers[0].id': 'florist',
    'marketPlace.sellers[0].amount': '2.34',
  };
  const refunded = await harness.post(`/v1/payments/${body.id}`, refund);
  expect(await partsOf(refunded.body.id)).toEqual([['florist', 'RF', 234, 'EUR']]);
  expect(await harness.store.find('sellerParts', 'seller', [ENTITY, 'florist'])).toHaveLength(2);
});

it('keeps nothing of a payment that was declined, and takes no sum above the amount', async () => {
  const declined = await pay({ ...SELLERS, paymentBrand: 'MASTER', 'card.number': '5200000000001013' });
  expect(await partsOf(declined.body.id)).toEqual([]);
  const { status, body } = await pay({ ...SELLERS, 'marketPlace.sellers[1].amount': '2.35' });
  expect([status, body.result.code]).toEqual([400, '100.550.301']);
  expect(await partsOf(body.id)).toEqual([]);
});

it('repeats cart, sellers and flights in their order, whatever order they are sent in', async () => {
  const answer = await pay({
    'cart.items[1].name': 'roses',
    'cart.items[1].sellerId': 'florist',
    'cart.items[0].name': 'bread',
    'cart.items[0].commodityCode': '50181900',
    'cart.items[10].name': 'card',
    ...SELLERS,
    'airline.passengers[0].legs[1].flightNumber': 'TB2',
    'airline.passengers[0].legs[0].flightNumber': 'TB1',
    'airline.passengers[0].name': 'Jane Jones',
  });
  const read = await harness.get(`/v1/payments/${answer.body.id}?entityId=${ENTITY}`);
  for (const { body } of [answer, read])
    expect(body).toMatchObject({
      cart: {
        items: [
          { name: 'bread', commodityCode: '50181900' },
          { name: 'roses', sellerId: 'florist' },
          { name: 'card' },
        ],
      },
      marketPlace: {
        sellers: [
          { id: 'bakery', amount: '10.00' },
          { id: 'florist', amount: '2.34' },
        ],
      },
      airline: {
        passengers: [{ name: 'Jane Jones', legs: [{ flightNumber: 'TB1' }, { flightNumber: 'TB2' }] }],
      },
    });
});
