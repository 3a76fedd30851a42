import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { ENTITY, OTHER_ENTITY } from '../payments/payment-harness.test.support.js';

const OTHER_TOKEN = 'tb_token-of-another-merchant';
const FORM = { amount: '1.00', currency: 'EUR' };

let harness: HttpHarness;
/** A captured payment and an authorization of another merchant. */
let theirs: { readonly captured: string; readonly authorized: string };
beforeEach(async () => {
  harness = await openHttpHarness();
  await addToken(harness.store, OTHER_TOKEN, ['pay', 'refund', 'read'], {
    entityId: OTHER_ENTITY,
    merchantId: OTHER_ENTITY,
  });
  const pay = (paymentType: string) => post('/v1/payments', { ...CARD, paymentType }, OTHER_TOKEN);
  theirs = { captured: (await pay('DB')).body.id, authorized: (await pay('PA')).body.id };
});
afterEach(() => harness.dispose());

/** A request in the name of the other merchant, with a token. */
async function post(path: string, form: Readonly<Record<string, string>>, token?: string) {
  return harness.send('POST', path, {
    body: new URLSearchParams({ entityId: OTHER_ENTITY, ...form }).toString(),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  });
}

describe('a token of one merchant that names another merchant as its entity', () => {
  it.each([
    ['CP', 'authorized', FORM],
    ['RV', 'authorized', {}],
    ['PA', 'authorized', { ...FORM, 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' }],
    ['RF', 'captured', FORM],
    ['RV', 'captured', {}],
  ] as const)('may not follow its payment by %s (%s)', async (paymentType, which, form) => {
    const before = await harness.transactions();
    const path = `/v1/payments/${theirs[which]}`;
    const refused = await post(path, { ...form, paymentType });
    expect(refused).toMatchObject({ status: 403, body: { result: { code: '800.900.301' } } });
    expect(await harness.transactions()).toEqual(before);
    // The merchant's own token may: nothing else stood in the way.
    const own = await post(path, { ...form, paymentType }, OTHER_TOKEN);
    expect(own.status).toBe(200);
  });

  it.each(['PA', 'DB', 'PA.CP', 'CD'])('may not make a %s', async (paymentType) => {
    const before = await harness.transactions();
    const refused = await post('/v1/payments', { ...CARD, paymentType });
    expect(refused).toMatchObject({ status: 403, body: { result: { code: '800.900.301' } } });
    expect(await harness.transactions()).toEqual(before);
  });

  it.each(['/v1/payments', '/v1/query'])('may not read below %s', async (path) => {
    const url = `${path}/${theirs.captured}`;
    expect((await harness.get(`${url}?entityId=${OTHER_ENTITY}`)).status).toBe(403);
    expect((await harness.get(`${url}?entityId=${ENTITY}`)).status).toBe(404);
  });

  it('may not find its payments by their reference', async () => {
    const reference = 'order-0001';
    await post('/v1/payments', { ...CARD, merchantTransactionId: reference }, OTHER_TOKEN);
    const query = (entityId: string) =>
      harness.get(`/v3/query?entityId=${entityId}&merchantTransactionId=${reference}`);
    expect((await query(OTHER_ENTITY)).status).toBe(403);
    expect((await query(ENTITY)).status).toBe(404);
  });
});
