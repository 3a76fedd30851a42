import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EntityRow } from '../rows.js';
import { startServer, stopServer } from '../testing/postgres-server.js';
import { PostgresStore, STORE_SCHEMA_NAME } from './postgres-store.js';

/** The steps of gateway/docs/backup.md. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-archive-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const entity = (id: string): EntityRow => ({
  id,
  kind: 'merchant',
  compatibility: 'specification',
  parentId: null,
  name: id,
  createdAtMs: 1,
  version: 1,
});

it('a base backup and the archived log give a server back with every commit up to its loss', async () => {
  const [first, second, archive] = ['first', 'second', 'archive'].map((name) => join(folder, name));
  if (!first || !second || !archive) throw new Error('there are three folders');
  chmodSync(folder, 0o711);
  for (const each of [first, second, archive]) mkdirSync(each);
  // The server may run as another user.
  chmodSync(archive, 0o777);
  const archiving = [
    'fsync=off',
    'wal_level=replica',
    'archive_mode=on',
    `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  ];
  let server = await startServer(first, { settings: archiving });
  const store = await PostgresStore.open({ url: server.url, schema: STORE_SCHEMA_NAME });
  await store.commit([{ op: 'insert', table: 'entities', row: entity('before') }]);
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query("SELECT pg_backup_start('nightly', true)");
  execFileSync('cp', ['-a', join(first, 'data'), second]);
  // While the copy is made the gateway goes on.
  await store.commit([{ op: 'insert', table: 'entities', row: entity('during') }]);
  const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop()');
  await store.commit([{ op: 'insert', table: 'entities', row: entity('after') }]);
  // The segment that is not full yet goes to the archive at the latest after `archive_timeout`.
  await client.query('SELECT pg_switch_wal()');
  await expect
    .poll(async () => (await client.query('SELECT last_archived_wal FROM pg_stat_archiver')).rows)
    .toEqual([{ last_archived_wal: await lastSwitched(client) }]);
  await client.end();
  await store.close();
  await stopServer(server, 'SIGKILL');

  const data = join(second, 'data');
  for (const left of ['postmaster.pid', 'pg_wal']) rmSync(join(data, left), { recursive: true, force: true });
  execFileSync('cp', ['-a', '--attributes-only', '-r', join(first, 'data', 'pg_wal'), data]);
  for (const name of ['backup_label', 'recovery.signal']) writeFileSync(join(data, name), '');
  appendFileSync(join(data, 'backup_label'), String(rows[0]?.labelfile));
  execFileSync('chown', ['-R', '--reference', join(first, 'data'), data]);
  // No client is served before the log was replayed.
  server = await startServer(second, {
    settings: [`restore_command=cp ${archive}/%f %p`, 'hot_standby=off'],
  });
  const restored = await PostgresStore.open({ url: server.url, schema: STORE_SCHEMA_NAME });
  for (const id of ['before', 'during', 'after'])
    expect(await restored.get('entities', [id]), id).toEqual(entity(id));
  await restored.commit([{ op: 'insert', table: 'entities', row: entity('since') }]);
  await restored.close();
  await stopServer(server, 'SIGQUIT');
});

/** The segment that was ended last. */
async function lastSwitched(client: pg.Client): Promise<string> {
  const { rows } = await client.query('SELECT pg_walfile_name(pg_current_wal_lsn() - 1) AS ended');
  return String(rows[0]?.ended);
}
