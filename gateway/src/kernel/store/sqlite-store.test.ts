import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@tillbridge/platform/sqlite/migrate.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from './open-database.js';
import type { EntityRow, InboxRow } from './rows.js';
import { SqliteStore, STORE_SCHEMA } from './sqlite-store.js';
import { StoreUnavailableError } from './store.js';
import { describeRanges } from './testing/range-contract.test.support.js';
import { describeShared } from './testing/shared-contract.test.support.js';
import { describeStore } from './testing/store-contract.test.support.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillbridge-store-'));
  file = join(folder, 'gateway.db');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const entity: EntityRow = {
  id: 'e1',
  kind: 'merchant',
  compatibility: 'specification',
  parentId: null,
  name: 'One',
  createdAtMs: 1,
  version: 1,
};

/** A file as a build with one more migration leaves it. */
async function newer(readableFrom: number): Promise<void> {
  const connection = await openDatabase(file);
  const step = {
    id: 1000,
    name: 'later',
    readableFrom,
    sql: 'ALTER TABLE entities ADD COLUMN later TEXT; CREATE INDEX entities_later ON entities (later);',
  };
  await migrate(connection, STORE_SCHEMA);
  await migrate(connection, { ...STORE_SCHEMA, migrations: [...STORE_SCHEMA.migrations, step] });
  await connection.close();
}

const openSqlite = async () => {
  const store = await SqliteStore.open(file);
  return { store, dispose: () => store.close().catch(() => undefined) };
};

describeStore('sqlite', openSqlite);
describeRanges('sqlite', openSqlite);
describeShared('sqlite', async () => {
  const stores = [await SqliteStore.open(file), await SqliteStore.open(file)] as const;
  const dispose = async () => {
    for (const store of stores) await store.close();
  };
  return { stores, dispose };
});

describe('sqlite file', () => {
  it('survives closing and opening', async () => {
    const first = await SqliteStore.open(file);
    await first.commit([{ op: 'insert', table: 'entities', row: entity }]);
    await first.close();
    const second = await SqliteStore.open(file);
    expect(await second.get('entities', ['e1'])).toEqual(entity);
    await second.close();
  });

  it('makes its schema once, also when two processes start together', async () => {
    const applied = await Promise.all([SqliteStore.migrate(file), SqliteStore.migrate(file)]);
    expect(applied.flat().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    expect(await SqliteStore.migrate(file)).toEqual([]);
  });

  it('of a newer build that has only added is used as it is', async () => {
    await newer(1);
    const store = await SqliteStore.open(file);
    await store.commit([{ op: 'insert', table: 'entities', row: entity }]);
    expect(await store.get('entities', ['e1'])).toEqual(entity);
    await store.close();
  });

  it('of a newer build that has taken something away is refused', async () => {
    await newer(1000);
    await expect(SqliteStore.open(file)).rejects.toThrow(
      'schema step 1000, which builds from step 1000 on can read, and this build knows 5',
    );
  });

  it('drops the indexes of events of an older file', async () => {
    await SqliteStore.migrate(file);
    const connection = await openDatabase(file);
    await connection.exec(
      'CREATE INDEX events_entity ON events (entityId); CREATE INDEX events_payment ON events (paymentId);' +
        'DELETE FROM migrations WHERE id = 2;',
    );
    expect((await SqliteStore.migrate(file)).map(({ id }) => id)).toEqual([2]);
    const left = await connection.all(
      "SELECT name FROM sqlite_schema WHERE tbl_name = 'events' AND sql LIKE 'CREATE INDEX%'",
    );
    expect(left).toEqual([{ name: 'events_expiry' }]);
    await connection.close();
  });

  it('flushes every commit and checks references', async () => {
    await SqliteStore.migrate(file);
    const connection = await openDatabase(file);
    expect(await connection.all('PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
    expect(await connection.all('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(await connection.all('PRAGMA foreign_keys')).toEqual([{ foreign_keys: 1 }]);
    await connection.close();
  });

  it('keeps the good commits of a batch in which one breaks a constraint of the database', async () => {
    const store = await SqliteStore.open(file);
    const orphan: InboxRow = {
      agentId: 'unknown',
      messageId: 'm',
      result: '{}',
      contentHash: null,
      createdAtMs: 1,
      version: 1,
    };
    const good = store.commit([{ op: 'insert', table: 'entities', row: entity }]);
    const bad = store.commit([{ op: 'insert', table: 'inbox', row: orphan }]);
    await expect(bad).rejects.toThrow('FOREIGN KEY');
    await good;
    expect(await store.get('entities', ['e1'])).toEqual(entity);
    await store.close();
  });
});

/** Pages in addition to the empty tables. */
const ROOM_PAGES = 40;

describe('sqlite faults', () => {
  const fill = async (store: SqliteStore): Promise<void> => {
    for (let at = 0; at < 1_000; at += 1) {
      const row = { ...entity, id: `e${at}`, name: 'x'.repeat(10_000) };
      await store.commit([{ op: 'insert', table: 'entities', row }]);
    }
  };

  it('reports a full disk, writes no part of a commit, and works again when there is room', async () => {
    await (await SqliteStore.open(file)).close();
    const { size: emptyBytes } = await stat(file);
    // Rows of three pages fill the space but for a page or two: a small row still fits.
    const store = await SqliteStore.open(file, { maxBytes: emptyBytes + ROOM_PAGES * 4_096 });
    const error = await fill(store).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect((error as StoreUnavailableError).code).toBe('disk-full');
    const kept = await store.find('entities', 'kind', ['merchant']);
    expect(kept.length).toBeGreaterThan(0);
    await expect(
      store.commit([
        { op: 'insert', table: 'entities', row: { ...entity, id: 'small' } },
        { op: 'insert', table: 'entities', row: { ...entity, id: 'big', name: 'x'.repeat(900_000) } },
      ]),
    ).rejects.toMatchObject({ code: 'disk-full' });
    expect(await store.get('entities', ['small'])).toBeUndefined();
    expect(await store.find('entities', 'kind', ['merchant'])).toHaveLength(kept.length);
    await store.commit([{ op: 'insert', table: 'entities', row: { ...entity, id: 'small' } }]);
    await store.check();
    await store.close();
  });

  it('names a file that is no database', async () => {
    await writeFile(
      file,
      'this is not a database, it is a long enough text to be read as a page header'.repeat(20),
    );
    await expect(SqliteStore.open(file)).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      code: 'corrupt',
      message: expect.stringContaining(file),
    });
    expect((await readFile(file, 'utf8')).startsWith('this is not')).toBe(true);
  });

  it('names a folder that is not there', async () => {
    await expect(SqliteStore.open(join(folder, 'missing', 'gateway.db'))).rejects.toMatchObject({
      code: 'cannot-open',
    });
  });

  it('reports that another process holds the lock', async () => {
    const store = await SqliteStore.open(file, { busyTimeoutMs: 20 });
    const other = await openDatabase(file);
    await other.exec('BEGIN IMMEDIATE');
    await expect(store.commit([{ op: 'insert', table: 'entities', row: entity }])).rejects.toMatchObject({
      code: 'locked',
    });
    await other.exec('ROLLBACK');
    await store.commit([{ op: 'insert', table: 'entities', row: entity }]);
    await other.close();
    await store.close();
  });

  it('reports that the database may only be read', async () => {
    const store = await SqliteStore.open(file, { readOnly: true });
    await expect(store.commit([{ op: 'insert', table: 'entities', row: entity }])).rejects.toMatchObject({
      code: 'read-only',
    });
    await expect(store.check()).rejects.toMatchObject({ code: 'read-only' });
    expect(await store.get('entities', ['e1'])).toBeUndefined();
    await store.close();
  });
});
