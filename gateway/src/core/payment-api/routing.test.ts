import { fromHex } from '@tillbridge/wire/bytes.js';
import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import {
  encipheredTrack2,
  exampleIccData,
  track2Of,
} from '../../security/module/card-example.test.support.js';
import { FailingStore } from '../payments/payment-harness.test.support.js';
import type { RoutingRule } from '../payments/routing/routing-rules.js';

const MERCHANT = 'a'.repeat(32);
const EUROPE = 'c'.repeat(32);
const AMEX = 'd'.repeat(32);
const FOREIGN = 'b'.repeat(32);
const EUROPE_TOKEN = 'tb_test-token-of-one-channel';

const RULES: readonly RoutingRule[] = [
  { channelId: AMEX, brands: ['AMEX'] },
  { channelId: EUROPE, currencies: ['EUR'], countries: ['DE', 'AT'] },
  { channelId: EUROPE, currencies: ['CHF'] },
];

let disk: FailingStore;
let harness: HttpHarness;
beforeEach(async () => {
  disk = new FailingStore(new MemoryStore());
  harness = await openHttpHarness(() => disk);
  const channels = [EUROPE, AMEX].map((id) => ({
    op: 'insert' as const,
    table: 'entities' as const,
    row: {
      id,
      kind: 'channel' as const,
      parentId: MERCHANT,
      name: id === AMEX ? 'Amex' : 'Europe',
      compatibility: 'specification' as const,
      createdAtMs: 1,
      version: 1,
    },
  }));
  const row = { merchantId: MERCHANT, rules: JSON.stringify(RULES), version: 1 };
  await harness.store.commit([...channels, { op: 'insert', table: 'routing', row }]);
  await addToken(harness.store, EUROPE_TOKEN, ['pay', 'refund', 'read'], { entityId: EUROPE });
});
afterEach(() => harness.dispose());

const GERMAN = { ...CARD, 'billing.country': 'DE' };
const ownerOf = async (id: string) => (await harness.store.get('payments', [id]))?.entityId;
/** @param more its parameters; those that are empty are left out */
const pay = (more: Readonly<Record<string, string>> = {}) => {
  const sent = Object.entries({ ...GERMAN, ...more }).filter(([, value]) => value !== '');
  return harness.post('/v1/payments', Object.fromEntries(sent));
};

describe('a payment for a merchant with rules', () => {
  it.each([
    ['currency and country', { 'billing.country': 'AT' }, EUROPE],
    ['currency alone', { currency: 'CHF', 'billing.country': 'US' }, EUROPE],
    ['the brand sent', { paymentBrand: 'AMEX', 'card.number': '377777777777770', 'card.cvv': '1234' }, AMEX],
    [
      'the brand of the card',
      { paymentBrand: '', 'card.number': '377777777777770', 'card.cvv': '1234' },
      AMEX,
    ],
  ])('is made by a channel by %s', async (_what, more, channel) => {
    const { status, body } = await pay(more);
    expect(body.result.code).toBe('000.100.110');
    expect(status).toBe(200);
    expect(await ownerOf(body.id)).toBe(channel);
    expect(body.descriptor).toContain(channel === AMEX ? 'Amex' : 'Europe');
  });

  it('is made by the channel of the chip’s application where the card number is enciphered', async () => {
    const pan = '377777777777770';
    const sred = encipheredTrack2(track2Of(pan, '1234'));
    const aid = encodeTlv([tlv('84', fromHex('A00000002501'))]);
    const { body } = await harness.post('/v1/payments', {
      amount: '12.34',
      currency: 'EUR',
      paymentType: 'DB',
      'pos.terminalId': '1',
      'pos.entryMode': 'ICC',
      'pos.deviceType': 'GERTEC_PPC930',
      'pos.iccDataRequest': Buffer.concat([exampleIccData({ scheme: 'visa', pan }), aid]).toString('hex'),
      'pos.encryptedSred.data': Buffer.from(sred.data).toString('hex'),
      'pos.encryptedSred.ksn': Buffer.from(sred.ksn).toString('hex'),
    });
    expect(body).toMatchObject({ paymentBrand: 'AMEX' });
    expect(await ownerOf(body.id)).toBe(AMEX);
  });

  it('is refused where no rule fits, without an acquirer request', async () => {
    const { status, body } = await pay({ currency: 'USD' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ amount: '12.34', currency: 'USD', result: { code: '600.200.500' } });
    expect(await ownerOf(body.id)).toBe(MERCHANT);
    expect(harness.line.sent).toEqual([]);
    expect((await harness.get(`/v1/payments/${body.id}?entityId=${MERCHANT}`)).status).toBe(200);
  });

  it('reports a wrong card before it reports that no rule fits, and needs no rule for a forced refusal', async () => {
    const wrong = await pay({ currency: 'USD', 'card.expiryYear': '2020' });
    expect(wrong.body.result.code).toBe('100.100.303');
    const forced = await pay({ currency: 'USD', 'customParameters[forceResultCode]': '000.100.112' });
    expect(forced.body.result.code).toBe('600.200.500');
    expect(harness.line.sent).toEqual([]);
  });

  it('stays with the merchant where it has no rules', async () => {
    const row = await harness.store.get('routing', [MERCHANT]);
    await harness.store.commit([
      { op: 'delete', table: 'routing', key: [MERCHANT], version: row?.version ?? 0 },
    ]);
    expect(await ownerOf((await pay()).body.id)).toBe(MERCHANT);
  });

  it('goes to no channel of another merchant, whatever stands in the rules', async () => {
    const stored = await harness.store.get('routing', [MERCHANT]);
    const rules = JSON.stringify([{ channelId: FOREIGN }]);
    const row = { merchantId: MERCHANT, rules, version: stored?.version ?? 0 };
    await harness.store.commit([{ op: 'update', table: 'routing', row }]);
    expect((await pay()).body.result.code).toBe('600.200.500');
    expect(harness.line.sent).toEqual([]);
  });
});

describe('requests on a routed payment', () => {
  const follow = (id: string, entityId: string, form: Readonly<Record<string, string>>) =>
    harness.post(`/v1/payments/${id}`, { entityId, ...form });
  const CAPTURE = { paymentType: 'CP', amount: '1.00', currency: 'EUR' };

  it.each([
    ['the merchant', MERCHANT],
    ['its channel', EUROPE],
  ])('work for %s, and belong to the channel', async (_who, entityId) => {
    const { id } = (await pay()).body;
    const { id: debit } = (await pay({ paymentType: 'DB' })).body;
    const captured = await follow(id, entityId, CAPTURE);
    expect(captured.status).toBe(200);
    expect((await harness.service.find(captured.body.id, EUROPE))?.referencedId).toBe(id);
    const rest = await follow(id, entityId, { paymentType: 'RV' });
    const refunded = await follow(debit, entityId, { ...CAPTURE, paymentType: 'RF' });
    const rebilled = await follow(debit, entityId, { ...CAPTURE, paymentType: 'RB' });
    for (const { status, body } of [captured, rest, refunded, rebilled]) {
      expect(body.result.code).toBe('000.100.110');
      expect(status).toBe(200);
      expect(await ownerOf(body.id)).toBe(EUROPE);
    }
  });

  it('are refused for another channel of the merchant', async () => {
    const { id } = (await pay()).body;
    expect((await follow(id, AMEX, CAPTURE)).body.result.code).toBe('700.400.700');
  });

  it('follow a referenceUuid to its channel, too', async () => {
    const { id } = (await pay({ paymentType: 'DB' })).body;
    const form = { paymentType: 'DB', referenceUuid: id, amount: '2.00', currency: 'EUR' };
    const rebill = await harness.post('/v1/payments', form);
    expect(rebill.body.result.code).toBe('000.100.110');
    expect(await ownerOf(rebill.body.id)).toBe(EUROPE);
  });

  it('are unknown for a payment that does not exist', async () => {
    const { status, body } = await follow('0'.repeat(32), MERCHANT, CAPTURE);
    expect(status).toBe(400);
    expect(body.result.code).toBe('700.400.510');
  });
});

describe('reading routed payments', () => {
  const query = (entityId: string) =>
    harness.get(`/v3/query?entityId=${entityId}&merchantTransactionId=order-0001`);

  it('finds them under the merchant and under the channel, and under no other', async () => {
    const { id } = (await pay({ merchantTransactionId: 'order-0001' })).body;
    for (const entityId of [MERCHANT, EUROPE]) {
      expect((await harness.get(`/v1/payments/${id}?entityId=${entityId}`)).body.id).toBe(id);
      expect((await harness.get(`/v1/query/${id}?entityId=${entityId}`)).body.id).toBe(id);
      expect((await query(entityId)).body.records).toMatchObject([{ id }]);
    }
    expect((await harness.get(`/v1/payments/${id}?entityId=${AMEX}`)).status).toBe(404);
    expect((await query(AMEX)).status).toBe(404);
  });

  it('lists those of several channels together, newest first', async () => {
    const first = (await pay({ merchantTransactionId: 'order-0001', currency: 'CHF' })).body.id;
    await harness.clock.advance(1_000);
    const amex = { paymentBrand: 'AMEX', 'card.number': '377777777777770', 'card.cvv': '1234' };
    const second = (await pay({ merchantTransactionId: 'order-0001', ...amex })).body.id;
    await harness.clock.advance(1_000);
    const third = (await pay({ merchantTransactionId: 'order-0001' })).body.id;
    const { records } = (await query(MERCHANT)).body;
    expect(records.map((record: { id: string }) => record.id)).toEqual([third, second, first]);
  });
});

describe('a token of one channel', () => {
  const asChannel = (method: string, path: string, form?: Readonly<Record<string, string>>) =>
    harness.send(method, path, {
      authorization: `Bearer ${EUROPE_TOKEN}`,
      ...(form && { body: new URLSearchParams(form).toString() }),
    });

  it('is good for neither the merchant nor another channel', async () => {
    const amex = { paymentBrand: 'AMEX', 'card.number': '377777777777770', 'card.cvv': '1234' };
    const { id } = (await pay(amex)).body;
    for (const entityId of [MERCHANT, AMEX, FOREIGN]) {
      expect((await asChannel('POST', '/v1/payments', { ...GERMAN, entityId })).status).toBe(403);
      expect((await asChannel('GET', `/v1/payments/${id}?entityId=${entityId}`)).status).toBe(403);
    }
    expect((await asChannel('GET', `/v1/payments/${id}`)).status).toBe(404);
    expect((await asChannel('POST', '/v1/payments', { ...GERMAN, entityId: EUROPE })).status).toBe(200);
  });
});

describe('Idempotency-Key with a merchant’s entity', () => {
  const keyed = (): Promise<Answer> =>
    harness.send('POST', '/v1/payments', {
      body: new URLSearchParams({ entityId: MERCHANT, ...GERMAN }).toString(),
      headers: { 'idempotency-key': 'order-1' },
    });
  const changeRules = async (rules: readonly RoutingRule[]): Promise<void> => {
    const stored = await harness.store.get('routing', [MERCHANT]);
    const row = { merchantId: MERCHANT, rules: JSON.stringify(rules), version: stored?.version ?? 0 };
    await harness.store.commit([{ op: 'update', table: 'routing', row }]);
  };

  it('gives the stored answer of the channel’s payment, whatever the rules have become', async () => {
    const first = await keyed();
    expect(await ownerOf(first.body.id)).toBe(EUROPE);
    await changeRules([{ channelId: AMEX }]);
    expect((await keyed()).body).toEqual(first.body);
    expect(harness.line.sent).toHaveLength(1);
  });

  it('finds the payment of an answer that could not be stored after the rules have changed', async () => {
    disk.failWhen = (changes) =>
      changes.some(({ op, ...on }) => op === 'update' && 'table' in on && on.table === 'idempotency');
    const first = await keyed();
    disk.failWhen = () => false;
    await changeRules([{ channelId: AMEX }]);
    const again = await keyed();
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id } });
    expect(harness.line.sent).toHaveLength(1);
    await changeRules([]);
    const other = { entityId: MERCHANT, ...GERMAN, amount: '99.00' };
    const refused = await harness.send('POST', '/v1/payments', {
      body: new URLSearchParams(other).toString(),
      headers: { 'idempotency-key': 'order-1' },
    });
    expect(refused.body.result.parameterErrors).toMatchObject([{ name: 'Idempotency-Key' }]);
  });

  it('is another key under another entity: shops of one merchant may count their orders alike', async () => {
    const under = (entityId: string): Promise<Answer> =>
      harness.send('POST', '/v1/payments', {
        body: new URLSearchParams({ entityId, ...GERMAN }).toString(),
        headers: { 'idempotency-key': 'order-1' },
      });
    const ids: unknown[] = [];
    for (const entityId of [MERCHANT, EUROPE, AMEX]) ids.push((await under(entityId)).body.id);
    expect(new Set(ids).size).toBe(3);
    for (const entityId of [MERCHANT, EUROPE, AMEX]) expect(ids).toContain((await under(entityId)).body.id);
    expect(harness.line.sent).toHaveLength(3);
  });
});
