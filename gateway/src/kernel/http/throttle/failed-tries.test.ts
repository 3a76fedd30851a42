import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../../app/http/http-harness.test.support.js';
import { MASTERCARD_DECLINED } from '../../../core/payments/payment-harness.test.support.js';
import { DEFAULT_THROTTLE_RATES } from './throttle.js';

const OTHER = 'tb_another-token-of-the-merchant';
const DECLINED = { 'card.number': MASTERCARD_DECLINED, paymentBrand: 'MASTER' };

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness(undefined, {
    rates: { ...DEFAULT_THROTTLE_RATES, failedCards: { perSecond: 0.1, burst: 3 } },
  });
  await addToken(harness.store, OTHER, ['pay']);
});
afterEach(() => harness.dispose());

const pay = (more: Readonly<Record<string, string>> = {}) =>
  harness.post('/v1/payments', { ...CARD, paymentType: 'DB', ...more });
const statuses = async (count: number, more?: Readonly<Record<string, string>>) => {
  const all: number[] = [];
  for (let at = 0; at < count; at += 1) all.push((await pay(more)).status);
  return all;
};

it('holds a token after so many refused cards, with the time to wait, and sends nothing to an issuer', async () => {
  expect(await statuses(3, DECLINED)).toEqual([400, 400, 400]);
  const sent = harness.line.sent.length;
  const { status, headers, body } = await pay();
  expect([status, headers.get('retry-after'), body.result.code]).toEqual([429, '10', '800.120.100']);
  expect(harness.line.sent).toHaveLength(sent);
  await harness.clock.advance(10_000);
  expect(await statuses(2, DECLINED)).toEqual([400, 429]);
});

it('counts no approval, nothing that is wrong in form, and no request without a card', async () => {
  expect(await statuses(8)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(await statuses(8, { 'card.number': 'x' })).toEqual(Array.from({ length: 8 }, () => 400));
  for (let at = 0; at < 8; at += 1)
    await harness.post('/v1/payments', { amount: '1.00', currency: 'EUR', paymentType: 'DB' });
  const { id } = (await pay({ paymentType: 'PA' })).body;
  const again = { amount: '1.00', currency: 'EUR', paymentType: 'DB', referenceUuid: id };
  for (let at = 0; at < 8; at += 1) {
    const { status, body } = await harness.post('/v1/payments', again);
    expect([status, body.id]).toEqual([400, expect.stringMatching(/^[0-9a-f]{32}$/)]);
  }
  expect((await pay()).status).toBe(200);
});

it('holds only the token, and not what tries no card', async () => {
  await statuses(3, DECLINED);
  expect((await harness.get(`/v1/payments/${'0'.repeat(32)}`)).status).toBe(404);
  // A payment without a card, and a card that is stored: no issuer sees it.
  const noCard = { amount: '1.00', currency: 'EUR', paymentType: 'DB' };
  expect((await harness.post('/v1/payments', noCard)).status).toBe(400);
  const { amount: _, currency: __, paymentType: ___, ...card } = CARD;
  expect((await harness.post('/v1/registrations', card)).status).toBe(200);
  const body = new URLSearchParams({ ...CARD, entityId: 'a'.repeat(32), paymentType: 'DB' }).toString();
  const { status } = await harness.send('POST', '/v1/payments', { body, authorization: `Bearer ${OTHER}` });
  expect(status).toBe(200);
});

it('gives a key back that was held, so that the payment can be sent again', async () => {
  await statuses(3, DECLINED);
  const body = new URLSearchParams({ ...CARD, entityId: 'a'.repeat(32), paymentType: 'DB' }).toString();
  const send = () =>
    harness.send('POST', '/v1/payments', { body, headers: { 'idempotency-key': 'order-1' } });
  expect((await send()).status).toBe(429);
  await harness.clock.advance(10_000);
  expect((await send()).status).toBe(200);
});
