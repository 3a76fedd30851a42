import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import type { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { expect, it } from 'vitest';
import { checkOrders } from './order-check.js';

const ENTITY = 'a'.repeat(32);

/** The breaches of one order over 1.00 whose payments stand at the acquirer, or were reversed there. */
async function breachesOf(isPaid: boolean | undefined, reversed: readonly boolean[]) {
  const breaches: string[] = [];
  const payments = reversed.map((_, at) => ({ acquirerReference: `r${at}` }));
  const rows = reversed.map((isReversed, at) => ({
    acquirerReference: `r${at}`,
    kind: 'authorization',
    approved: 1,
    amountMinor: 100,
    reversedMinor: isReversed ? 100 : 0,
  }));
  const store = { find: async () => payments } as unknown as MemoryStore;
  const order = { reference: 'O-1', minor: 100, ...(isPaid !== undefined && { isPaid }) };
  const recorder = { breach: (promise: string, detail: string) => breaches.push(`${promise}: ${detail}`) };
  const known = await checkOrders(
    { orders: [order], entityId: ENTITY },
    store,
    rows as unknown as readonly LedgerRow[],
    recorder,
  );
  expect([...known]).toEqual(payments.map(({ acquirerReference }) => acquirerReference));
  return breaches;
}

it.each([
  ['paid', true, [true, false]],
  ['declined', false, [true]],
])('an order that was reported as %s stands as that', async (_reported, isPaid, reversed) => {
  expect(await breachesOf(isPaid, reversed)).toEqual([]);
});

it.each([
  ['200 stand for order O-1 of 100, reported as paid', true, [false, false]],
  ['0 stand for order O-1 of 100, reported as paid', true, [true]],
  ['100 stand for order O-1 of 100, reported as declined', false, [false]],
  ['100 stand for order O-1 of 100, reported as nothing', undefined, [false]],
])('%s: P2', async (detail, isPaid, reversed) => {
  expect(await breachesOf(isPaid, reversed)).toEqual([`P2: ${detail}`]);
});
