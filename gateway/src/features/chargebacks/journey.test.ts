import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ApiAnswer, callApi, type DeveloperAccess } from '../../app/commands/listen/api-client.js';
import { Listener } from '../../app/commands/listen/listener.js';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
  RECORD_TOKEN,
} from '../../app/http/http-harness.test.support.js';
import { ENTITY } from '../../core/payments/payment-harness.test.support.js';
import { decipher, openReceiver, type Receiver } from '../webhooks/webhook-harness.test.support.js';

const TOKEN = 'tb_merchant-token-of-the-journey';
const ROOT = '/reports/v1/reconciliations/aggregations';
const DAY = { 'date.from': '2026-11-20', 'date.to': '2026-11-20' };

let harness: HttpHarness;
let receiver: Receiver;
let access: DeveloperAccess;
beforeEach(async () => {
  harness = await openHttpHarness();
  receiver = await openReceiver();
  await addToken(harness.store, TOKEN, ['administration', 'pay', 'refund', 'reports']);
  access = { url: harness.url, token: TOKEN, entityId: ENTITY };
});
afterEach(async () => {
  await receiver.close();
  await harness.dispose();
});

type Json = Readonly<Record<string, string>>;
const post = (path: string, form: Json = {}) => callApi(access, 'POST', path, form, [400]);
const get = (path: string, query: Json = {}) => callApi(access, 'GET', path, query);
const settle = async () => {
  const operator = { ...access, token: RECORD_TOKEN };
  await callApi(operator, 'POST', '/v1/simulator/settlements');
  await harness.clock.advance(1_000);
};
/** Records of the newest settlement. */
const newest = async (): Promise<ApiAnswer> => {
  const [{ id } = { id: '' }] = (await get(ROOT, DAY)).aggregations as readonly { readonly id: string }[];
  return get(`${ROOT}/${id}`);
};

it('leads from a sale over its settlement to a chargeback that is reported to the merchant', async () => {
  const { webhook, key } = (await post('/v1/webhooks')) as unknown as {
    readonly webhook: { readonly id: string };
    readonly key: string;
  };
  await post(`/v1/webhooks/${webhook.id}/test`);

  const sale = await post('/v1/payments', { ...CARD, paymentType: 'DB' });
  await settle();
  expect((await newest()).records).toContainEqual(
    expect.objectContaining({ recordType: 'SETTLED', amount: '12.34', payment: { id: sale.id } }),
  );

  const chargeback = await post(`/v1/payments/${sale.id}/chargeback`, { reason: '10.4' });
  expect(chargeback).toMatchObject({ paymentType: 'CB', result: { code: '000.100.220' } });
  const refund = await post(`/v1/payments/${sale.id}`, {
    paymentType: 'RF',
    amount: '1.00',
    currency: 'EUR',
  });
  expect(refund.result.code).toBe('700.300.600');

  await settle();
  const record = { recordType: 'CHARGEBACK', amount: '12.34', chargebackTransaction: { id: chargeback.id } };
  expect((await newest()).records).toContainEqual(expect.objectContaining(record));
  const [file] = (await get('/v1/reconciliation')).files as readonly { readonly name: string }[];
  const headers = { authorization: `Bearer ${TOKEN}` };
  const csv = await (await fetch(`${harness.url}/v1/reconciliation/${file?.name}`, { headers })).text();
  const rows = parse(csv, { delimiter: ';', columns: true }) as readonly Json[];
  expect(rows).toContainEqual(
    expect.objectContaining({
      ReconciliationType: 'CHARGEBACK',
      Cashflow: 'NEG',
      ReasonCode: '000.100.220',
      ChargebackId: chargeback.id,
    }),
  );

  const listener = new Listener({
    access,
    endpointId: webhook.id,
    forwardTo: receiver.url,
    clock: new VirtualClock(),
    print: () => undefined,
  });
  await listener.round();
  const events = receiver.received.map((one) => decipher(one, key).payload);
  expect(events.map(({ paymentType }) => paymentType)).toEqual(['DB', 'CB', 'RF']);
  expect(events[1]).toMatchObject({ id: chargeback.id, referencedId: sale.id, amount: '12.34' });
});
