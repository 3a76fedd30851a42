import { beforeAll } from 'vitest';
import { TABLES } from '../tables.js';
import { execute, testPlace } from '../testing/postgres-server.js';
import { describeRanges } from '../testing/range-contract.test.support.js';
import { describeShared } from '../testing/shared-contract.test.support.js';
import { describeStore } from '../testing/store-contract.test.support.js';
import type { PostgresPlace } from './connection.js';
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
