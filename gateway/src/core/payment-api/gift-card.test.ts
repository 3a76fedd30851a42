import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, type HttpHarness, openHttpHarness } from '../../app/http/http-harness.test.support.js';
import { GIFT_CARD_PINS } from '../acquirers/internal/gift-cards.js';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

/** Holds 20.00 EUR. */
const GIFT = {
  amount: '15.00',
  currency: 'EUR',
  paymentType: 'DB',
  paymentBrand: 'GIFTCARD',
  'giftCard.number': '6036280000000029',
  'giftCard.pin': '1234',
};

const pay = async (more: Readonly<Record<string, string>> = {}) => {
  const { body } = await harness.post('/v1/payments', { ...GIFT, ...more });
  return { code: body.result.code, id: body.id, giftCard: Reflect.get(body, 'giftCard'), body };
};

describe('a gift card', () => {
  it('pays up to its balance, which every answer states', async () => {
    const paid = await pay();
    expect(paid).toMatchObject({
      code: '000.100.110',
      giftCard: { balance: '5.00', currency: 'EUR' },
      body: { paymentBrand: 'GIFTCARD' },
    });
    expect(paid.body.card).toBeUndefined();
    expect(await pay()).toMatchObject({ code: '800.100.203', giftCard: { balance: '5.00' } });
    expect(await pay({ amount: '5.00' })).toMatchObject({
      code: '000.100.110',
      giftCard: { balance: '0.00' },
    });
  });

  it('gets back what is refunded or reversed, and what a credit loads', async () => {
    const { id } = await pay();
    const refund = { paymentType: 'RF', amount: '10.00', currency: 'EUR' };
    expect((await harness.post(`/v1/payments/${id}`, refund)).body.result.code).toBe('000.100.110');
    const second = await pay({ paymentType: 'PA' });
    expect(second).toMatchObject({ code: '000.100.110', giftCard: { balance: '0.00' } });
    await harness.post(`/v1/payments/${second.id}`, { paymentType: 'RV' });
    expect(await pay({ paymentType: 'CD', amount: '4.00' })).toMatchObject({
      giftCard: { balance: '19.00' },
    });
  });

  it('is never spent twice by payments at the same time', async () => {
    const paid = await Promise.all(Array.from({ length: 8 }, () => pay({ amount: '6.00' })));
    expect(paid.filter(({ code }) => code === '000.100.110')).toHaveLength(3);
  });

  it.each([
    [{ 'giftCard.number': '6036280000000011', 'giftCard.pin': '9999' }, '800.100.166'],
    [{ 'giftCard.number': '6036289999999999' }, '800.100.151'],
    [{ 'giftCard.number': '6036280000000045' }, '800.100.168'],
    [{ 'giftCard.number': '6036280000000052' }, '800.100.157'],
    [{ currency: 'USD' }, '800.100.170'],
  ])('is refused without a word of its balance: %j', async (more, code) => {
    expect(await pay(more)).toMatchObject({ code, giftCard: undefined });
  });

  it('is blocked for a time after wrong PINs', async () => {
    for (let tries = 0; tries < GIFT_CARD_PINS.tries; tries += 1) await pay({ 'giftCard.pin': '0000' });
    expect((await pay()).code).toBe('800.100.178');
    await harness.clock.advance(GIFT_CARD_PINS.windowMs);
    expect((await pay()).code).toBe('000.100.110');
  });

  it('needs its number, and keeps number and PIN out of every answer and row', async () => {
    const { body } = await harness.post('/v1/payments', { ...GIFT, 'giftCard.number': '' });
    expect(body.result.parameterErrors.map(({ name }) => name)).toEqual(['giftCard.number']);
    const paid = await pay({ 'giftCard.pin': '123456789' });
    expect(JSON.stringify(paid)).not.toMatch(/6036280000000029|123456789/);
    const rows = await harness.store.findAfter('intents', undefined);
    expect(JSON.stringify(rows)).not.toMatch(/6036280000000029|123456789/);
  });

  it('in a payment by card describes one that is bought', async () => {
    const bought = { 'giftCard.message': 'Happy birthday', 'giftCard.type': 'BIRTHDAY' };
    const { body } = await harness.post('/v1/payments', { ...CARD, ...bought });
    expect(body).toMatchObject({ paymentBrand: 'VISA', giftCard: { type: 'BIRTHDAY' } });
  });
});

describe('the balance of a gift card', () => {
  const ask = async (more: Readonly<Record<string, string>> = {}) => {
    const form = { 'giftCard.number': GIFT['giftCard.number'], 'giftCard.pin': '1234', ...more };
    const { body, status } = await harness.post('/v1/giftCards/balance', form);
    return { status, code: body.result.code, giftCard: Reflect.get(body, 'giftCard'), body };
  };

  it('is answered before and after a payment, and moves nothing', async () => {
    const full = { status: 200, code: '000.100.110', giftCard: { balance: '20.00', currency: 'EUR' } };
    expect(await ask()).toMatchObject(full);
    expect(await ask()).toMatchObject(full);
    await pay();
    expect(await ask()).toMatchObject({ giftCard: { balance: '5.00' } });
    expect(await harness.transactions()).toHaveLength(1);
    expect(await harness.store.findAfter('payments', undefined)).toHaveLength(1);
  });

  it('is not answered with a wrong PIN, whose tries count with those of payments', async () => {
    await pay({ 'giftCard.pin': '0000' });
    for (const pin of ['', '0001'])
      expect(await ask({ 'giftCard.pin': pin })).toMatchObject({
        status: 400,
        code: '800.100.166',
        giftCard: undefined,
      });
    expect(await ask()).toMatchObject({ code: '800.100.178', giftCard: undefined });
    expect((await pay()).code).toBe('800.100.178');
    await harness.clock.advance(GIFT_CARD_PINS.windowMs);
    expect((await ask()).code).toBe('000.100.110');
  });

  it.each([
    [{ 'giftCard.number': '6036289999999999' }, '800.100.151'],
    [{ 'giftCard.number': '6036280000000045' }, '800.100.168'],
    [{ testMode: 'EXTERNAL' }, '600.200.700'],
  ])('is refused: %j', async (more, code) => {
    expect(await ask(more)).toMatchObject({ status: 400, code, giftCard: undefined });
  });

  it('names what is missing, and repeats neither number nor PIN', async () => {
    const { body } = await harness.post('/v1/giftCards/balance', { 'giftCard.pin': '1', 'card.number': '4' });
    const names = body.result.parameterErrors.map(({ name }) => name).sort();
    expect(names).toEqual(['card.number', 'giftCard.number', 'giftCard.pin']);
    expect(JSON.stringify(await ask())).not.toMatch(/6036280000000029|1234/);
  });
});

describe('a promotion code', () => {
  it.each([
    ['SPRING24', '000.100.110'],
    ['EXPIRED', '800.100.170'],
    ['USEDUP', '800.100.162'],
  ])('goes to the acquirer, which may refuse it: %s', async (promotionCode, code) => {
    const { body } = await harness.post('/v1/payments', { ...CARD, promotionCode });
    expect(body.result.code).toBe(code);
    expect(body.amount).toBe('12.34');
  });
});
