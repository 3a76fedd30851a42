import type { Heartbeat } from '@tillbridge/wire/bridge/messages.js';
import { JournalVerdict } from '@tillbridge/wire/bridge/messages.js';
import { describe, expect, test } from 'vitest';
import { openAlerts } from '../../kernel/alerts/alerts.test.support.js';
import { AGENT } from '../payments/payment-harness.test.support.js';
import { bridgeOfTest } from './bridge-harness.test.support.js';
import type { TestAgent } from './test-agent.test.support.js';
import { BEAT } from './wire-examples.test.support.js';

const hash = (letter: string): Uint8Array => Buffer.alloc(32, letter);
const anchor = (row: number, letter: string) => ({ anchor: { row, hash: hash(letter) } });

describe('heads over the bridge', () => {
  const bridge = bridgeOfTest();

  const beat = async (agent: TestAgent, more: Partial<Heartbeat>) => {
    agent.say('heartbeat', { ...BEAT, ...more });
    return agent.next('heartbeatAnswer');
  };

  test('are stored, answered to the next session, and an old copy of the journal is an alarm', async () => {
    const harness = await bridge.open();
    const first = harness.connect();
    expect((await first.join()).journalHead).toBeUndefined();
    const answer = await beat(first, { journalRow: 3, journalHash: hash('a') });
    expect(answer).toMatchObject({ journalVerdict: JournalVerdict.CONTINUES, journalHead: { row: 3 } });
    await beat(first, { journalRow: 5, journalHash: hash('b'), ...anchor(3, 'a') });

    const second = harness.connect();
    expect((await second.join()).journalHead).toMatchObject({ row: 5, hash: hash('b') });
    const behind = await beat(second, { journalRow: 4, journalHash: hash('z'), ...anchor(3, 'a') });
    expect(behind).toMatchObject({ journalVerdict: JournalVerdict.BEHIND, journalHead: { row: 5 } });
    expect(harness.endpoint.connected()).toMatchObject([{ agentId: AGENT, journal: 'behind' }]);
    await harness.logged('the journal of an agent ends before the stored row');
    expect(await openAlerts(harness.services.store)).toEqual([`journal-behind ${AGENT}`]);
    const kept = await harness.services.store.get('journalHeads', [AGENT]);
    expect(kept).toMatchObject({ lastRow: 5, alarm: 'behind', alarmRow: 4 });
  });

  test('a message of an older session changes nothing', async () => {
    const harness = await bridge.open();
    const agent = harness.connect();
    await agent.join();
    await beat(agent, { journalRow: 3, journalHash: hash('a') });
    const row = await harness.services.store.get('agents', [AGENT]);
    if (!row) throw new Error('the harness has no agent');
    await harness.services.store.commit([
      { op: 'update', table: 'agents', row: { ...row, epoch: row.epoch + 1 } },
    ]);
    const late = await beat(agent, { journalRow: 1, journalHash: hash('z') });
    expect(late.journalVerdict).toBe(JournalVerdict.JOURNAL_VERDICT_UNSPECIFIED);
    expect(await harness.services.store.get('journalHeads', [AGENT])).toMatchObject({
      lastRow: 3,
      alarm: null,
    });
  });

  test('a journal that differs is an alert until its next generation begins', async () => {
    const harness = await bridge.open();
    const { store } = harness.services;
    const agent = harness.connect();
    await agent.join();
    await beat(agent, { journalRow: 3, journalHash: hash('a') });
    await beat(agent, { journalRow: 3, journalHash: hash('x') });
    expect(await openAlerts(store)).toEqual([`journal-forked ${AGENT}`]);
    await harness.allow(2);
    const restored = harness.connect();
    await restored.hello({ generation: 2, bootId: 'restored' });
    await restored.next('welcome');
    await beat(restored, { journalRow: 3, journalHash: hash('x') });
    expect(await openAlerts(store)).toEqual([]);
  });

  test('a head without a proof is an alert: this gateway was restored, or rows are gone', async () => {
    const harness = await bridge.open();
    const agent = harness.connect();
    await agent.join();
    await beat(agent, { journalRow: 3, journalHash: hash('a') });
    await beat(agent, { journalRow: 9, journalHash: hash('b'), ...anchor(5, 'c') });
    expect(await openAlerts(harness.services.store)).toEqual([`journal-unproven ${AGENT}`]);
  });

  test('an agent whose clock differs from the gateway’s is an alert until it does not', async () => {
    const harness = await bridge.open();
    const { store, clock } = harness.services;
    const agent = harness.connect();
    await agent.join();
    await beat(agent, { timeMs: clock.nowMs() + 86_400_000 });
    expect(await openAlerts(store)).toEqual([`clock-disagrees ${AGENT}`]);
    await beat(agent, { timeMs: clock.nowMs() + 60_000 });
    expect(await openAlerts(store)).toEqual([]);
  });

  test('a restored journal begins a new generation, whatever its head is', async () => {
    const harness = await bridge.open();
    const old = harness.connect();
    await old.join();
    await beat(old, { journalRow: 30, journalHash: hash('a') });
    await harness.allow(2);
    const restored = harness.connect();
    await restored.hello({ generation: 2 });
    expect((await restored.next('welcome')).journalHead).toBeUndefined();
    const answer = await beat(restored, { journalRow: 29, journalHash: hash('c') });
    expect(answer.journalVerdict).toBe(JournalVerdict.CONTINUES);
    await harness.logged('a new generation of the journal begins');
    expect(await harness.services.store.get('journalHeads', [AGENT])).toMatchObject({
      generation: 2,
      lastRow: 29,
    });
  });
});
