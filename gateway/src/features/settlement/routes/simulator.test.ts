import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
  RECORD_TOKEN,
} from '../../../app/http/http-harness.test.support.js';
import { ENTITY, OTHER_ENTITY } from '../../../core/payments/payment-harness.test.support.js';

const OTHER_TOKEN = 'tb_token-of-another-merchant';
const OPERATOR = 'tb_token-of-the-operator';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
  const other = { entityId: OTHER_ENTITY, merchantId: OTHER_ENTITY };
  await addToken(harness.store, OTHER_TOKEN, ['pay', 'refund', 'simulator'], other);
  await addToken(harness.store, OPERATOR, ['simulator', 'operator'], other);
  for (const [entityId, token] of [[ENTITY], [OTHER_ENTITY, OTHER_TOKEN]] as const) {
    const body = new URLSearchParams({ ...CARD, entityId, paymentType: 'DB' }).toString();
    const { id } = (await send('POST', '/v1/payments', token, body)).body;
    await send('POST', `/v1/payments/${id}`, token, `entityId=${entityId}&paymentType=RV`);
  }
});
afterEach(() => harness.dispose());

const send = (method: string, path: string, token?: string, body?: string) =>
  harness.send(method, path, {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { body }),
  });

const record = async (token: string) => {
  const { body } = await send('GET', '/v1/simulator/transactions', token);
  return body as unknown as { readonly acquirerReference: string; readonly kind: string }[];
};

it('shows a token what its own merchant has done, and all to the operator', async () => {
  const [own, theirs, all] = await Promise.all([RECORD_TOKEN, OTHER_TOKEN, OPERATOR].map(record));
  for (const part of [own, theirs])
    expect(part?.map(({ kind }) => kind)).toEqual(['authorization', 'reversal']);
  const references = (part: typeof all) => part?.map(({ acquirerReference }) => acquirerReference) ?? [];
  expect(new Set([...references(own), ...references(theirs)])).toEqual(new Set(references(all)));
  expect(all).toHaveLength(4);
});

it('shows the merchant of a chargeback what was not requested, and no other one', async () => {
  await addToken(harness.store, 'tb_administration', ['administration']);
  const { id } = (await harness.post('/v1/payments', { ...CARD, paymentType: 'DB' })).body;
  expect((await send('POST', `/v1/payments/${id}/chargeback`, 'tb_administration', '')).status).toBe(200);
  const kinds = async (token: string) => (await record(token)).map(({ kind }) => kind);
  expect(await kinds(RECORD_TOKEN)).toContain('chargeback');
  expect(await kinds(OTHER_TOKEN)).not.toContain('chargeback');
});

it('shows no merchant a request that is not known any more, and the operator still does', async () => {
  harness.mayDiffer = true;
  const all = await record(OPERATOR);
  const [sale, reversal] = await record(RECORD_TOKEN);
  const forget = async (id = '') => {
    const { version = 0 } = (await harness.store.get('intents', [id])) ?? {};
    await harness.store.commit([{ op: 'delete', table: 'intents', key: [id], version }]);
  };
  await forget(sale?.acquirerReference);
  expect(await record(RECORD_TOKEN)).toEqual([reversal]);
  await forget(reversal?.acquirerReference);
  expect(await record(RECORD_TOKEN)).toEqual([]);
  expect(await record(OPERATOR)).toEqual(all);
});

it('has no paths in live mode', async () => {
  const live = await openHttpHarness(undefined, { mode: 'live' });
  try {
    const paths = [
      ['GET', '/v1/simulator/transactions'],
      ['POST', '/v1/simulator/settlements'],
    ] as const;
    for (const [method, path] of paths) {
      const { status } = await live.send(method, path, { authorization: `Bearer ${RECORD_TOKEN}` });
      expect([path, status]).toEqual([path, 404]);
    }
  } finally {
    await live.dispose();
  }
});

it('shows a record of any length', async () => {
  for (let at = 0; at < 100; at += 1) await harness.post('/v1/payments', { ...CARD, paymentType: 'DB' });
  const own = (await record(OPERATOR)).length - (await record(OTHER_TOKEN)).length;
  expect((await record(RECORD_TOKEN)).length).toBe(own);
  expect(own).toBe(102);
});

it('settles the merchant of the token, and all for the operator', async () => {
  const settled = async (token: string) => {
    const { body } = await send('POST', '/v1/simulator/settlements', token, '');
    const { aggregations } = body as unknown as { readonly aggregations: readonly { entityId: string }[] };
    return aggregations.map(({ entityId }) => entityId);
  };
  const states = async () =>
    (await harness.store.find('settlements', 'state', ['open'])).map(({ entityId }) => entityId);
  expect(await settled(OTHER_TOKEN)).toEqual([OTHER_ENTITY]);
  expect(await states()).toEqual([ENTITY]);
  expect(
    (await harness.store.find('reconciliationFiles', 'merchant', [ENTITY])).map(({ name }) => name),
  ).toEqual([]);
  expect(await settled(OPERATOR)).toEqual([ENTITY]);
});
