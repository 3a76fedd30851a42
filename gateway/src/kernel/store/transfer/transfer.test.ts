import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allRows } from '../all-rows.js';
import { migratePlace } from '../postgres/migrate.js';
import { POSTGRES_STORE_SCHEMA, PostgresStore, STORE_SCHEMA_NAME } from '../postgres/postgres-store.js';
import type { EntityRow } from '../rows.js';
import { SqliteStore } from '../sqlite-store.js';
import type { Change } from '../store.js';
import { TABLES, type TableName } from '../tables.js';
import { cuttingProxy } from '../testing/cutting-proxy.test.support.js';
import { testDatabaseUrl } from '../testing/postgres-server.js';
import type { DataSet } from './data-set.js';
import { exportRows } from './export-rows.js';
import { importRows } from './import-rows.js';
import { PAGE_ROWS } from './row-lines.js';
import { postgresReaders, type RowReaders, sqliteReaders } from './row-readers.js';

/** More than a page. */
const KEYS = PAGE_ROWS + 500;

let folder: string;
let file: string;
let rows: string;
let sets: readonly DataSet[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-transfer-'));
  file = join(folder, 'gateway.db');
  rows = join(folder, 'rows');
  sets = [{ name: STORE_SCHEMA_NAME, tables: Object.values(TABLES), file, schema: POSTGRES_STORE_SCHEMA }];
  await fill();
});
afterEach(() => rmSync(folder, { recursive: true }));

async function fill(): Promise<void> {
  const store = await SqliteStore.open(file);
  const entity = (id: string, parentId: string | null, name: string): EntityRow => ({
    id,
    kind: parentId === null ? 'merchant' : 'channel',
    compatibility: 'specification',
    parentId,
    name,
    createdAtMs: Number.MAX_SAFE_INTEGER,
    version: 1,
  });
  const key = (at: number): Change => ({
    op: 'insert',
    table: 'idempotency',
    row: {
      entityId: 'a',
      idempotencyKey: `order ${at}`,
      fingerprint: 'f',
      paymentId: 'p',
      httpStatus: null,
      answer: at % 2 === 0 ? null : '{"a":"ä \\" \\\\ \\n"}',
      owner: null,
      createdAtMs: at,
      version: 1,
    },
  });
  await store.commit([
    // Its parent is in a later row.
    { op: 'insert', table: 'entities', row: entity('a', 'z', 'Ä "quoted" \\ \n line \u2028') },
    { op: 'insert', table: 'entities', row: entity('z', null, 'Zoë 😀') },
    ...Array.from({ length: KEYS }, (_, at) => key(at)),
  ]);
  await store.close();
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('rows of a SQLite file', () => {
  it('are the same in PostgreSQL, and the file is left as it was', async () => {
    const before = hashOf(file);
    const exported = await exportRows(sqliteReaders(sets), rows);
    expect(exported['gateway/idempotency']?.rows).toBe(KEYS);
    const url = await testDatabaseUrl();
    expect(await importRows(sets, rows, url)).toEqual(exported);
    expect(hashOf(file)).toBe(before);
    const sqlite = await SqliteStore.open(file);
    const postgres = await PostgresStore.open({ url, schema: STORE_SCHEMA_NAME });
    for (const table of Object.keys(TABLES) as TableName[])
      expect(await allRows(postgres, table)).toEqual(await allRows(sqlite, table));
    await sqlite.close();
    await postgres.close();
    // The same call again changes nothing.
    expect(await importRows(sets, rows, url)).toEqual(exported);
  });

  it('go on where an import ended, and no gateway finds them before the end', async () => {
    const exported = await exportRows(sqliteReaders(sets), rows);
    const url = await testDatabaseUrl();
    const cut = await cuttingProxy(url, 'COMMIT', false);
    cut.arm(4);
    await expect(importRows(sets, rows, cut.url)).rejects.toMatchObject({ code: 'unreachable' });
    expect(cut.isSprung()).toBe(true);
    await cut.close();
    const open = PostgresStore.open({ url, schema: STORE_SCHEMA_NAME });
    await expect(open).rejects.toThrow('an import into this database has not ended');
    expect(await importRows(sets, rows, url)).toEqual(exported);
    const store = await PostgresStore.open({ url, schema: STORE_SCHEMA_NAME });
    expect(await allRows(store, 'idempotency')).toHaveLength(KEYS);
    await store.close();
  });

  it('are refused where the file is damaged or cut off, or the database has others', async () => {
    await exportRows(sqliteReaders(sets), rows);
    const url = await testDatabaseUrl();
    const whole = readFileSync(rows, 'utf8');
    writeFileSync(rows, whole.replace('order 7"', 'order x"'));
    await expect(importRows(sets, rows, url)).rejects.toThrow(
      'the rows of gateway/idempotency are not those',
    );
    writeFileSync(rows, whole.slice(0, whole.length / 2));
    await expect(importRows(sets, rows, url)).rejects.toThrow('cannot be imported');
    writeFileSync(rows, whole);
    await (await PostgresStore.open({ url, schema: STORE_SCHEMA_NAME })).close();
    await expect(importRows(sets, rows, url)).rejects.toThrow('import into an empty database');
  });

  it.skipIf(process.platform !== 'linux')(
    'leave no file where the disk is full, and end with its error',
    () => {
      // The limit of a file by the shell stands for a full disk. Each table is one write, and a read is under way when it fails.
      const script = `
      import { setTimeout } from 'node:timers/promises';
      import { exportRows } from '${new URL('../../../../dist/kernel/store/transfer/export-rows.js', import.meta.url)}';
      const table = { name: 't', key: ['id'], columns: { id: { type: 'TEXT' } } };
      const read = async () => { await setTimeout(20); return [{ id: 'x'.repeat(4_000) }]; };
      const readers = (work) => work({ name: 's', tables: Array(30).fill(table) }, read);
      await exportRows(readers, process.argv[1]).catch(({ code }) => console.log('ended with', code));
    `;
      const limited = 'trap "" XFSZ; ulimit -f 64; exec "$0" --input-type=module -e "$1" "$2"';
      const out = execFileSync('bash', ['-c', limited, process.execPath, script, rows], { stdio: 'pipe' });
      expect(out.toString()).toBe('ended with EFBIG\n');
      expect(existsSync(rows)).toBe(false);
    },
  );

  it('are not written over a file', async () => {
    await exportRows(sqliteReaders(sets), rows);
    await expect(exportRows(sqliteReaders(sets), rows)).rejects.toMatchObject({ code: 'EEXIST' });
  });
});

describe('rows of a PostgreSQL database', () => {
  it('are those of one moment while a gateway writes, and are the same in another database', async () => {
    const exported = await exportRows(sqliteReaders(sets), rows);
    const url = await testDatabaseUrl();
    await importRows(sets, rows, url);
    const store = await PostgresStore.open({ url, schema: STORE_SCHEMA_NAME });
    const [entity] = await allRows(store, 'entities');
    if (!entity) throw new Error('there is no entity');
    const again = join(folder, 'again');
    let isWritten = false;
    const readers: RowReaders = (work) =>
      postgresReaders(
        sets,
        url,
      )((set, read) =>
        work(set, async (table, after) => {
          const page = await read(table, after);
          // Between two pages.
          if (!isWritten)
            await store.commit([{ op: 'insert', table: 'entities', row: { ...entity, id: 'later' } }]);
          isWritten = true;
          return page;
        }),
      );
    expect(await exportRows(readers, again)).toEqual(exported);
    expect(await store.get('entities', ['later'])).toBeDefined();
    await store.close();
    const other = await testDatabaseUrl();
    expect(await importRows(sets, again, other)).toEqual(exported);
  });

  it('are not exported before their import has ended: rows would be missing', async () => {
    await exportRows(sqliteReaders(sets), rows);
    const url = await testDatabaseUrl();
    const cut = await cuttingProxy(url, 'COMMIT', false);
    cut.arm(4);
    await expect(importRows(sets, rows, cut.url)).rejects.toMatchObject({ code: 'unreachable' });
    await cut.close();
    const again = join(folder, 'again');
    await expect(exportRows(postgresReaders(sets, url), again)).rejects.toThrow(
      'an import into this database has not ended',
    );
    expect(existsSync(again)).toBe(false);
  });

  it('are exported by a build of the same schema alone: another one does not know all columns', async () => {
    const url = await testDatabaseUrl();
    await (await PostgresStore.open({ url, schema: STORE_SCHEMA_NAME })).close();
    const [set] = sets;
    if (!set) throw new Error('there is no set');
    const { migrations } = set.schema;
    const step = { id: 1_000, name: 'a step', readableFrom: 1, sql: 'SELECT 1' };
    const newer = [{ ...set, schema: { ...set.schema, migrations: [...migrations, step] } }];
    await expect(exportRows(postgresReaders(newer, url), rows)).rejects.toThrow('lacks step 1000');
    await migratePlace(
      { url, schema: STORE_SCHEMA_NAME },
      { ...set.schema, migrations: [...migrations, step] },
    );
    await expect(exportRows(postgresReaders(sets, url), rows)).rejects.toThrow('has step 1000');
  });
});
