import { beforeEach, describe, expect, it } from 'vitest';
import { execute, testPlace } from '../testing/postgres-server.js';
import { PostgresConnections, type PostgresPlace } from './connection.js';
import { migratePlace, type PostgresSchema } from './migrate.js';

const FIRST: PostgresSchema = { create: 'CREATE TABLE things (id bigint PRIMARY KEY);', migrations: [] };
const SECOND: PostgresSchema = {
  create: 'CREATE TABLE things (id bigint PRIMARY KEY, name text, colour text);',
  migrations: [
    { id: 2, name: 'names', readableFrom: 1, sql: 'ALTER TABLE things ADD COLUMN name text' },
    { id: 3, name: 'colours', readableFrom: 1, sql: 'ALTER TABLE things ADD COLUMN colour text' },
  ],
};
const BROKEN: PostgresSchema = {
  ...SECOND,
  migrations: [
    ...SECOND.migrations.slice(0, 1),
    {
      id: 3,
      name: 'broken',
      readableFrom: 1,
      sql: 'ALTER TABLE things ADD COLUMN colour text; ALTER TABLE nothing ADD COLUMN x text',
    },
  ],
};
/** Takes away what the step before it has added. */
const CONTRACTED: PostgresSchema = {
  create: SECOND.create,
  migrations: [
    ...SECOND.migrations,
    { id: 4, name: 'no colours', readableFrom: 4, sql: 'ALTER TABLE things DROP COLUMN colour' },
  ],
};

let place: PostgresPlace;
beforeEach(async () => {
  place = await testPlace();
});

async function run(schema: PostgresSchema, dryRun = false): Promise<readonly number[]> {
  return (await migratePlace(place, schema, dryRun)).map(({ id }) => id);
}

async function columns(): Promise<readonly string[]> {
  const connections = new PostgresConnections(place);
  const rows = await connections.all<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = $1 AND table_name = 'things' ORDER BY ordinal_position",
    [place.schema],
  );
  await connections.close();
  return rows.map(({ name }) => name);
}

describe('a schema on PostgreSQL', () => {
  it('is made as it is after all migrations where nothing is', async () => {
    expect(await run(SECOND)).toEqual([1, 2, 3]);
    expect(await columns()).toEqual(['id', 'name', 'colour']);
    expect(await run(SECOND)).toEqual([]);
  });

  it('is brought up to date in the order of the numbers', async () => {
    expect(await run(FIRST)).toEqual([1]);
    expect(await run(SECOND)).toEqual([2, 3]);
    expect(await columns()).toEqual(['id', 'name', 'colour']);
  });

  it('changes nothing in a dry run, and lists what would be done', async () => {
    expect(await run(SECOND, true)).toEqual([1, 2, 3]);
    expect(await columns()).toEqual([]);
    await run(FIRST);
    expect(await run(SECOND, true)).toEqual([2, 3]);
    expect(await columns()).toEqual(['id']);
  });

  it('is migrated once by nodes that start together', async () => {
    await run(FIRST);
    const applied = await Promise.all(Array.from({ length: 5 }, () => run(SECOND)));
    expect(applied.flat().sort()).toEqual([2, 3]);
    place = await testPlace();
    const made = await Promise.all(Array.from({ length: 5 }, () => run(SECOND)));
    expect(made.flat().sort()).toEqual([1, 2, 3]);
  });

  it('keeps the steps before one that fails, and nothing of that one', async () => {
    await run(FIRST);
    await expect(run(BROKEN)).rejects.toThrow('nothing');
    expect(await columns()).toEqual(['id', 'name']);
    expect(await run(SECOND)).toEqual([3]);
  });

  it('of a newer build is refused where that has taken something away', async () => {
    await run(FIRST);
    await run(CONTRACTED);
    await expect(run(SECOND)).rejects.toThrow(
      'schema step 4, which builds from step 4 on can read, and this build knows 3: start a newer build, or use another database',
    );
    await expect(run(FIRST)).rejects.toMatchObject({ name: 'SchemaTooNewError' });
  });

  it('of a newer build that has only added is used by an older one', async () => {
    await run(FIRST);
    await run(SECOND);
    expect(await run(FIRST)).toEqual([]);
    await execute(place, 'INSERT INTO things (id) VALUES (1)');
    expect(await run(SECOND)).toEqual([]);
  });

  it('gets the column of its ledger that older builds did not write', async () => {
    await run(SECOND);
    await execute(place, 'ALTER TABLE migrations DROP COLUMN "readableFrom"');
    await expect(run(FIRST)).rejects.toThrow('builds from step 3 on');
    expect(await run(SECOND)).toEqual([]);
    expect(await run(FIRST)).toEqual([]);
  });
});
