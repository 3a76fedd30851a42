import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { expect, test } from 'vitest';
import { CACHE_LIMITS, cachedStore } from './cached-store.js';
import { MemoryStore } from './testing/memory-store.js';

const entity = { id: 'e1', kind: 'merchant', parentId: null, name: 'a', createdAtMs: 1, version: 1 } as const;
const row = { ...entity, compatibility: 'specification' } as const;

async function opened() {
  const inner = new MemoryStore();
  let reads = 0;
  const counted = Object.assign(Object.create(inner), {
    commit: inner.commit.bind(inner),
    find: inner.find.bind(inner),
    get: (...args: Parameters<typeof inner.get>) => {
      reads += 1;
      return inner.get(...args);
    },
  });
  const clock = new VirtualClock();
  await inner.commit([{ op: 'insert', table: 'entities', row }]);
  return { inner, clock, store: cachedStore(counted, clock), reads: () => reads };
}

test('a row is read once while it is fresh', async () => {
  const { store, clock, reads } = await opened();
  await store.get('entities', ['e1']);
  expect(await store.get('entities', ['e1'])).toMatchObject({ name: 'a' });
  expect(reads()).toBe(1);
  await clock.advance(CACHE_LIMITS.maxAgeMs);
  await store.get('entities', ['e1']);
  expect(reads()).toBe(2);
});

test('a change by this process counts at once', async () => {
  const { store } = await opened();
  await store.get('entities', ['e1']);
  await store.commit([{ op: 'update', table: 'entities', row: { ...row, name: 'b' } }]);
  expect(await store.get('entities', ['e1'])).toMatchObject({ name: 'b' });
});

test('a read that began before a change is not remembered after it', async () => {
  const { inner, store } = await opened();
  const slow = store.get('entities', ['e1']);
  await store.commit([{ op: 'update', table: 'entities', row: { ...row, name: 'b' } }]);
  await slow;
  expect(await store.get('entities', ['e1'])).toEqual(await inner.get('entities', ['e1']));
});

test('a change by another process counts after a short time', async () => {
  const { inner, store, clock } = await opened();
  await store.get('entities', ['e1']);
  await inner.commit([{ op: 'update', table: 'entities', row: { ...row, name: 'b' } }]);
  await clock.advance(CACHE_LIMITS.maxAgeMs);
  expect(await store.get('entities', ['e1'])).toMatchObject({ name: 'b' });
});

test('what was not found is looked up again', async () => {
  const { inner, store } = await opened();
  expect(await store.get('entities', ['e2'])).toBeUndefined();
  await inner.commit([{ op: 'insert', table: 'entities', row: { ...row, id: 'e2' } }]);
  expect(await store.get('entities', ['e2'])).toMatchObject({ id: 'e2' });
});

test('that an entity has no settings of 3D Secure is remembered, until this process changes them', async () => {
  const { store, reads } = await opened();
  await store.get('threeDSecureSettings', ['e1']);
  expect(await store.get('threeDSecureSettings', ['e1'])).toBeUndefined();
  expect(reads()).toBe(1);
  const settings = { entityId: 'e1', active: 1, version: 1 } as const;
  await store.commit([{ op: 'insert', table: 'threeDSecureSettings', row: settings }]);
  expect(await store.get('threeDSecureSettings', ['e1'])).toEqual(settings);
});

test('that an entity has no policy is remembered for the same short time', async () => {
  const { inner, store, clock, reads } = await opened();
  expect(await store.get('storePolicies', ['e1'])).toBeUndefined();
  expect(await store.get('storePolicies', ['e1'])).toBeUndefined();
  expect(reads()).toBe(1);
  const policy = { entityId: 'e1', policy: '{}', updatedAtMs: 1, version: 1 };
  await inner.commit([{ op: 'insert', table: 'storePolicies', row: policy }]);
  await clock.advance(CACHE_LIMITS.maxAgeMs);
  expect(await store.get('storePolicies', ['e1'])).toEqual(policy);
});

test('rows of money are read each time', async () => {
  const { store, reads } = await opened();
  await store.get('payments', ['p']);
  await store.get('payments', ['p']);
  expect(reads()).toBe(2);
});

test('the same value is another row in another table and another index', async () => {
  const { inner, store } = await opened();
  const routing = { merchantId: 'e1', rules: '[]', version: 1 };
  await inner.commit([
    { op: 'insert', table: 'routing', row: routing },
    { op: 'insert', table: 'entities', row: { ...row, id: 'e2', kind: 'channel', parentId: 'e1' } },
  ]);
  for (let round = 0; round < 2; round += 1) {
    expect(await store.get('entities', ['e1'])).toMatchObject({ id: 'e1' });
    expect(await store.get('routing', ['e1'])).toEqual(routing);
    expect(await store.find('entities', 'parent', ['e1'])).toMatchObject([{ id: 'e2' }]);
  }
});
