import { encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import { Disposition, OfflineKind, StatusState } from '@tillbridge/wire/bridge/messages.js';
import { afterEach, expect, test } from 'vitest';
import { openAlerts } from '../../kernel/alerts/alerts.test.support.js';
import type { ParkedRow } from '../../kernel/store/rows.js';
import type { Change } from '../../kernel/store/store.js';
import { MessageSeal } from '../../security/vault/message-seal.js';
import { testKeyRing } from '../../security/vault/testing/test-key-ring.js';
import { AGENT, ENTITY } from '../payments/payment-harness.test.support.js';
import type { PaymentService } from '../payments/payment-service.js';
import { KEPT_MESSAGES } from './message-handler.js';
import { retryParked } from './retry-parked.js';
import { type BridgeHarness, openBridgeHarness, type TestAgent } from './test-agent.test.support.js';
import { offline } from './wire-examples.test.support.js';

let harness: BridgeHarness;
afterEach(() => harness.dispose());

/** The first failure parks. */
const limits = { handlingAttempts: 1 };
const failing = (service: PaymentService): PaymentService =>
  Object.assign(Object.create(service) as PaymentService, {
    authorize: () => Promise.reject(new Error('a mistake of ours')),
    followUp: service.followUp.bind(service),
    status: service.status.bind(service),
  });

async function joined(options: Parameters<typeof openBridgeHarness>[0] = {}): Promise<TestAgent> {
  harness = await openBridgeHarness(options);
  const agent = harness.connect();
  await agent.join();
  return agent;
}

async function row(messageId: string): Promise<ParkedRow> {
  const found = await harness.services.store.get('parked', [AGENT, messageId]);
  if (!found) throw new Error(`${messageId} is not parked`);
  return found;
}

async function wantAgain(messageId: string): Promise<void> {
  const parked = await row(messageId);
  await harness.services.store.commit([
    { op: 'update', table: 'parked', row: { ...parked, state: 'retry' } },
  ]);
}

function tryAgain(): Promise<void> {
  const { store, service, clock } = harness.services;
  const ignore = (): void => undefined;
  const seal = new MessageSeal(testKeyRing());
  const log = { info: ignore, warn: ignore, error: ignore };
  const { endpoint } = harness;
  return retryParked({
    store,
    service,
    seal,
    clock,
    log,
    acknowledge: (...what) => endpoint.acknowledge(...what),
  });
}

/** A stream message with a body that this build does not know. */
function fromTheFuture(id: string, sequence: number, terminalId = '1'): Uint8Array {
  const amount = { minor: 1, currency: 'EUR' };
  const body = { originalMessageId: 'm', reference: 'R', amount, final: true };
  const bytes = encodeEnvelope({ id, terminalId, sequence, kind: 'capture', body });
  const head = bytes.subarray(0, 2 + id.length + 2 + terminalId.length + 2);
  return Buffer.concat([head, Uint8Array.of(0xaa, 0x06, 0x02, 0x01, 0x02)]);
}

test('a message that cannot be read is parked in its turn, and the stream goes on', async () => {
  const agent = await joined();
  agent.socket.send(fromTheFuture('s2', 2));
  agent.stream('offlineRecord', 3, 's3', offline('R-3'));
  agent.stream('offlineRecord', 1, 's1', offline('R-1', { reference: 'R-1' }));
  expect((await agent.next('acknowledgement')).messageId).toBe('s1');
  expect(await agent.next('parked')).toEqual({
    messageId: 's2',
    reasonCode: 'unreadable',
    reason: expect.stringContaining('without a body this version knows'),
  });
  expect((await agent.next('acknowledgement')).messageId).toBe('s3');
  expect(await row('s2')).toMatchObject({ kind: 'unreadable', state: 'waiting', terminalId: '1' });
  expect(await openAlerts(harness.services.store)).toContain(`message-parked ${AGENT}/s2`);

  const again = harness.connect();
  await again.join();
  again.socket.send(fromTheFuture('s2', 2));
  expect(await again.next('parked')).toMatchObject({ messageId: 's2', reasonCode: 'unreadable' });
});

test('a record beyond the limits of the store is parked, and paid once the limits are raised', async () => {
  const agent = await joined();
  const { store } = harness.services;
  const limit = (op: 'insert' | 'update', minor: number): Change => {
    const bounds = { limits: { EUR: { perSaleMinor: minor, sumMinor: 9_000 } }, maxCount: 9 };
    const offline = { ...bounds, deferred: bounds, maxAgeMs: 1 };
    const policy = JSON.stringify({ version: 1, offline });
    return { op, table: 'storePolicies', row: { entityId: ENTITY, policy, updatedAtMs: 1, version: 1 } };
  };
  await store.commit([limit('insert', 1_000)]);
  agent.stream('offlineRecord', 1, 's1', offline('R-1'));
  expect(await agent.next('parked')).toMatchObject({ messageId: 's1', reasonCode: 'outside-policy' });
  expect((await row('s1')).reason).toContain('at most 10.00 EUR');
  expect(await openAlerts(store)).toEqual([`message-parked ${AGENT}/s1`]);
  await wantAgain('s1');
  await tryAgain();
  expect(await row('s1')).toMatchObject({
    state: 'waiting',
    note: expect.stringContaining('at most 10.00 EUR'),
  });
  await store.commit([limit('update', 2_000)]);
  await wantAgain('s1');
  await tryAgain();
  expect(await agent.next('acknowledgement')).toMatchObject({ messageId: 's1' });
  expect(await openAlerts(store)).toEqual([]);
});

test('so many messages of an agent are kept; one more is parked with its reason alone', async () => {
  const agent = await joined();
  const parked = {
    agentId: AGENT,
    terminalId: '1',
    kind: 'capture',
    sequence: null,
    reference: null,
    reasonCode: 'c',
    reason: 'r',
    note: null,
  };
  const rows = Array.from({ length: KEPT_MESSAGES }, (_, at) => {
    const row = {
      ...parked,
      messageId: `p${at}`,
      state: 'waiting',
      message: 'aa',
      keyId: null,
      createdAtMs: 1,
      version: 1,
    } as const;
    return { op: 'insert', table: 'parked', row } as const;
  });
  await harness.services.store.commit(rows);
  agent.socket.send(fromTheFuture('s1', 1));
  expect((await agent.next('parked')).messageId).toBe('s1');
  expect(await row('s1')).toMatchObject({ reasonCode: 'unreadable', message: null });
});

test('what cannot be read and stands in no stream of the agent ends the session', async () => {
  const agent = await joined();
  agent.socket.send(fromTheFuture('s1', 1, '9'));
  expect((await agent.next('goodbye')).reason).toContain('without a body');
});

test('a parked message is kept sealed, and tried again under its own id when an operator requests it', async () => {
  const agent = await joined({ limits, around: failing });
  agent.stream('offlineRecord', 1, 's1', offline('R-1'));
  expect(await agent.next('parked')).toMatchObject({ messageId: 's1', reasonCode: 'handling-failed' });
  expect(await openAlerts(harness.services.store)).toEqual([`message-parked ${AGENT}/s1`]);
  const kept = await row('s1');
  expect(kept.message).toMatch(/^[0-9a-f]+$/i);
  const reference = Buffer.from('R-1').toString('hex');
  expect(kept.message?.toLowerCase()).not.toContain(reference);

  await tryAgain();
  expect(await harness.services.transactions()).toEqual([]);
  await wantAgain('s1');
  await tryAgain();
  expect(await row('s1')).toMatchObject({ state: 'resolved', note: 'approved 000.100.110', message: null });
  expect(await openAlerts(harness.services.store)).toEqual([]);
  expect(await harness.services.transactions()).toMatchObject([
    { messageId: 's1', kind: 'advice', approved: true },
  ]);
  expect(await harness.services.service.status(AGENT, 's1')).toMatchObject({ state: 'answered' });
  expect(await agent.next('acknowledgement')).toMatchObject({
    messageId: 's1',
    outcome: { disposition: Disposition.APPROVED },
  });
});

test('an agent that was away requests the outcome of a parked message', async () => {
  const agent = await joined({ limits, around: failing });
  agent.stream('offlineRecord', 1, 's1', offline('R-1'));
  await agent.next('parked');
  agent.socket.close();
  await agent.closed;
  await wantAgain('s1');
  await tryAgain();
  const again = harness.connect();
  await again.join();
  again.say('statusRequest', { messageId: 's1' });
  expect(await again.next('statusAnswer')).toMatchObject({
    state: StatusState.ANSWERED,
    outcome: { disposition: Disposition.APPROVED },
  });
  expect(again.unread).not.toContain('acknowledgement');
});

test('an agent that sends a resolved message again gets its answer', async () => {
  let broken = true;
  const around = (service: PaymentService): PaymentService =>
    Object.assign(failing(service), {
      authorize: (request: Parameters<PaymentService['authorize']>[0]) =>
        broken ? Promise.reject(new Error('a mistake of ours')) : service.authorize(request),
    });
  const agent = await joined({ limits, around });
  const record = offline('R-1');
  agent.stream('offlineRecord', 1, 's1', record);
  await agent.next('parked');
  await wantAgain('s1');
  await tryAgain();
  await agent.next('acknowledgement');
  broken = false;
  agent.stream('offlineRecord', 1, 's1', record);
  expect(await agent.next('acknowledgement')).toMatchObject({
    messageId: 's1',
    outcome: { disposition: Disposition.APPROVED },
  });
  expect(await harness.services.transactions()).toHaveLength(1);
});

test('one that fails again records why, and one that cannot be decided now is tried again by itself', async () => {
  const agent = await joined({ limits, around: failing });
  agent.stream('offlineRecord', 1, 's1', offline('R-1', { kind: OfflineKind.KIND_UNSPECIFIED }));
  agent.stream('offlineRecord', 2, 's2', offline('R-2'));
  await agent.next('parked');
  await agent.next('parked');
  await wantAgain('s1');
  await wantAgain('s2');
  harness.services.line.cut = true;
  await tryAgain();
  expect(await row('s1')).toMatchObject({ state: 'waiting', note: expect.stringContaining('kind must be') });
  expect(await row('s2')).toMatchObject({ state: 'retry' });
  harness.services.line.cut = false;
  await tryAgain();
  expect(await row('s2')).toMatchObject({ state: 'resolved' });
});
