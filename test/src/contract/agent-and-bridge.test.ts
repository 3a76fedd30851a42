import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountersignedHeads } from '@tillbridge/agent/journal/digest/countersigned-heads.js';
import { COUNTERSIGNED_ROW } from '@tillbridge/agent/journal/journal.js';
import { JournalWatch } from '@tillbridge/agent/journal/journal-watch.js';
import { MemoryJournal } from '@tillbridge/agent/journal/testing/memory-journal.test.support.js';
import { BridgeUplink, type UplinkDeps } from '@tillbridge/agent/uplink/bridge-uplink.js';
import { enrolledHome, memoryTrust } from '@tillbridge/agent/uplink/enrolled-home.test.support.js';
import { MemoryQueue } from '@tillbridge/agent/uplink/memory-queue.test.support.js';
import type { LiveEnvelope, UplinkState } from '@tillbridge/agent/uplink/uplink.js';
import { websocketConnector } from '@tillbridge/agent/uplink/websocket-connector.js';
import { attachBridge, type BridgeEndpoint } from '@tillbridge/gateway/core/bridge/endpoint.js';
import {
  type BridgeHarness,
  openBridgeHarness,
  TEST_IDENTITY,
  TEST_PINS,
} from '@tillbridge/gateway/core/bridge/test-agent.test.support.js';
import { sale } from '@tillbridge/gateway/core/bridge/wire-examples.test.support.js';
import { AGENT } from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { MessageSeal } from '@tillbridge/gateway/security/vault/message-seal.js';
import { testKeyRing } from '@tillbridge/gateway/security/vault/testing/test-key-ring.js';
import { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';
import {
  Disposition,
  type Outcome,
  type StatusAnswer,
  StatusState,
} from '@tillbridge/wire/bridge/messages.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';

// The agent's uplink on one side, the gateway's bridge on the other: a real socket and nothing of a test's own between them.

const log = pino({ level: 'silent' });
let home: string;
let harness: BridgeHarness;
let queue: MemoryQueue;
let clock: VirtualClock;
let agent: UplinkDeps;
let uplink: BridgeUplink;
let later: BridgeEndpoint | undefined;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'agent-bridge-'));
  const identity = enrolledHome(home, AGENT, TEST_PINS);
  harness = await openBridgeHarness();
  const row = await harness.services.store.get('agents', [AGENT]);
  if (!row) throw new Error('the harness has no agent');
  const publicKey = identity.publicKeyPem;
  await harness.services.store.commit([{ op: 'update', table: 'agents', row: { ...row, publicKey } }]);
  queue = new MemoryQueue();
  clock = new VirtualClock(harness.services.clock.nowMs());
  agent = {
    speaker: { identity, bootId: 'boot', generation: 1, software: 'test' },
    connect: websocketConnector(`${harness.url}/bridge`),
    trust: memoryTrust(TEST_PINS),
    queue,
    terminals: () => [],
    clock,
    random: systemRandom,
    log,
  };
  uplink = new BridgeUplink(agent);
});
afterEach(async () => {
  await uplink.close();
  await later?.close();
  later = undefined;
  await harness.dispose();
  rmSync(home, { recursive: true });
});

function becomes(wanted: UplinkState): Promise<void> {
  if (uplink.state === wanted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = uplink.onState((state) => {
      if (state !== wanted) return;
      end();
      resolve();
    });
  });
}

function live(reference: string, id: string): LiveEnvelope {
  return { id, terminalId: '1', sequence: 0, kind: 'authorizationRequest', body: sale(reference) };
}

function answer(): Promise<[string, Outcome]> {
  return new Promise((resolve) => {
    const end = uplink.onAnswer((messageId, outcome) => {
      end();
      resolve([messageId, outcome]);
    });
  });
}

function status(messageId: string): Promise<StatusAnswer> {
  return new Promise((resolve) => {
    const end = uplink.onStatus((answer) => {
      end();
      resolve(answer);
    });
    uplink.sendLive({
      id: `status-${messageId}`,
      terminalId: '',
      sequence: 0,
      kind: 'statusRequest',
      body: { messageId },
    });
  });
}

/** Resolves when the queue has let go of so many messages. */
async function ended(count: number): Promise<void> {
  while (queue.ended.length < count) await new Promise((resolve) => setImmediate(resolve));
}

test('a sale is answered, and its status is the same answer', async () => {
  uplink.start();
  await becomes('up');
  const answered = answer();
  expect(uplink.sendLive(live('R-1', 'm1'))).toBe(true);
  const [messageId, outcome] = await answered;
  expect(messageId).toBe('m1');
  expect(outcome).toMatchObject({ disposition: Disposition.APPROVED, resultCode: '000.100.110' });
  expect(await status('m1')).toEqual({ messageId: 'm1', state: StatusState.ANSWERED, outcome });
  expect(await status('m2')).toMatchObject({ state: StatusState.NOT_SEEN });
});

test('the queue is taken in order, and goes on where it was after the gateway came back', async () => {
  for (const sequence of [1, 2, 3]) queue.add('1', sequence);
  queue.add('2', 1);
  uplink.start();
  await ended(4);
  expect(queue.ended.filter((line) => line.includes('m-1-'))).toEqual(
    [1, 2, 3].map((at) => `acknowledged m-1-${at}`),
  );

  await harness.endpoint.close();
  await becomes('down');
  expect(uplink.detail().reason).toBe('going-down');
  queue.add('1', 4);
  const { service, store } = harness.services;
  later = attachBridge({
    server: harness.server,
    service,
    store,
    clock: harness.services.clock,
    random: systemRandom,
    alerts: harness.services.alerts,
    seal: new MessageSeal(testKeyRing()),
    log,
    strangers: new StrangerLog({ log, clock: harness.services.clock }),
    trust: { signingKey: TEST_IDENTITY, pins: () => TEST_PINS, alert: () => undefined },
  });
  await clock.advance(10_000);
  await ended(5);
  expect(queue.ended.at(-1)).toBe('acknowledged m-1-4');
  expect(uplink.detail()).toMatchObject({ state: 'up', epoch: 3 });
});

test('two copies of a journal are recognized though each was connected for less than a heartbeat', async () => {
  /** A copy of the journal; each session is one of an agent that was started anew. */
  const copyOf = async (...references: string[]) => {
    const journal = new MemoryJournal();
    const append = async (...more: string[]) => {
      const rows = more.map((reference) => ({ kind: 'accepted', reference, terminalId: '1', data: {} }));
      await journal.append({ atMs: 1, rows });
    };
    const connect = async (until: (watch: JournalWatch) => Promise<void>) => {
      const watch = new JournalWatch({ journal, clock });
      const queue = Object.assign(new MemoryQueue(), { head: () => journal.head });
      const session = new BridgeUplink({ ...agent, queue, journal: watch });
      session.start();
      await until(watch);
      await session.close();
      await watch.idle();
      return watch.standing.kind;
    };
    await append(...references);
    return { append, connect };
  };
  const keptRow = (row: number) => () =>
    expect.poll(async () => (await harness.services.store.get('journalHeads', [AGENT]))?.lastRow).toBe(row);

  const first = await copyOf('shared');
  await first.connect(keptRow(1));
  await first.append('first-2', 'first-3');
  expect(await first.connect(keptRow(3))).toBe('good');
  const second = await copyOf('shared', 'second-2', 'second-3', 'second-4');
  const judged = (watch: JournalWatch) => expect.poll(() => watch.standing.kind).not.toBe('good');
  expect(await second.connect(judged)).toBe('forked');
});

test('the gateway countersigns the head of a journal with sales, and the agent keeps it as a row', async () => {
  const journal = new MemoryJournal();
  const append = (reference: string) =>
    journal.append({ atMs: 1, rows: [{ kind: 'accepted', reference, terminalId: '1', data: {} }] });
  const heads = new CountersignedHeads({
    ...{ journal, agentId: AGENT, generation: 1, clock },
    identityKeys: () => TEST_PINS.identityKeys,
    onFault: (error) => {
      throw error;
    },
  });
  await append('R-1');
  const watch = new JournalWatch({ journal, clock });
  const queue = Object.assign(new MemoryQueue(), { head: () => journal.head });
  const session = new BridgeUplink({ ...agent, queue, journal: watch, heads });
  session.start();
  await expect.poll(() => heads.offer()?.row).toBe(1);
  await clock.advance(BRIDGE_LIMITS.heartbeatIntervalMs);
  await expect.poll(() => journal.lastOfKind(COUNTERSIGNED_ROW)).toMatchObject({ data: { row: 1 } });
  const [stored] = await harness.services.store.findAfter('countersignedHeads', undefined);
  expect(stored).toMatchObject({ agentId: AGENT, generation: 1, lastRow: 1 });
  await session.close();
  await watch.idle();
});

test('an agent that is not registered gets its messages cancelled if unseen, without effect on others', async () => {
  uplink.start();
  await becomes('up');
  const stranger = new BridgeUplink({
    speaker: {
      identity: enrolledHome(mkdtempSync(join(home, 'stranger-')), 'stranger'),
      bootId: 'boot-2',
      generation: 1,
      software: 'test',
    },
    connect: websocketConnector(`${harness.url}/bridge`),
    trust: memoryTrust(TEST_PINS),
    queue: new MemoryQueue(),
    terminals: () => [],
    clock,
    random: systemRandom,
    log,
  });
  const refused = new Promise<void>((resolve) => {
    stranger.onState((state) => {
      if (state === 'down') resolve();
    });
  });
  stranger.start();
  await refused;
  expect(stranger.detail().reason).toBe('unauthenticated');
  await stranger.close();
  expect(uplink.state).toBe('up');
});
