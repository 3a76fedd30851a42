import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { ENTITY, OTHER_ENTITY } from '../../core/payments/payment-harness.test.support.js';
import { decipher, FAILS, openReceiver, type Receiver } from './webhook-harness.test.support.js';

const ADMINISTRATOR = 'tb_administrator-token-of-the-tests';
const authorization = `Bearer ${ADMINISTRATOR}`;

/** What these answers hold. */
interface WebhookAnswer {
  readonly webhook: { readonly id: string; readonly state: string; readonly keys: readonly object[] };
  readonly webhooks: readonly { readonly id: string }[];
  readonly key: string;
  readonly queued: number;
  readonly deliveries: readonly {
    readonly sequence: number;
    readonly state: string;
    readonly headers: Record<string, string>;
    readonly body: string;
  }[];
}

let harness: HttpHarness;
let receiver: Receiver;
beforeEach(async () => {
  harness = await openHttpHarness();
  await addToken(harness.store, ADMINISTRATOR, ['administration']);
  receiver = await openReceiver();
});
afterEach(async () => {
  await receiver.close();
  await harness.dispose();
});

async function call(method: string, path: string, form: Record<string, string> = {}) {
  const text = new URLSearchParams(form).toString();
  const { status, body } = await harness.send(method, method === 'GET' ? `${path}?${text}` : path, {
    authorization,
    ...(method !== 'GET' && { body: text }),
  });
  return { status, code: body.result.code, body: body as unknown as WebhookAnswer };
}
const make = async (form: Record<string, string> = {}) => (await call('POST', '/v1/webhooks', form)).body;

describe('webhooks over REST', () => {
  it('are made with a key that is shown this once, tested, paused and removed', async () => {
    const { webhook, key } = await make({ url: receiver.url, types: 'PAYMENT', format: 'json' });
    expect(webhook).toMatchObject({
      entityId: ENTITY,
      state: 'inactive',
      types: ['PAYMENT'],
      format: 'json',
    });
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    const path = `/v1/webhooks/${webhook.id}`;
    expect((await call('POST', `${path}/test`)).body).toMatchObject({
      webhook: { state: 'active' },
      test: { status: 204 },
    });
    const read = await call('GET', path);
    expect(read).toMatchObject({ status: 200, code: '000.000.100', body: { webhook: { state: 'active' } } });
    expect(read.body).not.toHaveProperty('key');
    expect((await call('POST', `${path}/pause`, { note: 'moving' })).body.webhook.state).toBe('paused');
    expect(await call('POST', `${path}/pause`, { note: 'again' })).toMatchObject({
      status: 409,
      code: '200.300.404',
    });
    expect((await call('POST', `${path}/resumption`)).body.webhook.state).toBe('active');
    const rotated = (await call('POST', `${path}/rotation`, { atOnce: 'true' })).body;
    expect(rotated.webhook.keys).toHaveLength(2);
    expect(rotated.key).not.toBe(key);
    expect((await call('POST', `${path}/removal`)).status).toBe(200);
    expect((await call('GET', '/v1/webhooks')).body.webhooks).toEqual([]);
    expect((await call('GET', path)).status).toBe(404);
  });

  it('say why a receiver did not take a test, and stay inactive', async () => {
    const { webhook } = await make({ url: receiver.url });
    receiver.answer = FAILS;
    const refused = await call('POST', `/v1/webhooks/${webhook.id}/test`);
    expect(refused).toMatchObject({ status: 409, code: '200.300.404' });
    expect(refused.body).toMatchObject({
      result: {
        description: 'the receiver did not take the test delivery: correct the receiver, then test again',
        parameterErrors: [{ name: 'url', message: 'the receiver did not take the test delivery: HTTP 500' }],
      },
    });
    expect((await call('GET', `/v1/webhooks/${webhook.id}`)).body.webhook.state).toBe('inactive');
  });

  it('are fetched where they have no URL, each until it is acknowledged', async () => {
    const { webhook, key } = await make();
    const path = `/v1/webhooks/${webhook.id}`;
    const payment = await harness.post('/v1/payments', CARD);
    const pending = async () => (await call('GET', `${path}/pending`)).body.deliveries;
    const [delivery, ...more] = await pending();
    expect(more).toEqual([]);
    if (!delivery) throw new Error('nothing is pending');
    expect(decipher(delivery, key)).toMatchObject({
      type: 'PAYMENT',
      sequence: 1,
      payload: { id: payment.body.id },
    });
    const acknowledged = await call('POST', `${path}/acknowledgement`, { sequence: '1' });
    expect(acknowledged.status).toBe(200);
    expect(await pending()).toEqual([]);
    expect((await call('GET', `${path}/deliveries`)).body.deliveries).toMatchObject([
      { sequence: 1, state: 'delivered' },
    ]);
    const again = await call('POST', `${path}/resend`, { sequence: '1' });
    expect([again.body.queued, (await pending()).length]).toEqual([1, 1]);
    expect((await call('POST', `${path}/resend`, { sequence: '9' })).status).toBe(404);
  });

  it('deliver the events of a time again, and refuse what is no time', async () => {
    const { webhook } = await make();
    const path = `/v1/webhooks/${webhook.id}`;
    for (const sequence of ['1', '2']) {
      await harness.post('/v1/payments', CARD);
      await call('POST', `${path}/acknowledgement`, { sequence });
      await harness.clock.advance(60_000);
    }
    const at = (agoMs: number) =>
      new Date(harness.clock.nowMs() - agoMs).toISOString().slice(0, 19).replace('T', ' ');
    const resend = (form: Record<string, string>) => call('POST', `${path}/resend`, form);
    expect((await resend({ 'date.from': at(60_000), 'date.to': at(0) })).body.queued).toBe(1);
    // The first one alone: the second one waits already.
    expect((await resend({ 'date.from': at(120_000), 'date.to': at(0) })).body.queued).toBe(1);
    for (const form of [
      {},
      { 'date.from': at(0) },
      { 'date.to': at(0) },
      { 'date.from': at(0), 'date.to': at(60_000) },
      { 'date.from': at(60_000), 'date.to': at(0), sequence: '1' },
      { 'date.from': 'yesterday', 'date.to': at(0) },
    ] as Record<string, string>[])
      expect(await resend(form)).toMatchObject({ status: 400, code: '200.300.404' });
  });

  it('name what is wrong with a parameter', async () => {
    for (const form of [{ types: 'PAYMENTS' }, { format: 'xml' }, { url: 'http://a:b@shop.example/' }])
      expect(await call('POST', '/v1/webhooks', form)).toMatchObject({ status: 400, code: '200.300.404' });
    const { webhook } = await make();
    expect((await call('POST', `/v1/webhooks/${webhook.id}/pause`)).status).toBe(400);
  });

  it('are made only for own entities', async () => {
    expect((await call('POST', '/v1/webhooks', { entityId: OTHER_ENTITY })).status).toBe(403);
  });
});
