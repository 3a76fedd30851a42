import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { type CommandResult, CommandState } from '@tillbridge/wire/bridge/messages.js';
import { expect, test } from 'vitest';
import { PostgresSignals } from '../../kernel/store/postgres/postgres-signals.js';
import { PostgresStore } from '../../kernel/store/postgres/postgres-store.js';
import { signallingStore } from '../../kernel/store/signalling-store.js';
import { LocalSignals } from '../../kernel/store/signals/signals.js';
import type { Store } from '../../kernel/store/store.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { testPlace } from '../../kernel/store/testing/postgres-server.js';
import { AGENT } from '../payments/payment-harness.test.support.js';
import { bridgeOfTest } from './bridge-harness.test.support.js';
import { COMMAND_LIMITS } from './commands/agent-command.js';
import { type RequestedCommand, requestCommand } from './commands/request-command.js';
import { openBridgeHarness } from './test-agent.test.support.js';

const bridge = bridgeOfTest();

/** A bridge whose store signals commits to it, as in production. */
const signalled = () => {
  const signals = new LocalSignals();
  return { signals, makeStore: async () => signallingStore(new MemoryStore(), signals) };
};

const ask = (requested: RequestedCommand, store: Store = bridge.harness.services.store) =>
  requestCommand({ store, clock: bridge.harness.services.clock, random, actor: 'tests' }, AGENT, requested);

const stored = (id: string) => bridge.harness.services.store.get('agentCommands', [id]);

const result = (commandId: string, more: Partial<CommandResult> = {}): CommandResult => ({
  commandId,
  state: CommandState.DONE,
  reasonCode: '',
  reason: '',
  saleState: '',
  saleOutcome: '',
  ...more,
});

test('a connected agent has a command at once, and its result is kept', async () => {
  const agent = await bridge.joined(signalled());
  const { id } = await ask({ action: 'cancel-sale', reference: 'R-1' });
  const command = await agent.nextEnvelope('command');
  expect(command).toMatchObject({ id, body: { action: 4, reference: 'R-1' } });
  agent.say('commandResult', result(id, { saleState: 'done', saleOutcome: 'cancelled' }));
  await expect.poll(async () => (await stored(id))?.state).toBe('done');
  expect(JSON.parse((await stored(id))?.result ?? '')).toEqual({
    saleState: 'done',
    saleOutcome: 'cancelled',
  });
});

test('without a signal the bridge finds it when it looks, and sends it once in a session', async () => {
  const agent = await bridge.joined();
  const { id } = await ask({ action: 'ping' });
  expect(agent.unread).not.toContain('command');
  await bridge.harness.endpoint.sendCommands();
  await bridge.harness.endpoint.sendCommands();
  expect((await agent.nextEnvelope('command')).id).toBe(id);
  await bridge.harness.endpoint.sendCommands();
  agent.say('heartbeat', {
    queueDepth: 0,
    parked: 0,
    oldestAgeSeconds: 0,
    exposure: [],
    terminals: [],
    timeMs: 1,
    journalRow: 0,
    journalHash: new Uint8Array(),
  });
  await agent.next('heartbeatAnswer');
  expect(agent.unread).not.toContain('command');
});

test('an agent that was away has it with its next session, under the same id, until its result has come', async () => {
  const { connect } = await bridge.open(signalled());
  const { id } = await ask({ action: 'flush' });
  const [first, second, third] = [connect(), connect(), connect()];
  await first.join();
  expect((await first.nextEnvelope('command')).id).toBe(id);
  await second.join();
  expect((await second.nextEnvelope('command')).id).toBe(id);
  second.say('commandResult', result(id));
  await expect.poll(async () => (await stored(id))?.state).toBe('done');
  await third.join();
  await bridge.harness.endpoint.sendCommands();
  expect(third.unread).not.toContain('command');
});

test('the first result counts, and a result for a command of another agent changes nothing', async () => {
  const agent = await bridge.joined(signalled());
  const { store } = bridge.harness.services;
  const { id } = await ask({ action: 'ping' });
  const other = await store.get('agents', [AGENT]);
  if (!other) throw new Error('the harness has no agent');
  await store.commit([{ op: 'insert', table: 'agents', row: { ...other, id: 'other', version: 1 } }]);
  const { id: foreign } = await requestCommand(
    { store, clock: bridge.harness.services.clock, random, actor: 'tests' },
    'other',
    { action: 'ping' },
  );
  for (const commandId of [foreign, 'none', id]) agent.say('commandResult', result(commandId));
  agent.say('commandResult', result(id, { state: CommandState.REFUSED, reasonCode: 'busy' }));
  await expect.poll(async () => (await stored(id))?.endedAtMs).not.toBeNull();
  expect(await stored(id)).toMatchObject({ state: 'done' });
  expect(await stored(foreign)).toMatchObject({ state: 'waiting' });
});

test('a result that comes when the command has expired is what it came to', async () => {
  const agent = await bridge.joined(signalled());
  const { services, endpoint } = bridge.harness;
  const { id } = await ask({ action: 'cancel-sale', reference: 'R-1' });
  await agent.nextEnvelope('command');
  const { expiresAtMs = 0 } = (await stored(id)) ?? {};
  services.clock.jumpWall(expiresAtMs - services.clock.nowMs());
  await endpoint.sendCommands();
  expect(await stored(id)).toMatchObject({ state: 'expired' });
  agent.say('commandResult', result(id, { saleState: 'done', saleOutcome: 'cancelled' }));
  await expect.poll(async () => (await stored(id))?.state).toBe('done');
});

test('a result over a session that another one has followed is not taken', async () => {
  const agent = await bridge.joined(signalled());
  const { store } = bridge.harness.services;
  const { id } = await ask({ action: 'ping' });
  await agent.nextEnvelope('command');
  const row = await store.get('agents', [AGENT]);
  if (!row) throw new Error('the harness has no agent');
  await store.commit([
    { op: 'update', table: 'agents', row: { ...row, epoch: row.epoch + 1, nodeId: 'elsewhere' } },
  ]);
  agent.say('commandResult', result(id));
  expect((await agent.next('goodbye')).code).toBe(3);
  expect(await stored(id)).toMatchObject({ state: 'waiting' });
});

test(`is sent no more after ${COMMAND_LIMITS.validMs} ms, and of one agent ${COMMAND_LIMITS.waiting} wait at most`, async () => {
  const { services, endpoint, connect } = await bridge.open(signalled());
  const requested = [];
  for (let at = 0; at < COMMAND_LIMITS.waiting; at += 1) requested.push(await ask({ action: 'ping' }));
  await expect(ask({ action: 'ping' })).rejects.toMatchObject({ code: 'too-many' });
  await services.clock.advance(COMMAND_LIMITS.validMs);
  const agent = connect();
  await agent.join();
  await endpoint.sendCommands();
  for (const { id } of requested) expect(await stored(id)).toMatchObject({ state: 'expired' });
  expect(agent.unread).not.toContain('command');
  await ask({ action: 'ping' });
});

test('an agent at another node has a command as soon as it is stored; a session that begins elsewhere ends the one here', async () => {
  const place = await testPlace();
  const open = async () => {
    const signals = new PostgresSignals(place);
    await signals.ready();
    return { signals, store: signallingStore(await PostgresStore.open(place), signals) };
  };
  const [a, b] = [await open(), await open()];
  const { services } = await bridge.open({ ...a, makeStore: async () => a.store, node: { id: 'a' } });
  const elsewhere = await openBridgeHarness({ ...b, other: { ...b, services }, node: { id: 'b' } });
  for (const { signals } of [a, b]) await signals.ready();
  const agent = elsewhere.connect();
  await agent.join();
  const tookMs: number[] = [];
  const storedMs: number[] = [];
  for (let at = 0; at < 21; at += 1) {
    const startedMs = performance.now();
    const { id } = await ask({ action: 'ping' });
    storedMs.push(performance.now() - startedMs);
    expect((await agent.nextEnvelope('command')).id).toBe(id);
    tookMs.push(performance.now() - startedMs);
    agent.say('commandResult', result(id));
    await expect.poll(async () => (await stored(id))?.state, { interval: 5 }).toBe('done');
  }
  const [median, stores] = [tookMs, storedMs].map((times) => times.sort((x, y) => x - y)[10] ?? Number.NaN);
  // 50 ms is the goal of the bench; a machine that is busy with other tests takes longer for the commit, too.
  expect(median).toBeLessThan(Math.max(50, 4 * (stores ?? 0)));
  expect(await a.store.get('agents', [AGENT])).toMatchObject({ nodeId: 'b' });
  await bridge.harness.connect().join();
  expect((await agent.next('goodbye')).code).toBe(3);
  expect(await a.store.get('agents', [AGENT])).toMatchObject({ nodeId: 'a' });
  await elsewhere.dispose();
  for (const { signals } of [a, b]) await signals.close();
  await b.store.close();
});
