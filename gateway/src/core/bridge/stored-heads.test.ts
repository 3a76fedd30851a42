import { countersignHead } from '@tillbridge/wire/bridge/countersigned-head.js';
import { type Heartbeat, JournalVerdict } from '@tillbridge/wire/bridge/messages.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { listAlerts } from '../../kernel/alerts/alert-list.js';
import type { JournalHeadRow } from '../../kernel/store/rows.js';
import type { Change } from '../../kernel/store/store.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { keyOf } from '../../kernel/store/working-set.js';
import { newAgentRow } from '../../security/agents/agent-row.js';
import { FailingStore } from '../payments/payment-harness.test.support.js';
import { COUNTERSIGN_LIMITS } from './heads/countersign.js';
import { JournalHeads, judgeHead, type ReportedHead } from './journal-heads.js';
import { GENERATION, journalOf, KEY } from './journal-tree.test.support.js';
import { BEAT } from './wire-examples.test.support.js';

const NOW = 5_000;
const hash = (letter: string): Uint8Array => Buffer.alloc(32, letter);
const hex = (letter: string): string => Buffer.alloc(32, letter).toString('hex').toUpperCase();
const kept: JournalHeadRow = {
  agentId: 'a1',
  generation: 2,
  lastRow: 10,
  hash: hex('k'),
  alarm: null,
  alarmRow: null,
  alarmAtMs: null,
  countersignedRow: null,
  updatedAtMs: 1,
  version: 4,
};
const reported = (more: Partial<ReportedHead>): ReportedHead => ({
  generation: 2,
  row: 12,
  hash: hash('n'),
  ...more,
});
const anchor = (row: number, letter: string) => ({ anchor: { row, hash: hash(letter) } });

describe('judging a head', () => {
  const { CONTINUES, BEHIND, FORKED, JOURNAL_VERDICT_UNSPECIFIED: UNKNOWN } = JournalVerdict;
  const table: readonly [
    string,
    Partial<ReportedHead>,
    JournalVerdict,
    Partial<JournalHeadRow> | undefined,
  ][] = [
    [
      'a later row that goes on from the kept one',
      anchor(10, 'k'),
      CONTINUES,
      { lastRow: 12, hash: hex('n') },
    ],
    ['a later row without a proof', {}, UNKNOWN, undefined],
    ['a later row with a proof of an earlier row', anchor(9, 'k'), UNKNOWN, undefined],
    [
      'a later row behind a checkpoint',
      anchor(11, 'c'),
      CONTINUES,
      { lastRow: 12, hash: hex('n'), alarm: null },
    ],
    ['an anchor above its own head', anchor(13, 'c'), UNKNOWN, undefined],
    ['a later row on another chain', anchor(10, 'x'), FORKED, { alarm: 'forked', alarmRow: 12, lastRow: 10 }],
    ['a later row whose proof is of itself', anchor(12, 'n'), CONTINUES, { lastRow: 12, hash: hex('n') }],
    ['the same row', { row: 10, hash: hash('k') }, CONTINUES, undefined],
    [
      'the same row, whatever its proof',
      { row: 10, hash: hash('k'), ...anchor(10, 'x') },
      CONTINUES,
      undefined,
    ],
    ['the same row with another hash', { row: 10 }, FORKED, { alarm: 'forked', alarmRow: 10 }],
    ['an earlier row', { row: 9 }, BEHIND, { alarm: 'behind', alarmRow: 9, alarmAtMs: NOW, lastRow: 10 }],
    ['an empty journal', { row: 0, hash: new Uint8Array(32) }, BEHIND, { alarm: 'behind', alarmRow: 0 }],
    ['a journal that cannot be read', { row: 0, hash: new Uint8Array() }, UNKNOWN, undefined],
    [
      'a new generation',
      { generation: 3, row: 1 },
      CONTINUES,
      { generation: 3, lastRow: 1, alarm: null, version: 4 },
    ],
  ];

  test.each(table)('%s', (_name, more, verdict, change) => {
    const judged = judgeHead('a1', kept, reported(more), NOW);
    expect(judged.verdict).toBe(verdict);
    if (change) expect(judged.keep).toMatchObject(change);
    else expect(judged.keep).toBeUndefined();
  });

  test.each([
    ['is proven where it goes on from the kept row', anchor(10, 'k'), {}],
    ['is not proven where the kept row was removed', anchor(11, 'c'), { unproven: true }],
  ])('that is later %s', (_, more, proof) => {
    const keep = { ...kept, lastRow: 12, hash: hex('n'), updatedAtMs: NOW };
    expect(judgeHead('a1', kept, reported(more), NOW)).toEqual({ verdict: CONTINUES, keep, ...proof });
  });

  test('keeps the first head of an agent', () => {
    expect(judgeHead('a1', undefined, reported({}), NOW)).toEqual({
      verdict: CONTINUES,
      keep: {
        agentId: 'a1',
        generation: 2,
        lastRow: 12,
        hash: hex('n'),
        alarm: null,
        alarmRow: null,
        alarmAtMs: null,
        countersignedRow: null,
        updatedAtMs: NOW,
        version: 1,
      },
    });
  });

  test('keeps an alarm while the true journal goes on, and until a new generation begins', () => {
    const alarmed = { ...kept, alarm: 'behind', alarmRow: 3, alarmAtMs: 1 } as const;
    expect(judgeHead('a1', alarmed, reported({ row: 4 }), NOW)).toEqual({ verdict: BEHIND });
    const on = judgeHead('a1', alarmed, reported(anchor(10, 'k')), NOW);
    expect(on).toMatchObject({ verdict: CONTINUES, keep: { lastRow: 12, alarm: 'behind', alarmRow: 3 } });
    expect(judgeHead('a1', alarmed, reported({ generation: 3 }), NOW).keep?.alarm).toBeNull();
  });
});

const ONE = journalOf('one');
const OTHER = journalOf('other');
const { CONTINUES, BEHIND, FORKED, JOURNAL_VERDICT_UNSPECIFIED: UNKNOWN } = JournalVerdict;

let store: FailingStore;
let clock: VirtualClock;
let logged: string[];
let heads: JournalHeads;
const session = { agentId: 'a1', entityId: 'e1', epoch: 3, generation: GENERATION };

function process(): JournalHeads {
  const log = (level: string) => (about: object, text: string) => {
    logged.push(`${level} ${JSON.stringify(about)} ${text}`);
  };
  return new JournalHeads({
    ...{ store, clock, trust: { signingKey: KEY } },
    log: { info: log('info'), warn: log('warn'), error: log('error') },
  });
}

beforeEach(async () => {
  store = new FailingStore(new MemoryStore());
  clock = new VirtualClock(NOW);
  logged = [];
  heads = process();
  const agent = newAgentRow({ id: 'a1', entityId: 'e1', publicKey: 'key', terminals: ['1'] }, NOW);
  await store.commit([{ op: 'insert', table: 'agents', row: { ...agent, epoch: 3 } }]);
});

/** A heartbeat with a head of the journal. */
const beat = (row: number, more: Partial<Heartbeat> = {}): Heartbeat => ({
  ...BEAT,
  journalRow: row,
  journalHash: ONE.hashOf(row),
  ...more,
});
const proof = (row: number) => ({ anchor: { row, hash: ONE.hashOf(row) } });
const stored = () => store.get('journalHeads', ['a1']);
const alerts = async () =>
  (await listAlerts(store, ['open'])).map(({ code, subject, detail }) => `${code} ${subject} ${detail}`);
const change = (row: JournalHeadRow): Change => ({ op: 'update', table: 'journalHeads', row });

describe('the heads of an agent', () => {
  test('are stored and answered, those of its generation', async () => {
    expect(await heads.kept('a1', GENERATION)).toBeUndefined();
    const head = { row: 3, hash: Buffer.from(ONE.hashOf(3)) };
    const ops: string[] = [];
    store.beforeCommit = async (changes) => void ops.push(...changes.map(({ op }) => op));
    expect(await heads.take(session, beat(3))).toEqual({ verdict: CONTINUES, kept: head });
    expect(ops).toEqual(['require-field', 'insert']);
    expect(await heads.kept('a1', GENERATION)).toEqual(head);
    expect(await heads.kept('a1', GENERATION + 1)).toBeUndefined();
    expect(await heads.kept('a2', GENERATION)).toBeUndefined();
    expect(await stored()).toMatchObject({ lastRow: 3, updatedAtMs: NOW, version: 1 });
    await clock.advance(1);
    expect(await heads.take(session, beat(3))).toEqual({ verdict: CONTINUES, kept: head });
    expect(await stored()).toMatchObject({ updatedAtMs: NOW, version: 1 });
    expect(await heads.take(session, beat(5, proof(3)))).toMatchObject({
      verdict: CONTINUES,
      kept: { row: 5 },
    });
    expect(await stored()).toMatchObject({ lastRow: 5, updatedAtMs: NOW + 1, version: 2 });
    expect([logged, await alerts()]).toEqual([[], []]);
  });

  test('that cannot be read, or have no proof, change nothing', async () => {
    await heads.take(session, beat(3));
    const kept = { row: 3, hash: Buffer.from(ONE.hashOf(3)) };
    for (const unknown of [beat(0, { journalHash: new Uint8Array() }), beat(9)])
      expect(await heads.take(session, unknown)).toEqual({ verdict: UNKNOWN, kept });
    expect(await stored()).toMatchObject({ lastRow: 3, version: 1 });
  });

  test.each([
    ['is behind', beat(2), BEHIND, 'behind', 'the journal of an agent ends before the stored row'],
    ['is another one', beat(3, { journalHash: OTHER.hashOf(3) }), FORKED, 'forked', undefined],
  ] as const)(
    'where one %s raise an alert once, which stands until the next generation',
    async (_, odd, verdict, alarm, text) => {
      await heads.take(session, beat(3));
      expect(await heads.take(session, odd)).toMatchObject({ verdict, kept: { row: 3 } });
      const raised = [`journal-${alarm} a1 generation 2: row ${odd.journalRow} came, row 3 is stored`];
      expect(await alerts()).toEqual(raised);
      const about = { agentId: 'a1', generation: 2, lastRow: 3, alarmRow: odd.journalRow, alarm };
      expect(logged).toEqual([expect.stringContaining(`error ${JSON.stringify(about)} ${text ?? ''}`)]);
      await clock.advance(1);
      expect(await heads.take(session, odd)).toMatchObject({ verdict });
      // The true journal goes on meanwhile, and its alert is written no second time.
      const ops: string[] = [];
      store.beforeCommit = async (changes) => void ops.push(...changes.map(({ op }) => op));
      expect(await heads.take(session, beat(4, proof(3)))).toMatchObject({ verdict: CONTINUES });
      expect(await stored()).toMatchObject({ lastRow: 4, alarm, alarmAtMs: NOW });
      expect(ops).toEqual(['require-field', 'update']);
      expect([logged.length, await alerts()]).toEqual([1, raised]);
      expect(await heads.take({ ...session, generation: 3 }, beat(1))).toMatchObject({ verdict: CONTINUES });
      expect(await alerts()).toEqual([]);
      const next = { agentId: 'a1', generation: 3, lastRow: 1, formerGeneration: 2, formerRow: 4 };
      expect(logged[1]).toBe(`warn ${JSON.stringify(next)} a new generation of the journal begins`);
    },
  );

  test('without a proof of the stored one raise an alert', async () => {
    await heads.take(session, beat(3));
    expect(await heads.take(session, beat(9, proof(5)))).toMatchObject({
      verdict: CONTINUES,
      kept: { row: 9 },
    });
    expect(await alerts()).toEqual(['journal-unproven a1 generation 2: row 9 came, row 3 was stored']);
    const about = { agentId: 'a1', generation: 2, lastRow: 9, keptRow: 3 };
    expect(logged).toEqual([expect.stringContaining(`warn ${JSON.stringify(about)}`)]);
  });

  test('of an older session change nothing', async () => {
    await heads.take(session, beat(3));
    expect(await heads.take({ ...session, epoch: 2 }, beat(5, proof(3)))).toEqual({ verdict: UNKNOWN });
    expect(await stored()).toMatchObject({ lastRow: 3 });
    expect(logged).toEqual([]);
  });

  test('are not compared while the store is away', async () => {
    store.failWhen = () => true;
    await expect(heads.take(session, beat(3))).rejects.toThrow('disk');
  });
});

describe('a head of a tree', () => {
  const first = () => heads.take(session, beat(5, { tree: ONE.tree(5) }));

  test('is signed, stored, and answered', async () => {
    const { countersigned, ...rest } = await first();
    const { hash: own, root } = ONE.tree(5);
    const signed = countersignHead(
      'a1',
      { generation: GENERATION, row: 5, hash: own, root, timeMs: NOW },
      KEY,
    );
    expect(countersigned).toEqual(signed);
    expect(rest).toMatchObject({ verdict: CONTINUES, kept: { row: 5 } });
    expect(await stored()).toMatchObject({ lastRow: 5, countersignedRow: 5 });
    expect(await store.findAfter('countersignedHeads', undefined)).toMatchObject([
      { agentId: 'a1', lastRow: 5 },
    ]);
  });

  test('is signed by another process, too, where it goes on', async () => {
    const { countersigned } = await first();
    heads = process();
    await clock.advance(COUNTERSIGN_LIMITS.intervalMs);
    const next = { ...proof(5), tree: ONE.tree(9, countersigned) };
    expect((await heads.take(session, beat(9, next))).countersigned).toMatchObject({
      row: 9,
      timeMs: clock.nowMs(),
    });
    expect(await stored()).toMatchObject({ lastRow: 9, countersignedRow: 9 });
  });

  test('is answered again where its answer was lost, and not stored again', async () => {
    const { countersigned } = await first();
    if (!countersigned) throw new Error('the head was not signed');
    await clock.advance(1);
    expect((await first()).countersigned).toMatchObject({ row: 5, timeMs: NOW });
    expect(await store.findAfter('countersignedHeads', undefined)).toHaveLength(1);
  });

  test('is not signed before the interval is over, nor without a verdict', async () => {
    const { countersigned } = await first();
    const next = { ...proof(5), tree: ONE.tree(9, countersigned) };
    expect(await heads.take(session, beat(9, next))).not.toHaveProperty('countersigned');
    await clock.advance(COUNTERSIGN_LIMITS.intervalMs);
    // Without a proof of the stored head there is no verdict.
    const unproven = beat(12, { tree: ONE.tree(12, countersigned) });
    expect(await heads.take(session, unproven)).not.toHaveProperty('countersigned');
    expect(await store.findAfter('countersignedHeads', undefined)).toHaveLength(1);
  });

  test.each<[string, Partial<JournalHeadRow>]>([
    ['begins a later generation', { generation: GENERATION + 1 }],
    ['contradicts it', { alarm: 'forked' }],
  ])('is not signed where another session %s in that moment', async (_, odd) => {
    let reads = 0;
    store.beforeGet = async (table) => {
      if (table === 'journalHeads') reads += 1;
      if (reads !== 2) return;
      reads += 1;
      const row = await stored();
      if (row) await store.commit([change({ ...row, ...odd })]);
    };
    expect(await first()).not.toHaveProperty('countersigned');
    expect(await store.findAfter('countersignedHeads', undefined)).toEqual([]);
  });

  test('is not signed while the journal contradicts the stored one', async () => {
    await heads.take(session, beat(3));
    await heads.take(session, beat(2));
    const answer = await heads.take(session, beat(5, { ...proof(3), tree: ONE.tree(5) }));
    expect(answer).toMatchObject({ verdict: CONTINUES });
    expect(answer).not.toHaveProperty('countersigned');
  });

  test('is not answered where another session of the agent has begun by then', async () => {
    store.beforeCommit = async (changes) => {
      if (!changes.some((each) => each.op === 'insert' && each.table === 'countersignedHeads')) return;
      store.beforeCommit = async () => undefined;
      const agent = await store.get('agents', ['a1']);
      if (agent) await store.commit([{ op: 'update', table: 'agents', row: { ...agent, epoch: 4 } }]);
    };
    expect(await first()).not.toHaveProperty('countersigned');
    expect(await store.findAfter('countersignedHeads', undefined)).toEqual([]);
  });

  test('is not answered where it cannot be stored', async () => {
    store.failWhen = (changes) =>
      changes.some((each) => each.op === 'insert' && each.table === 'countersignedHeads');
    await expect(first()).rejects.toThrow('disk');
  });
});

describe('a tree that does not go on', () => {
  const forked = async (row: number, anchored = 5) => {
    const since = ONE.signed(5, NOW);
    return heads.take(session, beat(9, { ...proof(anchored), tree: { ...OTHER.tree(row), since } }));
  };
  const raised: number[] = [];
  beforeEach(async () => {
    raised.length = 0;
    store.afterCommit = async (changes) => {
      raised.push(changes.filter(({ op }) => op === 'raise-alert').length);
    };
    await heads.take(session, beat(5, { tree: ONE.tree(5) }));
    await clock.advance(COUNTERSIGN_LIMITS.intervalMs);
    raised.length = 0;
  });
  const count = () => raised.reduce((sum, each) => sum + each, 0);

  test('is an alert, once for each head that was signed', async () => {
    expect(await forked(9)).not.toHaveProperty('countersigned');
    expect(await alerts()).toEqual([
      'journal-tree a1 generation 2: a tree of 9 rows came, one of 5 is countersigned',
    ]);
    const about = { agentId: 'a1', generation: 2, row: 9, lastRow: 5 };
    expect(logged).toEqual([expect.stringContaining(`error ${JSON.stringify(about)}`)]);
    expect(count()).toBe(1);
    await forked(8, 9);
    await forked(9, 9);
    expect([count(), logged.length]).toEqual([1, 1]);
    heads = process();
    await forked(8, 9);
    expect(count()).toBe(2);
  });

  test('is an alert, too, where this database knows no head that it has signed', async () => {
    for (const table of ['journalHeads', 'countersignedHeads'] as const)
      for (const row of await store.findAfter(table, undefined))
        await store.commit([{ op: 'delete', table, key: keyOf(table, row as never), version: row.version }]);
    const tree = { ...OTHER.tree(9), since: ONE.signed(5, NOW) };
    expect(await heads.take(session, beat(9, { tree }))).not.toHaveProperty('countersigned');
    expect(await alerts()).toEqual([
      'journal-tree a1 generation 2: a tree of 9 rows came, one of 0 is countersigned',
    ]);
  });

  test('is an alert again where the first one was not stored', async () => {
    await heads.take(session, beat(9, proof(5)));
    store.beforeCommit = async (changes) => {
      if (!changes.some(({ op }) => op === 'raise-alert')) return;
      store.beforeCommit = async () => undefined;
      const agent = await store.get('agents', ['a1']);
      if (agent) await store.commit([{ op: 'update', table: 'agents', row: { ...agent, epoch: 4 } }]);
    };
    await forked(8, 9);
    expect(await alerts()).toEqual([]);
    await heads.take(
      { ...session, epoch: 4 },
      beat(9, { tree: { ...OTHER.tree(8), since: ONE.signed(5, NOW) } }),
    );
    expect(await alerts()).toHaveLength(1);
  });
});
