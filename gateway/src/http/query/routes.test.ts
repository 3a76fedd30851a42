import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OTHER_ENTITY, restPayment } from '../../payments/payment-harness.test.support.js';
import { type Change, FIND_LIMIT } from '../../store/store.js';
import { CARD, type HttpHarness, openHttpHarness } from '../http-harness.test.support.js';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

const ENTITY = 'a'.repeat(32);
const pay = (merchantTransactionId: string, more = {}) =>
  harness.post('/v1/payments', { ...CARD, merchantTransactionId, ...more });
const query = (more: Readonly<Record<string, string>>) =>
  harness.get(`/v3/query?${new URLSearchParams({ entityId: ENTITY, ...more })}`);
const nothing = { status: 404, body: { result: { code: '700.400.580' } } };

describe('GET /v3/query', () => {
  it('finds every payment with the reference, newest first, and no other', async () => {
    const first = (await pay('order-0001')).body.id;
    await harness.clock.advance(1_000);
    const second = (await pay('order-0001', { paymentType: 'DB' })).body.id;
    await pay('order-0002');
    const { status, body } = await query({ merchantTransactionId: 'order-0001' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: { code: '000.000.100' },
      buildNumber: 'test',
      ndc: expect.stringMatching(/^[A-Za-z0-9-]{1,69}$/),
      pages: 1,
    });
    expect(body.records.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect(body.payments).toEqual(body.records);
    const { body: read } = await harness.get(`/v1/payments/${first}`);
    expect(read).toMatchObject({ ...body.records[1], ndc: read.ndc });
    const debits = await query({ merchantTransactionId: 'order-0001', paymentTypes: 'DB,RF' });
    expect(debits.body.records.map(({ id }: { id: string }) => id)).toEqual([second]);
  });

  it('finds a payment whose outcome nobody knows yet', async () => {
    harness.line.cut = true;
    const { id } = (await pay('order-0001')).body;
    const { body } = await query({ merchantTransactionId: 'order-0001' });
    expect(body.records).toMatchObject([{ id, result: { code: '000.200.001' } }]);
    harness.line.cut = false;
    await harness.service.resolveOpen();
    const later = await query({ merchantTransactionId: 'order-0001' });
    expect(later.body.records).toMatchObject([{ id, result: { code: '900.100.301' } }]);
  });

  it('finds it however many payments of others are open', async () => {
    harness.line.cut = true;
    await harness.service
      .authorize(restPayment({ origin: { kind: 'rest', entityId: OTHER_ENTITY }, reference: 'order-0001' }))
      .catch(() => undefined);
    const [theirs] = await harness.store.find('intents', 'state', ['open']);
    if (!theirs) throw new Error('no payment is open');
    const others = Array.from({ length: FIND_LIMIT + 50 }, (_, at): Change => {
      const id = at.toString(16).padStart(32, '0');
      return {
        op: 'insert',
        table: 'intents',
        row: { ...theirs, id, paymentId: `p${id.slice(1)}`, version: 1 },
      };
    });
    await harness.store.commit(others);
    const { id } = (await pay('order-0001')).body;
    const { body } = await query({ merchantTransactionId: 'order-0001' });
    expect(body.records).toMatchObject([{ id, result: { code: '000.200.001' } }]);
  });

  it('says when nothing has the reference, or what has it is another entity’s', async () => {
    expect(await query({ merchantTransactionId: 'order-0001' })).toMatchObject(nothing);
    await harness.service.authorize({
      origin: { kind: 'rest', entityId: OTHER_ENTITY },
      type: 'DB',
      amount: { minor: 100, currency: 'EUR' },
      reference: 'order-0001',
      card: { number: CARD['card.number'], expiryMonth: '12', expiryYear: '2031' },
    });
    expect(await query({ merchantTransactionId: 'order-0001' })).toMatchObject(nothing);
    const foreign = await query({ merchantTransactionId: 'order-0001', entityId: OTHER_ENTITY });
    expect(foreign).toMatchObject({ status: 403, body: { result: { code: '800.900.301' } } });
  });

  it.each([
    [{}, 'merchantTransactionId'],
    [{ merchantTransactionId: 'order-0001', limit: '99' }, 'limit'],
    [{ merchantTransactionId: 'order-0001', shortId: '1' }, 'shortId'],
    [{ merchantTransactionId: 'order-0001', includeLinkedTransactions: 'true' }, 'includeLinkedTransactions'],
    [{ merchantTransactionID: 'order-0001' }, 'merchantTransactionID'],
  ] as [Record<string, string>, string][])('refuses %j, naming %s', async (parameters, name) => {
    const { status, body } = await query(parameters);
    expect(status).toBe(400);
    expect(body.result.code).toBe('200.300.404');
    expect(body.result.parameterErrors.map((error: { name: string }) => error.name)).toContain(name);
  });
});

describe('GET /v1/query/{id}', () => {
  it('answers like the payment itself', async () => {
    const { id } = (await pay('order-0001')).body;
    const { status, body } = await harness.get(`/v1/query/${id}?entityId=${ENTITY}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, paymentType: 'PA', amount: '12.34', result: { code: '000.100.110' } });
  });

  it('does not find what is unknown, and wants a token', async () => {
    const path = `/v1/query/${'0'.repeat(32)}`;
    expect(await harness.get(path)).toMatchObject(nothing);
    expect((await harness.send('GET', path, { authorization: null })).status).toBe(401);
    expect((await harness.send('POST', path, { body: 'a=b' })).status).toBe(405);
  });
});
