import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, expect, test } from 'vitest';
import type { IntentRow } from '../../kernel/store/rows.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { RESOLVE_SCHEDULE_MS, RESOLVER_LIMITS, Resolver } from './resolver.js';

const clock = new VirtualClock();
let store: MemoryStore;
let tried: string[];
let running: Set<string>;
let resolvable: Set<string>;
let resolver: Resolver;

beforeEach(() => {
  store = new MemoryStore();
  tried = [];
  running = new Set();
  resolvable = new Set();
  resolver = new Resolver({
    store,
    clock,
    isRunning: async ({ id }) => running.has(id),
    resolve: async (intent) => {
      tried.push(intent.id);
      if (!resolvable.has(intent.id)) return undefined;
      await store.commit([{ op: 'update', table: 'intents', row: { ...intent, state: 'done' } }]);
      return true;
    },
    onFault: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
});

function open(...ids: readonly string[]): Promise<void> {
  return store.commit(
    ids.map((id) => {
      const row: IntentRow = {
        id,
        paymentId: id,
        entityId: 'e',
        agentId: null,
        messageId: null,
        state: 'open',
        reference: null,
        kind: 'authorization',
        rootId: null,
        owner: null,
        detail: '{}',
        createdAtMs: 1,
        version: 1,
      };
      return { op: 'insert', table: 'intents', row };
    }),
  );
}

test('an intent is tried on the published schedule, the last wait for ever', async () => {
  await open('a');
  await resolver.round();
  const waits = [...RESOLVE_SCHEDULE_MS, RESOLVE_SCHEDULE_MS.at(-1) ?? 0];
  for (const [at, waitMs] of waits.entries()) {
    await clock.advance(waitMs - 1);
    await resolver.round();
    expect(tried).toHaveLength(at + 1);
    await clock.advance(1);
    await resolver.round();
    expect(tried).toHaveLength(at + 2);
  }
});

test('the schedule of one does not hold up another, and a wall clock that jumps changes nothing', async () => {
  await open('a');
  await resolver.round();
  await open('b');
  resolvable.add('b');
  clock.jumpWall(24 * 3_600_000);
  await resolver.round();
  expect(tried).toEqual(['a', 'b']);
  expect(await store.find('intents', 'state', ['open'])).toHaveLength(1);
});

test('a request for all intents ignores the schedule', async () => {
  await open('a', 'b');
  running.add('b');
  await resolver.round();
  expect(await resolver.all()).toBe(1);
  expect(tried).toEqual(['a', 'a']);
  resolvable.add('a');
  expect(await resolver.all()).toBe(0);
});

test('a round reads a part alone, and the next one goes on behind it', async () => {
  const ids = Array.from({ length: RESOLVER_LIMITS.batch + 2 }, (_, at) => String(at).padStart(4, '0'));
  await open(...ids);
  await resolver.round();
  expect(tried).toEqual(ids.slice(0, RESOLVER_LIMITS.batch));
  await resolver.round();
  expect(tried).toEqual(ids);
  await resolver.round();
  expect(tried).toEqual(ids);
});

test('a fault of one is reported and the others go on', async () => {
  await open('a', 'b');
  const faults: string[] = [];
  const parts = { store, clock, isRunning: async () => false, onFault: (what: string) => faults.push(what) };
  const resolve = async ({ id }: IntentRow) => {
    if (id === 'a') throw new Error('disk');
    return true;
  };
  expect(await new Resolver({ ...parts, resolve }).all()).toBe(1);
  expect(faults).toEqual(['resolving intent a']);
});

test('the timer begins a round at once and then again, until it is stopped', async () => {
  await open('a');
  resolver.start(1_000);
  await clock.advance(0);
  expect(tried).toEqual(['a']);
  await clock.advance(5_000);
  expect(tried).toEqual(['a', 'a']);
  await resolver.stop();
  await clock.advance(600_000);
  expect(tried).toEqual(['a', 'a']);
});
