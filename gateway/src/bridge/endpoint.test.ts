import { generateKeyPairSync } from 'node:crypto';
import {
  type Bodies,
  Disposition,
  GoodbyeCode,
  OfflineKind,
  type PosData,
  SaleType,
  StatusState,
} from '@tillbridge/protocol/bridge/messages.js';
import { decodeTlv, findTlv } from '@tillbridge/protocol/emv/tlv.js';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { PaymentDesk } from '../payments/desk.js';
import { AGENT, NOW_MS, VISA } from '../payments/desk-world.test.support.js';
import { encipheredTrack2, exampleIccData, track2Of } from '../security/card-example.test.support.js';
import { DEFAULT_BRIDGE_LIMITS } from './bridge-limits.js';
import {
  type BridgeWorld,
  type BridgeWorldOptions,
  openBridgeWorld,
  type TestAgent,
} from './test-agent.test.support.js';

let world: BridgeWorld;
afterEach(() => world.dispose());

/** A world with one agent that was welcomed. */
async function joined(options?: BridgeWorldOptions): Promise<TestAgent> {
  world = await openBridgeWorld(options);
  const agent = world.connect();
  await agent.join();
  return agent;
}

function chip(type: 'ARQC' | 'TC' = 'ARQC', terminalId = '1'): PosData {
  return {
    terminalId,
    deviceType: 'GERTEC_PPC930',
    deviceId: '1',
    entryMode: 'ICC',
    panSequenceNumber: '01',
    transactionSequenceNumber: 1,
    pinEntryAvailable: true,
    iccData: exampleIccData({ scheme: 'visa', pan: VISA, type }),
    sred: encipheredTrack2(track2Of(VISA, '4315')),
  };
}

function sale(
  reference: string,
  overrides: Partial<Bodies['authorizationRequest']> = {},
): Bodies['authorizationRequest'] {
  return {
    reference,
    type: SaleType.SALE,
    amount: { minor: 1_234, currency: 'EUR' },
    pos: chip(),
    originalMessageId: '',
    journaledAtMs: NOW_MS,
    ...overrides,
  };
}

function offline(
  reference: string,
  overrides: Partial<Bodies['offlineRecord']> = {},
): Bodies['offlineRecord'] {
  return {
    kind: OfflineKind.CARD_APPROVED,
    reference,
    type: SaleType.SALE,
    amount: { minor: 1_234, currency: 'EUR' },
    pos: chip('TC'),
    decidedAtMs: NOW_MS,
    ...overrides,
  };
}

function reversal(originalMessageId: string): Bodies['reversal'] {
  return {
    originalMessageId,
    reference: 'R',
    amount: { minor: 1_234, currency: 'EUR' },
    reason: 'no answer',
    iccData: new Uint8Array(),
  };
}

const BEAT: Bodies['heartbeat'] = {
  queueDepth: 3,
  parked: 0,
  oldestAgeSeconds: 0,
  exposure: [],
  terminals: [],
  timeMs: 0,
  journalRow: 0,
  journalHash: new Uint8Array(),
};

describe('the door', () => {
  test('welcomes a proven agent under a new epoch that is durable', async () => {
    world = await openBridgeWorld();
    const welcome = await world.connect().join();
    expect(welcome).toMatchObject({
      version: 1,
      epoch: 2,
      timeMs: NOW_MS,
      liveCredits: DEFAULT_BRIDGE_LIMITS.liveCredits,
    });
    expect(await world.desks.store.get('agents', [AGENT])).toMatchObject({ epoch: 2, generation: 1 });
    expect(world.endpoint.connected()).toEqual([{ agentId: AGENT, epoch: 2 }]);
  });

  test.each([
    ['another path', '/other', 'tillbridge.v1', 404],
    ['another subprotocol', '/bridge', 'other.v1', 400],
  ])('refuses %s', async (_name, path, protocol, status) => {
    world = await openBridgeWorld();
    const socket = new WebSocket(world.url + path, protocol);
    const got = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    });
    expect(got).toBe(status);
  });

  test('has no room for a crowd of unproven sockets, and room again when they are gone', async () => {
    world = await openBridgeWorld({ limits: { maxUnprovenSockets: 1 } });
    const first = world.connect();
    await first.next('challenge');
    const second = new WebSocket(`${world.url}/bridge`, 'tillbridge.v1');
    const status = await new Promise((resolve) => {
      second.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    });
    expect(status).toBe(503);
    await world.desks.clock.advance(DEFAULT_BRIDGE_LIMITS.helloTimeoutMs);
    expect((await first.next('goodbye')).code).toBe(GoodbyeCode.UNAUTHENTICATED);
    await first.closed;
    expect((await world.connect().join()).epoch).toBe(2);
  });

  test('looks at nothing before the Hello', async () => {
    world = await openBridgeWorld();
    const agent = world.connect();
    await agent.next('challenge');
    agent.say('authorizationRequest', sale('R'), 'm1');
    expect(await agent.next('goodbye')).toMatchObject({
      code: GoodbyeCode.UNAUTHENTICATED,
      reason: 'authorizationRequest before the Hello',
    });
    expect(await agent.closed).toBe(1000);
    expect(await world.desks.transactions()).toEqual([]);
  });

  test('tells a stranger and a forger the same', async () => {
    world = await openBridgeWorld();
    const forger = world.connect();
    await forger.hello({}, generateKeyPairSync('ed25519').privateKey);
    const stranger = world.connect();
    await stranger.hello({ agentId: 'nobody' });
    const said = await stranger.next('goodbye');
    expect(said.code).toBe(GoodbyeCode.UNAUTHENTICATED);
    expect(await forger.next('goodbye')).toEqual(said);
    expect((await world.desks.store.get('agents', [AGENT]))?.epoch).toBe(1);
  });

  test('fences an older generation once a newer one was there', async () => {
    world = await openBridgeWorld();
    const restored = world.connect();
    await restored.hello({ generation: 2 });
    await restored.next('welcome');
    const clone = world.connect();
    await clone.hello({ generation: 1 });
    expect((await clone.next('goodbye')).code).toBe(GoodbyeCode.FENCED);
  });

  test('refuses a version that the gateway does not speak', async () => {
    world = await openBridgeWorld();
    const agent = world.connect();
    await agent.hello({ versionMin: 7, versionMax: 9 });
    expect((await agent.next('goodbye')).code).toBe(GoodbyeCode.VERSION_MISMATCH);
  });

  test('gives an agent one session: the newest', async () => {
    const first = await joined();
    const second = world.connect();
    expect((await second.join()).epoch).toBe(3);
    expect((await first.next('goodbye')).code).toBe(GoodbyeCode.SUPERSEDED);
    expect(await first.closed).toBe(1000);
    second.say('heartbeat', BEAT);
    expect(await second.next('heartbeatAnswer')).toEqual({ timeMs: NOW_MS });
    expect(world.endpoint.connected()).toMatchObject([
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
    const agent = await joined();
    agent.socket.send(bytes);
    const goodbye = await agent.next('goodbye');
    expect(goodbye.code).toBe(GoodbyeCode.PROTOCOL_ERROR);
    expect(goodbye.reason).toMatch(reason);
    await agent.closed;
    expect((await world.connect().join()).epoch).toBe(3);
  });

  test('far too many bytes cut the connection', async () => {
    const agent = await joined();
    agent.socket.send(Buffer.alloc(1024 * 1024));
    expect(await agent.closed).toBe(1009);
    expect((await world.connect().join()).epoch).toBe(3);
  });

  test('a word that only the gateway says ends the session', async () => {
    const agent = await joined();
    agent.say('acknowledgement', { messageId: 'x' });
    expect((await agent.next('goodbye')).reason).toBe('an agent in a session does not send acknowledgement');
  });
});

describe('a live sale', () => {
  test('is authorized, and its status is known from then on', async () => {
    const agent = await joined();
    agent.say('authorizationRequest', sale('R-1'), 'm1');
    const { messageId, outcome } = await agent.next('authorizationAnswer');
    expect(messageId).toBe('m1');
    expect(outcome).toMatchObject({
      disposition: Disposition.APPROVED,
      resultCode: '000.100.110',
      responseCode: '00',
    });
    expect(findTlv(decodeTlv(outcome?.iccDataResponse ?? new Uint8Array()), '91')).toHaveLength(8);
    expect(await world.desks.transactions()).toMatchObject([
      { messageId: 'm1', approved: true, amount: '12.34' },
    ]);

    agent.say('statusRequest', { messageId: 'm1' });
    expect(await agent.next('statusAnswer')).toEqual({
      messageId: 'm1',
      state: StatusState.ANSWERED,
      outcome,
    });
    agent.say('statusRequest', { messageId: 'm2' });
    expect(await agent.next('statusAnswer')).toMatchObject({ messageId: 'm2', state: StatusState.NOT_SEEN });
  });

  test('that makes no sense is refused with the field, and no money moves', async () => {
    const agent = await joined();
    const { amount: _, ...without } = sale('R-1');
    agent.say('authorizationRequest', without, 'm1');
    expect((await agent.next('authorizationAnswer')).outcome).toMatchObject({
      disposition: Disposition.REFUSED,
      resultCode: '200.300.404',
      description: 'amount must be there',
    });
    agent.say('authorizationRequest', sale('R-2', { pos: chip('ARQC', '9') }), 'm2');
    expect((await agent.next('authorizationAnswer')).outcome?.description).toMatch(
      /terminals that are registered/,
    );
    expect(await world.desks.transactions()).toEqual([]);
  });

  test('does not wait for the backlog of its own terminal', async () => {
    const agent = await joined();
    world.desks.line.cut = true;
    agent.stream('offlineRecord', 1, 's1', offline('R-1'));
    agent.say('statusRequest', { messageId: 'never' });
    expect((await agent.next('statusAnswer')).state).toBe(StatusState.NOT_SEEN);
    expect(agent.unread).toEqual([]);
  });

  test('whose answer is not known is left to the status', async () => {
    const agent = await joined();
    world.desks.line.cut = true;
    agent.say('authorizationRequest', sale('R-1'), 'm1');
    agent.say('statusRequest', { messageId: 'm1' });
    expect(await agent.next('statusAnswer')).toMatchObject({ state: StatusState.IN_PROGRESS });
  });

  test('too many of them at once are more than the gateway takes', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const agent = await joined({ limits: { liveCredits: 2 } });
    world.desks.line.gate = gate;
    for (let at = 0; at < 5; at += 1) agent.say('authorizationRequest', sale(`R-${at}`), `m${at}`);
    expect(await agent.next('goodbye')).toMatchObject({ code: GoodbyeCode.OVERLOADED, retryAfterMs: 2_000 });
    release();
  });
});

describe('a stream', () => {
  test('is taken in order, each message once, whatever is sent again', async () => {
    const agent = await joined();
    agent.stream('offlineRecord', 1, 's1', offline('R-1'));
    const first = await agent.next('acknowledgement');
    expect(first).toMatchObject({ messageId: 's1', outcome: { disposition: Disposition.APPROVED } });
    agent.stream('reversal', 2, 's2', reversal('s1'));
    expect((await agent.next('acknowledgement')).outcome?.disposition).toBe(Disposition.REVERSED);
    const record = await world.desks.transactions();
    expect(record.map(({ kind, reversed }) => [kind, reversed])).toEqual([
      ['advice', true],
      ['reversal', false],
    ]);

    const again = world.connect();
    expect((await again.join()).streams).toEqual([{ terminalId: '1', nextSequence: 3 }]);
    again.stream('offlineRecord', 1, 's1', offline('R-1'));
    again.stream('reversal', 2, 's2', reversal('s1'));
    expect(await again.next('acknowledgement')).toEqual(first);
    expect((await again.next('acknowledgement')).messageId).toBe('s2');
    expect(await world.desks.transactions()).toEqual(record);
  });

  test('a message that overtook another waits for it', async () => {
    const agent = await joined();
    agent.stream('reversal', 2, 's2', reversal('s1'));
    agent.stream('offlineRecord', 1, 's1', offline('R-1'));
    expect((await agent.next('acknowledgement')).messageId).toBe('s1');
    expect(await agent.next('acknowledgement')).toMatchObject({
      messageId: 's2',
      outcome: { disposition: Disposition.REVERSED },
    });
  });

  test('a hole that stays ends the session with its place', async () => {
    const agent = await joined();
    agent.stream('offlineRecord', 2, 's2', offline('R-1'));
    agent.say('heartbeat', BEAT);
    await agent.next('heartbeatAnswer');
    await world.desks.clock.advance(DEFAULT_BRIDGE_LIMITS.gapTimeoutMs);
    expect(await agent.next('goodbye')).toMatchObject({
      code: GoodbyeCode.PROTOCOL_ERROR,
      reason: 'stream 1: message 1 is missing, 2 came',
    });
    expect(await world.desks.transactions()).toEqual([]);
  });

  test('a reversal ahead of its original keeps it out', async () => {
    const agent = await joined();
    agent.stream('reversal', 1, 's1', reversal('m1'));
    expect((await agent.next('acknowledgement')).outcome?.disposition).toBe(Disposition.NOTHING_TO_REVERSE);
    agent.say('authorizationRequest', sale('R-1'), 'm1');
    expect((await agent.next('authorizationAnswer')).outcome?.disposition).toBe(Disposition.REFUSED);
    expect((await world.desks.transactions()).filter(({ kind }) => kind === 'authorization')).toEqual([]);
  });

  test('that cannot be decided now waits alone, and goes on by itself', async () => {
    const agent = await joined();
    world.desks.line.cut = true;
    agent.stream('offlineRecord', 1, 's1', offline('R-1'));
    agent.stream('reversal', 2, 's2', reversal('s1'));
    agent.stream('reversal', 1, 't1', reversal('never'), '2');
    expect((await agent.next('acknowledgement')).messageId).toBe('t1');
    await world.logged('message must wait');
    world.desks.line.cut = false;
    await world.desks.clock.advance(DEFAULT_BRIDGE_LIMITS.retryMinMs);
    expect(await agent.next('acknowledgement')).toMatchObject({
      messageId: 's1',
      outcome: { disposition: Disposition.APPROVED },
    });
    expect((await agent.next('acknowledgement')).messageId).toBe('s2');
  });

  test('a message that makes no sense is parked for good, and the next one goes on', async () => {
    const agent = await joined();
    agent.stream('offlineRecord', 1, 's1', offline('R-1', { kind: OfflineKind.KIND_UNSPECIFIED }));
    const parked = await agent.next('parked');
    expect(parked).toMatchObject({
      messageId: 's1',
      reasonCode: 'malformed',
      reason: expect.stringContaining('kind must be'),
    });
    agent.stream('offlineRecord', 2, 's2', offline('R-2'));
    expect((await agent.next('acknowledgement')).messageId).toBe('s2');

    const again = world.connect();
    await again.join();
    again.stream('offlineRecord', 1, 's1', offline('R-1', { kind: OfflineKind.KIND_UNSPECIFIED }));
    expect(await again.next('parked')).toEqual(parked);
  });

  test('a message that fails again and again is parked', async () => {
    let calls = 0;
    const poisoned = (desk: PaymentDesk): PaymentDesk => ({
      authorize: async () => {
        calls += 1;
        throw new Error('a mistake of ours');
      },
      followUp: (request) => desk.followUp(request),
      status: (agentId, messageId) => desk.status(agentId, messageId),
      find: (paymentId, entityId) => desk.find(paymentId, entityId),
    });
    const agent = await joined({ around: poisoned });
    agent.stream('offlineRecord', 1, 's1', offline('R-1'));
    for (let failures = 1; failures < DEFAULT_BRIDGE_LIMITS.handlingAttempts; failures += 1) {
      await world.logged('message failed', failures);
      await world.desks.clock.advance(DEFAULT_BRIDGE_LIMITS.retryMinMs * 2 ** (failures - 1));
    }
    expect(await agent.next('parked')).toMatchObject({ messageId: 's1', reasonCode: 'handling-failed' });
    expect(calls).toBe(DEFAULT_BRIDGE_LIMITS.handlingAttempts);
    expect(await world.desks.store.get('parked', [AGENT, 's1'])).toMatchObject({ terminalId: '1' });
    agent.stream('reversal', 2, 's2', reversal('never'));
    expect((await agent.next('acknowledgement')).messageId).toBe('s2');
  });
});

describe('the life of a session', () => {
  test('ends when the agent falls silent, and every word keeps it alive', async () => {
    const agent = await joined();
    const almost = DEFAULT_BRIDGE_LIMITS.heartbeatIntervalMs * DEFAULT_BRIDGE_LIMITS.missedHeartbeats - 1;
    for (let beats = 0; beats < 3; beats += 1) {
      await world.desks.clock.advance(almost);
      agent.say('heartbeat', BEAT);
      await agent.next('heartbeatAnswer');
    }
    await world.desks.clock.advance(almost + 1);
    expect(await agent.closed).toBe(1000);
  });

  test('ends with a word when the gateway stops', async () => {
    const agent = await joined();
    await Promise.all([world.endpoint.close(), agent.next('goodbye')]).then(([, goodbye]) => {
      expect(goodbye).toMatchObject({
        code: GoodbyeCode.GOING_DOWN,
        retryAfterMs: DEFAULT_BRIDGE_LIMITS.comeBackMs,
      });
    });
    expect(world.endpoint.connected()).toEqual([]);
  });

  test('leaves no card data in the log', async () => {
    const agent = await joined();
    agent.say('authorizationRequest', sale('R-1'), 'm1');
    await agent.next('authorizationAnswer');
    agent.say('authorizationRequest', sale('R-2', { pos: { ...chip(), deviceType: 'NOBODY' } }), 'm2');
    await agent.next('authorizationAnswer');
    expect(world.log.length).toBeGreaterThan(0);
    for (const line of world.log) expect(line).not.toMatch(/\d{12}/);
  });
});
