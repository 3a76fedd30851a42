import { afterEach, beforeEach, expect, it } from 'vitest';
import { cachedStore } from '../cached-store.js';
import type { EntityRow } from '../rows.js';
import { signallingStore } from '../signalling-store.js';
import { SIGNAL_TOPICS, type Signal } from '../signals/signals.js';
import { execute, testPlace } from '../testing/postgres-server.js';
import type { PostgresPlace } from './connection.js';
import { PostgresSignals } from './postgres-signals.js';
import { PostgresStore } from './postgres-store.js';

let place: PostgresPlace;
let a: PostgresSignals;
let b: PostgresSignals;
let received: Signal[];
beforeEach(async () => {
  place = await testPlace();
  [a, b] = [new PostgresSignals(place), new PostgresSignals(place)];
  received = [];
  b.listen((signals) => received.push(...signals));
  await b.ready();
  received.length = 0;
});
afterEach(async () => {
  await a.close();
  await b.close();
});

const command = (key: string): Signal => ({ topic: 'commands', key });

it('come to other processes, and to the own one at once', async () => {
  const own: Signal[] = [];
  a.listen((signals) => own.push(...signals));
  await a.ready();
  own.length = 0;
  a.send(command('store-1'));
  expect(own).toEqual([command('store-1')]);
  await expect.poll(() => received).toEqual([command('store-1')]);
  // The server sends it its own signals, too; they were received already.
  b.send(command('store-2'));
  await expect.poll(() => own).toEqual([command('store-1'), command('store-2')]);
});

it('are sent together, each once, however many there are', async () => {
  const keys = Array.from({ length: 2_000 }, (_, at) => `store-${at}`);
  for (const key of [...keys, ...keys]) a.send(command(key));
  await expect.poll(() => received.length).toBe(keys.length);
  expect(received.map(({ key }) => key)).toEqual(keys);
});

it('come again after the connection was lost, behind a word that anything may have happened', async () => {
  await execute(
    place,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %${place.schema}%'`,
  );
  await expect.poll(() => received).toEqual(SIGNAL_TOPICS.map((topic) => ({ topic, key: '' })));
  a.send(command('store-1'));
  await expect.poll(() => received.at(-1)).toEqual(command('store-1'));
});

it('are sent before the end, and none after it', async () => {
  a.send(command('store-1'));
  await a.close();
  a.send(command('store-2'));
  await expect.poll(() => received).toEqual([command('store-1')]);
});

it('let a node forget what it remembers as soon as another one changes it, whatever time it has', async () => {
  const stores = [a, b].map(async (signals) => signallingStore(await PostgresStore.open(place), signals));
  const [one, other] = await Promise.all(stores);
  if (!one || !other) throw new Error('two stores were opened');
  // Its clock stands: nothing grows old.
  const cached = cachedStore(other, { monotonicMs: () => 0 }, b);
  const row: EntityRow = {
    id: 'e1',
    kind: 'merchant',
    compatibility: 'specification',
    parentId: null,
    name: 'One',
    createdAtMs: 1,
    version: 1,
  };
  await one.commit([{ op: 'insert', table: 'entities', row }]);
  expect(await cached.get('entities', ['e1'])).toMatchObject({ name: 'One' });
  await one.commit([{ op: 'update', table: 'entities', row: { ...row, name: 'Two' } }]);
  await expect.poll(async () => (await cached.get('entities', ['e1']))?.name).toBe('Two');
  await one.close();
  await other.close();
});
