import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RETENTION } from '../../app/wiring/retention.js';
import { newAgentRow } from '../../security/agents/agent-row.js';
import { exampleDevice } from '../../security/devices/device-example.test.support.js';
import { clearAlert, raiseAlert } from '../alerts/alert-changes.js';
import { SqliteStore } from '../store/sqlite-store.js';
import type { Change, Store } from '../store/store.js';
import { MemoryStore } from '../store/testing/memory-store.js';
import { RETENTION_LIMITS, Retention } from './retention.js';

const START_MS = Date.UTC(2026, 10, 20);
const TOMBSTONE_MS = RETENTION.tombstones.keepMs;

describe.each(['memory', 'sqlite'])('retention on the %s store', (engine) => {
  let home: string;
  let store: Store;
  let clock: VirtualClock;
  let retention: Retention;
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'tillbridge-retention-'));
    store = engine === 'memory' ? new MemoryStore() : await SqliteStore.open(join(home, 'gateway.db'));
    clock = new VirtualClock(START_MS);
    retention = new Retention(store, clock, [RETENTION]);
    const entity = {
      id: 'e1',
      kind: 'merchant',
      parentId: null,
      name: 'One',
      compatibility: 'specification',
    } as const;
    const agent = newAgentRow({ id: 'a1', entityId: 'e1', publicKey: 'key', terminals: [] }, 1);
    await store.commit([
      { op: 'insert', table: 'entities', row: { ...entity, createdAtMs: 1, version: 1 } },
      { op: 'insert', table: 'agents', row: agent },
    ]);
  });
  afterEach(async () => {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  });

  const tombstone = (messageId: string, createdAtMs: number): Change => ({
    op: 'insert',
    table: 'tombstones',
    row: { agentId: 'a1', messageId, createdAtMs, version: 1 },
  });
  const use = (counter: number, createdAtMs: number): Change => ({
    op: 'insert',
    table: 'usedAtcs',
    row: { card: 'c', counter, sale: 's', paymentId: 'p', createdAtMs, version: 1 },
  });
  const left = async () => [
    ...(await store.findAfter('tombstones', undefined)).map((row) => row.messageId),
    ...(await store.findAfter('usedAtcs', undefined)).map((row) => row.counter),
  ];

  test('forgets what is older than its time, and nothing younger', async () => {
    const oldMs = START_MS - TOMBSTONE_MS;
    await store.commit([
      tombstone('old', oldMs - 1),
      tombstone('kept', oldMs),
      use(1, oldMs - 1),
      use(2, START_MS),
    ]);
    expect(await retention.sweep()).toBe(2);
    expect(await left()).toEqual(['kept', 2]);
    expect(await retention.sweep()).toBe(0);
  });

  test('forgets what cards got by stand-in on days that are over', async () => {
    const count = (card: string, expiresAtMs: number): Change => ({
      op: 'insert',
      table: 'standInCounts',
      row: { acquirer: 'A', card, day: '20261118', count: 1, sums: '{}', expiresAtMs, version: 1 },
    });
    await store.commit([count('*', START_MS), count('old', START_MS - 1), count('today', START_MS + 1)]);
    expect(await retention.sweep()).toBe(1);
    expect((await store.findAfter('standInCounts', undefined)).map(({ card }) => card)).toEqual([
      '*',
      'today',
    ]);
  });

  test('forgets alerts that ended long ago, and none that stands', async () => {
    const raise = (subject: string): Change =>
      raiseAlert({ code: 'journal-forked', subject, detail: '' }, START_MS - 2 * TOMBSTONE_MS);
    const clear = (subject: string, atMs: number): Change => clearAlert('journal-forked', subject, atMs);
    const ended = START_MS - RETENTION.alerts.keepMs;
    await store.commit([raise('old'), raise('ended'), raise('stands')]);
    await store.commit([clear('old', ended - 1), clear('ended', ended)]);
    expect(await retention.sweep()).toBe(1);
    const subjects = (await store.findAfter('alerts', undefined)).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual(['ended', 'stands']);
  });

  test('forgets the use of a KSN, and lets none of that age be used again', async () => {
    const oldMs = START_MS - RETENTION.usedKsns.keepMs;
    const used = (ksn: string, counter: number | null, createdAtMs: number): Change => ({
      op: 'insert',
      table: 'usedKsns',
      row: { ksn, serial: 'S1', counter, sale: 's', data: 'd', paymentId: 'p', createdAtMs, version: 1 },
    });
    await store.commit([{ op: 'insert', table: 'devices', row: exampleDevice({ entityId: 'e1' }) }]);
    await store.commit([
      used('K7', 7, oldMs - 2),
      used('K5', 5, oldMs - 1),
      used('P9', null, oldMs - 1),
      used('K8', 8, oldMs),
    ]);
    expect(await retention.sweep()).toBe(3);
    expect((await store.findAfter('usedKsns', undefined)).map(({ ksn }) => ksn)).toEqual(['K8']);
    expect((await store.get('devices', ['S1']))?.forgottenCounter).toBe(7);
  });

  test('outlives every offline record: the longest expiry is of days, not of months', () => {
    expect(TOMBSTONE_MS).toBeGreaterThan(100 * 72 * 3_600_000);
  });

  test('takes a bounded part at a time', async () => {
    const { batch, batches } = RETENTION_LIMITS;
    const count = batch * batches + 1;
    await store.commit(Array.from({ length: count }, (_, at) => tombstone(`m${at}`, at)));
    expect(await retention.sweep()).toBe(batch * batches);
    expect(retention.nextInMs).toBe(RETENTION_LIMITS.behindMs);
    // A jump of the clock between two sweeps that come soon is not believed sooner.
    clock.jumpWall(TOMBSTONE_MS);
    expect([await retention.sweep(), retention.nextInMs]).toEqual([0, RETENTION_LIMITS.intervalMs]);
    expect([await retention.sweep(), retention.nextInMs]).toEqual([1, RETENTION_LIMITS.intervalMs]);
  });

  test('forgets nothing because of a clock that has just jumped', async () => {
    await store.commit([tombstone('m1', START_MS)]);
    clock.jumpWall(2 * TOMBSTONE_MS);
    expect(await retention.sweep()).toBe(0);
    clock.jumpWall(-2 * TOMBSTONE_MS);
    await clock.advance(RETENTION_LIMITS.intervalMs);
    expect(await retention.sweep()).toBe(0);
    await clock.advance(RETENTION_LIMITS.intervalMs);
    expect(await retention.sweep()).toBe(0);
    expect(await left()).toEqual(['m1']);
    clock.jumpWall(2 * TOMBSTONE_MS);
    await retention.sweep();
    await clock.advance(RETENTION_LIMITS.intervalMs);
    expect(await retention.sweep()).toBe(1);
  });
});
