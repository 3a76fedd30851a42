import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entityRow } from '../../core/entities/entities.js';
import { isHeld, lastRestoreGap, lateRecords } from '../../kernel/restored-database/restore-gap.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { CommitConflict } from '../../kernel/store/store.js';
import { withCommit } from '../../kernel/store/with-commit.js';
import { readRecord } from './record-file.js';
import { type HomeOfGateway, KEY, RestoredDatabase } from './restored-database.test.support.js';

let restored: RestoredDatabase;
let node: HomeOfGateway;
beforeEach(async () => {
  restored = new RestoredDatabase();
  await restored.fill();
  node = await restored.start();
});
afterEach(() => restored.end());

const gap = () => lastRestoreGap(restored.store);
const alerts = async () =>
  (await allRows(restored.store, 'alerts'))
    .filter(({ endedAtMs }) => endedAtMs === null)
    .map(({ code, severity }) => `${severity} ${code}`);
describe('a database that is put back', () => {
  it('takes up again what was revoked and used since, and waits for its operator', async () => {
    await node.sell(3);
    await node.second();
    const backup = await restored.backup();
    await restored.revokeToken();
    await restored.revokeAgent();
    await restored.suspendDevice();
    await node.sell(9);
    await node.second();
    await node.stop();
    await restored.putBack(backup);
    expect((await restored.token()).revokedAtMs).toBeNull();
    const wasMs = restored.clock.nowMs();
    await node.start();
    expect((await restored.token()).revokedAtMs).toBe(wasMs - 1_000);
    expect(await restored.agent()).toMatchObject({ state: 'revoked' });
    expect(await restored.device()).toMatchObject({
      state: 'suspended',
      highestCounter: 3,
      unknownCounter: 9,
    });
    expect(await gap()).toMatchObject({
      isWhole: 1,
      untilMs: wasMs,
      closedAtMs: null,
      reapplied: JSON.stringify({ token: 1, agent: 1, device: 1, counter: 1 }),
    });
    expect(await alerts()).toEqual(['critical database-restored']);
    expect(restored.faults).toEqual([
      'the database is older than what this home has seen: it was put back from a backup',
    ]);
    expect(await isHeld(restored.store, 0)).toBe(false);
    expect(await lateRecords(restored.store, restored.clock.nowMs())).toBe('wait');
    const actions = (await allRows(restored.store, 'audit')).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['restore token', 'restore agent', 'restore device']));
    // Neither time nor a restart ends that.
    await node.second();
    await node.restart();
    expect(await gap()).toMatchObject({ closedAtMs: null });
    await restored.confirm();
    expect(await alerts()).toEqual([]);
    const nowMs = restored.clock.nowMs();
    expect(await lateRecords(restored.store, nowMs)).toBe('take');
    expect(await lateRecords(restored.store, nowMs + 31 * 24 * 3_600_000)).toBe('refuse');
    await node.restart();
    expect(await gap()).toMatchObject({ note: 'compared', closedAtMs: nowMs });
    await expect(restored.confirm()).rejects.toThrow('nothing is held');
  });

  it('is noticed again, by the same backup and under a running gateway', async () => {
    const backup = await restored.backup();
    for (const count of [1, 2]) {
      await node.sell(count);
      await node.second();
      await restored.putBack(backup);
      await node.second();
      expect(await gap(), `${count}`).toMatchObject({ closedAtMs: null, isWhole: 1 });
      expect((await restored.device()).unknownCounter).toBe(count);
      await restored.confirm();
      await node.second();
    }
  });

  it('is held as a whole where the record began after the backup, and what is made since is not', async () => {
    const backup = await restored.backup();
    await node.stop();
    rmSync(node.path);
    await restored.clock.advance(60_000);
    await node.start();
    await node.second();
    await restored.putBack(backup);
    await node.second();
    expect(await gap()).toMatchObject({ isWhole: 0, sinceMs: null });
    const nowMs = restored.clock.nowMs();
    expect(await isHeld(restored.store, 0)).toBe(true);
    expect(await isHeld(restored.store, nowMs)).toBe(false);
    await restored.confirm();
    expect(await isHeld(restored.store, 0)).toBe(false);
  });

  it('is held as soon as one of several homes knows less', async () => {
    const other = await restored.start('b');
    const backup = await restored.backup();
    await other.second();
    await node.sell(5);
    await other.sell(6);
    await node.second();
    await other.second();
    await node.stop();
    await other.stop();
    await restored.putBack(backup);
    await node.start();
    expect(await gap()).toMatchObject({ isWhole: 1 });
    await restored.confirm();
    // It has seen more than the database has, and it was not running at the confirmation.
    await other.start();
    expect(await gap()).toMatchObject({ isWhole: 1, closedAtMs: null });
    rmSync(other.path);
    await other.start();
    await other.second();
    await restored.putBack(backup);
    await other.second();
    expect(await gap()).toMatchObject({ isWhole: 0 });
    await node.second();
    expect(await gap()).toMatchObject({ isWhole: 0 });
  });

  it('is held by a clock that was set back, too: what is older than the last mark is not made since', async () => {
    const backup = await restored.backup();
    await node.stop();
    rmSync(node.path);
    await restored.clock.advance(60_000);
    const createdAtMs = restored.clock.nowMs();
    await node.start();
    await node.second();
    await node.stop();
    await restored.putBack(backup);
    restored.clock.jumpWall(-restored.clock.nowMs());
    await node.start();
    expect(await gap()).toMatchObject({ isWhole: 0 });
    expect(await isHeld(restored.store, createdAtMs)).toBe(true);
  });

  it('is not held a second time by a node that was off while an operator confirmed it', async () => {
    const backup = await restored.backup();
    const late = await restored.start('late');
    await late.second();
    await restored.revokeToken();
    await late.sell(8);
    await late.second();
    await late.stop();
    await restored.putBack(backup);
    await node.second();
    await node.second();
    await node.sell(1);
    await node.second();
    await restored.putBack(backup);
    await node.second();
    await restored.confirm();
    await restored.clock.advance(21 * 24 * 3_600_000);
    restored.faults.length = 0;
    await late.start();
    expect(restored.faults).toEqual(['the database was put back while this node was off, and is confirmed']);
    expect(await gap()).toMatchObject({ note: 'compared' });
    expect(await isHeld(restored.store, 0)).toBe(false);
    // What it knows counts all the same.
    expect((await restored.token()).revokedAtMs).not.toBeNull();
    expect((await restored.device()).unknownCounter).toBe(8);
    await late.restart();
    expect(await gap()).toMatchObject({ note: 'compared' });
  });
});

describe('nothing is held', () => {
  it('after restarts, after a backup that lacks nothing, and without a file', async () => {
    await node.sell(4);
    await restored.revokeToken();
    await node.restart();
    await node.stop();
    await restored.putBack(await restored.backup());
    await node.start();
    rmSync(node.path);
    await node.restart();
    expect(existsSync(node.path)).toBe(true);
    expect([await gap(), await alerts()]).toEqual([undefined, []]);
  });

  it('on another database in the same home', async () => {
    await node.sell(4);
    await node.restart();
    await node.stop();
    await restored.putBack(new Map());
    const row = { name: 'database', value: 'another', version: 1 } as const;
    await restored.store.commit([{ op: 'insert', table: 'settings', row }]);
    await node.start();
    expect(await gap()).toBeUndefined();
    expect(restored.faults).toEqual(['the record of what was revoked is about another database']);
  });

  it('for a changed file: an alert, and a new file', async () => {
    await node.stop();
    writeFileSync(node.path, readFileSync(node.path, 'utf8').replace('"home"', '"hole"'));
    await node.start();
    expect(await alerts()).toEqual(['critical restore-record-damaged']);
    expect(existsSync(`${node.path}.damaged`)).toBe(true);
    await node.restart();
    expect(await gap()).toBeUndefined();
  });

  it('for a file that cannot be read or written: payments go on', async () => {
    rmSync(dirname(node.path), { recursive: true });
    mkdirSync(node.path, { recursive: true });
    await node.sell(4);
    // The alert of failing work stands while it is so.
    await expect(node.second()).rejects.toThrow('EISDIR');
    await expect(node.second()).rejects.toThrow('EISDIR');
    await node.restart();
    expect(restored.faults).toEqual(
      expect.arrayContaining([
        'what was revoked could not be written down outside of the database',
        'the record of what was revoked cannot be read',
      ]),
    );
    expect(await gap()).toBeUndefined();
  });
});

it('has the last exchange with each acquirer, for links that look what the database has forgotten', async () => {
  const backup = await restored.backup();
  expect(node.lastExchange).toBeUndefined();
  for (const sequence of [7, 9, 8]) node.exchange(sequence);
  await node.second();
  await restored.putBack(backup);
  // Without a last word: the process was killed.
  await node.start();
  expect(node.lastExchange).toBe(9);
});

it('reads few rows a second, however many agents are revoked', async () => {
  await restored.revokeAgent();
  await node.second();
  const reads: string[] = [];
  const { store } = restored;
  restored.store = {
    ...store,
    find: (table, ...about) => {
      reads.push(table);
      return store.find(table, ...about);
    },
    get: (table, ...about) => {
      reads.push(table);
      return store.get(table, ...about);
    },
    findAfter: (table, ...about) => {
      reads.push(table);
      return store.findAfter(table, ...about);
    },
    commit: (changes) => store.commit(changes),
  };
  await restored.clock.advance(60_000);
  await node.second();
  reads.length = 0;
  await node.second();
  expect(new Set(reads)).toEqual(new Set(['databaseMarks', 'audit']));
});

it('writes once a second at most, and nothing where nothing happens', async () => {
  await node.second();
  const before = await restored.store.get('databaseMarks', [(await marks())[0]?.home ?? '']);
  for (let count = 0; count < 5; count += 1) await node.second();
  expect(await marks()).toEqual([before]);
  for (let counter = 1; counter <= 50; counter += 1) await node.sell(counter);
  await node.second();
  expect((await marks())[0]?.version).toBe((before?.version ?? 0) + 1);
});

it('writes a mark once a payment is stored, though nothing is revoked', async () => {
  await node.second();
  const [before] = await marks();
  const row = entityRow('f', 'Merchant', null, 0);
  await node.store.commit([{ op: 'insert', table: 'entities', row }]);
  await node.second();
  expect((await marks())[0]?.markMs).toBe(restored.clock.nowMs());
  expect(before?.markMs).toBeLessThan(restored.clock.nowMs());
});

it('marks and notes go on from the last ones while the clock is set back', async () => {
  await node.second();
  const [before] = await marks();
  const lastMs = before?.markMs ?? 0;
  restored.clock.jumpWall(-30_000);
  await restored.revokeToken();
  await node.second();
  expect((await marks())[0]?.markMs).toBe(lastMs + 1);
  const read = readRecord(node.path, KEY);
  expect(read).toMatchObject({ kind: 'good', file: { markMs: lastMs + 1 } });
  const entries = read.kind === 'good' ? read.file.entries : [];
  expect(entries).toContainEqual(expect.objectContaining({ kind: 'token', notedMs: lastMs }));
});

it('writes a large file less often: a twentieth of the time at most', async () => {
  restored.end();
  /** Each look at the time takes 100 ms, so that a file is written for so long. */
  class SlowClock extends VirtualClock {
    #ticks = 0;
    override monotonicMs(): number {
      this.#ticks += 100;
      return this.#ticks;
    }
  }
  restored = new RestoredDatabase(undefined, undefined, new SlowClock(Date.UTC(2026, 10, 20)));
  await restored.fill();
  node = await restored.start();
  const written: number[] = [];
  for (let counter = 1; counter <= 50; counter += 1) {
    await node.sell(counter);
    await node.second();
    if (readFileSync(node.path, 'utf8').includes(`"counter":${counter}`)) written.push(counter);
  }
  expect(written).toEqual([10, 20, 30, 40, 50]);
});

describe('a round whose commit fails', () => {
  /** Lets each commit fail that changes a table, or raises an alert. */
  const failing = (what: string, error: Error): void => {
    const { store } = restored;
    restored.store = withCommit(store, async (changes) => {
      if (changes.some((change) => ('table' in change ? change.table : change.op) === what)) throw error;
      await store.commit(changes);
    });
  };

  it('is followed by another one where a copy of the home was faster', async () => {
    const [before] = await marks();
    failing('databaseMarks', new CommitConflict({ kind: 'version', table: 'databaseMarks' } as never));
    await node.sell(1);
    await node.second();
    expect(await marks()).toEqual([before]);
  });

  it('is a fault for any other reason, also at the end', async () => {
    failing('databaseMarks', new Error('full'));
    await node.sell(1);
    await expect(node.second()).rejects.toThrow('full');
    await node.stop();
    expect(restored.faults).toEqual(['the last of what was revoked is lost']);
  });

  it('keeps a gateway from its start, for a changed file as well', async () => {
    await node.stop();
    writeFileSync(node.path, 'changed');
    failing('raise-alert', new Error('full'));
    await expect(node.start()).rejects.toThrow('full');
    rmSync(node.path);
    failing('databaseMarks', new Error('away'));
    await expect(node.start()).rejects.toThrow('away');
  });
});

const marks = () => allRows(restored.store, 'databaseMarks');
