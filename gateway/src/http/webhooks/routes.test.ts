import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENTITY, OTHER_ENTITY } from '../../payments/payment-harness.test.support.js';
import { decipher, openReceiver, type Receiver } from '../../webhooks/webhook-harness.test.support.js';
import { addToken, CARD, type HttpHarness, openHttpHarness } from '../http-harness.test.support.js';

const ADMINISTRATOR = 'tb_administrator-token-of-the-tests';
const authorization = `Bearer ${ADMINISTRATOR}`;

/** What these answers hold. */
interface WebhookAnswer {
  readonly webhook: { readonly id: string; readonly state: string; readonly keys: readonly object[] };
  readonly webhooks: readonly { readonly id: string }[];
  readonly key: string;
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
    await call('POST', `${path}/resend`, { sequence: '1' });
    expect(await pending()).toHaveLength(1);
    expect((await call('POST', `${path}/resend`, { sequence: '9' })).status).toBe(404);
  });

  it('name what is wrong with a parameter', async () => {
    for (const form of [{ types: 'PAYMENTS' }, { format: 'xml' }, { url: 'http://a:b@shop.example/' }])
      expect(await call('POST', '/v1/webhooks', form)).toMatchObject({ status: 400, code: '200.300.404' });
    const { webhook } = await make();
    expect((await call('POST', `/v1/webhooks/${webhook.id}/pause`)).status).toBe(400);
  });

  it('are made for own entities alone', async () => {
    expect((await call('POST', '/v1/webhooks', { entityId: OTHER_ENTITY })).status).toBe(403);
  });
});
