import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { GoodbyeCode } from '@tillbridge/wire/bridge/messages.js';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openAlerts } from '../../kernel/alerts/alerts.test.support.js';
import { overTime } from '../payments/harness-clock.test.support.js';
import { AGENT, NOW_MS } from '../payments/payment-harness.test.support.js';
import { bridgeOfTest } from './bridge-harness.test.support.js';
import { DEFAULT_BRIDGE_LIMITS } from './limits/bridge-limits.js';
import { BEAT, chip, sale } from './wire-examples.test.support.js';

const bridge = bridgeOfTest();

describe('the channel', () => {
  test('welcomes a proven agent under a new epoch that is durable', async () => {
    await bridge.open();
    const welcome = await bridge.harness.connect().join();
    expect(welcome).toMatchObject({
      version: 1,
      epoch: 2,
      timeMs: NOW_MS,
      liveCredits: DEFAULT_BRIDGE_LIMITS.liveCredits,
    });
    expect(await bridge.harness.services.store.get('agents', [AGENT])).toMatchObject({
      epoch: 2,
      generation: 1,
    });
    expect(bridge.harness.endpoint.connected()).toEqual([{ agentId: AGENT, epoch: 2, journal: 'unknown' }]);
  });

  test.each([
    ['another path', '/other', 'tillbridge.v1', 404],
    ['another subprotocol', '/bridge', 'other.v1', 400],
  ])('refuses %s', async (_name, path, protocol, status) => {
    await bridge.open();
    const socket = new WebSocket(bridge.harness.url + path, protocol);
    const got = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    });
    expect(got).toBe(status);
  });

  test('has no room for a crowd of unproven sockets, and room again when they are gone', async () => {
    await bridge.open({ limits: { maxUnprovenSockets: 1 } });
    const first = bridge.harness.connect();
    await first.next('challenge');
    const second = new WebSocket(`${bridge.harness.url}/bridge`, 'tillbridge.v1');
    const status = await new Promise((resolve) => {
      second.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    });
    expect(status).toBe(503);
    await bridge.harness.services.clock.advance(DEFAULT_BRIDGE_LIMITS.helloTimeoutMs);
    expect((await first.next('goodbye')).code).toBe(GoodbyeCode.UNAUTHENTICATED);
    await first.closed;
    expect((await bridge.harness.connect().join()).epoch).toBe(2);
  });

  test('lets a crowd of sockets in one after the other, and counts those that wait', async () => {
    await bridge.open({ limits: { newSocketsPerSecond: 10, newSocketsBurst: 1, maxUnprovenSockets: 3 } });
    const { clock } = bridge.harness.services;
    const opened: number[] = [];
    const refused: (number | undefined)[] = [];
    const sockets = [0, 1, 2, 3].map((at) => {
      const socket = new WebSocket(`${bridge.harness.url}/bridge`, 'tillbridge.v1');
      socket.on('open', () => opened.push(at));
      socket.on('unexpected-response', (_request, response) => refused.push(response.statusCode));
      socket.on('error', () => undefined);
      return socket;
    });
    await expect.poll(() => [opened.length, refused]).toEqual([1, [503]]);
    await clock.advance(100);
    await expect.poll(() => opened.length).toBe(2);
    // A client that does not wait for its turn takes no other client's room.
    sockets.forEach((socket, at) => {
      if (!opened.includes(at)) socket.terminate();
    });
    await clock.advance(1_000);
    expect((await bridge.harness.connect().join()).epoch).toBe(2);
    for (const socket of sockets) socket.terminate();
  });

  test('lets the next one of a crowd in at once when one has proven itself', async () => {
    await bridge.open({ limits: { newSocketsPerSecond: 10, newSocketsBurst: 1 } });
    const { connect, server } = bridge.harness;
    const arrive = async () => {
      const arrived = once(server, 'upgrade');
      const agent = connect();
      await arrived;
      return agent;
    };
    const [first, second, third] = [await arrive(), await arrive(), await arrive()];
    // No time passes.
    await first.join();
    const challenge = await second.next('challenge');
    expect(third.unread).toEqual([]);
    second.say('hello', second.prove(challenge));
    await third.next('challenge');
  });

  test('ignores everything before the Hello', async () => {
    await bridge.open();
    const agent = bridge.harness.connect();
    await agent.next('challenge');
    agent.say('authorizationRequest', sale('R'), 'm1');
    expect(await agent.next('goodbye')).toMatchObject({
      code: GoodbyeCode.UNAUTHENTICATED,
      reason: 'authorizationRequest before the Hello',
    });
    expect(await agent.closed).toBe(1000);
    expect(await bridge.harness.services.transactions()).toEqual([]);
  });

  test('gives an unknown agent and a wrong signature the same answer', async () => {
    await bridge.open();
    const forger = bridge.harness.connect();
    await forger.hello({}, generateKeyPairSync('ed25519').privateKey);
    const stranger = bridge.harness.connect();
    await stranger.hello({ agentId: 'unknown' });
    const goodbye = await stranger.next('goodbye');
    expect(goodbye.code).toBe(GoodbyeCode.UNAUTHENTICATED);
    expect(await forger.next('goodbye')).toEqual(goodbye);
    expect((await bridge.harness.services.store.get('agents', [AGENT]))?.epoch).toBe(1);
  });

  test('fences an older generation once a newer one was there', async () => {
    await (await bridge.open()).allow(2);
    const restored = bridge.harness.connect();
    await restored.hello({ generation: 2 });
    await restored.next('welcome');
    const clone = bridge.harness.connect();
    await clone.hello({ generation: 1 });
    expect((await clone.next('goodbye')).code).toBe(GoodbyeCode.FENCED);
    expect(await openAlerts(bridge.harness.services.store)).toEqual([`agent-fenced ${AGENT}`]);
  });

  test('raises an alert when two processes take turns as one agent', async () => {
    await bridge.open();
    const { store } = bridge.harness.services;
    for (const bootId of ['first', 'second']) {
      const agent = bridge.harness.connect();
      await agent.hello({ bootId });
      await agent.next('welcome');
    }
    expect(await openAlerts(store)).toEqual([]);
    const again = bridge.harness.connect();
    await again.hello({ bootId: 'first' });
    await again.next('welcome');
    await bridge.harness.logged('two processes take turns as one agent');
    expect(await openAlerts(store)).toEqual([`agent-cloned ${AGENT}`]);
  });

  test('raises an alert when a stream continues after messages that never came', async () => {
    await bridge.open();
    const agent = bridge.harness.connect();
    await agent.hello({ streams: [{ terminalId: '2', nextSequence: 5 }] });
    await agent.next('welcome');
    await bridge.harness.logged('the stream of a terminal continues after');
    expect(await openAlerts(bridge.harness.services.store)).toEqual([`messages-missing ${AGENT}/2`]);
  });

  test('refuses a version that the gateway does not speak', async () => {
    await bridge.open();
    const agent = bridge.harness.connect();
    await agent.hello({ versionMin: 7, versionMax: 9 });
    expect((await agent.next('goodbye')).code).toBe(GoodbyeCode.VERSION_MISMATCH);
  });

  test('gives an agent one session: the newest', async () => {
    const first = await bridge.joined();
    const second = bridge.harness.connect();
    expect((await second.join()).epoch).toBe(3);
    expect((await first.next('goodbye')).code).toBe(GoodbyeCode.SUPERSEDED);
    expect(await first.closed).toBe(1000);
    second.say('heartbeat', BEAT);
    expect(await second.next('heartbeatAnswer')).toMatchObject({ timeMs: NOW_MS });
    expect(bridge.harness.endpoint.connected()).toMatchObject([
      { agentId: AGENT, epoch: 3, heartbeat: { queueDepth: 3 } },
    ]);
  });
});

describe('what is no message', () => {
  test.each([
    ['text', 'hello', /binary/],
    ['noise', Buffer.from('ffffffff', 'hex'), /not a bridge envelope/],
    ['an envelope without a body', Buffer.from('0a0161', 'hex'), /without a body/],
    ['too many bytes', Buffer.alloc(DEFAULT_BRIDGE_LIMITS.maxEnvelopeBytes + 1), /limit 65536/],
  ])('%s is answered with a reason, and the next agent is welcome', async (_name, bytes, reason) => {
    const agent = await bridge.joined();
    agent.socket.send(bytes);
    const goodbye = await agent.next('goodbye');
    expect(goodbye.code).toBe(GoodbyeCode.PROTOCOL_ERROR);
    expect(goodbye.reason).toMatch(reason);
    await agent.closed;
    expect((await bridge.harness.connect().join()).epoch).toBe(3);
  });

  test('far too many bytes cut the connection', async () => {
    const agent = await bridge.joined();
    agent.socket.send(Buffer.alloc(1024 * 1024));
    expect(await agent.closed).toBe(1009);
    expect((await bridge.harness.connect().join()).epoch).toBe(3);
  });

  test('a message that only the gateway may send ends the session', async () => {
    const agent = await bridge.joined();
    agent.say('acknowledgement', { messageId: 'x' });
    expect((await agent.next('goodbye')).reason).toBe('an agent in a session does not send acknowledgement');
  });
});

describe('the life of a session', () => {
  test('ends when the agent is silent, and every message keeps it alive', async () => {
    const agent = await bridge.joined();
    const almost = DEFAULT_BRIDGE_LIMITS.heartbeatIntervalMs * DEFAULT_BRIDGE_LIMITS.missedHeartbeats - 1;
    for (let beats = 0; beats < 3; beats += 1) {
      await bridge.harness.services.clock.advance(almost);
      agent.say('heartbeat', BEAT);
      await agent.next('heartbeatAnswer');
    }
    await bridge.harness.services.clock.advance(almost + 1);
    expect(await agent.closed).toBe(1000);
  });

  test('ends with a Goodbye when the gateway stops', async () => {
    const agent = await bridge.joined();
    await Promise.all([bridge.harness.endpoint.close(), agent.next('goodbye')]).then(([, goodbye]) => {
      expect(goodbye.code).toBe(GoodbyeCode.GOING_DOWN);
      expect(goodbye.retryAfterMs).toBeGreaterThanOrEqual(DEFAULT_BRIDGE_LIMITS.leaveMs);
      expect(goodbye.retryAfterMs).toBeLessThanOrEqual(2 * DEFAULT_BRIDGE_LIMITS.leaveMs);
    });
    expect(bridge.harness.endpoint.connected()).toEqual([]);
  });

  test('leaves no card data in the log', async () => {
    const agent = await bridge.joined();
    agent.say('authorizationRequest', sale('R-1'), 'm1');
    await agent.next('authorizationAnswer');
    agent.say('authorizationRequest', sale('R-2', { pos: { ...chip(), deviceType: 'UNKNOWN' } }), 'm2');
    await overTime(bridge.harness.services.clock, agent.next('authorizationAnswer'));
    expect(bridge.harness.log.length).toBeGreaterThan(0);
    for (const line of bridge.harness.log) expect(line).not.toMatch(/\d{12}/);
  });
});
