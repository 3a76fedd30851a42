import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { confirmRestore, lastRestoreGap } from '../../kernel/restored-database/restore-gap.js';
import { allRows } from '../../kernel/store/all-rows.js';
import type { TokenRow } from '../../kernel/store/rows.js';
import type { Change, Store } from '../../kernel/store/store.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { withCommit } from '../../kernel/store/with-commit.js';
import { newAgentRow } from '../agents/agent-row.js';
import { exampleDevice } from '../devices/device-example.test.support.js';
import { takePutBack } from './put-back.js';
import type { TrustEntry } from './trust-entry.js';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const TOKEN = {
  ...{ id: 't1', hash: 'h1', sealed: null, entityId: 'e', merchantId: 'e', label: 'l', rights: '["pay"]' },
  ...{ createdAtMs: 0, lastUsedAtMs: null, revokedAtMs: null, version: 1 },
} satisfies TokenRow;

let clock: VirtualClock;
let commits: (readonly Change[])[];
let store: Store;
beforeEach(() => {
  clock = new VirtualClock(NOW_MS);
  commits = [];
  const memory = new MemoryStore();
  store = withCommit(memory, async (changes) => {
    await memory.commit(changes);
    commits.push(changes);
  });
});

const deviceRow = (serial: string, more: Parameters<typeof exampleDevice>[0] = {}) =>
  exampleDevice({ serial, accountKsn: serial, pinKsn: null, ...more });

/** The rows of tokens, agents and devices as a backup has them, two of each. */
async function fill(): Promise<void> {
  const rows = [1, 2].flatMap((n): Change[] => [
    { op: 'insert', table: 'tokens', row: { ...TOKEN, id: `t${n}`, hash: `h${n}` } },
    {
      op: 'insert',
      table: 'agents',
      row: newAgentRow({ id: `a${n}`, entityId: 'e', publicKey: `k${n}`, terminals: [`${n}`] }, 0),
    },
    { op: 'insert', table: 'devices', row: deviceRow(`s${n}`, { stateSinceMs: 0 }) },
  ]);
  await store.commit(rows);
}
/** What was revoked and used since of one of them. */
const lost = (n: number): readonly TrustEntry[] => [
  { kind: 'token', id: `t${n}`, atMs: 5 },
  { kind: 'agent', id: `a${n}`, atMs: 6, epoch: 9, isRevoked: true, key: 'k', generation: 1 },
  { kind: 'device', id: `s${n}`, atMs: 7, state: 'tampered' },
  { kind: 'counter', id: `s${n}`, atMs: 8, counter: 40 },
  { kind: 'link', id: 'EXTERNAL', atMs: 9, sequence: 3 },
];
interface Home {
  readonly home?: string;
  /** The mark that the backup has of the home; undefined where it has none. */
  readonly mark?: number;
  readonly until?: number;
  readonly began?: number;
  readonly entries?: readonly TrustEntry[];
}
async function putBack({ home = 'one', mark, until = 200, began = 50, entries = [] }: Home) {
  if (mark !== undefined && !(await store.get('databaseMarks', [home])))
    await store.commit([{ op: 'insert', table: 'databaseMarks', row: { home, markMs: mark, version: 1 } }]);
  commits.length = 0;
  return takePutBack({ store, clock, random }, { home, untilMs: until, beganMs: began, entries });
}
const detail = async () =>
  (await allRows(store, 'alerts')).find(({ endedAtMs }) => endedAtMs === null)?.detail;
const markOf = async (home: string) => (await store.get('databaseMarks', [home]))?.markMs;
const confirm = () => confirmRestore({ store, clock, random, actor: 'operator' }, 'compared');

describe('the gap of a database that was put back', () => {
  it.each([
    ['whole where the record began before the mark', { mark: 100 }, 100, 1],
    ['whole where it began with the mark', { mark: 100, began: 100 }, 100, 1],
    ['held as a whole where it began after the mark', { mark: 100, began: 101 }, 100, 0],
    ['held as a whole where the backup has no mark of the home', {}, null, 0],
  ])('is %s', async (_what, home: Home, sinceMs, isWhole) => {
    const row = await putBack(home);
    expect(row).toMatchObject({ sinceMs, isWhole, untilMs: 200, foundAtMs: NOW_MS, closedAtMs: null });
    expect(await lastRestoreGap(store)).toEqual(row);
    expect(await markOf('one')).toBe(200);
    const since =
      sinceMs === null ? 'of a time before any mark of this home' : 'since 1970-01-01T00:00:00.100Z';
    const held = isWhole === 1 ? 'records of that time are held' : 'all tokens and agents are held';
    expect(await detail()).toBe(
      `the database has forgotten what was stored ${since}, until 1970-01-01T00:00:00.200Z; ${held}`,
    );
  });

  it('begins after the last mark, though the clock was set back', async () => {
    expect(await putBack({ mark: NOW_MS, until: NOW_MS + 500 })).toMatchObject({ foundAtMs: NOW_MS + 501 });
  });

  it.each([
    ['the earlier mark, and the later end', [{ mark: 100 }, { mark: 70, until: 150 }], 70, 200, 1],
    ['the later end of the other home', [{ mark: 70 }, { mark: 100, until: 250 }], 70, 250, 1],
    ['no mark where the first home has none', [{}, { mark: 70 }], null, 200, 0],
    ['no mark where the second home has none', [{ mark: 70 }, {}], null, 200, 0],
    ['less where the second home knows less', [{ mark: 100 }, { mark: 40 }], 40, 200, 0],
    ['less where the first home knows less', [{ mark: 40 }, { mark: 100 }], 40, 200, 0],
  ])('is of two homes %s', async (_what, homes: readonly Home[], sinceMs, untilMs, isWhole) => {
    await putBack({ home: 'one', ...homes[0] });
    await clock.advance(1_000);
    const row = await putBack({ home: 'two', ...homes[1] });
    expect(row).toMatchObject({ sinceMs, untilMs, isWhole, foundAtMs: NOW_MS });
    expect([await markOf('one'), await markOf('two')]).toEqual([
      homes[0]?.until ?? 200,
      homes[1]?.until ?? 200,
    ]);
  });

  it('counts what both homes have put right, and a later one begins with nothing', async () => {
    await fill();
    const counts = async () => JSON.parse((await lastRestoreGap(store))?.reapplied ?? '') as unknown;
    await putBack({ home: 'one', mark: 100, entries: lost(1) });
    expect(await counts()).toEqual({ token: 1, agent: 1, device: 1, counter: 1 });
    await putBack({ home: 'two', mark: 100, entries: [...lost(1), ...lost(2)] });
    expect(await counts()).toEqual({ token: 2, agent: 2, device: 2, counter: 2 });
    await confirm();
    await clock.advance(1_000);
    const later = { home: 'one', until: clock.nowMs() };
    expect(await putBack(later)).toMatchObject({ sinceMs: 200, untilMs: later.until, isWhole: 1 });
    expect(await counts()).toEqual({ token: 0, agent: 0, device: 0, counter: 0 });
  });

  it('stays confirmed where a home was off since before it was found; its mark is noted', async () => {
    await putBack({ home: 'one', mark: 100 });
    const confirmed = await confirm();
    expect(await putBack({ home: 'two', until: NOW_MS - 1 })).toMatchObject({
      closedAtMs: confirmed.closedAtMs,
    });
    expect(await markOf('two')).toBe(NOW_MS - 1);
    expect(await putBack({ home: 'three', until: NOW_MS })).toMatchObject({ closedAtMs: null });
  });
});

describe('what a database has forgotten', () => {
  it('is put right once, with a record of when it was', async () => {
    await fill();
    await putBack({ mark: 100, entries: lost(1) });
    const records = await allRows(store, 'audit');
    const about = records.map(({ action, subject, detail }) => `${action} ${subject} ${detail}`);
    expect(about.sort()).toEqual([
      'restore agent a1 {"wasAtMs":6}',
      'restore device s1 {"wasAtMs":7}',
      'restore token t1 {"wasAtMs":5}',
    ]);
    expect(await store.get('tokens', ['t2'])).toMatchObject({ revokedAtMs: null });
    await putBack({ mark: 100, entries: lost(1) });
    expect(await allRows(store, 'audit')).toHaveLength(3);
    // The gap alone.
    expect(commits).toHaveLength(1);
  });

  it.each([
    ['is used up where it is beyond the highest that the database has', 5, 0, 6, 6],
    ['is used up where it is beyond what was used up before', 5, 9, 10, 10],
    ['is left where the database has it', 6, 0, 6, 0],
    ['is left where it was used up before', 5, 9, 9, 9],
    ['is left where the database has a higher one', 12, 9, 10, 9],
  ])('of a counter %s', async (_what, highestCounter, unknownCounter, counter, after) => {
    const row = deviceRow('s', { highestCounter, unknownCounter });
    await store.commit([{ op: 'insert', table: 'devices', row }]);
    const gap = await putBack({ mark: 100, entries: [{ kind: 'counter', id: 's', atMs: 1, counter }] });
    expect(await store.get('devices', ['s'])).toMatchObject({ highestCounter, unknownCounter: after });
    const isBehind = after !== unknownCounter;
    expect(JSON.parse(gap.reapplied)).toMatchObject({ counter: isBehind ? 1 : 0 });
    expect(commits).toHaveLength(isBehind ? 2 : 1);
  });

  it('of many counters is used up in commits of a bounded size; a device that it lacks is left out', async () => {
    const serials = Array.from({ length: 501 }, (_none, n) => `s${n}`);
    for (const serial of serials)
      await store.commit([{ op: 'insert', table: 'devices', row: deviceRow(serial) }]);
    const entries = [...serials, 'unknown'].map(
      (id) => ({ kind: 'counter', id, atMs: 1, counter: 7 }) as const,
    );
    const gap = await putBack({ mark: 100, entries });
    expect(JSON.parse(gap.reapplied)).toMatchObject({ counter: 501 });
    expect(commits.slice(0, -1).map(({ length }) => length)).toEqual([500, 1]);
    const devices = await allRows(store, 'devices');
    expect(devices.every(({ unknownCounter }) => unknownCounter === 7)).toBe(true);
  });
});
