import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservedPort } from '@tillbridge/platform/net/testing/reserved-port.js';
import { signWelcome, verifyHello } from '@tillbridge/wire/bridge/handshake.js';
import { spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import { type Bodies, Disposition, GoodbyeCode, StatusState } from '@tillbridge/wire/bridge/messages.js';
import { signStorePolicy } from '@tillbridge/wire/bridge/store-policy.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BridgeUplink } from './bridge-uplink.js';
import {
  enrolledHome,
  memoryTrust,
  TEST_BACKUP_KEY,
  TEST_GATEWAY_KEY,
  TEST_PINS,
} from './enrolled-home.test.support.js';
import { TEST_CHALLENGE, TEST_WELCOME, TestGateway, type TestSession } from './gateway.test.support.js';
import type { GatewayTrust } from './gateway-trust.js';
import type { AgentIdentity } from './identity.js';
import { MemoryQueue } from './memory-queue.test.support.js';
import { StorePolicyKeeper } from './store-policy-keeper.js';
import { StoreTodos } from './store-todos.js';
import { SENDER_LIMITS } from './stream-sender.js';
import type { LiveEnvelope, UplinkState } from './uplink.js';
import { websocketConnector } from './websocket-connector.js';

const OUTCOME: Bodies['authorizationAnswer']['outcome'] = {
  disposition: Disposition.APPROVED,
  paymentId: 'p',
  resultCode: '000.100.110',
  description: '',
  approvalCode: '123456',
  responseCode: '00',
  iccDataResponse: new Uint8Array(),
  brand: 'VISA',
};

let home: string;
let identity: AgentIdentity;
let gateway: TestGateway;
let clock: VirtualClock;
let queue: MemoryQueue;
let trust: GatewayTrust;
let uplink: BridgeUplink;
let policy: StorePolicyKeeper;
let todos: StoreTodos;

beforeEach(async () => {
  trust = memoryTrust();
  home = mkdtempSync(join(tmpdir(), 'agent-uplink-'));
  identity = enrolledHome(home, 'store-1');
  gateway = await TestGateway.listen();
  clock = new VirtualClock(Date.UTC(2026, 0, 1));
  queue = new MemoryQueue();
  todos = new StoreTodos();
  policy = new StorePolicyKeeper({
    agentId: 'store-1',
    pins: () => trust.pins,
    storage: { read: () => undefined, write: () => undefined },
    log: pino({ level: 'silent' }),
  });
  uplink = makeUplink(gateway.url);
});

afterEach(async () => {
  await uplink.close();
  await gateway.close();
  rmSync(home, { recursive: true });
});

function makeUplink(url: string): BridgeUplink {
  return new BridgeUplink({
    speaker: { identity, bootId: 'boot-1', generation: 3, software: 'test' },
    connect: websocketConnector(url),
    trust,
    queue,
    policy,
    todos,
    terminals: () => [{ terminalId: '1', deviceType: 'GERTEC_PPC930', state: 'ready' }],
    clock,
    // Every draw at the top of its window: retries come at the longest delay.
    random: { bytes: (length) => new Uint8Array(length).fill(0xff) },
    log: pino({ level: 'silent' }),
  });
}

/** Resolves when the link comes to `state`. */
function becomes(state: UplinkState): Promise<void> {
  if (uplink.state === state) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = uplink.onState((now) => {
      if (now !== state) return;
      stop();
      resolve();
    });
  });
}

function authorization(id: string): LiveEnvelope {
  return {
    id,
    terminalId: '',
    sequence: 0,
    kind: 'authorizationRequest',
    body: { reference: 'r', type: 1, originalMessageId: '', journaledAtMs: 5, partialAllowed: false },
  };
}

async function sessionUp(changes: Partial<Bodies['welcome']> = {}) {
  const session = await gateway.session();
  await session.welcome(changes);
  await becomes('up');
  return session;
}

describe('the gateway', () => {
  const stranger = generateKeyPairSync('ed25519');

  it.each<[string, (session: TestSession) => Promise<unknown>]>([
    ['another key', (session) => session.answer({}, stranger.privateKey)],
    ['no proof', (session) => session.answer({ signature: new Uint8Array() })],
    ['the proof of an earlier session', (session) => session.answer({ signature: former })],
    ['a proof that covers another epoch', (session) => session.answer({ signature: former, epoch: 2 })],
  ])('with %s gets no message', async (_name, answer) => {
    uplink.start();
    const first = await gateway.session();
    const hello = await first.welcome();
    former = signWelcome(TEST_CHALLENGE, { ...hello.body, bootId: 'b' }, TEST_WELCOME, TEST_GATEWAY_KEY);
    first.cut();
    await becomes('down');
    queue.add('1', 1);
    await clock.advance(1_000);
    const session = await gateway.session();
    await answer(session);
    await session.closed;
    expect(uplink.detail()).toMatchObject({ state: 'down', reason: 'gateway-unproven' });
    expect(session.waiting).toEqual([]);
  });
  let former: Uint8Array = new Uint8Array();

  it('applies the policy of the store before the session is used, and again when it changes', async () => {
    const signed = (version: number, key = TEST_GATEWAY_KEY) =>
      signStorePolicy({ version }, { agentId: 'store-1', entityId: 'e', timeMs: version }, key);
    const versions: (number | undefined)[] = [];
    uplink.onState(() => versions.push(policy.policy?.version));
    uplink.start();
    const session = await sessionUp({ policy: signed(1) });
    expect(versions.at(-1)).toBe(1);
    const changed = new Promise<void>((resolve) => {
      policy.onChange(resolve);
    });
    session.send('storePolicy', signed(9, stranger.privateKey));
    session.send('storePolicy', signed(2));
    await changed;
    expect(policy.policy?.version).toBe(2);
    expect(uplink.state).toBe('up');
  });

  it('applies no policy of a Welcome that is not proven', async () => {
    uplink.start();
    const session = await gateway.session();
    const signed = signStorePolicy(
      { version: 1 },
      { agentId: 'store-1', entityId: 'e', timeMs: 1 },
      TEST_GATEWAY_KEY,
    );
    await session.answer({ policy: signed }, stranger.privateKey);
    await session.closed;
    expect(policy.policy).toBeUndefined();
  });

  it('may prove itself by its backup, and names the next one then', async () => {
    const next = spkiOf(stranger.publicKey);
    const [, backup = next] = TEST_PINS.identityKeys;
    const pins = { ...TEST_PINS, identityKeys: [backup, next] };
    uplink.start();
    const session = await gateway.session();
    await session.answer({ pins }, TEST_BACKUP_KEY);
    await becomes('up');
    expect(trust.pins).toEqual(pins);
  });

  it('cannot name other identity keys by its daily key', async () => {
    uplink.start();
    const pins = {
      ...TEST_PINS,
      identityKeys: [spkiOf(stranger.publicKey), TEST_PINS.identityKeys[0] as Uint8Array],
    };
    await sessionUp({ pins });
    expect(trust.pins).toBe(TEST_PINS);
  });
});

describe('a session', () => {
  it('proves the agent by its key, and reports where it stands', async () => {
    queue.add('1', 8);
    uplink.start();
    expect(uplink.state).toBe('connecting');
    const session = await gateway.session();
    const { body } = await session.welcome();
    const publicKey = createPublicKey(identity.publicKeyPem);
    expect(verifyHello(TEST_CHALLENGE, body, publicKey)).toBe(true);
    expect(verifyHello(TEST_CHALLENGE, { ...body, generation: 4 }, publicKey)).toBe(false);
    expect(body).toMatchObject({
      agentId: 'store-1',
      bootId: 'boot-1',
      generation: 3,
      channel: 'none',
      versionMin: 1,
      versionMax: 1,
      streams: [{ terminalId: '1', nextSequence: 8 }],
      terminals: [{ terminalId: '1', deviceType: 'GERTEC_PPC930', state: 'ready' }],
    });
    await becomes('up');
    expect(uplink.detail()).toEqual({ state: 'up', attempt: 0, epoch: 1 });
  });

  it('sends heartbeats with what an operator needs, and passes on the gateway’s time', async () => {
    const times: number[] = [];
    uplink.onGatewayTime((timeMs) => times.push(timeMs));
    queue.add('1', 1);
    uplink.start();
    const session = await sessionUp();
    await clock.advance(10_000);
    const { body } = await session.take('heartbeat');
    expect(body).toMatchObject({
      queueDepth: 1,
      oldestAgeSeconds: 86_410,
      exposure: [{ terminalId: '1', sum: { minor: 700, currency: 'EUR' }, count: 2 }],
      journalRow: 42,
      timeMs: Date.UTC(2026, 0, 1) + 10_000,
    });
    const todo = { terminalId: '1', sinceMs: 5, reason: 'tillbridge-gateway devices add' };
    session.send('heartbeatAnswer', { timeMs: 777, journalVerdict: 0, todos: { todos: [todo] } });
    await expect.poll(() => times).toEqual([TEST_WELCOME.timeMs, 777]);
    expect(todos.list()).toEqual([todo]);
  });

  it('is dead after three silent intervals, and connects anew', async () => {
    uplink.start();
    const session = await sessionUp();
    await clock.advance(30_000);
    expect(uplink.detail()).toMatchObject({ state: 'down', reason: 'silent' });
    await session.closed;
    await clock.advance(1_000);
    await sessionUp({ epoch: 2 });
    expect(uplink.detail()).toMatchObject({ epoch: 2 });
  });

  it('sends a Goodbye when the agent stops', async () => {
    uplink.start();
    const session = await sessionUp();
    await uplink.close();
    expect((await session.take('goodbye')).body.code).toBe(GoodbyeCode.GOING_DOWN);
    expect(uplink.detail()).toMatchObject({ state: 'down', reason: 'stopped' });
    expect(clock.nextTimerInMs()).toBeUndefined();
  });
});

describe('live messages', () => {
  it('are not handed over without a session', async () => {
    expect(uplink.sendLive(authorization('a-1'))).toBe(false);
    uplink.start();
    const session = await gateway.session();
    expect(uplink.sendLive(authorization('a-1'))).toBe(false);
    await session.welcome();
    await becomes('up');
    expect(session.waiting).toEqual([]);
    expect(uplink.sendLive(authorization('a-2'))).toBe(true);
    expect((await session.take('authorizationRequest')).id).toBe('a-2');
  });

  it('bring back their answers', async () => {
    const answers: unknown[] = [];
    uplink.onAnswer((messageId, outcome) => answers.push([messageId, outcome.approvalCode]));
    uplink.onStatus(({ messageId, state }) => answers.push([messageId, state]));
    uplink.start();
    const session = await sessionUp();
    session.send('authorizationAnswer', { messageId: 'a-1', outcome: OUTCOME });
    session.send('statusAnswer', { messageId: 'a-2', state: StatusState.NOT_SEEN });
    await expect
      .poll(() => answers)
      .toEqual([
        ['a-1', '123456'],
        ['a-2', StatusState.NOT_SEEN],
      ]);
  });

  it('stop at their credits until one is answered', async () => {
    uplink.start();
    const session = await sessionUp({ liveCredits: 1 });
    expect(uplink.sendLive(authorization('a-1'))).toBe(true);
    expect(uplink.sendLive(authorization('a-2'))).toBe(false);
    const answered = new Promise<void>((resolve) => {
      uplink.onAnswer(() => resolve());
    });
    session.send('authorizationAnswer', { messageId: 'a-1', outcome: OUTCOME });
    await answered;
    expect(uplink.sendLive(authorization('a-2'))).toBe(true);
  });

  it('are not handed over when they break a limit of the bridge', async () => {
    uplink.start();
    const session = await sessionUp();
    const huge = authorization('a-1');
    expect(
      uplink.sendLive({ ...huge, body: { ...huge.body, reference: 'x'.repeat(300) } } as LiveEnvelope),
    ).toBe(false);
    expect(uplink.sendLive(authorization('a-2'))).toBe(true);
    expect((await session.take('authorizationRequest')).id).toBe('a-2');
  });

  it('overtake a backlog that waits for credits', async () => {
    for (let sequence = 1; sequence <= 5; sequence += 1) queue.add('1', sequence);
    uplink.start();
    const session = await sessionUp();
    await session.take('capture');
    await session.take('capture');
    expect(uplink.sendLive(authorization('a-1'))).toBe(true);
    await session.take('authorizationRequest');
    expect(session.waiting).toEqual([]);
    expect(queue.ended).toEqual([]);
  });
});

describe('the backlog', () => {
  it('goes out in order and leaves the queue by acknowledgement or parked with its reason', async () => {
    queue.add('1', 1);
    queue.add('1', 2);
    uplink.start();
    const session = await sessionUp();
    const sent = [await session.take('capture'), await session.take('capture')];
    expect(sent.map(({ sequence }) => sequence)).toEqual([1, 2]);
    session.send('acknowledgement', { messageId: 'm-1-1', outcome: OUTCOME });
    session.send('parked', { messageId: 'm-1-2', reasonCode: 'rule', reason: 'too large' });
    queue.add('1', 3);
    expect((await session.take('capture')).sequence).toBe(3);
    expect(queue.ended).toEqual(['acknowledged m-1-1', 'parked m-1-2: rule, too large']);
  });

  it('is sent again with the same ids after the connection broke', async () => {
    queue.add('1', 1);
    queue.add('2', 1);
    uplink.start();
    const first = await sessionUp();
    const before = [(await first.take('capture')).id, (await first.take('capture')).id];
    first.send('acknowledgement', { messageId: 'm-2-1', outcome: OUTCOME });
    await expect.poll(() => queue.depth()).toBe(1);
    first.cut();
    await becomes('down');
    await clock.advance(1_000);
    const second = await sessionUp({ epoch: 2 });
    expect(before).toEqual(['m-1-1', 'm-2-1']);
    expect((await second.take('capture')).id).toBe('m-1-1');
    second.send('acknowledgement', { messageId: 'm-1-1', outcome: OUTCOME });
    await expect.poll(() => queue.depth()).toBe(0);
    expect(second.waiting).toEqual([]);
  });

  it('parks a message that breaks a limit of the bridge, and goes on behind it', async () => {
    queue.add('1', 1, { reference: 'x'.repeat(300) });
    queue.add('1', 2);
    uplink.start();
    const session = await sessionUp();
    expect((await session.take('capture')).id).toBe('m-1-2');
    expect(queue.ended).toEqual([
      expect.stringMatching(/^parked m-1-1: unsendable, breaks a rule of the bridge: .*reference/),
    ]);
  });

  it('goes on when the disk can be read again', async () => {
    queue.broken = true;
    queue.add('1', 1);
    uplink.start();
    const session = await sessionUp();
    queue.broken = false;
    await clock.advance(2_000);
    expect((await session.take('capture')).id).toBe('m-1-1');
  });

  it('is sent again when its acknowledgement could not be written', async () => {
    queue.add('1', 1);
    uplink.start();
    const session = await sessionUp();
    await session.take('capture');
    queue.broken = true;
    session.send('acknowledgement', { messageId: 'm-1-1', outcome: OUTCOME });
    session.send('heartbeatAnswer', { timeMs: 9, journalVerdict: 0 });
    await new Promise<void>((resolve) => {
      uplink.onGatewayTime(() => resolve());
    });
    queue.broken = false;
    let elapsedMs = 0;
    while (uplink.state === 'up' && elapsedMs < SENDER_LIMITS.acknowledgeTimeoutMs + 20_000) {
      const answered = new Promise<void>((resolve) => {
        const stop = uplink.onGatewayTime(() => {
          stop();
          resolve();
        });
      });
      session.send('heartbeatAnswer', { timeMs: 10, journalVerdict: 0 });
      await answered;
      await clock.advance(10_000);
      elapsedMs += 10_000;
    }
    expect(uplink.detail()).toMatchObject({ reason: 'unacknowledged' });
    await clock.advance(1_000);
    const next = await sessionUp({ epoch: 2 });
    expect((await next.take('capture')).id).toBe('m-1-1');
  });
});

describe('a gateway that refuses', () => {
  it.each([
    [GoodbyeCode.UNAUTHENTICATED, 'unauthenticated'],
    [GoodbyeCode.FENCED, 'fenced'],
    [GoodbyeCode.SUPERSEDED, 'superseded'],
    [GoodbyeCode.VERSION_MISMATCH, 'version-mismatch'],
  ])('goodbye %i is a state with slow retries', async (code, reason) => {
    uplink.start();
    const session = await gateway.session();
    session.send('goodbye', { code, reason: 'for this reason', retryAfterMs: 0 });
    await becomes('down');
    expect(uplink.detail()).toMatchObject({ reason, detail: 'for this reason' });
    uplink.nudge();
    expect(uplink.state).toBe('down');
    expect(clock.nextTimerInMs()).toBeGreaterThanOrEqual(60_000);
  });

  it('is left alone for as long as it requires', async () => {
    uplink.start();
    const session = await sessionUp();
    session.send('goodbye', { code: GoodbyeCode.GOING_DOWN, reason: '', retryAfterMs: 7_000 });
    await becomes('down');
    uplink.nudge();
    await clock.advance(6_999);
    expect(uplink.state).toBe('down');
    await clock.advance(1_001);
    await sessionUp({ epoch: 2 });
  });

  it.each<[string, Uint8Array | string]>([
    ['a text message', 'hello'],
    ['bytes that are no envelope', Uint8Array.of(0xff, 0xff, 0xff)],
    ['a message beyond the size limit', new Uint8Array(70_000)],
  ])('is left after %s', async (_name, data) => {
    uplink.start();
    const session = await sessionUp();
    session.sendRaw(data);
    await becomes('down');
    await session.closed;
  });

  it.each<[string, keyof Bodies, object]>([
    ['a Welcome before the Hello', 'welcome', TEST_WELCOME],
    ['an answer before the Welcome', 'statusAnswer', { messageId: 'x', state: 1 }],
  ])('is left after %s', async (_name, kind, body) => {
    uplink.start();
    const session = await gateway.session();
    session.send(kind, body as Bodies[typeof kind]);
    await becomes('down');
    expect(uplink.detail()).toMatchObject({ reason: 'protocol-error' });
  });

  it('may say things a newer version knows', async () => {
    uplink.start();
    const session = await sessionUp();
    // Envelope with an id and the unknown field 99.
    session.sendRaw(Uint8Array.of(0x0a, 0x01, 0x61, 0x9a, 0x06, 0x00));
    session.send('heartbeatAnswer', { timeMs: 5, journalVerdict: 0 });
    await new Promise<void>((resolve) => {
      uplink.onGatewayTime(() => resolve());
    });
    expect(uplink.state).toBe('up');
  });
});

describe('a gateway that is away', () => {
  it('is tried again after 1, 2 and 4 seconds, and reached when it is back', async () => {
    await gateway.close();
    const port = await reservedPort();
    uplink = makeUplink(`ws://127.0.0.1:${port}/bridge`);
    uplink.start();
    for (const waitMs of [1_000, 2_000, 4_000]) {
      await becomes('down');
      expect(uplink.detail()).toMatchObject({
        reason: 'unreachable',
        detail: expect.stringContaining('ECONNREFUSED'),
      });
      expect(clock.nextTimerInMs()).toBe(waitMs);
      await clock.advance(waitMs);
    }
    await becomes('down');
    gateway = await TestGateway.listen(port);
    uplink.nudge();
    await sessionUp();
  });

  it('counts as away when it accepts the connection and sends nothing', async () => {
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const other = makeUplink(`ws://127.0.0.1:${port}/bridge`);
    const connected = once(mute, 'connection');
    other.start();
    const [socket] = (await connected) as [Socket];
    await clock.advance(10_000);
    expect(other.detail()).toMatchObject({ state: 'down', reason: 'unreachable' });
    await other.close();
    socket.destroy();
    mute.close();
  });

  it('counts as away when it does not answer in time', async () => {
    uplink.start();
    const session = await gateway.session();
    session.send('challenge', TEST_CHALLENGE);
    await session.take('hello');
    await clock.advance(10_000);
    expect(uplink.detail()).toMatchObject({ state: 'down', reason: 'handshake-timeout' });
    await session.closed;
  });
});
