import { beforeEach, expect, it } from 'vitest';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import type { Acquirer } from '../../acquirers/acquirer.js';
import { setAcquirerRouting } from '../../entities/acquirer-routing.js';
import { entityRow } from '../../entities/entities.js';
import { acquirerFor } from './acquirer-route.js';

const MERCHANT = {
  merchantId: 'M1',
  terminalId: 'ECOM0001',
  category: '5411',
  name: 'Corner shop',
  city: 'Berlin',
  country: 'DE',
} as const;
const [PARENT, CHANNEL] = ['a'.repeat(32), 'b'.repeat(32)] as const;
const wire: Acquirer = {
  name: 'WIRE',
  send: () => Promise.reject(new Error('not expected')),
  status: () => Promise.reject(new Error('not expected')),
};

let store: MemoryStore;
beforeEach(async () => {
  store = new MemoryStore();
  await store.commit([
    { op: 'insert', table: 'entities', row: entityRow(PARENT, 'merchant', null, 0) },
    { op: 'insert', table: 'entities', row: entityRow(CHANNEL, 'channel', PARENT, 0) },
  ]);
  await set(PARENT, { testMode: 'EXTERNAL', routes: [{ acquirer: 'WIRE', merchant: MERCHANT }] });
});

function set(entityId: string, change: Parameters<typeof setAcquirerRouting>[2]): Promise<void> {
  return setAcquirerRouting(store, entityId, change, ['WIRE']);
}

const OF_TERMINAL = {
  kind: 'bridge',
  agentId: 'agent',
  messageId: 'm1',
  terminalId: 't1',
  sequence: 0,
  epoch: 1,
  provenAtMs: 0,
  entityId: CHANNEL,
} as const;
const OF_MERCHANT = { kind: 'rest', entityId: CHANNEL } as const;
type AcquirerFor = Parameters<typeof acquirerFor>[1];

const routed = async (mode: 'test' | 'live' = 'test', requested: AcquirerFor = { origin: OF_TERMINAL }) => {
  const parts = { store, acquirer: { ...wire, name: 'OWN' }, links: new Map([['WIRE', wire]]), mode };
  const facts = { currency: 'EUR', method: 'CC', isCardPresent: false };
  return (await acquirerFor(parts, requested, facts))?.name;
};

it('takes a request that names no test mode for INTERNAL, whatever its channel is', async () => {
  expect(await routed('test', { origin: OF_MERCHANT })).toBe('OWN');
  expect(await routed('test', { origin: OF_MERCHANT, testMode: 'INTERNAL' })).toBe('OWN');
  expect(await routed('test', { origin: OF_MERCHANT, testMode: 'EXTERNAL' })).toBe('WIRE');
  expect(await routed('live', { origin: OF_MERCHANT })).toBe('WIRE');
  await set(CHANNEL, { testMode: 'INTERNAL' });
  expect(await routed('test', { origin: OF_MERCHANT, testMode: 'EXTERNAL' })).toBe('WIRE');
});

it('gives the terminals of a channel the routes and the test mode of its merchant', async () => {
  expect(await routed()).toBe('WIRE');
  expect(await routed('live')).toBe('WIRE');
});

it('lets a channel whose test mode alone is set keep the routes of its merchant', async () => {
  await set(CHANNEL, { testMode: 'INTERNAL' });
  expect(await routed()).toBe('OWN');
  await set(CHANNEL, { testMode: 'EXTERNAL' });
  expect(await routed()).toBe('WIRE');
  expect(await routed('live')).toBe('WIRE');
});

it('lets a channel whose routes alone are set keep the test mode of its merchant', async () => {
  await set(CHANNEL, { routes: [{ acquirer: 'WIRE', merchant: MERCHANT, currencies: ['USD'] }] });
  expect(await routed()).toBeUndefined();
});
