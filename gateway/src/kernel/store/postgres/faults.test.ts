import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConstraintError } from '@tillbridge/platform/sqlite/database-error.js';
import { describe, expect, it } from 'vitest';
import type { EntityRow, InboxRow } from '../rows.js';
import type { Change } from '../store.js';
import { cuttingProxy, silentProxy } from '../testing/cutting-proxy.test.support.js';
import { startServer, stopServer, testPlace } from '../testing/postgres-server.js';
import { POSTGRES_LIMITS, PostgresConnections } from './connection.js';
import { PostgresStore } from './postgres-store.js';
import { LOCK_SQL } from './statements.js';

const entity = (id: string): EntityRow => ({
  id,
  kind: 'merchant',
  compatibility: 'specification',
  parentId: null,
  name: 'One',
  createdAtMs: 1,
  version: 1,
});
const insert = (id: string): Change => ({ op: 'insert', table: 'entities', row: entity(id) });
const orphan: InboxRow = {
  agentId: 'unknown',
  messageId: 'm',
  result: '{}',
  contentHash: null,
  createdAtMs: 1,
  version: 1,
};

describe('faults of a PostgreSQL server', () => {
  it('keeps the good commits of a batch in which one breaks a constraint of the database', async () => {
    const store = await PostgresStore.open(await testPlace());
    const [good, bad] = [
      store.commit([insert('e1')]),
      store.commit([{ op: 'insert', table: 'inbox', row: orphan }]),
    ];
    await expect(bad).rejects.toThrow(ConstraintError);
    await good;
    expect(await store.get('entities', ['e1'])).toEqual(entity('e1'));
    await store.close();
  });

  it('are reported as such, and all works again when the server is back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbridge-faults-'));
    let server = await startServer(folder);
    const store = await PostgresStore.open({ url: server.url, schema: 'gateway' });
    await store.commit([insert('e1')]);
    await stopServer(server, 'SIGQUIT');
    await expect(store.commit([insert('e2')])).rejects.toMatchObject({ code: 'unreachable' });
    await expect(store.get('entities', ['e1'])).rejects.toMatchObject({ code: 'unreachable' });
    await expect(store.check()).rejects.toMatchObject({ code: 'unreachable' });
    server = await startServer(folder, { port: server.port });
    await store.commit([insert('e2')]);
    await store.check();
    expect(await store.get('entities', ['e1'])).toEqual(entity('e1'));
    await store.close();
    await stopServer(server, 'SIGQUIT');
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['arrived', true],
    ['was lost', false],
  ])('leave no doubt about a commit whose connection is cut: it %s', async (_, arrives) => {
    const place = await testPlace();
    const cut = await cuttingProxy(place.url, 'COMMIT', arrives);
    const store = await PostgresStore.open({ ...place, url: cut.url });
    cut.arm();
    const committed = await store.commit([insert('e1')]).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'unreachable' });
        return false;
      },
    );
    expect(cut.isSprung()).toBe(true);
    expect(committed).toBe(arrives);
    expect((await store.get('entities', ['e1'])) !== undefined).toBe(arrives);
    await store.close();
    await cut.close();
  });

  it('let a connection on which nothing arrives any more go after its time', async () => {
    const place = await testPlace();
    const line = await silentProxy(place.url);
    const limits = { statementMs: 300, connectMs: 200 };
    const connections = new PostgresConnections({ ...place, url: line.url }, limits);
    await connections.transaction((run) => run('SELECT 1'));
    line.silence();
    const startedMs = performance.now();
    await expect(connections.transaction((run) => run('SELECT 1'))).rejects.toMatchObject({
      code: 'unreachable',
    });
    expect(performance.now() - startedMs).toBeLessThan(3_000);
    // A new connection passes.
    await connections.transaction((run) => run('SELECT 1'));
    await connections.close();
    await line.close();
  });

  it('lose no connection that is opened while the one before still ends', async () => {
    const connections = new PostgresConnections(await testPlace());
    const backend = async (): Promise<unknown> =>
      (
        await connections.transaction((run) =>
          run<{ readonly pid: number }>('SELECT pg_backend_pid() AS pid'),
        )
      )[0];
    await expect(connections.transaction((run) => run('SELECT wrong'))).rejects.toThrow('wrong');
    const next = await backend();
    expect(await backend()).toEqual(next);
    await connections.close();
  });

  it('name no password', async () => {
    const place = await testPlace();
    const url = place.url.replace('tillbridge@', 'stranger:geheim@');
    const error = await PostgresStore.open({ ...place, url }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'StoreUnavailableError' });
    expect(String(error)).not.toContain('geheim');
  });

  it('let a node that stops in the middle of a transaction hold up the others for a short time', async () => {
    const place = await testPlace();
    const store = await PostgresStore.open(place);
    const frozen = new PostgresConnections(place);
    const stopped = frozen.transaction(async (run) => {
      await run(LOCK_SQL, [['entities/primary/["e1"]'], [true]]);
      const other = store.commit([insert('e1')]);
      await other;
    });
    const startedMs = performance.now();
    await expect(stopped).rejects.toMatchObject({ code: 'unreachable' });
    expect(performance.now() - startedMs).toBeLessThan(2 * POSTGRES_LIMITS.idleTransactionMs);
    expect(await store.get('entities', ['e1'])).toEqual(entity('e1'));
    await frozen.close();
    await store.close();
  });
});
