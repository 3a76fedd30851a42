import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { AGENT, ENTITY, NOW_MS, OTHER_ENTITY } from '../../core/payments/payment-harness.test.support.js';
import { raiseAlert } from '../../kernel/alerts/alert-changes.js';
import { openAlerts } from '../../kernel/alerts/alerts.test.support.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { CommitConflict, type Store } from '../../kernel/store/store.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { newAgentRow } from '../../security/agents/agent-row.js';
import type { WrittenDevice } from '../../security/devices/inventory-file.js';
import {
  addDevices,
  assignDevice,
  findDevice,
  type InventoryDeps,
  stepDevice,
  swapDevices,
  unlock,
} from './service.js';

const clock = new VirtualClock(NOW_MS + 1);
const CHANNEL = 'c'.repeat(32);
const written = (number: number, more: Partial<WrittenDevice> = {}): WrittenDevice => ({
  serial: `S${number}`,
  deviceType: 'GERTEC_PPC930',
  accountKsn: `FFFF987700000${number}000000`,
  pinKsn: `FFFF987600000${number}000000`,
  entityId: ENTITY,
  ...more,
});
const placed = (number: number, terminalId: string): WrittenDevice =>
  written(number, { agentId: AGENT, terminalId });

let store: Store;
let deps: InventoryDeps;
beforeEach(async () => {
  store = new MemoryStore();
  deps = { store, clock, random: systemRandom, actor: 'anna' };
  const entity = (id: string, parentId: string | null) =>
    ({
      op: 'insert',
      table: 'entities',
      row: {
        id,
        kind: parentId === null ? 'merchant' : 'channel',
        parentId,
        name: id,
        compatibility: 'specification',
        createdAtMs: 1,
        version: 1,
      },
    }) as const;
  const agent = newAgentRow({ id: AGENT, entityId: ENTITY, publicKey: 'key', terminals: ['1', '2'] }, 1);
  await store.commit([
    entity(ENTITY, null),
    entity(OTHER_ENTITY, null),
    entity(CHANNEL, ENTITY),
    { op: 'insert', table: 'agents', row: agent },
  ]);
});

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code: unknown }) => error.code,
  );
/** Audit records but those of what was added, in the order of their actions. */
const recordsOf = async () =>
  (await allRows(store, 'audit'))
    .filter(({ action }) => action !== 'devices add')
    .sort((a, b) => (a.action < b.action ? -1 : 1));
const state = async (serial: string) => (await findDevice(deps, serial)).state;

describe('devices are added', () => {
  it('in stock, or active at their place; without an entity they are their agent’s', async () => {
    const { entityId: _, ...ofAgent } = placed(2, '1');
    const rows = await addDevices(deps, [written(1), ofAgent, written(3, { terminalId: '9' })]);
    expect(rows.map((row) => [row.serial, row.state, row.entityId])).toEqual([
      ['S1', 'inStock', ENTITY],
      ['S2', 'active', ENTITY],
      ['S3', 'active', ENTITY],
    ]);
    expect(await store.get('devices', ['S2'])).toEqual(rows[1]);
  });

  it.each([
    ['an entity that is not there', [written(1, { entityId: 'e'.repeat(32) })], 'unknown-entity'],
    ['an agent that is not there', [written(1, { agentId: 'x', terminalId: '1' })], 'unknown-agent'],
    ['a terminal that the agent has not', [placed(1, '9')], 'unknown-terminal'],
    ['an agent of another merchant', [{ ...placed(1, '1'), entityId: OTHER_ENTITY }], 'foreign-place'],
    ['an agent of the merchant of its channel', [{ ...placed(1, '1'), entityId: CHANNEL }], 'foreign-place'],
    ['a terminal that one of the list has', [placed(1, '1'), placed(2, '1')], 'terminal-taken'],
    ['a serial twice', [written(1), { ...written(2), serial: 'S1' }], 'taken'],
    [
      'a key for account data twice',
      [written(1), { ...written(2), accountKsn: 'FFFF9877000001000000' }],
      'taken',
    ],
    ['a key for PINs twice', [written(1), written(2, { pinKsn: 'FFFF9876000001000000' })], 'taken'],
    ['a serial that is taken', [written(4), { ...written(5), serial: 'S8' }], 'taken'],
    ['a key for PINs that is taken', [written(4), written(5, { pinKsn: 'FFFF9876000008000000' })], 'taken'],
    ['an agent without a terminal', [written(1, { agentId: AGENT })], 'unknown-terminal'],
    ['a key that is taken', [written(4, { accountKsn: 'FFFF9877000008000000' })], 'taken'],
    ['a terminal that is taken', [written(4), placed(5, '2')], 'terminal-taken'],
  ])('none of them with %s', async (_what, list, code) => {
    await addDevices(deps, [placed(8, '2')]);
    expect(await codeOf(addDevices(deps, list))).toBe(code);
    expect((await store.findAfter('devices', undefined)).map(({ serial }) => serial)).toEqual(['S8']);
  });

  it('none without an entity, its own or that of its agent', async () => {
    const { entityId: _, ...ofNone } = written(1);
    await expect(addDevices(deps, [ofNone])).rejects.toThrow('there is no entity (none named)');
    await expect(addDevices(deps, [{ ...ofNone, agentId: 'x', terminalId: '1' }])).rejects.toThrow(
      'there is no entity (none named)',
    );
    const entityId = 'e'.repeat(32);
    await expect(addDevices(deps, [written(1, { entityId })])).rejects.toThrow(`no entity ${entityId}`);
  });

  it('none of a list that is too long', async () => {
    const list = (length: number) => Array.from({ length }, () => written(1, { entityId: 'e'.repeat(32) }));
    expect(await codeOf(addDevices(deps, list(5_000)))).toBe('unknown-entity');
    expect(await codeOf(addDevices(deps, list(5_001)))).toBe('too-many');
  });

  it('at terminals of several agents, which may have the same id', async () => {
    const other = newAgentRow({ id: 'other', entityId: CHANNEL, publicKey: 'key', terminals: ['1'] }, 1);
    await store.commit([{ op: 'insert', table: 'agents', row: other }]);
    // A device of the merchant may stand at an agent of its channel.
    const list = [placed(1, '1'), placed(2, '2'), { ...placed(3, '1'), agentId: 'other' }];
    expect((await addDevices(deps, list)).map(({ state }) => state)).toEqual(['active', 'active', 'active']);
  });

  it('without keys for PINs, which are no key that two have', async () => {
    const withoutPin = (number: number): WrittenDevice => {
      const { pinKsn: _, ...device } = written(number);
      return device;
    };
    expect(await codeOf(addDevices(deps, [withoutPin(1), withoutPin(2)]))).toBe('done');
    await addDevices(deps, [written(8)]);
    const list = [withoutPin(3), { ...withoutPin(4), serial: 'S8' }];
    await expect(addDevices(deps, list)).rejects.toThrow('S8: serial or initial KSN is that of S8');
  });

  it('not while the agent is changed by another request, nor where the store fails', async () => {
    store.commit = async () => {
      throw new CommitConflict({ kind: 'version', table: 'agents', on: AGENT });
    };
    expect(await codeOf(addDevices(deps, [placed(1, '1')]))).toBe('busy');
    store.commit = async () => {
      throw new Error('the disk is full');
    };
    await expect(addDevices(deps, [written(1)])).rejects.toThrow('the disk is full');
  });
});

describe('an alert about a refused device', () => {
  const refused = (subject: string) => raiseAlert({ code: 'device-refused', subject, detail: 'x' }, NOW_MS);
  const ofTerminal = `device-refused ${AGENT}/1`;
  const ofEntity = `device-refused ${ENTITY}`;
  beforeEach(() => store.commit([refused(`${AGENT}/1`), refused(ENTITY)]));

  it('of a terminal ends when a device is put there', async () => {
    await addDevices(deps, [placed(1, '1')]);
    expect(await openAlerts(store)).toEqual([ofEntity]);
  });

  it('of an entity ends when a device is put to use without an agent', async () => {
    await addDevices(deps, [written(1)]);
    expect((await openAlerts(store)).toSorted()).toEqual([ofTerminal, ofEntity].toSorted());
    await assignDevice(deps, 'S1', {});
    expect(await openAlerts(store)).toEqual([ofTerminal]);
  });

  it('of a channel ends when a device of its merchant is used again, and that of another merchant stays', async () => {
    await addDevices(deps, [written(1, { terminalId: '7' })]);
    await stepDevice(deps, 'S1', 'suspend');
    await store.commit([refused(CHANNEL), refused(OTHER_ENTITY)]);
    await stepDevice(deps, 'S1', 'resume');
    expect((await openAlerts(store)).toSorted()).toEqual(
      [ofTerminal, `device-refused ${OTHER_ENTITY}`].toSorted(),
    );
  });
});

describe('a device', () => {
  beforeEach(() => addDevices(deps, [written(1), placed(2, '1'), written(3)]));

  it('is put to use, moved, suspended, resumed and ended', async () => {
    await assignDevice(deps, 'S1', { agentId: AGENT, terminalId: '2' });
    expect(await state('S1')).toBe('active');
    await assignDevice(deps, 'S1', {});
    expect(await findDevice(deps, 'S1')).toMatchObject({ agentId: null, terminalId: null });
    await stepDevice(deps, 'S1', 'suspend');
    expect(await codeOf(assignDevice(deps, 'S1', {}))).toBe('wrong-state');
    await stepDevice(deps, 'S1', 'resume');
    await stepDevice(deps, 'S1', 'decommission');
    for (const step of ['suspend', 'resume', 'tamper', 'decommission'] as const)
      expect(await codeOf(stepDevice(deps, 'S1', step))).toBe('wrong-state');
  });

  it('that was opened is never used again', async () => {
    await stepDevice(deps, 'S2', 'tamper');
    expect(await codeOf(stepDevice(deps, 'S2', 'resume'))).toBe('wrong-state');
    expect(await codeOf(assignDevice(deps, 'S2', {}))).toBe('wrong-state');
    await stepDevice(deps, 'S2', 'decommission');
  });

  it('gives its place to one in stock', async () => {
    const swapped = await swapDevices(deps, 'S2', 'S3');
    expect(swapped.old).toMatchObject({ serial: 'S2', state: 'decommissioned', stateSinceMs: NOW_MS + 1 });
    expect(await findDevice(deps, 'S3')).toMatchObject({
      state: 'active',
      agentId: AGENT,
      terminalId: '1',
    });
    expect(await state('S2')).toBe('decommissioned');
    expect(await codeOf(swapDevices(deps, 'S3', 'S2'))).toBe('wrong-state');
    await assignDevice(deps, 'S1', {});
    expect(await codeOf(swapDevices(deps, 'S3', 'S1'))).toBe('wrong-state');
  });

  it.each(['suspend', 'tamper'] as const)('without an agent is swapped as well after %s', async (step) => {
    await assignDevice(deps, 'S1', {});
    await stepDevice(deps, 'S1', step);
    const swapped = await swapDevices(deps, 'S1', 'S3');
    expect(swapped.new).toMatchObject({ state: 'active', agentId: null, terminalId: null });
  });

  it('keeps its place while it is suspended', async () => {
    await stepDevice(deps, 'S2', 'suspend');
    const there = { agentId: AGENT, terminalId: '1' };
    expect(await codeOf(assignDevice(deps, 'S1', there))).toBe('terminal-taken');
  });

  it('does not take a place that another has got since the one before was opened', async () => {
    await stepDevice(deps, 'S2', 'tamper');
    await assignDevice(deps, 'S1', { agentId: AGENT, terminalId: '1' });
    expect(await codeOf(swapDevices(deps, 'S2', 'S3'))).toBe('terminal-taken');
    expect(await state('S3')).toBe('inStock');
  });

  it('does not take its own place', async () => {
    expect(await codeOf(swapDevices(deps, 'S1', 'S1'))).toBe('wrong-state');
    expect(await state('S1')).toBe('inStock');
  });

  it('does not take the place of one of another entity, or of one that is there', async () => {
    await addDevices(deps, [written(4, { entityId: OTHER_ENTITY })]);
    expect(await codeOf(swapDevices(deps, 'S2', 'S4'))).toBe('foreign-place');
    const there = { agentId: AGENT, terminalId: '1' };
    expect(await codeOf(assignDevice(deps, 'S1', there))).toBe('terminal-taken');
    expect(await codeOf(assignDevice(deps, 'S2', there))).toBe('done');
  });

  it('does not share a place with one that is put there at the same moment', async () => {
    const there = { agentId: AGENT, terminalId: '2' };
    const codes = await Promise.all(['S1', 'S3'].map((serial) => codeOf(assignDevice(deps, serial, there))));
    expect(codes.sort()).toEqual(['done', 'terminal-taken']);
    expect(await store.find('devices', 'terminal', [AGENT, '2'])).toHaveLength(1);
  });

  it('of another merchant is not there for a merchant', async () => {
    const owners = [OTHER_ENTITY];
    for (const serial of ['S1', 'S9'])
      expect(await codeOf(stepDevice({ ...deps, owners }, serial, 'suspend'))).toBe('unknown-device');
    expect(await codeOf(swapDevices({ ...deps, owners }, 'S2', 'S3'))).toBe('unknown-device');
    expect(await state('S1')).toBe('inStock');
  });

  it('is changed although it sells meanwhile', async () => {
    const commit = store.commit.bind(store);
    let sales = 0;
    store.commit = async (changes) => {
      sales += 1;
      if (sales < 3)
        await commit([{ op: 'raise-counter', serial: 'S2', column: 'highestCounter', to: sales }]);
      return commit(changes);
    };
    await stepDevice(deps, 'S2', 'suspend');
    expect(await findDevice(deps, 'S2')).toMatchObject({ state: 'suspended', highestCounter: 2 });
  });

  it('is busy when each try to change it meets a sale', async () => {
    const ownClock = new VirtualClock(NOW_MS);
    store.commit = async () => {
      await ownClock.advance(1_000);
      throw new CommitConflict({ kind: 'version', table: 'devices', on: 'S2' });
    };
    expect(await codeOf(stepDevice({ ...deps, clock: ownClock }, 'S2', 'suspend'))).toBe('busy');
  });

  it('has each change on record with who made it', async () => {
    await assignDevice(deps, 'S1', { agentId: AGENT, terminalId: '2' });
    await stepDevice({ ...deps, actor: 'token 7' }, 'S1', 'tamper');
    await swapDevices(deps, 'S2', 'S3');
    const records = (await recordsOf()).map(({ actor, action, subject, detail }) => [
      actor,
      action,
      subject,
      JSON.parse(detail),
    ]);
    const about = { entityId: ENTITY, agentId: AGENT };
    expect(records).toEqual([
      ['anna', 'devices assign', 'S1', { ...about, terminalId: '2', state: 'active' }],
      [
        'anna',
        'devices swap',
        'S2',
        { ...about, terminalId: '1', state: 'decommissioned', replacement: 'S3' },
      ],
      ['token 7', 'devices tamper', 'S1', { ...about, terminalId: '2', state: 'tampered' }],
    ]);
  });

  it('is unlocked with its failures forgotten', async () => {
    const row = { kind: 'device', subject: 'S2', failures: 10, sinceMs: NOW_MS, version: 1 } as const;
    await store.commit([{ op: 'insert', table: 'accountFailures', row }]);
    expect(await unlock(deps, 'device', 'S2')).toBe(true);
    expect(await unlock(deps, 'device', 'S2')).toBe(false);
    const detail = JSON.stringify({ kind: 'device', failures: 10 });
    expect(await recordsOf()).toMatchObject([
      { action: 'devices unlock', subject: 'S2', actor: 'anna', detail },
    ]);
  });
});
