import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { peersOf } from '@tillbridge/platform/net/peers.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  addToken,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { eventsOfPayment } from '../../core/payments/events/stored-events.test.support.js';
import { ENTITY } from '../../core/payments/payment-harness.test.support.js';
import { Egress } from '../../kernel/egress/egress.js';
import { RowSeal } from '../../security/vault/row-seal.js';
import { DEFAULT_CARD_TESTING_LIMITS } from './rules/checkout-limits.js';
import { RESULT_CALL_LIMITS } from './rules/decide-result-call.js';
import { Checkouts } from './service.js';
import { resultCallLoop } from './worker.js';

const MINUTE_MS = 60_000;
const CARD = {
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2031',
  'card.cvv': '123',
};
const PAYPAL = { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane@example.com' };

let harness: HttpHarness;
let shop: Server;
let shopUrl: string;
let shopStatus: number;
/** Paths and queries that were requested from the shop. */
let calls: string[];
let resultCalls: ReturnType<typeof resultCallLoop>;
beforeEach(async () => {
  harness = await openHttpHarness();
  calls = [];
  shopStatus = 200;
  shop = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.statusCode = shopStatus;
    response.end();
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/done?order=1`;
  const { store, service, clock, dataKeys, context } = harness;
  const random = systemRandom;
  const { fingerprint } = context;
  const parts = { store, clock, random, fingerprint, seal: new RowSeal(dataKeys), mode: 'test' as const };
  resultCalls = resultCallLoop({
    ...parts,
    service,
    checkouts: new Checkouts({ ...parts, limits: DEFAULT_CARD_TESTING_LIMITS }),
    egress: new Egress({ allowed: peersOf(['127.0.0.1']), plainHttp: true, clock }),
    onFault: (error) => {
      throw error;
    },
  });
  resultCalls.wake();
});
afterEach(async () => {
  await resultCalls.stop();
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
  await harness.dispose();
});

/** Lets time pass, at last in small steps in which the calls that are due are made. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; ) {
    const stepMs = Math.min(left > 2 * MINUTE_MS ? MINUTE_MS : 5_000, left);
    await harness.clock.advance(stepMs);
    await resultCalls.idle();
    left -= stepMs;
  }
}
const create = async (more: Readonly<Record<string, string>> = {}): Promise<string> => {
  const purchase = { amount: '12.34', currency: 'EUR', paymentType: 'DB', shopperResultUrl: shopUrl };
  return (await harness.post('/v1/checkouts', { ...purchase, ...more })).body.id;
};
const submit = (
  id: string,
  form: Readonly<Record<string, string>> = CARD,
  what = 'payment',
): Promise<Answer> =>
  harness.send('POST', `/v1/checkouts/${id}/${what}`, {
    authorization: null,
    headers: { accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  });
const status = (id: string) => harness.get(`/v1/checkouts/${id}/payment?entityId=${ENTITY}`);
const callOf = (id: string, what = 'payment') =>
  `GET /done?order=1&id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2F${what}`;

describe('a shop that has not fetched the result', () => {
  it('is called 29 minutes after the checkout was created, once', async () => {
    const id = await create();
    await pass(2 * MINUTE_MS);
    await submit(id);
    await pass(27 * MINUTE_MS - 1);
    expect(calls).toEqual([]);
    await pass(1);
    expect(calls).toEqual([callOf(id)]);
    expect((await status(id)).body.result.code).toBe('000.100.110');
    await pass(10 * MINUTE_MS);
    expect(calls).toHaveLength(1);
  });

  it('is called at once where its shopper posts after that', async () => {
    const id = await create();
    await pass(29.5 * MINUTE_MS);
    await submit(id);
    await pass(RESULT_CALL_LIMITS.lookAgainMs);
    expect(calls).toEqual([callOf(id)]);
  });

  it('is called with a registration too', async () => {
    const { id } = (
      await harness.post('/v1/checkouts', { createRegistration: 'true', shopperResultUrl: shopUrl })
    ).body;
    await submit(id, CARD, 'registration');
    await pass(29 * MINUTE_MS);
    expect(calls).toEqual([callOf(id, 'registration')]);
  });

  it('is called at the address that the browser sends', async () => {
    const purchase = { amount: '12.34', currency: 'EUR', paymentType: 'DB' };
    const { id } = (await harness.post('/v1/checkouts', purchase)).body;
    await submit(id, { ...CARD, shopperResultUrl: shopUrl });
    await pass(29 * MINUTE_MS);
    expect(calls).toEqual([callOf(id)]);
  });

  it('is called again while it does not take the call, and not for ever', async () => {
    shopStatus = 503;
    const id = await create();
    await submit(id);
    await pass(29 * MINUTE_MS);
    expect(calls).toHaveLength(1);
    await pass(RESULT_CALL_LIMITS.retryMs);
    expect(calls).toHaveLength(2);
    await pass(MINUTE_MS);
    expect(calls).toHaveLength(RESULT_CALL_LIMITS.tries);
    const row = await harness.store.get('checkouts', [id]);
    expect(JSON.parse(row?.calls ?? '[]')).toMatchObject([{ status: 503 }, { status: 503 }, { status: 503 }]);
  });

  it('is called for a later try, also after it has fetched an earlier one', async () => {
    const id = await create();
    await submit(id, { ...CARD, 'card.holder': '800.100.152' });
    expect((await status(id)).body.result.code).toBe('800.100.152');
    await submit(id);
    await pass(29 * MINUTE_MS);
    expect(calls).toEqual([callOf(id)]);
  });
});

it('a shop in a private network that is not allowed is not called', async () => {
  const id = await create({ shopperResultUrl: shopUrl.replace('127.0.0.1', '10.0.0.1') });
  await submit(id);
  await pass(30 * MINUTE_MS);
  const row = await harness.store.get('checkouts', [id]);
  expect(JSON.parse(row?.calls ?? '[]')[0]).toMatchObject({ fault: 'unusable-host' });
  expect(calls).toEqual([]);
});

describe('no shop is called', () => {
  it('where the result was fetched, nothing was posted, or the checkout was removed', async () => {
    const [fetched, , removed] = [await create(), await create(), await create()];
    await submit(fetched);
    await submit(removed);
    await status(fetched);
    await harness.send('DELETE', `/v1/checkouts/${removed}?entityId=${ENTITY}`);
    await pass(31 * MINUTE_MS);
    expect(calls).toEqual([]);
  });

  it('where a post is on its way that never began, as after the end of the process', async () => {
    const id = await create();
    const row = await harness.store.get('checkouts', [id]);
    if (!row) throw new Error('no checkout');
    const dueAtMs = row.createdAtMs + 29 * MINUTE_MS;
    const posted = { ...row, attempts: 1, posted: 'payment' as const, postedId: 'f'.repeat(32), dueAtMs };
    await harness.store.commit([{ op: 'update', table: 'checkouts', row: posted }]);
    await pass(40 * MINUTE_MS);
    expect(calls).toEqual([]);
    expect((await harness.store.get('checkouts', [id]))?.dueAtMs).toBeNull();
  });
});

it('a payment that waits beyond the end of its checkout is reported by its event and its own id', async () => {
  const id = await create();
  await pass(20 * MINUTE_MS);
  const waiting = (await submit(id, PAYPAL)).body;
  await pass(9 * MINUTE_MS);
  expect(calls).toEqual([callOf(id)]);
  await pass(MINUTE_MS);
  expect((await status(id)).status).toBe(404);
  const [intent] = await harness.store.find('intents', 'payment', [waiting.id]);
  harness.bank.payments.decide(intent?.id ?? '', 'approved');
  const start = harness.shopper.pagesOf(waiting.id)?.back ?? '';
  const back = await harness.send('GET', new URL(start).pathname, { authorization: null });
  expect(back.headers.get('location')).toContain(`id=${id}`);
  const read = await harness.get(`/v1/payments/${waiting.id}`);
  expect(read.body).toMatchObject({ checkoutId: id, result: { code: '000.100.110' } });
  const events = await eventsOfPayment(harness.store, waiting.id);
  expect(events.map(({ kind }) => kind)).toEqual(['payment']);
  expect(JSON.parse(events[0]?.payload ?? '{}')).toMatchObject({ checkoutId: id });
});

const ADMIN_TOKEN = 'tb_administrator-of-the-merchant';

it('a call at once reveals to no merchant which names of our network there are', async () => {
  await addToken(harness.store, ADMIN_TOKEN, ['administration']);
  const callTo = async (shopperResultUrl: string) => {
    const id = await create({ shopperResultUrl });
    await submit(id);
    const paymentId = (await harness.store.get('checkouts', [id]))?.postedId;
    const { status: answered, text } = await harness.send('POST', `/v1/payments/${paymentId}/resultCall`, {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      body: `entityId=${ENTITY}`,
    });
    const { result, call } = JSON.parse(text);
    return { answered, result, call: { ...call, at: undefined } };
  };
  const inside = await callTo('http://192.168.77.1/done');
  expect(inside).toMatchObject({ answered: 200, call: { fault: 'unusable-host' } });
  expect(await callTo('http://no-such-name.invalid/done')).toEqual(inside);
});
