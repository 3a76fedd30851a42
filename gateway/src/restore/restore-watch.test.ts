import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemRandom as random } from '@tillbridge/protocol/platform/system-random.js';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newAgentRow } from '../agents/agent-row.js';
import { auditOf } from '../audit/audit.js';
import { entityRow } from '../entities/entities.js';
import { exampleDevice } from '../security/devices/device-example.test.support.js';
import { allRows } from '../store/all-rows.js';
import type { AgentRow, DeviceRow, TokenRow } from '../store/rows.js';
import { confirmRestore, isHeld, lastRestoreGap, lateRecords } from './restore-gap.js';
import { type Node, RestoredDatabase } from './restored-database.test.support.js';

const TOKEN: TokenRow = {
  ...{ id: 't1', hash: 'h1', sealed: null, entityId: 'e', merchantId: 'e', label: 'l', rights: '["pay"]' },
  ...{ createdAtMs: 0, lastUsedAtMs: null, revokedAtMs: null, version: 1 },
};
const AGENT = newAgentRow({ id: 'a1', entityId: 'e', publicKey: 'first', terminals: ['1'] }, 0);
const DEVICE: DeviceRow = exampleDevice({ serial: 'S1', entityId: 'e', agentId: 'a1', stateSinceMs: 0 });

let world: RestoredDatabase;
let node: Node;
beforeEach(async () => {
  world = new RestoredDatabase();
  await fill();
  node = await world.start();
});
afterEach(() => world.end());

const fill = () =>
  world.fill(
    { op: 'insert', table: 'entities', row: entityRow('e', 'Merchant', null, 0) },
    { op: 'insert', table: 'tokens', row: TOKEN },
    { op: 'insert', table: 'agents', row: AGENT },
    { op: 'insert', table: 'devices', row: DEVICE },
  );

const token = async () => (await world.store.get('tokens', ['t1'])) as TokenRow;
const agent = async () => (await world.store.get('agents', ['a1'])) as AgentRow;
const device = async () => (await world.store.get('devices', ['S1'])) as DeviceRow;
const gap = () => lastRestoreGap(world.store);
const alerts = async () =>
  (await allRows(world.store, 'alerts'))
    .filter(({ endedAtMs }) => endedAtMs === null)
    .map(({ code, severity }) => `${severity} ${code}`);
const audited = (action: string, subject: string) =>
  auditOf({ clock: world.clock, random }, { actor: 'operator', action, subject, detail: {} });
const confirm = (note = 'compared') =>
  confirmRestore({ store: world.store, clock: world.clock, random, actor: 'operator' }, note);

/** As the command line does it, in a process of its own. */
async function revokeToken(): Promise<void> {
  const row = { ...(await token()), revokedAtMs: world.clock.nowMs() };
  await world.store.commit([{ op: 'update', table: 'tokens', row }, audited('token revoke', 't1')]);
}

async function revokeAgent(): Promise<void> {
  const before = await agent();
  const row = { ...before, state: 'revoked', epoch: before.epoch + 1 } as const;
  await world.store.commit([{ op: 'update', table: 'agents', row }]);
}

async function suspendDevice(): Promise<void> {
  const row = { ...(await device()), state: 'suspended', stateSinceMs: world.clock.nowMs() } as const;
  await world.store.commit([{ op: 'update', table: 'devices', row }, audited('devices suspend', 'S1')]);
}

const sell = (counter: number, by = node) =>
  by.store.commit([{ op: 'raise-counter', serial: 'S1', column: 'highestCounter', to: counter }]);

async function restart(): Promise<void> {
  await node.stop();
  await node.start();
}

describe('a database that is put back', () => {
  it('takes up again what was revoked and used since, and waits for its operator', async () => {
    await sell(3);
    await node.second();
    const backup = await world.backup();
    await revokeToken();
    await revokeAgent();
    await suspendDevice();
    await sell(9);
    await node.second();
    await node.stop();
    await world.putBack(backup);
    expect((await token()).revokedAtMs).toBeNull();
    const wasMs = world.clock.nowMs();
    await node.start();
    expect((await token()).revokedAtMs).toBe(wasMs - 1_000);
    expect(await agent()).toMatchObject({ state: 'revoked' });
    expect(await device()).toMatchObject({ state: 'suspended', highestCounter: 3, unknownCounter: 9 });
    expect(await gap()).toMatchObject({
      isWhole: 1,
      untilMs: wasMs,
      closedAtMs: null,
      reapplied: JSON.stringify({ token: 1, agent: 1, device: 1, counter: 1 }),
    });
    expect(await alerts()).toEqual(['critical database-restored']);
    expect(await isHeld(world.store, 0)).toBe(false);
    expect(await lateRecords(world.store, world.clock.nowMs())).toBe('wait');
    const actions = (await allRows(world.store, 'audit')).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['restore token', 'restore agent', 'restore device']));
    // Neither time nor a restart ends that.
    await node.second();
    await restart();
    expect(await gap()).toMatchObject({ closedAtMs: null });
    await confirm();
    expect(await alerts()).toEqual([]);
    const nowMs = world.clock.nowMs();
    expect(await lateRecords(world.store, nowMs)).toBe('take');
    expect(await lateRecords(world.store, nowMs + 31 * 24 * 3_600_000)).toBe('refuse');
    await restart();
    expect(await gap()).toMatchObject({ note: 'compared', closedAtMs: nowMs });
    await expect(confirm()).rejects.toThrow('nothing is held');
  });

  it('is noticed again, by the same backup and under a running gateway', async () => {
    const backup = await world.backup();
    for (const count of [1, 2]) {
      await sell(count);
      await node.second();
      await world.putBack(backup);
      await node.second();
      expect(await gap(), `${count}`).toMatchObject({ closedAtMs: null, isWhole: 1 });
      expect((await device()).unknownCounter).toBe(count);
      await confirm();
      await node.second();
    }
  });

  it('is held as a whole where the record began after the backup, and what is made since is not', async () => {
    const backup = await world.backup();
    await node.stop();
    rmSync(node.path);
    await world.clock.advance(60_000);
    await node.start();
    await node.second();
    await world.putBack(backup);
    await node.second();
    expect(await gap()).toMatchObject({ isWhole: 0, sinceMs: null });
    const nowMs = world.clock.nowMs();
    expect(await isHeld(world.store, 0)).toBe(true);
    expect(await isHeld(world.store, nowMs)).toBe(false);
    await confirm();
    expect(await isHeld(world.store, 0)).toBe(false);
  });

  it('is held as soon as one of several homes knows less', async () => {
    const other = await world.start('b');
    const backup = await world.backup();
    await other.second();
    await sell(5);
    await sell(6, other);
    await node.second();
    await other.second();
    await node.stop();
    await other.stop();
    await world.putBack(backup);
    await node.start();
    expect(await gap()).toMatchObject({ isWhole: 1 });
    await confirm();
    // It has seen more than the database has, and nobody had asked it.
    await other.start();
    expect(await gap()).toMatchObject({ isWhole: 1, closedAtMs: null });
    rmSync(other.path);
    await other.start();
    await other.second();
    await world.putBack(backup);
    await other.second();
    expect(await gap()).toMatchObject({ isWhole: 0 });
    await node.second();
    expect(await gap()).toMatchObject({ isWhole: 0 });
  });
});

describe('nothing is held', () => {
  it('after restarts, after a backup that lacks nothing, and without a file', async () => {
    await sell(4);
    await revokeToken();
    await restart();
    await node.stop();
    await world.putBack(await world.backup());
    await node.start();
    rmSync(node.path);
    await restart();
    expect(existsSync(node.path)).toBe(true);
    expect([await gap(), await alerts()]).toEqual([undefined, []]);
  });

  it('on another database in the same home', async () => {
    await sell(4);
    await restart();
    await node.stop();
    await world.putBack(new Map());
    const row = { name: 'database', value: 'another', version: 1 } as const;
    await world.store.commit([{ op: 'insert', table: 'settings', row }]);
    await node.start();
    expect(await gap()).toBeUndefined();
    expect(world.faults).toEqual(['the record of what was revoked is about another database']);
  });

  it('for a file that somebody has changed: an alert, and a new file', async () => {
    await node.stop();
    writeFileSync(node.path, readFileSync(node.path, 'utf8').replace('"home"', '"hole"'));
    await node.start();
    expect(await alerts()).toEqual(['critical restore-record-damaged']);
    expect(existsSync(`${node.path}.damaged`)).toBe(true);
    await restart();
    expect(await gap()).toBeUndefined();
  });

  it('for a file that cannot be read or written: payments go on', async () => {
    rmSync(dirname(node.path), { recursive: true });
    mkdirSync(node.path, { recursive: true });
    await sell(4);
    await node.second();
    await restart();
    expect(world.faults).toEqual(
      expect.arrayContaining([
        'what was revoked could not be written down outside of the database',
        'the record of what was revoked cannot be read',
      ]),
    );
    expect(await gap()).toBeUndefined();
  });
});

it('writes once a second at most, and nothing where nothing happens', async () => {
  await node.second();
  const before = await world.store.get('databaseMarks', [(await marks())[0]?.home ?? '']);
  for (let count = 0; count < 5; count += 1) await node.second();
  expect(await marks()).toEqual([before]);
  for (let counter = 1; counter <= 50; counter += 1) await sell(counter);
  await node.second();
  expect((await marks())[0]?.version).toBe((before?.version ?? 0) + 1);
});

const marks = () => allRows(world.store, 'databaseMarks');

it('never lets live again what was noted as revoked, whatever comes before and after', async () => {
  let counter = 0;
  let backup = await world.backup();
  const STEPS = {
    revoke: async () => {
      if ((await token()).revokedAtMs === null) await revokeToken();
    },
    sell: () => {
      counter += 1;
      return sell(counter);
    },
    second: () => node.second(),
    crash: () => node.start(),
    restart,
    backup: async () => {
      backup = await world.backup();
    },
    putBack: async () => {
      await world.putBack(backup);
      await node.start();
    },
    confirm: () => confirm().catch(() => undefined),
  };
  const names = fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[]));
  await fc.assert(
    fc.asyncProperty(fc.array(names, { minLength: 4, maxLength: 25 }), async (steps) => {
      world.end();
      world = new RestoredDatabase();
      await fill();
      node = await world.start();
      backup = await world.backup();
      let [isRevoked, highest] = [false, 0];
      for (const step of steps) {
        await world.clock.advance(7);
        await STEPS[step]();
        const { highestCounter, unknownCounter } = await device();
        const used = Math.max(highestCounter, unknownCounter);
        const { revokedAtMs } = await token();
        expect(used).toBeGreaterThanOrEqual(highest);
        if (isRevoked) expect(revokedAtMs).not.toBeNull();
        if (step !== 'second' && step !== 'restart') continue;
        // By now it is written down.
        isRevoked = revokedAtMs !== null;
        highest = used;
      }
    }),
    { numRuns: 40 },
  );
}, 60_000);
