import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../clients/http.js';
import { ExternalSystem } from './external-system.js';
import { load } from './load.js';

const START_MS = 120_000;
const END_MS = 240_000;
const APPROVED = '000.100.112';
/** Requests of each part: the bench sends ten thousand. */
const REQUESTS = 60;
/** Messages after which a side is killed: others are on their way then. */
const UNDER_WAY = 10;

let system: ExternalSystem;
beforeAll(async () => {
  system = await ExternalSystem.start();
}, START_MS);
afterAll(() => system?.end(), END_MS);

const CARD = {
  amount: '12.00',
  currency: 'EUR',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2034',
  'card.cvv': '123',
};

it('sells, captures, refunds and reverses with a host over TCP', { timeout: END_MS }, async () => {
  const pay = async (paymentType: 'DB' | 'PA') => (await system.client.pay({ ...CARD, paymentType })).body;
  const sale = await pay('DB');
  expect(sale.result.code).toBe(APPROVED);
  const held = await pay('PA');
  const [ids, five] = [[sale.id ?? '', held.id ?? ''], { amount: '5.00', currency: 'EUR' }] as const;
  for (const [id, form] of [
    [ids[0], { paymentType: 'RF', ...five }],
    [ids[1], { paymentType: 'CP', ...five }],
    [ids[1], { paymentType: 'RV' }],
  ] as const) {
    const { body } = await system.client.followUp(id ?? '', form);
    expect(body.result.code).toBe(APPROVED);
  }
  const kinds = (await system.transactions()).map(({ kind }) => kind);
  expect(kinds).toEqual(['sale', 'authorization', 'refund', 'capture']);
});

// With faults: `npm run bench -- external`; test/src/contract/iso8583 has each of them at each message.
it('keeps equal ledgers where either side is killed', {
  timeout: END_MS,
}, async () => {
  for (const restart of [() => system.restartGateway(), () => system.restartHost()]) {
    const before = (await system.transactions()).length;
    const paying = load(system, REQUESTS, 'no faults');
    await until('messages on their way', END_MS, async () =>
      (await system.transactions()).length > before + UNDER_WAY ? true : undefined,
    );
    await restart();
    await paying;
  }
  const { exchanges, ...differences } = await system.compare();
  expect(differences).toEqual({ payments: [], ledger: [], file: [] });
  expect(exchanges).toBeGreaterThan(REQUESTS);
});
