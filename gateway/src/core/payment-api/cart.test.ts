import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, type HttpHarness, openHttpHarness } from '../../app/http/http-harness.test.support.js';
import type { CartPaymentRow } from '../../kernel/store/rows.js';
import type { ClaimLoop } from '../../kernel/workers/claim-loop.js';
import { cartReversalLoop } from '../payments/cart/cart-reversal-loop.js';
import { OTHER_ENTITY, VISA } from '../payments/payment-harness.test.support.js';
import { WAITS } from '../payments/rules/waits.js';

let harness: HttpHarness;
let reversals: ClaimLoop<CartPaymentRow>;
beforeEach(async () => {
  harness = await openHttpHarness();
  const { store, clock, context, alerts } = harness;
  reversals = cartReversalLoop({
    store,
    clock,
    random: systemRandom,
    fingerprint: context.fingerprint,
    alerts,
    followUp: (request) => harness.service.followUp(request),
    onFault: (error) => {
      throw error;
    },
  });
});
afterEach(async () => {
  await reversals.stop();
  await harness.dispose();
});

const OPENING = '1000.00';
const GIFT = {
  amount: '20.00',
  currency: 'EUR',
  paymentType: 'DB',
  paymentBrand: 'GIFTCARD',
  'giftCard.number': '6036280000000011',
  'giftCard.pin': '1234',
};
const DECLINED = { 'card.number': '5200000000001013', paymentBrand: 'MASTER' };

const pay = async (form: Readonly<Record<string, string>>) => (await harness.post('/v1/payments', form)).body;
const partOf = (id: string, at = 0) => ({
  [`cart.payments[${at}].name`]: id,
  [`cart.payments[${at}].type`]: 'GIFTCARD',
});
/** Reverses what is due. */
async function reverse(): Promise<void> {
  reversals.wake();
  await reversals.idle();
}
/** What is on the gift card: the answer to a payment of more than that states it. */
async function balance(): Promise<unknown> {
  const { giftCard } = (await pay({ ...GIFT, amount: '9999.00' })) as unknown as {
    giftCard: { balance: string };
  };
  return giftCard.balance;
}

describe('an order that a gift card pays in part', () => {
  it('is paid when the rest is, and each part is refunded by itself', async () => {
    const gift = await pay(GIFT);
    const rest = await pay({ ...CARD, ...partOf(gift.id), 'cart.payments[0].amount': '20.00' });
    expect(rest.result.code).toBe('000.100.110');
    await reverse();
    expect(await balance()).toBe('980.00');
    const refund = { paymentType: 'RF', amount: '20.00', currency: 'EUR' };
    expect((await harness.post(`/v1/payments/${gift.id}`, refund)).body.result.code).toBe('000.100.110');
    expect(await balance()).toBe(OPENING);
  });

  it.each([
    ['the issuer declines the rest', DECLINED],
    ['the gateway refuses the rest', { 'card.number': '4200000000000001' }],
    ['a test forces an end', { 'customParameters[forceResultCode]': '800.100.151' }],
  ])('is reversed as a whole where %s', async (_, refused) => {
    const first = await pay(GIFT);
    const held = await pay({ ...GIFT, paymentType: 'PA' });
    const rest = await pay({ ...CARD, ...refused, ...partOf(first.id), ...partOf(held.id, 1) });
    expect(rest.result.code).toMatch(/^(800|100)/);
    await reverse();
    expect(await balance()).toBe(OPENING);
    for (const { id } of [first, held])
      expect((await harness.store.get('payments', [id]))?.state).toBe('reversed');
    expect(await harness.store.find('alerts', 'state', ['open'])).toEqual([]);
  });

  it('is reversed where the shopper never pays the rest', async () => {
    const gift = await pay(GIFT);
    const rest = await pay({
      amount: '5.00',
      currency: 'EUR',
      paymentType: 'DB',
      paymentBrand: 'PAYPAL',
      shopperResultUrl: 'https://shop.example/done',
      ...partOf(gift.id),
    });
    expect(rest.result.code).toBe('000.200.000');
    await reverse();
    expect(await balance()).toBe('980.00');
    await harness.clock.advance(WAITS.redirect.lifetimeMs);
    await harness.service.endOverdueWaits();
    await reverse();
    expect(await balance()).toBe(OPENING);
  });

  it('is reversed after a crash that lost the answer', async () => {
    const gift = await pay(GIFT);
    harness.line.fault = 'answer-lost';
    await pay({ ...CARD, ...DECLINED, ...partOf(gift.id) });
    harness.restart();
    await harness.service.resolveOpen();
    await reverse();
    expect(await balance()).toBe(OPENING);
  });

  it('gives back the rest of what was refunded before, and by a refund what is too old to reverse', async () => {
    const gift = await pay(GIFT);
    const rest = await pay({ ...CARD, ...DECLINED, ...partOf(gift.id) });
    expect(rest.result.code).toBe('800.100.203');
    const refund = { paymentType: 'RF', amount: '5.00', currency: 'EUR' };
    await harness.post(`/v1/payments/${gift.id}`, refund);
    await harness.clock.advance(4 * 24 * 3_600_000);
    await reverse();
    expect(await balance()).toBe(OPENING);
  });

  it('waits while the acquirer is away, and reverses once', async () => {
    const gift = await pay(GIFT);
    await pay({ ...CARD, ...DECLINED, ...partOf(gift.id) });
    harness.line.cut = true;
    await reverse();
    harness.line.cut = false;
    await harness.clock.advance(60_000);
    await reverse();
    await reverse();
    expect(await balance()).toBe(OPENING);
    const reversals = (await harness.transactions()).filter(({ kind }) => kind === 'reversal');
    expect(reversals).toHaveLength(1);
  });

  it('takes each gift-card payment for one order, also of two at the same time', async () => {
    const gift = await pay(GIFT);
    const rests = await Promise.all([1, 2, 3].map(() => pay({ ...CARD, ...partOf(gift.id) })));
    const codes = rests.map(({ result }) => result.code).sort();
    expect(codes).toEqual(['000.100.110', '700.300.300', '700.300.300']);
    await reverse();
    // The order that has it is paid: the refused ones do not reverse it.
    expect(await balance()).toBe('980.00');
  });

  it('knows no gift-card payment of another merchant: its id is free text', async () => {
    const { paymentId = '' } = await harness.service.authorize({
      origin: { kind: 'rest', entityId: OTHER_ENTITY },
      type: 'DB',
      amount: { minor: 100, currency: 'EUR' },
      instrument: { kind: 'gift-card', brand: 'GIFTCARD', number: GIFT['giftCard.number'], pin: '1234' },
    });
    expect((await harness.store.get('payments', [paymentId]))?.state).toBe('captured');
    const codeOf = async (id: string) => (await pay({ ...CARD, ...DECLINED, ...partOf(id) })).result.code;
    expect(await codeOf(paymentId)).toBe(await codeOf('f'.repeat(32)));
    expect(await harness.store.get('cartPayments', [paymentId])).toBeUndefined();
  });

  it.each(['Gift card of the shop next door', 'f'.repeat(32), 'x'.repeat(255)])(
    'is stated with a gift card that was taken elsewhere: %s',
    async (name) => {
      const stated = { ...partOf(name), ...partOf(name, 1), 'cart.payments[0].amount': '19.00' };
      const { result, cart } = (await pay({ ...CARD, ...stated })) as unknown as {
        result: { code: string };
        cart: { payments: unknown };
      };
      expect(result.code).toBe('000.100.110');
      expect(cart.payments).toEqual([
        { name, type: 'GIFTCARD', amount: '19.00' },
        { name, type: 'GIFTCARD' },
      ]);
      expect(await harness.store.findAfter('cartPayments', undefined)).toEqual([]);
    },
  );

  it('is stated without a name, with a payment of a card, and with any promotion', async () => {
    const card = await pay({ ...CARD, 'card.number': VISA });
    const promotion = { 'cart.payments[0].type': 'PROMOTION', 'cart.payments[0].name': 'Summer sale' };
    for (const form of [{ 'cart.payments[0].type': 'GIFTCARD' }, partOf(card.id), promotion])
      expect((await pay({ ...CARD, ...form, promotionCode: 'SPRING' })).result.code).toBe('000.100.110');
  });

  it('names what is wrong of a part', async () => {
    const gift = await pay(GIFT);
    const names = async (form: Readonly<Record<string, string>>) =>
      (await pay({ ...CARD, ...form })).result.parameterErrors.map(({ name }) => name);
    expect(await names({ ...partOf(gift.id), ...partOf(gift.id, 1) })).toEqual(['cart.payments[1].name']);
    const wrong = { 'cart.payments[0].amount': '19.00', 'cart.payments[0].currency': 'USD' };
    expect((await names({ ...partOf(gift.id), ...wrong })).sort()).toEqual([
      'cart.payments[0].amount',
      'cart.payments[0].currency',
    ]);
    const dollars = await pay({ ...GIFT, currency: 'USD', 'giftCard.number': '6036280000000037' });
    expect(await names(partOf(dollars.id))).toEqual(['cart.payments[0].currency']);
    await harness.post(`/v1/payments/${gift.id}`, { paymentType: 'RV' });
    expect(await names(partOf(gift.id))).toEqual(['cart.payments[0].name']);
  });
});
