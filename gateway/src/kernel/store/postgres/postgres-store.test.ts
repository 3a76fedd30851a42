import { beforeAll, expect, it } from 'vitest';
import { TABLES } from '../tables.js';
import { execute, testPlace } from '../testing/postgres-server.js';
import { describeRanges } from '../testing/range-contract.test.support.js';
import { describeShared } from '../testing/shared-contract.test.support.js';
import { describeStore } from '../testing/store-contract.test.support.js';
import { PostgresConnections, type PostgresPlace } from './connection.js';
import { PostgresStore } from './postgres-store.js';

let place: PostgresPlace;
beforeAll(async () => {
  place = await testPlace();
});

const EMPTY = Object.keys(TABLES)
  .map((table) => `DELETE FROM "${table}";`)
  .join('');

const openPostgres = async () => {
  const store = await PostgresStore.open(place);
  const dispose = async () => {
    await store.close();
    await execute(place, EMPTY);
  };
  return { store, dispose };
};

describeStore('postgres', openPostgres);
describeRanges('postgres', openPostgres);
describeShared('postgres', async () => {
  const first = await openPostgres();
  const second = await PostgresStore.open(place);
  const dispose = async () => {
    await second.close();
    await first.dispose();
  };
  return { stores: [first.store, second], dispose };
});

it('drops the indexes of events of an older database', async () => {
  const older = await testPlace();
  await PostgresStore.migrate(older);
  const indexes = ['entity', 'payment'].map((name) => `CREATE INDEX events_${name} ON events ("${name}Id");`);
  await execute(older, `${indexes.join('')} DELETE FROM migrations WHERE id = 2;`);
  expect((await PostgresStore.migrate(older)).map(({ id }) => id)).toEqual([2]);
  const connections = new PostgresConnections(older);
  const left = await connections.all<{ name: string }>(
    "SELECT indexname AS name FROM pg_indexes WHERE schemaname = $1 AND tablename = 'events'",
    [older.schema],
  );
  await connections.close();
  expect(left.map(({ name }) => name).sort()).toEqual(['events_expiry', 'events_pkey']);
});
