import { beforeAll, expect, it } from 'vitest';
import { describeAuditChain } from '../../audit/audit-chain-contract.test.support.js';
import { TABLES } from '../tables.js';
import { execute, testPlace } from '../testing/postgres-server.js';
import { describeRanges } from '../testing/range-contract.test.support.js';
import { describeShared } from '../testing/shared-contract.test.support.js';
import { describeStore } from '../testing/store-contract.test.support.js';
import { PostgresConnections, type PostgresPlace } from './connection.js';
import { migratePlace } from './migrate.js';
import { POSTGRES_STORE_SCHEMA, PostgresStore } from './postgres-store.js';

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
const openTwo = async () => {
  const first = await openPostgres();
  const second = await PostgresStore.open(place);
  const dispose = async () => {
    await second.close();
    await first.dispose();
  };
  return { stores: [first.store, second] as const, dispose };
};

describeShared('postgres', openTwo);
describeAuditChain('postgres', openTwo);

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

const ENTITY = {
  id: 'e1',
  kind: 'merchant',
  compatibility: 'specification',
  parentId: null,
  name: 'One',
  createdAtMs: 1,
  version: 1,
} as const;

const LATER = {
  id: 1000,
  name: 'later',
  sql: 'ALTER TABLE entities ADD COLUMN later text; CREATE INDEX entities_later ON entities (later)',
} as const;

/** Brings a database to where a build with one more migration leaves it. */
async function newer(at: PostgresPlace, readableFrom: number): Promise<void> {
  const { migrations } = POSTGRES_STORE_SCHEMA;
  await migratePlace(at, POSTGRES_STORE_SCHEMA);
  await migratePlace(at, {
    ...POSTGRES_STORE_SCHEMA,
    migrations: [...migrations, { ...LATER, readableFrom }],
  });
}

it('starts beside a newer build that has only added, and reads what that wrote', async () => {
  const shared = await testPlace();
  await newer(shared, 1);
  const insert = `INSERT INTO entities (id, kind, compatibility, name, "createdAtMs", version, later)
    VALUES ('e1', 'merchant', 'specification', 'One', 1, 1, 'new')`;
  await execute(shared, insert);
  const store = await PostgresStore.open(shared);
  expect(await store.get('entities', ['e1'])).toMatchObject({ name: 'One' });
  const row = { ...ENTITY, name: 'Two' };
  await store.commit([{ op: 'update', table: 'entities', row }]);
  await store.close();
  const connections = new PostgresConnections(shared);
  const rows = await connections.all('SELECT name, later FROM entities', []);
  await connections.close();
  expect(rows).toEqual([{ name: 'Two', later: 'new' }]);
});

it('refuses a database of a newer build that has taken something away', async () => {
  const shared = await testPlace();
  await newer(shared, 1000);
  await expect(PostgresStore.open(shared)).rejects.toThrow(
    'schema step 1000, which builds from step 1000 on can read, and this build knows 5',
  );
});
