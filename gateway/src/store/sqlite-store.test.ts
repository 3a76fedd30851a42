import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeStore } from './contract.test.support.js';
import { MIGRATIONS } from './migrations.js';
import type { EntityRow, InboxRow, IntentRow } from './rows.js';
import { SqliteConnection } from './sqlite-connection.js';
import { migrateSqlite, SchemaTooNewError } from './sqlite-migrate.js';
import { SqliteStore } from './sqlite-store.js';
import { StoreUnavailableError } from './store.js';
import { TABLES } from './tables.js';

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

/** A connection of another program: no WAL, no waiting. */
async function rawDatabase(
  path: string,
): Promise<{ exec(sql: string): Promise<void>; close(): Promise<void> }> {
  const database = new sqlite3.Database(path);
  return {
    exec: promisify(database.exec.bind(database)),
    close: promisify(database.close.bind(database)),
  };
}

describeStore('sqlite', async () => {
  const store = await SqliteStore.open(file);
  return { store, dispose: () => store.close().catch(() => undefined) };
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

  it('has exactly the columns that tables.ts names, and flushes every commit', async () => {
    await SqliteStore.migrate(file);
    const connection = await SqliteConnection.open(file);
    for (const [table, shape] of Object.entries(TABLES)) {
      const columns = await connection.all(`SELECT name FROM pragma_table_info('${table}')`);
      expect(columns.map((column) => column.name).sort()).toEqual([...shape.columns].sort());
    }
    expect(await connection.all('PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
    expect(await connection.all('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(await connection.all('PRAGMA foreign_keys')).toEqual([{ foreign_keys: 1 }]);
    await connection.close();
  });

  it('applies each migration once, also when two processes start together', async () => {
    const applied = await Promise.all([SqliteStore.migrate(file), SqliteStore.migrate(file)]);
    // The two share the steps between them in any way.
    const ids = applied.flat().map((step) => step.id);
    expect(ids.sort((a, b) => a - b)).toEqual(MIGRATIONS.map((step) => step.id));
    expect(await SqliteStore.migrate(file)).toEqual([]);
  });

  it('puts the new table of payments in the place of the old one, with its rows and references', async () => {
    const connection = await SqliteConnection.open(file);
    await migrateSqlite(connection, MIGRATIONS.slice(0, 3));
    await connection.exec(`
      INSERT INTO entities VALUES ('e1', 'merchant', NULL, 'shop', 1, 1);
      INSERT INTO payments VALUES ('p1', 'e1', 'PA', 'authorized', NULL, NULL, 5, 'EUR', 5, 0, 0, 0, 0, NULL, 0, NULL,
        '000.100.110', '', NULL, NULL, NULL, 'VISA', NULL, NULL, NULL, NULL, NULL, NULL, 'INTERNAL', NULL, NULL, NULL,
        NULL, NULL, NULL, '{}', 1, 7);
      INSERT INTO intents VALUES ('i1', 'p2', 'e1', NULL, NULL, 'open', 'capture', 'p1', '{}', 1, 1);`);
    await connection.close();
    const store = await SqliteStore.open(file);
    expect(await store.get('payments', ['p1'])).toMatchObject({ brand: 'VISA', answer: '{}', version: 7 });
    const orphan = { ...(await store.get('intents', ['i1'])), id: 'i2', rootId: 'nobody', version: 1 };
    await expect(
      store.commit([{ op: 'insert', table: 'intents', row: orphan as IntentRow }]),
    ).rejects.toThrow('FOREIGN KEY');
    await store.close();
  });

  it('refuses a schema of a newer build', async () => {
    const connection = await SqliteConnection.open(file);
    await migrateSqlite(connection);
    await expect(migrateSqlite(connection, MIGRATIONS.slice(0, 1))).rejects.toBeInstanceOf(SchemaTooNewError);
    await connection.close();
  });

  it('keeps the good commits of a batch in which one breaks a constraint of the database', async () => {
    const store = await SqliteStore.open(file);
    const orphan: InboxRow = {
      agentId: 'nobody',
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

describe('sqlite faults', () => {
  const fill = async (store: SqliteStore): Promise<void> => {
    for (let at = 0; at < 1_000; at += 1) {
      const row = { ...entity, id: `e${at}`, name: 'x'.repeat(10_000) };
      await store.commit([{ op: 'insert', table: 'entities', row }]);
    }
  };

  it('tells that the disk is full, writes nothing half, and works again when there is room', async () => {
    const store = await SqliteStore.open(file, { maxPages: 60 });
    const error = await fill(store).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect((error as StoreUnavailableError).fault).toBe('full');
    const kept = await store.find('entities', 'kind', ['merchant']);
    expect(kept.length).toBeGreaterThan(0);
    await expect(
      store.commit([
        { op: 'insert', table: 'entities', row: { ...entity, id: 'small' } },
        { op: 'insert', table: 'entities', row: { ...entity, id: 'big', name: 'x'.repeat(900_000) } },
      ]),
    ).rejects.toMatchObject({ fault: 'full' });
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
      fault: 'corrupt',
      message: expect.stringContaining(file),
    });
    expect((await readFile(file, 'utf8')).startsWith('this is not')).toBe(true);
  });

  it('waits for another process that is just making the file', async () => {
    const other = await rawDatabase(file);
    await other.exec('CREATE TABLE made (id INTEGER); BEGIN IMMEDIATE; INSERT INTO made VALUES (1)');
    const opening = SqliteConnection.open(file);
    // Enough turns for the one that opens to have met the lock.
    for (let turn = 0; turn < 100; turn += 1) await other.exec('SELECT 1');
    await other.exec('COMMIT');
    const connection = await opening;
    expect(await connection.all('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    await connection.close();
    await other.close();
  });

  it('names a folder that is not there', async () => {
    await expect(SqliteStore.open(join(folder, 'missing', 'gateway.db'))).rejects.toMatchObject({
      fault: 'io',
    });
  });

  it('tells that another process holds the lock', async () => {
    const store = await SqliteStore.open(file, { busyTimeoutMs: 20 });
    const other = await SqliteConnection.open(file);
    await other.exec('BEGIN IMMEDIATE');
    await expect(store.commit([{ op: 'insert', table: 'entities', row: entity }])).rejects.toMatchObject({
      fault: 'busy',
    });
    await other.exec('ROLLBACK');
    await store.commit([{ op: 'insert', table: 'entities', row: entity }]);
    await other.close();
    await store.close();
  });

  it('tells that the database may only be read', async () => {
    const store = await SqliteStore.open(file, { readOnly: true });
    await expect(store.commit([{ op: 'insert', table: 'entities', row: entity }])).rejects.toMatchObject({
      fault: 'read-only',
    });
    await expect(store.check()).rejects.toMatchObject({ fault: 'read-only' });
    expect(await store.get('entities', ['e1'])).toBeUndefined();
    await store.close();
  });
});
