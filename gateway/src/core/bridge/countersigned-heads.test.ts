import { generateKeyPairSync } from 'node:crypto';
import { isHeadOf } from '@tillbridge/wire/bridge/countersigned-head.js';
import { spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import {
  type Heartbeat,
  JournalVerdict,
  type WireCountersignedHead,
  type WireJournalTree,
} from '@tillbridge/wire/bridge/messages.js';
import { describe, expect, test, vi } from 'vitest';
import { openAlerts } from '../../kernel/alerts/alerts.test.support.js';
import { AGENT } from '../payments/payment-harness.test.support.js';
import { bridgeOfTest } from './bridge-harness.test.support.js';
import { COUNTERSIGN_LIMITS, decideTree, type OfferedTree } from './heads/countersign.js';
import { GENERATION, journalOf, KEY } from './journal-tree.test.support.js';
import type { TestAgent } from './test-agent.test.support.js';
import { BEAT } from './wire-examples.test.support.js';

const FORMER_KEY = generateKeyPairSync('ed25519').privateKey;

const ONE = journalOf('one');
const OTHER = journalOf('other');
const LATER = COUNTERSIGN_LIMITS.intervalMs;

const decided = (tree: WireJournalTree, last?: WireCountersignedHead, more: Partial<OfferedTree> = {}) =>
  decideTree({
    ...{ agentId: 'a1', generation: GENERATION, journalRow: 100, tree, last, nowMs: LATER },
    ownKeys: [spkiOf(KEY)],
    ...more,
  }).kind;

describe('a tree that an agent offers', () => {
  test('is signed as the first of its generation, and where it goes on from the last one', () => {
    expect(decided(ONE.tree(5))).toBe('sign');
    const last = ONE.signed(5);
    for (const row of [6, 7, 8, 31, 32]) expect(decided(ONE.tree(row, last), last)).toBe('sign');
  });

  test('is refused as a fork where a row before the last head is another, or rows are gone', () => {
    const last = ONE.signed(5);
    expect(decided({ ...OTHER.tree(9, last) }, last)).toBe('forked');
    expect(decided({ ...ONE.tree(9, last), consistency: [] }, last)).toBe('forked');
    expect(decided({ ...ONE.tree(4), since: last }, last)).toBe('forked');
    expect(decided({ ...OTHER.tree(5), since: last }, last)).toBe('forked');
  });

  test('is answered with the last head where the proof does not begin there, or the answer was lost', () => {
    const last = ONE.signed(8);
    for (const tree of [ONE.tree(9), ONE.tree(9, ONE.signed(5)), ONE.tree(8, last)])
      expect(decideTree({ ...offered(tree), last })).toEqual({ kind: 'answer', head: last });
  });

  test('goes on from a later head by this gateway’s own signature where its database was put back', () => {
    const since = ONE.signed(20);
    expect(decided(ONE.tree(25, since), ONE.signed(8))).toBe('sign');
    expect(decided(ONE.tree(25, since), undefined)).toBe('sign');
    expect(decided(OTHER.tree(25, since), ONE.signed(8))).toBe('forked');
    // Of a key that it does not know: with nothing stored it begins anew, else from what is stored.
    const foreign = ONE.signed(20, 0, FORMER_KEY);
    expect(decided(ONE.tree(25, foreign), ONE.signed(8))).toBe('answer');
    expect(decided(ONE.tree(25, foreign), undefined)).toBe('sign');
    expect(decided(ONE.tree(25, { ...since, root: OTHER.tree(20).root }), ONE.signed(8))).toBe('answer');
  });

  test('waits for the interval, and is none where it is behind the journal or no tree', () => {
    const last = ONE.signed(5);
    expect(decided(ONE.tree(9, last), last, { nowMs: LATER - 1 })).toBe('none');
    expect(decided(ONE.tree(9, last), last, { nowMs: -1 })).toBe('sign');
    expect(decided(ONE.tree(9), undefined, { journalRow: 8 })).toBe('none');
    expect(decided({ ...ONE.tree(9), root: new Uint8Array(31) })).toBe('none');
    expect(decided({ ...ONE.tree(9), row: 0 })).toBe('none');
  });
});

const offered = (tree: WireJournalTree): Omit<OfferedTree, 'last'> => ({
  ...{ agentId: 'a1', generation: GENERATION, journalRow: 100, tree, nowMs: LATER },
  ownKeys: [spkiOf(KEY)],
});

describe('countersigning over the bridge', () => {
  const bridge = bridgeOfTest();
  const beat = async (agent: TestAgent, row: number, more: Partial<Heartbeat>) => {
    agent.say('heartbeat', { ...BEAT, journalRow: row, journalHash: ONE.hashOf(row), ...more });
    return agent.next('heartbeatAnswer');
  };
  const anchor = (row: number) => ({ anchor: { row, hash: ONE.hashOf(row) } });

  test('signs a head, stores it, and signs the next one that goes on from it', async () => {
    const harness = await bridge.open();
    const { store, clock } = harness.services;
    const agent = harness.connect();
    const { pins } = await agent.join();
    const { countersigned: first } = await beat(agent, 5, { tree: ONE.tree(5) });
    if (!first) throw new Error('the head was not countersigned');
    expect(isHeadOf(AGENT, first, pins?.identityKeys ?? [])).toBe(true);
    expect(isHeadOf('another', first, pins?.identityKeys ?? [])).toBe(false);
    expect(first).toMatchObject({ row: 5, root: Buffer.from(ONE.tree(5).root) });
    await clock.advance(COUNTERSIGN_LIMITS.intervalMs);
    // The session was silent for too long.
    const later = harness.connect();
    await later.join();
    const again = await beat(later, 9, { ...anchor(5), tree: ONE.tree(9, first) });
    expect(again.countersigned).toMatchObject({ row: 9 });
    const rows = await store.findAfter('countersignedHeads', undefined);
    expect(rows.map(({ lastRow }) => lastRow)).toEqual([5, 9]);
    expect(await store.get('journalHeads', [AGENT])).toMatchObject({ lastRow: 9, countersignedRow: 9 });
  });

  test('a tree that does not go on is an alert, and is not signed', async () => {
    const harness = await bridge.open();
    const { store, clock } = harness.services;
    const agent = harness.connect();
    await agent.join();
    const { countersigned: first } = await beat(agent, 5, { tree: ONE.tree(5) });
    await clock.advance(COUNTERSIGN_LIMITS.intervalMs);
    const later = harness.connect();
    await later.join();
    const tree = { ...OTHER.tree(9), ...(first && { since: first }) };
    for (const _ of [1, 2])
      expect(await beat(later, 9, { ...anchor(5), tree })).not.toHaveProperty('countersigned');
    expect(await openAlerts(store)).toEqual([`journal-tree ${AGENT}`]);
    expect(await store.findAfter('countersignedHeads', undefined)).toHaveLength(1);
    // However many trees come, the alert about this head is written once.
    const commit = vi.spyOn(store, 'commit');
    await beat(later, 9, { tree: { ...OTHER.tree(8), ...(first && { since: first }) } });
    expect(commit.mock.calls.flatMap(([changes]) => changes.map(({ op }) => op))).not.toContain(
      'raise-alert',
    );
  });

  test('a journal that contradicts the stored head gets no signature', async () => {
    const harness = await bridge.open();
    const agent = harness.connect();
    await agent.join();
    await beat(agent, 5, {});
    const forked = await beat(agent, 5, { journalHash: OTHER.hashOf(5), tree: OTHER.tree(5) });
    expect(forked).toMatchObject({ journalVerdict: JournalVerdict.FORKED });
    expect(forked).not.toHaveProperty('countersigned');
    expect(await beat(agent, 5, { tree: ONE.tree(5) })).not.toHaveProperty('countersigned');
  });
});
