import { systemRandom as random } from '@tillbridge/protocol/platform/system-random.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newAgentRow } from '../agents/agent-row.js';
import { entityRow } from '../entities/entities.js';
import { exampleDevice } from '../security/devices/device-example.test.support.js';
import { allRows } from '../store/all-rows.js';
import { PostgresStore } from '../store/postgres/postgres-store.js';
import { TABLES } from '../store/tables.js';
import { execute, testPlace } from '../store/testing/postgres-server.js';
import { confirmRestore, lastRestoreGap } from './restore-gap.js';
import { RestoredDatabase } from './restored-database.test.support.js';

const EMPTY = Object.keys(TABLES)
  .map((table) => `DELETE FROM "${table}";`)
  .join('');

let world: RestoredDatabase;
let end: () => Promise<void>;
beforeAll(async () => {
  const place = await testPlace();
  const store = await PostgresStore.open(place);
  world = new RestoredDatabase(store, async () => {
    await execute(place, EMPTY);
    return store;
  });
  end = () => store.close();
});
afterAll(async () => {
  world.end();
  await end();
});

it('is noticed by all nodes of a PostgreSQL database at once, each with what went through it', async () => {
  const device = (serial: string) => exampleDevice({ serial, entityId: 'e', agentId: 'a1' });
  const agent = newAgentRow({ id: 'a1', entityId: 'e', publicKey: 'k', terminals: ['1'] }, 0);
  const second = { ...device('S2'), accountKsn: 'FFFF9877000002000000', pinKsn: null, terminalId: '2' };
  await world.fill(
    { op: 'insert', table: 'entities', row: entityRow('e', 'Merchant', null, 0) },
    { op: 'insert', table: 'agents', row: agent },
    { op: 'insert', table: 'devices', row: device('S1') },
    { op: 'insert', table: 'devices', row: second },
  );
  const nodes = [await world.start('a'), await world.start('b')];
  const backup = await world.backup();
  const revoked = { ...agent, state: 'revoked', epoch: 1 } as const;
  await world.store.commit([{ op: 'update', table: 'agents', row: revoked }]);
  for (const [at, node] of nodes.entries()) {
    const [serial, to] = [`S${at + 1}`, 7 + at];
    await node.store.commit([{ op: 'raise-counter', serial, column: 'highestCounter', to }]);
    await node.second();
  }
  // Under both of them, while they run.
  await world.putBack(backup);
  await Promise.all(nodes.map((node) => node.second()));
  const devices = await allRows(world.store, 'devices');
  expect(devices.map(({ unknownCounter }) => unknownCounter)).toEqual([7, 8]);
  expect(await world.store.get('agents', ['a1'])).toMatchObject({ state: 'revoked' });
  expect(await lastRestoreGap(world.store)).toMatchObject({ isWhole: 1, closedAtMs: null });
  const { store, clock } = world;
  await confirmRestore({ store, clock, random, actor: 'operator' }, 'compared');
  for (const node of nodes) await node.second();
  expect(await lastRestoreGap(world.store)).toMatchObject({ note: 'compared' });
  expect(world.faults).toHaveLength(2);
});
