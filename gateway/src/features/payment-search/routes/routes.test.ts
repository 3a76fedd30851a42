import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, type HttpHarness, openHttpHarness } from '../../../app/http/http-harness.test.support.js';
import { ENTITY, OTHER_ENTITY, restPayment } from '../../../core/payments/payment-harness.test.support.js';

type Form = Readonly<Record<string, string>>;

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

const pay = async (more: Form = {}): Promise<string> => {
  const { body } = await harness.post('/v1/payments', { ...CARD, paymentType: 'DB', ...more });
  expect(body.result.parameterErrors ?? []).toEqual([]);
  return body.id;
};
const NAME = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };
const get = (path: string, query: Form) =>
  harness.get(`/v1/payments${path}?${new URLSearchParams({ entityId: ENTITY, ...query })}`);
const find = async (query: Form): Promise<{ readonly ids: readonly string[]; readonly next?: string }> => {
  const { status, body } = await get('', query);
  expect(status).toBe(200);
  const { payments, next } = body as unknown as { payments: { id: string }[]; next?: string };
  return { ids: payments.map(({ id }) => id), ...(next !== undefined && { next }) };
};

describe('GET /v1/payments', () => {
  it('finds payments by what they have, all of it together', async () => {
    const id = await pay({ amount: '77.00', ...NAME, 'customer.email': 'Jane@Example.com' });
    await pay({ amount: '77.00' });
    await pay();
    expect((await find({ amount: '77.00' })).ids).toHaveLength(2);
    expect((await find({ amount: '77' })).ids).toHaveLength(2);
    expect((await find({ amount: '77.00', 'customer.email': 'jane@example.COM' })).ids).toEqual([id]);
    expect(
      (await find({ 'card.last4Digits': '0000', paymentTypes: 'DB', outcome: 'approved' })).ids,
    ).toHaveLength(3);
    expect((await find({ 'card.last4Digits': '1111' })).ids).toEqual([]);
    expect((await find({ outcome: 'declined' })).ids).toEqual([]);
    expect(
      (await find({ 'result.code': '000.100.110', paymentBrand: 'VISA', currency: 'EUR' })).ids,
    ).toHaveLength(3);
    expect((await find({ 'date.to': '2020-01-01 00:00:00' })).ids).toEqual([]);
  });

  it('finds a payment by any of its ids, and by the merchant’s reference', async () => {
    const id = await pay({ merchantTransactionId: 'order-0001' });
    const { acquirerReference, shortId = '' } = (await harness.store.get('payments', [id])) ?? {};
    const [event] = await harness.store.findAfter('events', undefined);
    for (const named of [id, acquirerReference ?? '', shortId, event?.id ?? ''])
      expect((await find({ id: named })).ids, named).toEqual([id]);
    expect((await find({ merchantTransactionId: 'order-0001' })).ids).toEqual([id]);
    expect((await find({ id, amount: '1.00' })).ids).toEqual([]);
    expect((await find({ id: '0'.repeat(32) })).ids).toEqual([]);
  });

  it('goes page by page, each payment once', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      ids.unshift(await pay());
      await harness.clock.advance(at % 2);
    }
    const seen: string[] = [];
    for (
      let page = await find({ limit: '2' });
      ;
      page = await find({ limit: '2', cursor: page.next ?? '' })
    ) {
      seen.push(...page.ids);
      if (page.next === undefined) break;
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(new Set(seen).size).toBe(5);
  });

  it('finds nothing of another merchant', async () => {
    const other = await harness.service.authorize(
      restPayment({ origin: { kind: 'rest', entityId: OTHER_ENTITY } }),
    );
    expect((await find({})).ids).toEqual([]);
    expect((await find({ id: other.paymentId ?? '' })).ids).toEqual([]);
    expect((await get('', { entityId: OTHER_ENTITY })).status).toBe(403);
  });

  it.each([
    ['cursor', 'x.y'],
    ['cursor', 'zzzzzzzzzzz.-'],
    ['limit', '501'],
    ['card.last4Digits', '12345'],
    ['amount', '1.234'],
    ['outcome', 'pending'],
    ['colour', 'red'],
  ])('names what is wrong with %s=%s', async (name, value) => {
    const { status, body } = await get('', { [name]: value });
    expect(status).toBe(400);
    expect(body.result.parameterErrors).toMatchObject([{ name }]);
  });

  it('refuses an end before the beginning', async () => {
    const { status } = await get('', {
      'date.from': '2026-11-20 00:00:00',
      'date.to': '2026-11-19 00:00:00',
    });
    expect(status).toBe(400);
  });
});

describe('GET /v1/payments/export', () => {
  const lines = async (query: Form): Promise<readonly string[]> => {
    const { headers, text } = await get('/export', query);
    expect(new Headers(headers as never).get('content-type')).toBe('text/csv; charset=utf-8');
    return text.split('\r\n');
  };

  it('gives a line for each payment, with cells that no spreadsheet calculates', async () => {
    const reference = '=HYPERLINK("https://evil.example","pay")';
    const id = await pay({
      merchantTransactionId: reference,
      ...NAME,
      'customer.email': '+jane@example.com',
    });
    const [head = '', line = '', end] = await lines({});
    expect(head.split(',').slice(0, 4)).toEqual(['id', 'timestamp', 'entityId', 'paymentType']);
    expect(line.startsWith(`${id},`)).toBe(true);
    expect(line).toContain(`"'=HYPERLINK(""https://evil.example"",""pay"")"`);
    expect(line).toContain(`,'+jane@example.com,`);
    expect(line).not.toContain(CARD['card.number']);
    expect(end).toBe('');
  });
});

describe('GET /v1/payments/totals', () => {
  it('adds up payments by time, brand, response code and reason of declines', async () => {
    await pay();
    await pay({ amount: '10.00' });
    await pay({ 'card.expiryYear': '2020', 'card.expiryMonth': '01' });
    const day = new Date(harness.clock.nowMs()).toISOString().slice(0, 10);
    const times = { 'date.from': `${day} 00:00:00`, 'date.to': `${day} 23:59:59` };
    const { status, body } = await get('/totals', { ...times, interval: 'day' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      isWhole: true,
      periods: [{ from: `${day}T00:00:00.000Z`, currency: 'EUR', approved: 2, volume: '22.34' }],
      brands: [{ paymentBrand: 'VISA', approved: 2 }],
    });
    expect((await get('/totals', { ...times, paymentTypes: 'RF' })).body).toMatchObject({ periods: [] });
  });

  it('needs a time, and refuses one that is too long', async () => {
    const missing = await get('/totals', {});
    expect(missing.body.result.parameterErrors).toMatchObject([{ name: 'date.from' }]);
    const times = { 'date.from': '2000-01-01 00:00:00', 'date.to': '2026-11-20 00:00:00' };
    expect((await get('/totals', times)).body.result.parameterErrors).toMatchObject([{ name: 'date.to' }]);
  });
});
