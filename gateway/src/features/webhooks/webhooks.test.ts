import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD } from '../../app/http/http-harness.test.support.js';
import {
  ENGINES,
  ENTITY,
  FailingStore,
  OTHER_ENTITY,
  storeOf,
  tillSale,
} from '../../core/payments/payment-harness.test.support.js';
import { openAlerts } from '../../kernel/alerts/alerts.test.support.js';
import { EGRESS_LIMITS } from '../../kernel/egress/egress.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { CLAIM_LIMITS } from '../../kernel/workers/claim-loop.js';
import { acknowledge, DELIVERY_LIMITS, deliveryLog, pendingDeliveries, resend } from './deliveries.js';
import { triesOf } from './rules/delivery-log.js';
import { RETRY_SCHEDULE } from './rules/retry-schedule.js';
import {
  createEndpoint,
  ENDPOINT_LIMITS,
  type EndpointAbout,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateKey,
  testEndpoint,
} from './service.js';
import {
  decipher,
  FAILS,
  openReceiver,
  openWebhookHarness,
  type Receiver,
  TAKES,
  type WebhookHarness,
} from './webhook-harness.test.support.js';
import { tryView } from './webhook-view.js';
import { DISPATCHER_LIMITS } from './worker.js';

const { intervalMs } = DISPATCHER_LIMITS;

describe.each(ENGINES)('webhooks, on the %s store', (engine) => {
  let harness: WebhookHarness;
  let receiver: Receiver;
  beforeEach(async () => {
    harness = await openWebhookHarness(storeOf(engine));
    receiver = await openReceiver();
  });
  afterEach(async () => {
    await receiver.close();
    await harness.dispose();
    expect(harness.workFaults).toEqual([]);
  });

  const activeEndpoint = async (about: Partial<EndpointAbout> = {}) => {
    const made = await createEndpoint(harness.webhooks, { entityId: ENTITY, url: receiver.url, ...about });
    await testEndpoint(harness.webhooks, made.endpoint.id);
    receiver.received.length = 0;
    // What is remembered of the entity's endpoints is forgotten.
    await harness.clock.advance(intervalMs);
    return { id: made.endpoint.id, key: made.key.key };
  };
  const pay = async (form: Record<string, string> = {}) =>
    (await harness.post('/v1/payments', { ...CARD, ...form })).body.id;
  /** One round; resolves when all that it began has ended. */
  const round = async () => {
    await harness.dispatcher.round();
    await harness.dispatcher.idle();
  };
  const log = (id: string) => deliveryLog(harness.webhooks, id, 0, 100);
  const states = async (id: string) => (await log(id)).map(({ state }) => state);

  it('deliver a payment: the type, its answer, event and number, enciphered', async () => {
    const { id, key } = await activeEndpoint();
    const paymentId = await pay({ 'customer.givenName': 'Jane', 'customer.surname': 'Jones' });
    await round();
    const [delivery, ...more] = receiver.received;
    expect(more).toEqual([]);
    const text = decipher(delivery ?? { headers: {}, body: '' }, key);
    expect(text).toMatchObject({
      type: 'PAYMENT',
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      sequence: 1,
      payload: {
        id: paymentId,
        amount: '12.34',
        presentationAmount: '12.34',
        customer: { givenName: 'Jane' },
        card: { holder: 'Jane Jones' },
      },
    });
    expect(text).not.toHaveProperty('action');
    expect(delivery?.headers).toMatchObject({
      'content-type': 'text/plain; charset=UTF-8',
      'x-correlation-id': paymentId,
    });
    expect(await states(id)).toEqual(['delivered']);
    expect(triesOf((await log(id))[0] ?? { attempts: '[]' })).toMatchObject([{ status: 204 }]);
  });

  it('carry the correlation id of the message that a till has sent', async () => {
    await activeEndpoint();
    const messageId = '01a2075d-0000-7000-8000-0123456789ab';
    await harness.service.authorize(tillSale(messageId, 'R-1'));
    await round();
    expect(receiver.received.map(({ headers }) => headers['x-correlation-id'])).toEqual([
      '01a2075d0000700080000123456789ab',
    ]);
  });

  it('deliver in the JSON form and without the customer where the endpoint is set so', async () => {
    const { key } = await activeEndpoint({ format: 'json', scope: 'reduced' });
    await pay({ 'customer.givenName': 'Jane', 'customer.surname': 'Jones', 'billing.city': 'Ulm' });
    await round();
    const [delivery] = receiver.received;
    expect(JSON.parse(delivery?.body ?? '')).toEqual({ encryptedBody: expect.any(String) });
    const { payload } = decipher(delivery ?? { headers: {}, body: '' }, key);
    expect(JSON.stringify(payload)).not.toMatch(/Jane|Jones|Ulm/);
    expect(payload).toMatchObject({ card: { last4Digits: '0000' } });
  });

  it('deliver a registration with its action, only to endpoints of that type', async () => {
    const { key } = await activeEndpoint({ types: ['REGISTRATION'] });
    await pay();
    const body = (await harness.post('/v1/payments', { ...CARD, createRegistration: 'true' })).body;
    await round();
    expect(receiver.received.map((one) => decipher(one, key))).toMatchObject([
      { type: 'REGISTRATION', action: 'CREATED', sequence: 1, payload: { id: body.registrationId } },
    ]);
  });

  it('deliver nothing before a test delivery was taken', async () => {
    const { endpoint } = await createEndpoint(harness.webhooks, { entityId: ENTITY, url: receiver.url });
    expect(endpoint.state).toBe('inactive');
    receiver.answer = FAILS;
    const failed = await testEndpoint(harness.webhooks, endpoint.id);
    expect(failed).toMatchObject({ endpoint: { state: 'inactive' }, tried: { status: 500 } });
    await pay();
    await round();
    expect(await log(endpoint.id)).toEqual([]);
    receiver.answer = TAKES;
    expect((await testEndpoint(harness.webhooks, endpoint.id)).endpoint.state).toBe('active');
  });

  it('are tried again by the schedule, and staff gets an alert, until the receiver takes them', async () => {
    const { id } = await activeEndpoint();
    receiver.answer = FAILS;
    await pay();
    await round();
    for (const delayMs of RETRY_SCHEDULE.delaysMs.slice(0, 4)) {
      const before = receiver.received.length;
      await harness.clock.advance(delayMs - 1);
      await round();
      expect(receiver.received).toHaveLength(before);
      await harness.clock.advance(1);
      await round();
      expect(receiver.received).toHaveLength(before + 1);
    }
    expect(await openAlerts(harness.store)).toEqual([`webhook-failing ${id}`]);
    receiver.answer = TAKES;
    await harness.clock.advance(RETRY_SCHEDULE.delaysMs[4] ?? 0);
    await round();
    expect(await states(id)).toEqual(['delivered']);
    expect(await openAlerts(harness.store)).toEqual([]);
    const ids = receiver.received.map(({ headers }) => headers['x-initialization-vector']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are given up after 30 days', async () => {
    const { id } = await activeEndpoint();
    receiver.answer = FAILS;
    await pay();
    for (let tries = 0; tries < 40; tries += 1) {
      await round();
      await harness.clock.advance(RETRY_SCHEDULE.dailyMs);
    }
    expect(await states(id)).toEqual(['givenUp']);
    const tries = receiver.received.length;
    expect(tries).toBeGreaterThanOrEqual(30);
    await harness.clock.advance(RETRY_SCHEDULE.dailyMs);
    await round();
    expect(receiver.received).toHaveLength(tries);
  });

  it('take a receiver that hangs for one that does not take them', async () => {
    const { id } = await activeEndpoint();
    receiver.answer = () => undefined;
    await pay();
    await harness.dispatcher.round();
    await receiver.has(1);
    await harness.clock.advance(EGRESS_LIMITS.timeoutMs);
    await harness.dispatcher.idle();
    expect(triesOf((await log(id))[0] ?? { attempts: '[]' })).toMatchObject([{ fault: 'timed-out' }]);
    expect(await states(id)).toEqual(['waiting']);
  });

  it('hold up no other endpoint where one hangs', async () => {
    const other = await openReceiver();
    const { id } = await activeEndpoint();
    await activeEndpoint({ url: other.url });
    other.received.length = 0;
    receiver.answer = () => undefined;
    for (let at = 0; at < 8; at += 1) await pay();
    await harness.dispatcher.round();
    await other.has(8);
    expect(receiver.received.length).toBeLessThanOrEqual(DISPATCHER_LIMITS.concurrency);
    // Nor where it is paused while it hangs.
    await pauseEndpoint(harness.webhooks, id, 'it hangs');
    await harness.dispatcher.round();
    await pay();
    await harness.dispatcher.round();
    await other.has(9);
    await receiver.close();
    await harness.dispatcher.stop();
    await other.close();
  });

  it('number the events of an endpoint without a gap, whatever is made at once', async () => {
    const { id, key } = await activeEndpoint();
    await Promise.all(Array.from({ length: 12 }, () => pay()));
    await round();
    const numbers = receiver.received.map((one) => Number(decipher(one, key).sequence));
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
    expect(new Set(await states(id))).toEqual(new Set(['delivered']));
  });

  it('wait while their endpoint is paused, which people see, and come when it is resumed', async () => {
    const { id } = await activeEndpoint();
    await pauseEndpoint(harness.webhooks, id, 'the shop moves');
    expect(await openAlerts(harness.store)).toEqual([`webhook-paused ${id}`]);
    await expect(pauseEndpoint(harness.webhooks, id, 'again')).rejects.toMatchObject({ code: 'wrong-state' });
    await pay();
    await round();
    expect(receiver.received).toEqual([]);
    await resumeEndpoint(harness.webhooks, id);
    await round();
    expect(receiver.received).toHaveLength(1);
    expect(await openAlerts(harness.store)).toEqual([]);
  });

  it('are sent again under their own number: one, or those of a time', async () => {
    const { id, key } = await activeEndpoint();
    await pay();
    await harness.clock.advance(3_600_000);
    const laterMs = harness.clock.nowMs();
    await pay();
    await pay();
    await round();
    receiver.received.length = 0;
    expect(await resend(harness.webhooks, id, { sequence: 1 })).toBe(1);
    await round();
    expect(receiver.received.map((one) => decipher(one, key).sequence)).toEqual([1]);
    expect(await resend(harness.webhooks, id, { fromMs: laterMs, toMs: laterMs + 1_000 })).toBe(2);
    await round();
    const again = receiver.received.slice(1).map((one) => Number(decipher(one, key).sequence));
    expect(again.sort()).toEqual([2, 3]);
    await expect(resend(harness.webhooks, id, { sequence: 9 })).rejects.toMatchObject({
      code: 'unknown-delivery',
    });
  });

  it('are not sent again where a time has too many: none of them is', async () => {
    const { id } = await activeEndpoint();
    await pay();
    await round();
    const [first] = await log(id);
    if (!first) throw new Error('there is no delivery');
    const copies = Array.from({ length: DELIVERY_LIMITS.resent }, (_none, at) => ({
      op: 'insert' as const,
      table: 'deliveries' as const,
      row: { ...first, sequence: at + 2, version: 1 },
    }));
    await harness.store.commit(copies);
    const wanted = { fromMs: first.createdAtMs, toMs: first.createdAtMs + 1 };
    await expect(resend(harness.webhooks, id, wanted)).rejects.toMatchObject({ code: 'wide-window' });
    expect(await harness.store.findRange('deliveries', 'due', { equals: [id], limit: 1 })).toEqual([]);
  });

  it('stand under the former key until the overlap of a rotation is over', async () => {
    const { id, key } = await activeEndpoint();
    const { key: next } = await rotateKey(harness.webhooks, id);
    expect(next.fromMs).toBe(harness.clock.nowMs() + ENDPOINT_LIMITS.overlapMs);
    await pay();
    await round();
    await harness.clock.advance(ENDPOINT_LIMITS.overlapMs);
    await pay();
    await round();
    const [before, after] = receiver.received;
    if (!before || !after) throw new Error('two deliveries are missing');
    expect(decipher(before, key).sequence).toBe(1);
    expect(decipher(after, next.key).sequence).toBe(2);
    expect(after.headers['x-key-id']).toBe(next.id);
    expect(before.headers['x-key-id']).not.toBe(next.id);
  });

  it('are fetched, and acknowledged one by one, where the endpoint has no URL', async () => {
    const { endpoint, key } = await createEndpoint(harness.webhooks, { entityId: ENTITY });
    await harness.clock.advance(intervalMs);
    await pay();
    await pay();
    const fetched = await pendingDeliveries(harness.webhooks, endpoint.id, 10);
    expect(fetched.map((one) => decipher(one, key.key).sequence)).toEqual([1, 2]);
    await acknowledge(harness.webhooks, endpoint.id, 1);
    await acknowledge(harness.webhooks, endpoint.id, 1);
    const rest = await pendingDeliveries(harness.webhooks, endpoint.id, 10);
    expect(rest.map(({ sequence }) => sequence)).toEqual([2]);
    expect(await testEndpoint(harness.webhooks, endpoint.id)).not.toHaveProperty('tried');
  });

  it('end with their endpoint', async () => {
    const { id } = await activeEndpoint();
    await pay();
    await removeEndpoint(harness.webhooks, id);
    await harness.clock.advance(intervalMs);
    await pay();
    await round();
    expect(receiver.received).toEqual([]);
    await expect(log(id)).rejects.toMatchObject({ code: 'unknown-endpoint' });
    expect(await harness.store.findAfter('deliveries', undefined)).toHaveLength(1);
  });

  it('keep no key and no card number in clear', async () => {
    const { key } = await activeEndpoint();
    await pay();
    for (const table of ['webhookEndpoints', 'deliveries', 'events', 'audit'] as const) {
      const stored = JSON.stringify(await harness.store.findAfter(table, undefined));
      expect(stored.toLowerCase()).not.toContain(key);
      expect(stored).not.toContain(CARD['card.number']);
    }
  });

  it('refuse endpoints beyond the limit, of unknown entities, and of URLs that may not be called', async () => {
    const make = (about: Partial<EndpointAbout>) =>
      createEndpoint(harness.webhooks, { entityId: ENTITY, ...about });
    await expect(make({ entityId: 'f'.repeat(32) })).rejects.toMatchObject({ code: 'unknown-entity' });
    for (const url of ['ftp://shop.example/', 'http://a:b@shop.example/', 'shop'])
      await expect(make({ url })).rejects.toMatchObject({ code: 'refused-url' });
    for (let made = 0; made < ENDPOINT_LIMITS.perEntity; made += 1) await make({});
    await expect(make({})).rejects.toMatchObject({ code: 'too-many' });
    const atOnce = Array.from({ length: 2 * ENDPOINT_LIMITS.perEntity }, () =>
      make({ entityId: OTHER_ENTITY }),
    );
    const made = await Promise.allSettled(atOnce);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(ENDPOINT_LIMITS.perEntity);
    const owners = [OTHER_ENTITY];
    const [{ id = '' } = {}] = await harness.store.find('webhookEndpoints', 'entity', [ENTITY]);
    await expect(pauseEndpoint({ ...harness.webhooks, owners }, id, 'x')).rejects.toMatchObject({
      code: 'unknown-endpoint',
    });
  });
});

it('a delivery whose gateway dies between the answer and the commit comes again, under the same number and id', async () => {
  const receiver = await openReceiver();
  let disk: FailingStore | undefined;
  const harness = await openWebhookHarness(() => {
    disk = new FailingStore(new MemoryStore());
    return disk;
  });
  const { endpoint, key } = await createEndpoint(harness.webhooks, { entityId: ENTITY, url: receiver.url });
  await testEndpoint(harness.webhooks, endpoint.id);
  await harness.clock.advance(intervalMs);
  await harness.post('/v1/payments', CARD);
  // Its last word, the commit of what came of it, never lands.
  if (disk)
    disk.failWhen = (changes) =>
      changes.some((change) => 'row' in change && 'state' in change.row && change.row.state === 'delivered');
  await harness.dispatcher.round();
  await harness.dispatcher.idle();
  if (disk) disk.failWhen = () => false;
  await harness.dispatcher.stop();
  expect(harness.workFaults).toHaveLength(1);
  await harness.clock.advance(CLAIM_LIMITS.leaseMs);
  await harness.dispatcher.round();
  await harness.dispatcher.idle();
  const [first, second, ...more] = receiver.received.slice(1).map((one) => decipher(one, key.key));
  expect(second).toEqual(first);
  expect(more).toEqual([]);
  expect(await deliveryLog(harness.webhooks, endpoint.id, 0, 9)).toMatchObject([
    { sequence: 1, state: 'delivered', claims: 0, leasedBy: null },
  ]);
  await receiver.close();
  await harness.dispose();
});

it('a delivery whose tries never end is given up, and staff gets an alert', async () => {
  const harness = await openWebhookHarness();
  const url = 'https://shop.example/webhooks';
  const [made, other] = [
    await createEndpoint(harness.webhooks, { entityId: ENTITY, url }),
    await createEndpoint(harness.webhooks, { entityId: OTHER_ENTITY, url }),
  ];
  // A key that this endpoint cannot open.
  const row = { ...made.endpoint, state: 'active', keys: other.endpoint.keys } as const;
  await harness.store.commit([{ op: 'update', table: 'webhookEndpoints', row }]);
  await harness.clock.advance(intervalMs);
  await harness.post('/v1/payments', CARD);
  for (let claim = 0; claim <= CLAIM_LIMITS.maxClaims; claim += 1) {
    await harness.dispatcher.round();
    await harness.dispatcher.idle();
    await harness.clock.advance(CLAIM_LIMITS.retryMs * CLAIM_LIMITS.maxClaims);
  }
  expect(harness.workFaults).toHaveLength(CLAIM_LIMITS.maxClaims);
  const { id } = made.endpoint;
  expect(await deliveryLog(harness.webhooks, id, 0, 9)).toMatchObject([{ state: 'givenUp' }]);
  expect(await openAlerts(harness.store)).toEqual([`webhook-failing ${id}`]);
  await harness.dispose();
});

it('a test reveals to no merchant which names of our network there are', async () => {
  const known = new Map([['inside.example', '10.0.0.1']]);
  const harness = await openWebhookHarness(undefined, {
    resolve: async (host) => {
      const address = known.get(host);
      if (address === undefined) throw new Error('ENOTFOUND');
      return [{ address, family: 4 }];
    },
  });
  const resultOf = async (host: string) => {
    const about = { entityId: ENTITY, url: `https://${host}/` };
    const { endpoint } = await createEndpoint(harness.webhooks, about);
    const { tried } = await testEndpoint(harness.webhooks, endpoint.id);
    return { ...tryView(tried ?? { atMs: 0, durationMs: 0 }), at: '' };
  };
  const one = await resultOf('inside.example');
  expect(one).toEqual({ at: '', fault: 'unusable-host', durationMs: 0 });
  expect(await resultOf('no-such-host.example')).toEqual(one);
  expect(await resultOf('10.0.0.1')).toEqual(one);
  await harness.dispose();
});

it('webhooks go to no private address, also where a name begins to stand for one', async () => {
  const receiver = await openReceiver();
  let address = '127.0.0.1';
  const harness = await openWebhookHarness(undefined, { resolve: async () => [{ address, family: 4 }] });
  const url = receiver.url.replace('127.0.0.1', 'shop.example');
  const { endpoint } = await createEndpoint(harness.webhooks, { entityId: ENTITY, url });
  expect((await testEndpoint(harness.webhooks, endpoint.id)).endpoint.state).toBe('active');
  address = '169.254.169.254';
  await harness.clock.advance(intervalMs);
  await harness.post('/v1/payments', CARD);
  await harness.dispatcher.round();
  await harness.dispatcher.idle();
  const [row] = await deliveryLog(harness.webhooks, endpoint.id, 0, 1);
  expect(triesOf(row ?? { attempts: '[]' })).toMatchObject([{ fault: 'unusable-host' }]);
  expect(receiver.received).toHaveLength(1);
  await receiver.close();
  await harness.dispose();
});
