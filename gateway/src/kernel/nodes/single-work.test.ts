import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, expect, it } from 'vitest';
import { MemoryStore } from '../store/testing/memory-store.js';
import { LEASE_LIMITS } from './lease-limits.js';
import { NodeLease } from './node-lease.js';
import { SingleWork } from './single-work.js';

let store: MemoryStore;
beforeEach(() => {
  store = new MemoryStore();
});

async function node() {
  const clock = new VirtualClock(1_000_000);
  const lease = await NodeLease.begin({
    store,
    clock,
    random,
    isSingleNode: false,
    onFault: () => undefined,
  });
  return { clock, lease, work: new SingleWork({ store, node: lease, clock }) };
}

it('lets one of several nodes do the work, and stay with it', async () => {
  const nodes = [await node(), await node(), await node()];
  const mine = await Promise.all(nodes.map(({ work }) => work.isMine('check')));
  expect(mine.filter(Boolean)).toHaveLength(1);
  const row = await store.get('singleWork', ['check']);
  await nodes[0]?.clock.advance(1);
  expect(await Promise.all(nodes.map(({ work }) => work.isMine('check')))).toEqual(mine);
  expect(await store.get('singleWork', ['check'])).toEqual(row);
});

it('counts works apart', async () => {
  const [a, b] = [await node(), await node()];
  expect(await a.work.isMine('check')).toBe(true);
  expect(await b.work.isMine('retention')).toBe(true);
  expect(await a.work.isMine('retention')).toBe(false);
});

it('gives the work of a node that has ended to another one at once', async () => {
  const [a, b] = [await node(), await node()];
  await a.work.isMine('check');
  await a.lease.end();
  expect(await b.work.isMine('check')).toBe(true);
});

it('takes the work of a node that is silent once its lease is over', async () => {
  const [a, b] = [await node(), await node()];
  await a.work.isMine('check');
  expect(await b.work.isMine('check')).toBe(false);
  for (
    let passedMs = 0;
    passedMs <= LEASE_LIMITS.leaseMs + LEASE_LIMITS.renewMs;
    passedMs += LEASE_LIMITS.renewMs
  )
    await b.clock.advance(LEASE_LIMITS.renewMs);
  expect(await b.work.isMine('check')).toBe(true);
  expect(await a.work.isMine('check')).toBe(false);
});

it('fails where the store does, which is no other node that was faster', async () => {
  const { lease, clock } = await node();
  const full = { get: store.get.bind(store), commit: () => Promise.reject(new Error('the disk is full')) };
  await expect(new SingleWork({ store: full, node: lease, clock }).isMine('check')).rejects.toThrow('full');
});
