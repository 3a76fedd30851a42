import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiDocument, routesOf } from '../tenants/document.js';
import { sendRest } from '../tenants/rest-client.js';
import { strangerOf } from '../tenants/stranger.js';
import { CONTENTION_TABLE, tableFaults } from './cases/contention-table.js';
import { ALL_PLACES, type Gateways, openGateways } from './gateways.js';
import { differences } from './ledger-agreement.js';
import { Trials } from './trial.js';

// The short form: one gateway on SQLite. `npm run contention -- --at-once 64 --nodes 3` is the long one.

const AT_ONCE = 16;

let gateways: Gateways;
let trials: Trials;
beforeAll(async () => {
  gateways = await openGateways(0, ALL_PLACES);
  trials = new Trials(gateways, AT_ONCE);
});
afterAll(() => gateways?.close());

test('every route that writes has its cases', async () => {
  const [url = ''] = gateways.urls;
  const { body } = await sendRest(url, { method: 'GET', path: '/docs/openapi.json', form: {} });
  expect(tableFaults(routesOf(body as ApiDocument))).toEqual([]);
});

test('a route without cases and cases without a route are reported', () => {
  const routes = [
    { name: 'POST /v1/things', method: 'POST' },
    { name: 'GET /v1/things', method: 'GET' },
  ];
  const [gone, cases] = Object.entries(CONTENTION_TABLE)[0] ?? [];
  if (gone === undefined || !cases) throw new Error('the table is empty');
  expect(tableFaults(routes, { [gone]: cases })).toEqual([
    'POST /v1/things: add its cases to a table of test/src/contention/cases',
    `${gone} is not served: take its cases out of test/src/contention/cases`,
  ]);
});

describe(`${AT_ONCE} requests at once, no answer 5xx and one effect where one is due`, () => {
  const tried = Object.entries(CONTENTION_TABLE).flatMap(([name, { equal, conflicting }]) => [
    ...equal.map((each) => [name, `equal: ${each.what}`, each] as const),
    ...conflicting.map((each) => [name, `conflicting: ${each.what}`, each] as const),
  ]);
  test.each(tried)('%s, %s', async (_name, _what, each) => {
    const { summary, wrong } = await trials.try(each);
    expect(wrong, summary).toEqual([]);
  });
});

test('payments and the acquirer’s record agree, and no gateway has met a fault', async () => {
  expect(await differences(gateways)).toEqual([]);
  expect(gateways.faults()).toEqual([]);
});

test('400 queries of one merchant at once are answered, or refused as too many', async () => {
  const alone = await openGateways(0);
  try {
    const { urls, store, tokenKey } = alone;
    const [url = ''] = urls;
    const { channel, token, pay } = await strangerOf(url, store, tokenKey, 1);
    await pay({ merchantTransactionId: 'order-0001' });
    const form = { entityId: channel, merchantTransactionId: 'order-0001' };
    const query = { method: 'GET', path: '/v3/query', form, token };
    const answers = await Promise.all(Array.from({ length: 400 }, () => sendRest(url, query)));
    const codes = answers.map(
      ({ status, body }) => `${status} ${(body as { result: { code: string } }).result.code}`,
    );
    expect(codes.filter((code) => code !== '200 000.000.100' && code !== '429 800.120.100')).toEqual([]);
  } finally {
    await alone.close();
  }
});
