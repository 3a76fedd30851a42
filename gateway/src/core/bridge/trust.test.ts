import { generateKeyPairSync } from 'node:crypto';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { enrolmentRequest } from '@tillbridge/wire/bridge/enrolment.js';
import { formatEnrolmentCode, parseEnrolmentCode } from '@tillbridge/wire/bridge/enrolment-code.js';
import { tlsPinOf } from '@tillbridge/wire/bridge/gateway-pins.js';
import { verifyWelcome } from '@tillbridge/wire/bridge/handshake.js';
import { identityKeyOf } from '@tillbridge/wire/bridge/identity-key.js';
import { GoodbyeCode } from '@tillbridge/wire/bridge/messages.js';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  type AgentDeps,
  issueEnrolCode,
  issueKeyCode,
  issueReplaceCode,
  revokeAgent,
} from '../../features/agents/service.js';
import { confirmRestore } from '../../kernel/restored-database/restore-gap.js';
import { AGENT, ENTITY } from '../payments/payment-harness.test.support.js';
import { bridgeOfTest } from './bridge-harness.test.support.js';
import { ENROLMENT_LIMITS } from './enrolment/decide-enrolment.js';
import { DEFAULT_BRIDGE_LIMITS } from './limits/bridge-limits.js';
import { AGENT_KEY, TEST_PINS, type TestAgent } from './test-agent.test.support.js';
import { BEAT, sale } from './wire-examples.test.support.js';

const bridge = bridgeOfTest();
const OWN_PIN = tlsPinOf(Buffer.from('this gateway'));
const FOREIGN_PIN = tlsPinOf(Buffer.from('who stands between'));
const newKey = () => generateKeyPairSync('ed25519').privateKey;

function operator(): AgentDeps {
  const { store, clock } = bridge.harness.services;
  const [identityKey = new Uint8Array()] = TEST_PINS.identityKeys;
  return { store, clock, random: systemRandom, identityKey, actor: 'anna' };
}

describe('a handshake', () => {
  test('proves the gateway over the same transcript', async () => {
    const agent = (await bridge.open()).connect();
    const challenge = await agent.next('challenge');
    const hello = agent.prove(challenge);
    agent.say('hello', hello);
    const welcome = await agent.next('welcome');
    const [spki = new Uint8Array()] = TEST_PINS.identityKeys;
    const key = identityKeyOf(spki);
    expect(key && verifyWelcome(challenge, hello, welcome, key)).toBe(true);
    expect(welcome.pins).toEqual(TEST_PINS);
  });

  test('that was recorded at another gateway is of no use here', async () => {
    const { connect } = await bridge.open();
    const first = connect();
    const hello = first.prove(await first.next('challenge'));
    const second = connect();
    await second.next('challenge');
    second.say('hello', hello);
    expect((await second.next('goodbye')).code).toBe(GoodbyeCode.UNAUTHENTICATED);
  });

  test('that names the TLS key of a party between is refused, and staff is alerted', async () => {
    await bridge.open({ arrivalOf: () => ({ peer: '10.0.0.1', channels: [OWN_PIN] }) });
    for (const channel of [FOREIGN_PIN, 'none']) {
      const agent = bridge.harness.connect();
      await agent.hello({ channel });
      expect((await agent.next('goodbye')).code).toBe(GoodbyeCode.UNAUTHENTICATED);
    }
    expect(bridge.harness.alerts.map(({ code }) => code)).toEqual([
      'agent-channel-foreign',
      'agent-channel-foreign',
    ]);
    const honest = bridge.harness.connect();
    await honest.hello({ channel: OWN_PIN });
    expect((await honest.next('welcome')).epoch).toBe(2);
  });

  test('with a nonce of another length is refused', async () => {
    const agent = (await bridge.open()).connect();
    await agent.hello({ nonce: Buffer.alloc(0) });
    expect((await agent.next('goodbye')).code).toBe(GoodbyeCode.UNAUTHENTICATED);
  });

  test('a stolen key with a huge generation does not fence the real agent', async () => {
    const real = await bridge.joined();
    const thief = bridge.harness.connect();
    await thief.hello({ generation: Number.MAX_SAFE_INTEGER });
    expect((await thief.next('goodbye')).code).toBe(GoodbyeCode.GENERATION_NOT_ALLOWED);
    expect(bridge.harness.alerts).toMatchObject([{ code: 'agent-generation-jump', subject: AGENT }]);
    real.say('heartbeat', BEAT);
    await real.next('heartbeatAnswer');
    expect((await bridge.harness.connect().join()).epoch).toBe(3);
  });
});

describe('a revoked agent', () => {
  test('loses its session and gets no other', async () => {
    const agent = await bridge.joined();
    await revokeAgent(operator(), AGENT);
    await bridge.harness.endpoint.endRevoked();
    expect((await agent.next('goodbye')).code).toBe(GoodbyeCode.UNAUTHENTICATED);
    await agent.closed;
    const again = bridge.harness.connect();
    await again.hello();
    expect((await again.next('goodbye')).code).toBe(GoodbyeCode.UNAUTHENTICATED);
    expect(bridge.harness.alerts).toMatchObject([{ code: 'agent-key-revoked', subject: AGENT }]);
  });

  test('writes nothing more, even before its session is closed', async () => {
    const agent = await bridge.joined();
    await revokeAgent(operator(), AGENT);
    agent.say('authorizationRequest', sale('R'), 'm1');
    expect((await agent.next('goodbye')).code).toBe(GoodbyeCode.SUPERSEDED);
    expect(await bridge.harness.services.transactions()).toEqual([]);
  });
});

test('an agent is held while its database waits for its operator, one that was connected too', async () => {
  const agent = await bridge.joined();
  const { store, clock } = bridge.harness.services;
  await clock.advance(1);
  const gap = { sinceMs: null, untilMs: 1, foundAtMs: clock.nowMs(), isWhole: 0, reapplied: '{}' } as const;
  await store.commit([
    {
      op: 'insert',
      table: 'restoreGaps',
      row: { name: 'database', ...gap, closedAtMs: null, note: null, version: 1 },
    },
  ]);
  await bridge.harness.endpoint.endRevoked();
  expect((await agent.next('goodbye')).code).toBe(GoodbyeCode.GOING_DOWN);
  await agent.closed;
  const again = bridge.harness.connect();
  await again.hello();
  expect((await again.next('goodbye')).code).toBe(GoodbyeCode.OVERLOADED);
  await confirmRestore({ store, clock, random: systemRandom, actor: 'operator' }, 'compared');
  expect((await bridge.harness.connect().join()).epoch).toBe(3);
});

describe('enrolment', () => {
  /** Sends a request for enrolment with a code; gives the agent's end. */
  async function ask(text: string, key = newKey(), agentId = '', channel = 'none'): Promise<TestAgent> {
    const agent = bridge.harness.connect();
    const challenge = await agent.next('challenge');
    const about = { agentId, nonce: systemRandom.bytes(32), channel };
    agent.say('enrolmentRequest', enrolmentRequest(challenge, parseEnrolmentCode(text), about, key));
    return agent;
  }
  const refused = async (agent: TestAgent): Promise<string> => (await agent.next('goodbye')).reason;
  const newCode = async (agentId = 'store-9') => {
    const about = { entityId: ENTITY, agentId, terminals: ['9001'] };
    return (await issueEnrolCode(operator(), about)).code;
  };

  test('makes a new agent known, whose Hello is welcome then', async () => {
    await bridge.open();
    const key = newKey();
    const agent = await ask(await newCode(), key);
    expect(await agent.next('enrolmentAnswer')).toMatchObject({
      agentId: 'store-9',
      entityId: ENTITY,
      generation: 1,
      terminals: ['9001'],
      pins: TEST_PINS,
    });
    expect(await agent.closed).toBe(1000);
    const enrolled = bridge.harness.connect();
    await enrolled.hello({ agentId: 'store-9' }, key);
    expect((await enrolled.next('welcome')).epoch).toBe(1);
  });

  test('gives the same answer again to the same key, and none to another', async () => {
    await bridge.open();
    const [code, key] = [await newCode(), newKey()];
    await (await ask(code, key)).next('enrolmentAnswer');
    expect(await (await ask(code, key)).next('enrolmentAnswer')).toMatchObject({ agentId: 'store-9' });
    await refused(await ask(code));
  });

  test('answers alike to a code that is unknown, used, expired, guessed or for something else', async () => {
    await bridge.open();
    const used = await newCode();
    await (await ask(used)).next('enrolmentAnswer');
    const expired = await newCode('store-8');
    await bridge.harness.services.clock.advance(ENROLMENT_LIMITS.validMs);
    const good = await newCode('store-7');
    const guess = { ...parseEnrolmentCode(good), secret: Buffer.alloc(16, 1) };
    const answers = [
      await refused(await ask(formatEnrolmentCode({ ...guess, id: '0000000000' }))),
      await refused(await ask(used)),
      await refused(await ask(expired)),
      await refused(await ask(formatEnrolmentCode(guess))),
      await refused(await ask(good, newKey(), 'store-6')),
    ];
    expect(new Set(answers).size).toBe(1);
    await (await ask(good)).next('enrolmentAnswer');
  });

  test('a code that is guessed at is of no use any more, and staff is alerted', async () => {
    await bridge.open();
    const code = await newCode();
    const guess = formatEnrolmentCode({ ...parseEnrolmentCode(code), secret: Buffer.alloc(16, 1) });
    for (let times = 0; times < ENROLMENT_LIMITS.failures; times += 1) await refused(await ask(guess));
    expect(bridge.harness.alerts).toMatchObject([{ code: 'enrolment-code-guessed', subject: 'store-9' }]);
    await refused(await ask(code));
    expect(await bridge.harness.services.store.get('agents', ['store-9'])).toBeUndefined();
  });

  test('over the TLS key of a party between is refused', async () => {
    await bridge.open({ arrivalOf: () => ({ peer: '10.0.0.1', channels: [OWN_PIN] }) });
    const code = await newCode();
    await refused(await ask(code, newKey(), '', FOREIGN_PIN));
    await (await ask(code, newKey(), '', OWN_PIN)).next('enrolmentAnswer');
  });

  test('gives an agent another key while the present one counts', async () => {
    const running = await bridge.joined();
    const next = newKey();
    const { code } = await issueKeyCode(operator(), AGENT);
    await (await ask(code, next, AGENT)).next('enrolmentAnswer');
    running.say('heartbeat', BEAT);
    await running.next('heartbeatAnswer');
    expect((await bridge.harness.connect().join()).epoch).toBe(3);
    const rotated = bridge.harness.connect();
    await rotated.hello({}, next);
    expect((await rotated.next('welcome')).epoch).toBe(4);
    const former = bridge.harness.connect();
    await former.hello({}, AGENT_KEY);
    await refused(former);
    expect(bridge.harness.alerts).toMatchObject([{ code: 'agent-key-revoked', subject: AGENT }]);
  });

  test('puts another machine in the place of a lost one, whose session ends at once', async () => {
    const lost = await bridge.joined();
    const key = newKey();
    const { code } = await issueReplaceCode(operator(), AGENT);
    const answer = await (await ask(code, key)).next('enrolmentAnswer');
    expect(answer).toMatchObject({ agentId: AGENT, generation: 2 });
    expect((await lost.next('goodbye')).code).toBe(GoodbyeCode.UNAUTHENTICATED);
    const replacement = bridge.harness.connect();
    await replacement.hello({ generation: 2 }, key);
    await replacement.next('welcome');
    const stolen = bridge.harness.connect();
    await stolen.hello({ generation: 2 }, AGENT_KEY);
    await refused(stolen);
    expect(bridge.harness.alerts).toMatchObject([{ code: 'agent-key-revoked' }]);
  });
});

describe('the limits of a peer', () => {
  const statusOf = (peer: string): Promise<number | undefined> => {
    const socket = new WebSocket(`${bridge.harness.url}/bridge`, 'tillbridge.v1', {
      headers: { 'x-test-peer': peer },
    });
    socket.on('error', () => undefined);
    sockets.push(socket);
    return new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.on('open', () => resolve(101));
    });
  };
  const sockets: WebSocket[] = [];

  test('1,000 unproven sockets of one host keep no other host away', async () => {
    await bridge.open({
      arrivalOf: ({ headers }) => ({
        peer: headers['x-test-peer']?.toString() ?? 'agent',
        channels: ['none'],
      }),
    });
    const answers: (number | undefined)[] = [];
    for (let at = 0; at < 1_000; at += 50)
      answers.push(...(await Promise.all(Array.from({ length: 50 }, () => statusOf('10.0.0.1')))));
    const { maxUnprovenOfPeer } = DEFAULT_BRIDGE_LIMITS;
    expect(answers.filter((status) => status === 101)).toHaveLength(maxUnprovenOfPeer);
    expect(answers.filter((status) => status === 503)).toHaveLength(1_000 - maxUnprovenOfPeer);
    expect((await bridge.harness.connect().join()).epoch).toBe(2);
    for (const socket of sockets.splice(0)) socket.terminate();
  });

  test('bytes before the proof are few, and a proven agent may send more', async () => {
    const { maxUnprovenBytes } = DEFAULT_BRIDGE_LIMITS;
    const agent = (await bridge.open()).connect();
    await agent.next('challenge');
    // The first part of a message that never ends: no WebSocket message arrives, and memory is held all the same.
    agent.socket.send(Buffer.alloc(maxUnprovenBytes), { fin: false });
    agent.socket.send(Buffer.alloc(100), { fin: false });
    expect(await agent.closed).toBe(1006);
    const proven = bridge.harness.connect();
    await proven.join();
    proven.socket.send(Buffer.alloc(maxUnprovenBytes + 1_000));
    expect((await proven.next('goodbye')).code).toBe(GoodbyeCode.PROTOCOL_ERROR);
  });

  test('the Hello of an agent with the most terminals fits', async () => {
    await bridge.open();
    const ids = Array.from({ length: 256 }, (_, at) => String(at).padStart(32, '1'));
    const agent = bridge.harness.connect();
    await agent.hello({
      streams: ids.map((terminalId) => ({ terminalId, nextSequence: 2 ** 40 })),
      terminals: ids.map((terminalId) => ({
        terminalId,
        deviceType: 'MAGTEK_DYNAFLEX',
        state: 'disconnected',
      })),
    });
    await agent.next('welcome');
  });

  test('heartbeats without end end the session', async () => {
    const agent = await bridge.joined();
    for (let times = 0; times <= DEFAULT_BRIDGE_LIMITS.heartbeatsBurst; times += 1)
      agent.say('heartbeat', BEAT);
    expect(await agent.next('goodbye')).toMatchObject({
      code: GoodbyeCode.OVERLOADED,
      reason: 'heartbeats come too fast',
    });
  });

  test('messages beyond the rate are read later, and none is lost', async () => {
    // The Hello counts, too: the last of these is one too many.
    const allowed = 4;
    const agent = await bridge.joined({ limits: { messagesPerSecond: 10, messagesBurst: allowed } });
    const ask = (messageId: string): void => agent.say('statusRequest', { messageId }, `ask-${messageId}`);
    for (let times = 1; times <= allowed; times += 1) {
      ask(`m${times}`);
      await agent.next('statusAnswer');
    }
    ask('late');
    await bridge.harness.connect().next('challenge');
    expect(agent.unread).toEqual([]);
    await bridge.harness.services.clock.advance(100);
    expect(await agent.next('statusAnswer')).toMatchObject({ messageId: 'late' });
  });
});
