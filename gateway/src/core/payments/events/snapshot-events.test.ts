import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, type HttpHarness, openHttpHarness } from '../../../app/http/http-harness.test.support.js';
import type { WebhookEndpointRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { ENGINES, ENTITY, NOW_MS, OTHER_ENTITY, storeOf } from '../payment-harness.test.support.js';
import { eventsOfPayment } from './stored-events.test.support.js';

const endpoint = (id: string, more: Partial<WebhookEndpointRow> = {}): Change[] => {
  const row: WebhookEndpointRow = {
    id,
    entityId: ENTITY,
    url: null,
    types: '["PAYMENT"]',
    scope: 'all',
    format: 'hex',
    state: 'active',
    keys: '[]',
    note: null,
    testedAtMs: null,
    createdAtMs: NOW_MS,
    version: 1,
    ...more,
  };
  return [
    { op: 'insert', table: 'webhookEndpoints', row },
    { op: 'insert', table: 'deliveryCounters', row: { endpointId: id, lastSequence: 0, version: 1 } },
  ];
};

describe.each(ENGINES)('the event of a payment, on the %s store', (engine) => {
  let harness: HttpHarness;
  beforeEach(async () => {
    harness = await openHttpHarness(storeOf(engine));
  });
  afterEach(() => harness.dispose());

  const eventOf = async (paymentId: string) => {
    const [event, ...more] = await eventsOfPayment(harness.store, paymentId);
    expect(more).toEqual([]);
    return JSON.parse(event?.payload ?? '{}') as Record<string, unknown>;
  };

  it('has what the answer has, and what notifications add', async () => {
    const { body } = await harness.post('/v1/payments', { ...CARD, merchantTransactionId: 'order-0001' });
    const { ndc, ...answer } = body;
    const event = await eventOf(body.id);
    expect(event).toMatchObject(answer);
    expect(event.ndc).toMatch(/^[0-9a-f]{32}$/);
    expect(event).toMatchObject({
      presentationAmount: '12.34',
      presentationCurrency: 'EUR',
      source: 'OPP',
      paymentMethod: 'CC',
      shortId: expect.stringMatching(/^\d{4}\.\d{4}\.\d{4}$/),
      channelName: ENTITY,
    });
    expect(event).not.toHaveProperty('referencedId');
    expect(JSON.stringify(event)).not.toContain(CARD['card.number']);
  });

  it('presents the converted amount where one was sent', async () => {
    const forex = { 'forex.amount': '14', 'forex.currency': 'USD' };
    const { body } = await harness.post('/v1/payments', { ...CARD, ...forex });
    expect(await eventOf(body.id)).toMatchObject({
      amount: '12.34',
      presentationAmount: '14.00',
      presentationCurrency: 'USD',
    });
  });

  it('names the payment that a refund refers to, and stays as it was when a later one changes the payment', async () => {
    const sale = (await harness.post('/v1/payments', { ...CARD, paymentType: 'DB' })).body;
    const before = await eventOf(sale.id);
    const refund = await harness.post(`/v1/payments/${sale.id}`, {
      paymentType: 'RF',
      amount: '1.00',
      currency: 'EUR',
    });
    expect(await eventOf(refund.body.id)).toMatchObject({ paymentType: 'RF', referencedId: sale.id });
    expect(await eventOf(sale.id)).toEqual(before);
  });

  it('is stored for a payment that the gateway refuses', async () => {
    const { body } = await harness.post('/v1/payments', { ...CARD, 'card.number': '4200000000000001' });
    expect(await eventOf(body.id)).toMatchObject({ result: { code: '100.100.101' } });
  });

  it('is queued for the endpoints that want it, under the next number of each', async () => {
    await harness.store.commit([
      ...endpoint('active'),
      ...endpoint('paused', { state: 'paused' }),
      ...endpoint('inactive', { state: 'inactive' }),
      ...endpoint('risk', { types: '["RISK"]' }),
      ...endpoint('foreign', { entityId: OTHER_ENTITY }),
    ]);
    await Promise.all(Array.from({ length: 5 }, () => harness.post('/v1/payments', CARD)));
    const deliveries = await harness.store.findAfter('deliveries', undefined);
    expect(deliveries.map(({ endpointId, sequence }) => `${endpointId} ${sequence}`)).toEqual(
      ['active', 'paused'].flatMap((id) => [1, 2, 3, 4, 5].map((sequence) => `${id} ${sequence}`)),
    );
    const events = new Set(deliveries.map(({ eventId }) => eventId));
    expect(events.size).toBe(5);
  });
});
