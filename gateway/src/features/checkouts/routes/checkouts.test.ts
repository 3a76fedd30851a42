import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  addToken,
  type HttpHarness,
  openHttpHarness,
} from '../../../app/http/http-harness.test.support.js';
import { ENTITY, OTHER_ENTITY } from '../../../core/payments/payment-harness.test.support.js';
import { DEFAULT_THROTTLE_RATES } from '../../../kernel/http/throttle/throttle.js';

const PURCHASE = {
  amount: '12.34',
  currency: 'EUR',
  paymentType: 'DB',
  shopperResultUrl: 'https://shop.example/done?order=1',
};
const CARD = {
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2031',
  'card.cvv': '123',
  'card.holder': 'Jane Jones',
};
/** Declined by the simulator. */
const DECLINED = { ...CARD, 'card.holder': '800.100.152' };

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

const create = async (more: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await harness.post('/v1/checkouts', { ...PURCHASE, ...more })).body.id;
/** What a browser posts, without a token. */
const submit = (
  id: string,
  form: Readonly<Record<string, string>> = CARD,
  headers: Readonly<Record<string, string>> = { accept: 'application/json' },
  path = `/v1/checkouts/${id}/payment`,
): Promise<Answer> =>
  harness.send('POST', path, { authorization: null, headers, body: new URLSearchParams(form).toString() });
const status = (id: string, query = `entityId=${ENTITY}`): Promise<Answer> =>
  harness.get(`/v1/checkouts/${id}/payment?${query}`);
const later = (ms: number) => harness.clock.advance(ms);
const MINUTE_MS = 60_000;

/** A moment that others wait for. */
class Turn {
  isThere = false;
  come: () => void = () => undefined;
  readonly came = new Promise<void>((resolve) => {
    this.come = () => {
      this.isThere = true;
      resolve();
    };
  });
}

describe('a checkout', () => {
  it('is created with its own id, which its answers name', async () => {
    const { status: http, body } = await harness.post('/v1/checkouts', PURCHASE);
    expect(http).toBe(200);
    expect(body.result.code).toBe('000.200.100');
    expect(body.id).toMatch(/^[A-Za-z0-9-]{32,48}$/);
    expect(body.ndc).toBe(body.id);
    expect(body).not.toHaveProperty('amount');
  });

  it('is created once under an Idempotency-Key', async () => {
    const ask = (more: Readonly<Record<string, string>> = {}, key = 'order-1') =>
      harness.send('POST', '/v1/checkouts', {
        body: new URLSearchParams({ entityId: ENTITY, ...PURCHASE, ...more }).toString(),
        headers: { 'idempotency-key': key },
      });
    const first = await ask({ integrity: 'true' });
    const again = await ask({ integrity: 'true' });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await ask({ amount: '99.00' })).body.result.code).toBe('200.300.404');
    expect((await ask({}, 'order-2')).body.id).not.toBe(first.body.id);
    expect(await harness.store.findAfter('checkouts', undefined)).toHaveLength(2);
    expect((await submit(first.body.id)).status).toBe(200);
  });

  it('is paid by the shopper’s browser, and gives the merchant the outcome', async () => {
    const id = await create({ merchantTransactionId: 'order-0001' });
    expect((await status(id)).body).toMatchObject({ ndc: id, result: { code: '000.200.000' } });
    const paid = await submit(id);
    expect(paid.status).toBe(200);
    expect(paid.headers.get('access-control-allow-origin')).toBe('*');
    expect(paid.body).toMatchObject({
      ndc: id,
      amount: '12.34',
      paymentType: 'DB',
      paymentBrand: 'VISA',
      merchantTransactionId: 'order-0001',
      result: { code: '000.100.110' },
    });
    const read = await status(id);
    expect(read.body).toMatchObject({ id: paid.body.id, ndc: id, result: { code: '000.100.110' } });
    expect((await harness.get(`/v1/payments/${paid.body.id}`)).body).toMatchObject({ checkoutId: id });
  });

  it('reverses the gift card of an order whose rest the browser does not pay', async () => {
    const gift = await harness.post('/v1/payments', {
      amount: '20.00',
      currency: 'EUR',
      paymentType: 'DB',
      paymentBrand: 'GIFTCARD',
      'giftCard.number': '6036280000000011',
      'giftCard.pin': '1234',
    });
    const part = { 'cart.payments[0].type': 'GIFTCARD', 'cart.payments[0].name': gift.body.id };
    const stateOfPart = async () => (await harness.store.get('cartPayments', [gift.body.id]))?.state;
    const wrong = await harness.post('/v1/checkouts', {
      ...PURCHASE,
      ...part,
      'cart.payments[0].amount': '19.00',
    });
    expect(wrong.body.result.parameterErrors.map(({ name }) => name)).toEqual(['cart.payments[0].amount']);
    const id = await create(part);
    expect(await stateOfPart()).toBeUndefined();
    expect((await submit(id, DECLINED)).body.result.code).toBe('800.100.152');
    expect(await stateOfPart()).toBe('reversing');
    // The part is on its way back to the card: the order cannot be paid with it any more.
    expect((await submit(id)).body.result.code).toBe('700.300.300');
  });

  it('sends a browser that wants no JSON back to the shop', async () => {
    const id = await create();
    const { status: http, headers } = await submit(id, CARD, {});
    expect(http).toBe(303);
    expect(headers.get('location')).toBe(
      `https://shop.example/done?order=1&id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2Fpayment`,
    );
  });

  it('is the same without the version in its paths', async () => {
    const { id } = (await harness.post('/checkouts', PURCHASE)).body;
    expect((await submit(id, CARD, { accept: 'application/json' }, `/checkouts/${id}/payment`)).status).toBe(
      200,
    );
    const { body } = await harness.get(`/checkouts/${id}/payment?entityId=${ENTITY}`);
    expect(body.result.code).toBe('000.100.110');
    expect((await harness.send('PUT', '/checkouts')).status).toBe(405);
  });

  it('keeps its amount, type and entity whatever a browser posts', async () => {
    const id = await create();
    const { body } = await submit(id, {
      ...CARD,
      amount: '0.01',
      currency: 'USD',
      paymentType: 'PA',
      entityId: OTHER_ENTITY,
      'threeDSecure.disable': 'true',
    });
    expect(body).toMatchObject({ amount: '12.34', currency: 'EUR', paymentType: 'DB' });
    expect(await harness.store.get('payments', [body.id])).toMatchObject({ entityId: ENTITY });
  });

  it('takes custom parameters of a browser only with their prefix, in addition to those of the merchant', async () => {
    const id = await create({ 'customParameters[basket]': 'b-1' });
    const refused = await submit(id, { ...CARD, 'customParameters[mine]': 'x' });
    expect(refused.body.result.parameterErrors).toMatchObject([{ name: 'customParameters[mine]' }]);
    const { body } = await submit(id, { ...CARD, 'customParameters[SHOPPER_note]': 'gift' });
    expect(body).toMatchObject({ customParameters: { basket: 'b-1', SHOPPER_note: 'gift' } });
  });

  it('is changed while it is open', async () => {
    const id = await create();
    const changed = await harness.post(`/v1/checkouts/${id}`, { amount: '20.00' });
    expect(changed.body).toMatchObject({ id, result: { code: '000.200.101' } });
    const wrong = await harness.post(`/v1/checkouts/${id}`, { 'overridePaymentType[VISA]': 'PA' });
    expect(wrong.body.result.parameterErrors).toMatchObject([{ name: 'overridePaymentType[VISA]' }]);
    expect((await submit(id)).body).toMatchObject({ amount: '20.00', currency: 'EUR' });
    const late = await harness.post(`/v1/checkouts/${id}`, { amount: '1.00' });
    expect(late).toMatchObject({ status: 400, body: { result: { code: '100.350.101' } } });
  });

  it('is removed', async () => {
    const id = await create();
    const removed = await harness.send('DELETE', `/v1/checkouts/${id}?entityId=${ENTITY}`);
    expect(removed.body).toMatchObject({ id, result: { code: '000.200.102' } });
    expect((await submit(id)).status).toBe(404);
    expect((await status(id)).status).toBe(404);
  });

  it('takes a separate payment type for a brand', async () => {
    const id = await create({ 'overridePaymentType[VISA]': 'PA' });
    expect((await submit(id)).body).toMatchObject({ paymentType: 'PA' });
    const other = await create({ 'overridePaymentType[MASTER]': 'PA' });
    expect((await submit(other)).body).toMatchObject({ paymentType: 'DB' });
  });

  it('takes no means of payment from the merchant', async () => {
    const { status: http, text, body } = await harness.post('/v1/checkouts', { ...PURCHASE, ...CARD });
    expect(http).toBe(400);
    expect(body.result.parameterErrors.map(({ name }) => name)).toContain('card.number');
    expect(text).not.toContain(CARD['card.number']);
  });

  it('appears in the log by its route alone', async () => {
    const id = await create();
    await submit(id);
    await submit(id, { ...CARD, 'card.number': '4200000000000001', 'card.cvv': 'x' });
    const log = harness.log.join('');
    expect(log).toContain('/v1/checkouts/:id/payment');
    expect(log).toContain(id.slice(0, 8));
    // The id is enough to pay with it.
    for (const secret of [id, CARD['card.number'], '4200000000000001']) expect(log).not.toContain(secret);
  });

  it('keeps nothing of its shopper in clear', async () => {
    const id = await create({ 'customer.givenName': 'Josephine', 'customer.surname': 'Miller' });
    expect(JSON.stringify(await harness.store.get('checkouts', [id]))).not.toContain('Josephine');
  });
});

describe('the payment of a checkout', () => {
  it('may be tried again after a decline, and is one at last', async () => {
    const id = await create();
    const declined = await submit(id, DECLINED);
    expect(declined).toMatchObject({ status: 400, body: { result: { code: '800.100.152' } } });
    expect((await status(id)).body.result.code).toBe('800.100.152');
    const paid = await submit(id);
    expect(paid.body.result.code).toBe('000.100.110');
    // A browser that posts again gets what there is.
    const again = await submit(id, { ...CARD, 'card.number': '5454545454545454' });
    expect(again.body.id).toBe(paid.body.id);
    expect((await harness.transactions()).filter(({ approved }) => approved)).toHaveLength(1);
  });

  it('is tried ten times at most', async () => {
    const id = await create();
    for (let count = 0; count < 10; count += 1) expect((await submit(id, DECLINED)).status).toBe(400);
    const refused = await submit(id);
    expect(refused).toMatchObject({ status: 400, body: { ndc: id, result: { code: '700.500.001' } } });
    expect(await harness.transactions()).toEqual([]);
  });

  it('is one payment of two that are posted at once', async () => {
    const id = await create();
    const answers = await Promise.all([submit(id), submit(id)]);
    const codes = answers.map(({ body }) => body.result.code);
    expect(codes).toContain('000.100.110');
    for (const code of codes) expect(['000.100.110', '800.700.100']).toContain(code);
    expect(await harness.transactions()).toHaveLength(1);
  });

  it('is one payment where the second is posted while the first begins', async () => {
    const id = await create();
    const { store } = harness;
    const commit = store.commit.bind(store);
    const [firstWaits, secondPosts, firstBegan] = [new Turn(), new Turn(), new Turn()];
    store.commit = async (changes) => {
      if (
        changes.some(
          ({ op, ...change }) => op === 'insert' && 'table' in change && change.table === 'intents',
        )
      ) {
        firstWaits.come();
        await secondPosts.came;
        await commit(changes);
        return firstBegan.come();
      }
      if (
        firstWaits.isThere &&
        !secondPosts.isThere &&
        changes.some((change) => 'table' in change && change.table === 'checkouts')
      ) {
        // It has looked, and has found nothing of the first.
        secondPosts.come();
        await firstBegan.came;
      }
      return commit(changes);
    };
    const first = submit(id);
    await firstWaits.came;
    const answers = await Promise.all([first, submit(id)]);
    expect(answers.map(({ body }) => body.result.code)).toEqual(['000.100.110', '800.700.100']);
    expect(await store.findAfter('payments', undefined)).toHaveLength(1);
  });

  it('waits for its shopper at a bank, and comes back to the shop by the checkout', async () => {
    const id = await create();
    const paypal = { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane@example.com' };
    const sent = await submit(id, paypal, {});
    expect(sent.status).toBe(303);
    const start = new URL(sent.headers.get('location') ?? '').pathname;
    const back = await harness.send('GET', `${start}/return`, { authorization: null });
    expect(back.headers.get('location')).toContain(`resourcePath=%2Fv1%2Fcheckouts%2F${id}%2Fpayment`);
  });

  it('by another means ends one that waits for its shopper', async () => {
    const id = await create();
    const paypal = { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane@example.com' };
    const first = await submit(id, paypal);
    expect(first.body.result.code).toBe('000.200.000');
    const second = await submit(id);
    expect(second.body.result.code).toBe('000.100.110');
    expect((await harness.get(`/v1/payments/${first.body.id}`)).body.result.code).toBe('100.396.103');
    expect((await status(id)).body.id).toBe(second.body.id);
  });
});

describe('the id of a checkout', () => {
  const TEXT = (answer: Answer) => answer.body.result.description;

  it('is good for thirty minutes', async () => {
    const id = await create();
    await later(30 * MINUTE_MS - 1);
    expect((await status(id)).status).toBe(200);
    await later(1);
    const [read, posted] = [await status(id), await submit(id)];
    for (const answer of [read, posted]) {
      expect(answer).toMatchObject({ status: 404, body: { result: { code: '200.300.404' } } });
      expect(TEXT(answer)).toContain('expired');
    }
  });

  it('that is unknown, or of the other mode, is refused with its own text', async () => {
    const unknown = await status(`${'A'.repeat(32)}-test`);
    expect(unknown).toMatchObject({ status: 404, body: { result: { code: '200.300.404' } } });
    expect(TEXT(unknown)).toContain('no checkout has this id');
    expect(TEXT(await status('nonsense'))).toBe(TEXT(unknown));
    expect(TEXT(await status(`${'A'.repeat(32)}-live`))).toContain('other mode');
  });

  it('reveals nothing to another merchant, also once it has expired', async () => {
    const id = await create();
    const token = 'tb_token-of-another-merchant';
    await addToken(harness.store, token, ['pay', 'read'], {
      entityId: OTHER_ENTITY,
      merchantId: OTHER_ENTITY,
    });
    const ask = (each: string, method = 'GET', path = '/payment') =>
      harness.send(method, `/v1/checkouts/${each}${path}`, { authorization: `Bearer ${token}` });
    const unknown = (await ask(`${'A'.repeat(32)}-test`)).body.result;
    expect((await ask(id)).body.result).toEqual(unknown);
    expect((await ask(id, 'DELETE', '')).body.result).toEqual(unknown);
    await later(31 * MINUTE_MS);
    expect((await ask(id)).body.result).toEqual(unknown);
  });
});

describe('too many requests', () => {
  it('are two status requests of a checkout within a minute', async () => {
    const [id, other] = [await create(), await create()];
    expect((await status(id)).status).toBe(200);
    expect((await status(id)).status).toBe(200);
    const refused = await status(id);
    expect(refused).toMatchObject({ status: 429, body: { result: { code: '800.120.100' } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await status(other)).status).toBe(200);
    await later(MINUTE_MS);
    expect((await status(id)).status).toBe(200);
  });

  it('are counted for the merchant of the checkout, since a browser has no token', async () => {
    await harness.dispose();
    const shoppers = { perSecond: 1, burst: 2 };
    harness = await openHttpHarness(undefined, { rates: { ...DEFAULT_THROTTLE_RATES, shoppers } });
    const [id, other] = [await create(), await create()];
    const read = (each: string) =>
      harness.send('GET', `/v1/checkouts/${each}/widget`, { authorization: null });
    expect((await read(id)).status).toBe(200);
    expect((await read(other)).status).toBe(200);
    const refused = await harness.clock.during(read(id));
    expect(refused).toMatchObject({ status: 429, body: { result: { code: '800.120.100' } } });
    // The merchant's own requests are of another class.
    expect((await status(id)).status).toBe(200);
  });

  it('are more than thirty checkouts of one address in ten minutes, however often each is tried', async () => {
    const ids = await Promise.all(Array.from({ length: 31 }, () => create()));
    for (const id of ids.slice(0, 30)) await submit(id, DECLINED);
    expect((await submit(ids[0] ?? '', DECLINED)).status).toBe(400);
    expect((await submit(ids[30] ?? '')).body.result.code).toBe('800.120.100');
    await later(10 * MINUTE_MS);
    expect((await submit(ids[30] ?? '')).status).toBe(200);
  });
});

describe('what a checkout lets its form show', () => {
  const widget = async (id: string) => {
    const answer = await harness.send('GET', `/v1/checkouts/${id}/widget`, { authorization: null });
    return {
      ...answer,
      checkout: (answer.body as unknown as { checkout: Record<string, unknown> }).checkout,
    };
  };

  it('is the purchase, and what it may be paid by', async () => {
    const id = await create({ locale: 'de', paymentBrand: 'VISA' });
    const { headers, checkout } = await widget(id);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(checkout).toMatchObject({
      id,
      mode: 'test',
      purpose: 'payment',
      state: 'open',
      expiresInMs: 30 * MINUTE_MS,
      attemptsLeft: 10,
      amount: '12.34',
      currency: 'EUR',
      paymentType: 'DB',
      methods: [{ brand: 'VISA', kind: 'card', cvvLength: 3 }],
      registrations: [],
      locale: 'de',
      shopperResultUrl: true,
    });
    await submit(id);
    expect((await widget(id)).checkout).toMatchObject({ state: 'done', attemptsLeft: 9 });
  });

  it('is what can be stored, where nothing is paid', async () => {
    const { id } = (await harness.post('/v1/checkouts', { createRegistration: 'true' })).body;
    const { checkout } = await widget(id);
    expect(checkout).toMatchObject({ purpose: 'registration', createRegistration: true });
    expect(checkout).not.toHaveProperty('amount');
    const kinds = (checkout.methods as { kind: string }[]).map(({ kind }) => kind);
    expect([...new Set(kinds)].sort()).toEqual(['card', 'direct-debit']);
  });
});
