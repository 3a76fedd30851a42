import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOST_CARD } from './compare.js';
import { ExternalSystem } from './external-system.js';
import { type Blow, strikeBlows } from './fault-matrix.js';

const START_MS = 120_000;
const APPROVED = '000.100.112';
/** Of all blows, those that leave most to do: the rest is struck by `npm run external`. */
const BLOWS: readonly Blow[] = [
  { fault: 'silent', step: 'sale', side: 'gateway' },
  { fault: 'late', step: 'refund', side: 'acquirerHost' },
  { fault: 'half-message', step: 'capture', side: 'gateway' },
  { fault: 'lost', step: 'reversal', side: 'acquirerHost' },
  { fault: 'disconnect', step: 'advice of an offline sale', side: 'gateway' },
  { fault: 'silent', step: 'sale at a till, with a PIN', side: 'acquirerHost' },
  { fault: 'lost', step: 'exchange of the key for codes', side: 'acquirerHost' },
  { fault: 'garbage', step: 'totals', side: 'gateway' },
];

let system: ExternalSystem;
beforeAll(async () => {
  system = await ExternalSystem.start('with a store');
}, START_MS);
afterAll(() => system?.end());

it('sells, captures, refunds and reverses with a host over TCP', async () => {
  const pay = async (paymentType: 'DB' | 'PA') =>
    (await system.client.pay({ ...HOST_CARD, amount: '12.00', paymentType })).body;
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
  const kinds = (await system.host.transactions()).map(({ kind }) => kind);
  expect(kinds).toEqual(['sale', 'authorization', 'refund', 'capture']);
});

it('keeps equal ledgers where a message meets a fault and either side is killed', async () => {
  expect(await strikeBlows(system, BLOWS)).toEqual([]);
  const { exchanges, ...differences } = await system.compare();
  expect(differences).toEqual({ payments: [], ledger: [], files: [] });
  expect(exchanges).toBeGreaterThan(2 * BLOWS.length);
});
