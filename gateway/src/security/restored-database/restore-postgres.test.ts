import { afterAll, beforeAll, expect, it } from 'vitest';
import { lastRestoreGap } from '../../kernel/restored-database/restore-gap.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { PostgresStore } from '../../kernel/store/postgres/postgres-store.js';
import { TABLES } from '../../kernel/store/tables.js';
import { execute, testPlace } from '../../kernel/store/testing/postgres-server.js';
import { exampleDevice } from '../devices/device-example.test.support.js';
import { RestoredDatabase } from './restored-database.test.support.js';

const EMPTY = Object.keys(TABLES)
  .map((table) => `DELETE FROM "${table}";`)
  .join('');

let restored: RestoredDatabase;
let end: () => Promise<void>;
beforeAll(async () => {
  const place = await testPlace();
  const store = await PostgresStore.open(place);
  restored = new RestoredDatabase(store, async () => {
    await execute(place, EMPTY);
    return store;
  });
  end = () => store.close();
});
afterAll(async () => {
  restored.end();
  await end();
});

it('is noticed by all nodes of a PostgreSQL database at once, each with what went through it', async () => {
  const place = { accountKsn: 'FFFF9877000002000000', pinKsn: null, agentId: 'a1', terminalId: '2' };
  const second = exampleDevice({ serial: 'S2', entityId: 'e', ...place });
  await restored.fill({ op: 'insert', table: 'devices', row: second });
  const nodes = [await restored.start('a'), await restored.start('b')];
  const backup = await restored.backup();
  await restored.revokeAgent();
  for (const [at, node] of nodes.entries()) {
    const [serial, to] = [`S${at + 1}`, 7 + at];
    await node.store.commit([{ op: 'raise-counter', serial, column: 'highestCounter', to }]);
    await node.second();
  }
  // Under both of them, while they run.
  await restored.putBack(backup);
  await Promise.all(nodes.map((node) => node.second()));
  const devices = await allRows(restored.store, 'devices');
  expect(devices.map(({ unknownCounter }) => unknownCounter)).toEqual([7, 8]);
  expect(await restored.agent()).toMatchObject({ state: 'revoked' });
  expect(await lastRestoreGap(restored.store)).toMatchObject({ isWhole: 1, closedAtMs: null });
  await restored.confirm();
  for (const node of nodes) await node.second();
  expect(await lastRestoreGap(restored.store)).toMatchObject({ note: 'compared' });
  expect(restored.faults).toHaveLength(2);
});
