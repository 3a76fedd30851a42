import { createSecretKey, randomBytes } from 'node:crypto';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, expect, it } from 'vitest';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { keyedFingerprint } from '../tokens/fingerprint.js';
import { RecentUses } from './recent-uses.js';

const WINDOW_MS = 60_000;
const ADDRESS = '192.0.2.7';

let store: MemoryStore;
let clock: VirtualClock;
const fingerprint = keyedFingerprint(createSecretKey(randomBytes(32)));
beforeEach(() => {
  store = new MemoryStore();
  clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
});

const node = (uses = 3) =>
  new RecentUses({ store, clock, fingerprint }, 'address', { uses, windowMs: WINDOW_MS });

it('counts the uses of all nodes together, and those of the time before a restart', async () => {
  const [one, other] = [node(), node()];
  expect([await one.take(ADDRESS, 'a'), await other.take(ADDRESS, 'b')]).toEqual([0, 0]);
  await clock.advance(1_000);
  expect([await node().take(ADDRESS, 'c'), await one.take(ADDRESS, 'd')]).toEqual([0, WINDOW_MS - 1_000]);
  expect(await other.take('192.0.2.8', 'd')).toBe(0);
  await clock.advance(WINDOW_MS);
  expect(await other.take(ADDRESS, 'd')).toBe(0);
});

it('lets no more through than the limit where uses come at the same moment on several nodes', async () => {
  const nodes = [node(), node(), node()];
  const waits = await Promise.all(
    Array.from({ length: 12 }, (_, at) => nodes[at % 3]?.take(ADDRESS, `checkout ${at}`)),
  );
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(3);
});

it('counts each of 64 uses at the same moment', async () => {
  const nodes = [node(64), node(64)];
  const waits = await Promise.all(
    Array.from({ length: 64 }, (_, at) => nodes[at % 2]?.take(ADDRESS, `use ${at}`)),
  );
  expect(waits).toEqual(Array(64).fill(0));
  expect(await nodes[0]?.isSpent(ADDRESS)).toBe(true);
});

it('keeps no address, and believes no use of the future', async () => {
  await node().take(ADDRESS, 'a');
  const rows = await store.findAfter('recentUses', undefined);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(ADDRESS);
  await node().take(ADDRESS, 'b');
  await node().take(ADDRESS, 'c');
  clock.jumpWall(-2 * WINDOW_MS);
  expect(await node().take(ADDRESS, 'd')).toBe(0);
});

it('answers whether one would have to wait without counting, and forgets what was used', async () => {
  const [one, other] = [node(), node()];
  expect(await one.isSpent(ADDRESS)).toBe(false);
  for (const use of ['a', 'b', 'c']) await one.take(ADDRESS, use);
  expect([await other.isSpent(ADDRESS), await other.isSpent('192.0.2.8')]).toEqual([true, false]);
  await other.forget(ADDRESS);
  expect(await one.isSpent(ADDRESS)).toBe(false);
  expect(await one.take(ADDRESS, 'd')).toBe(0);
  await one.forget('192.0.2.9');
  expect(await store.findAfter('recentUses', undefined)).toHaveLength(1);
});
