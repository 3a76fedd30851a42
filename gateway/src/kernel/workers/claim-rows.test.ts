import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { expect, it } from 'vitest';
import { deliveryOf } from '../events/event-changes.js';
import type { SettlementRunRow } from '../store/rows.js';
import { MemoryStore } from '../store/testing/memory-store.js';
import { claimRows } from './claim-rows.js';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const onFault = (error: unknown): never => {
  throw error;
};

it('works on the due rows of a table, the longest due first', async () => {
  const [store, clock] = [new MemoryStore(), new VirtualClock(NOW_MS)];
  const run = (source: string, dueAtMs: number): SettlementRunRow => ({
    source,
    dueAtMs,
    leasedBy: null,
    claims: 0,
    version: 1,
  });
  const due = [run('b', NOW_MS), run('a', NOW_MS - 1), run('c', NOW_MS + 1)];
  await store.commit(due.map((row) => ({ op: 'insert', table: 'settlementRuns', row })));
  const worked: string[] = [];
  const loop = claimRows('settlementRuns', {
    ...{ store, clock, random, onFault },
    work: async (row) => {
      worked.push(row.source);
      return { row: { ...row, dueAtMs: null } };
    },
    poisoned: (row) => ({ row }),
    limits: { concurrency: 1 },
  });
  loop.wake();
  await clock.advance(0);
  expect(worked).toEqual(['a', 'b']);
  expect(await store.findAfter('settlementRuns', undefined)).toMatchObject([
    { source: 'a', dueAtMs: null, leasedBy: null, version: 3 },
    { source: 'b', dueAtMs: null, version: 3 },
    { source: 'c', dueAtMs: NOW_MS + 1, version: 1 },
  ]);
  await loop.stop();
});

it('works on those alone that have the values', async () => {
  const [store, clock] = [new MemoryStore(), new VirtualClock(NOW_MS)];
  for (const endpointId of ['w1', 'w2']) {
    const row = { endpointId, lastSequence: 0, version: 1 };
    await store.commit([{ op: 'insert', table: 'deliveryCounters', row }]);
    await store.commit([deliveryOf(endpointId, `of ${endpointId}`, NOW_MS)]);
  }
  const worked: string[] = [];
  const loop = claimRows('deliveries', {
    ...{ store, clock, random, onFault },
    equals: ['w2'],
    work: async (row) => {
      worked.push(row.eventId);
      return { row: { ...row, dueAtMs: null } };
    },
    poisoned: (row) => ({ row }),
  });
  loop.wake();
  await clock.advance(0);
  expect(worked).toEqual(['of w2']);
  await loop.stop();
});
