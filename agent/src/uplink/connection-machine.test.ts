import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';
import { describe, expect, it } from 'vitest';
import {
  CONNECTION_LIMITS,
  type ConnectionEvent,
  type ConnectionState,
  connectionStep,
  INITIAL_CONNECTION,
  retryWindow,
} from './connection-machine.js';

const VERSIONS = { min: 1, max: 2 };
const NONCE = Uint8Array.from({ length: 32 }, (_, i) => i);
const CHALLENGE = {
  kind: 'challenge',
  challenge: { nonce: NONCE, versionMin: 1, versionMax: 3 },
} as const satisfies ConnectionEvent;
const OFFER = {
  version: 1,
  epoch: 1,
  heartbeatIntervalMs: 5_000,
  liveCredits: 0,
  backlogCredits: 8,
  timeMs: 1_000,
};
const WELCOME: ConnectionEvent = {
  kind: 'welcome',
  welcome: { ...OFFER, epoch: 7 },
};
const goodbye = (
  code: Extract<ConnectionEvent, { kind: 'goodbye' }>['code'],
  retryAfterMs = 0,
): ConnectionEvent => ({ kind: 'goodbye', code, reason: '', retryAfterMs });

/** Runs events from the initial state; returns the last state and every effect of the last event. */
function run(...events: ConnectionEvent[]) {
  let state: ConnectionState = INITIAL_CONNECTION;
  let effects: readonly { kind: string }[] = [];
  for (const event of events) {
    const next = connectionStep(state, event, VERSIONS);
    state = next.state;
    effects = next.effects;
  }
  return { state, effects };
}

const OPENED: ConnectionEvent[] = [{ kind: 'start' }, { kind: 'socket-opened' }];
const UP: ConnectionEvent[] = [...OPENED, CHALLENGE, WELCOME];

describe('the handshake', () => {
  it('goes down, connecting, connected, hello-sent, up', () => {
    expect(run({ kind: 'start' }).state.kind).toBe('connecting');
    expect(run(...OPENED).state.kind).toBe('connected');
    expect(run(...OPENED, CHALLENGE).state.kind).toBe('hello-sent');
    expect(run(...UP).state).toEqual({
      kind: 'up',
      attempt: 0,
      epoch: 7,
      heartbeatIntervalMs: 5_000,
      missed: 0,
    });
  });

  it('signs the challenge it was given', () => {
    const { challenge } = CHALLENGE;
    expect(run(...OPENED, CHALLENGE).effects).toContainEqual({ kind: 'send-hello', challenge });
  });

  it('leaves a peer that does not prove to be the gateway, and tries again slowly', () => {
    const { state, effects } = run(...OPENED, CHALLENGE, { kind: 'unproven' });
    expect(state).toMatchObject({ kind: 'down', reason: 'gateway-unproven', patient: true });
    expect(effects.map(({ kind }) => kind)).toEqual(['disarm', 'disarm', 'close-socket', 'arm']);
  });

  it('passes on the gateway’s time, announces the session and sends a heartbeat when welcomed', () => {
    expect(run(...UP).effects.map((effect) => effect.kind)).toEqual([
      'disarm',
      'tell-time',
      'session-up',
      'send-heartbeat',
      'arm',
    ]);
  });

  it('sends no Hello to a gateway without a common version', () => {
    const { state, effects } = run(...OPENED, {
      kind: 'challenge',
      challenge: { nonce: NONCE, versionMin: 3, versionMax: 4 },
    });
    expect(state).toMatchObject({ kind: 'down', reason: 'version-mismatch' });
    expect(effects.map((effect) => effect.kind)).not.toContain('send-hello');
  });

  it.each<[string, ConnectionEvent[], string]>([
    [
      'refused connection',
      [{ kind: 'start' }, { kind: 'socket-closed', detail: 'ECONNREFUSED' }],
      'unreachable',
    ],
    ['connect timeout', [{ kind: 'start' }, { kind: 'step-timeout' }], 'unreachable'],
    ['no Challenge', [...OPENED, { kind: 'step-timeout' }], 'handshake-timeout'],
    ['no Welcome', [...OPENED, CHALLENGE, { kind: 'step-timeout' }], 'handshake-timeout'],
    ['Welcome before Hello', [...OPENED, WELCOME], 'protocol-error'],
    ['second Challenge', [...OPENED, CHALLENGE, CHALLENGE], 'protocol-error'],
    ['Challenge in a session', [...UP, CHALLENGE], 'protocol-error'],
    [
      'version that was not offered',
      [...OPENED, CHALLENGE, { kind: 'welcome', welcome: { ...OFFER, version: 3 } }],
      'version-mismatch',
    ],
    ['malformed message', [...UP, { kind: 'violation', detail: 'not an envelope' }], 'protocol-error'],
    ['socket lost', [...UP, { kind: 'socket-closed', detail: 'code 1006' }], 'connection-lost'],
    ['unauthenticated', [...OPENED, CHALLENGE, goodbye('unauthenticated')], 'unauthenticated'],
    ['superseded', [...UP, goodbye('superseded')], 'superseded'],
    ['fenced', [...UP, goodbye('fenced')], 'fenced'],
    ['going down', [...UP, goodbye('going-down')], 'going-down'],
    ['overloaded', [...UP, goodbye('overloaded')], 'overloaded'],
    ['given its turn', [...UP, goodbye('turn-later')], 'turn-later'],
  ])('%s is a state with a way back', (_name, events, reason) => {
    const { state, effects } = run(...events);
    expect(state).toMatchObject({ kind: 'down', reason, attempt: 1 });
    expect(effects).toContainEqual(expect.objectContaining({ kind: 'close-socket' }));
    expect(effects).toContainEqual(expect.objectContaining({ kind: 'arm', timer: 'retry' }));
    expect(connectionStep(state, { kind: 'retry-due' }, VERSIONS).state.kind).toBe('connecting');
  });
});

describe('a session', () => {
  it('takes credits up to this version’s limits, which also stand for an absent offer', () => {
    const { effects } = run(...UP);
    expect(effects).toContainEqual({
      kind: 'session-up',
      liveCredits: BRIDGE_LIMITS.liveCredits,
      backlogCredits: 8,
    });
  });

  it('is started over when the gateway acknowledges nothing', () => {
    expect(run(...UP, { kind: 'stalled' }).state).toMatchObject({ kind: 'down', reason: 'unacknowledged' });
  });
});

describe('backoff', () => {
  it.each([
    [0, 1_000],
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
    [4, 10_000],
    [500, 10_000],
  ])('attempt %i waits between nothing and %i ms', (attempt, maxDelayMs) => {
    expect(retryWindow(attempt, 'unreachable')).toEqual({ minDelayMs: 0, maxDelayMs });
  });

  it('never comes before the gateway’s delay, and spreads after it', () => {
    expect(retryWindow(1, 'going-down', 5_000)).toEqual({ minDelayMs: 5_000, maxDelayMs: 7_000 });
  });

  it('connects at its turn: the gateway gives each agent another time', () => {
    expect(retryWindow(4, 'turn-later', 6_250)).toEqual({ minDelayMs: 6_250, maxDelayMs: 6_250 });
  });

  it('does not obey an absurd wish', () => {
    const { minDelayMs } = retryWindow(0, 'going-down', 4_000_000_000);
    expect(minDelayMs).toBe(CONNECTION_LIMITS.maxRetryAfterMs);
  });

  it.each(['unauthenticated', 'superseded', 'fenced', 'version-mismatch'] as const)(
    '%s is retried slowly',
    (reason) => {
      expect(retryWindow(0, reason)).toEqual({
        minDelayMs: CONNECTION_LIMITS.slowRetryMinMs,
        maxDelayMs: CONNECTION_LIMITS.slowRetryMaxMs,
      });
      const fallen = connectionStep(run(...UP).state, goodbye('fenced'), VERSIONS).state;
      expect(connectionStep(fallen, { kind: 'nudge' }, VERSIONS).state).toBe(fallen);
    },
  );

  it('grows until a session shows a sign of life, then starts over', () => {
    const lost: ConnectionEvent = { kind: 'socket-closed', detail: 'gone' };
    const again: ConnectionEvent[] = [{ kind: 'retry-due' }, { kind: 'socket-opened' }, CHALLENGE, WELCOME];
    expect(run(...UP, lost, ...again).state.attempt).toBe(1);
    expect(run(...UP, lost, ...again, lost).state.attempt).toBe(2);
    expect(run(...UP, lost, ...again, { kind: 'message-received' }, lost).state.attempt).toBe(1);
  });

  it('is cut short by a nudge', () => {
    const { state, effects } = run(
      { kind: 'start' },
      { kind: 'socket-closed', detail: 'ECONNREFUSED' },
      { kind: 'nudge' },
    );
    expect(state).toEqual({ kind: 'connecting', attempt: 1, nudged: true });
    expect(effects).toContainEqual({ kind: 'disarm', timer: 'retry' });
  });

  const lost: ConnectionEvent = { kind: 'socket-closed', detail: 'ECONNREFUSED' };
  const nudges: ConnectionEvent[] = Array.from({ length: 20 }, () => [
    { kind: 'nudge' } as const,
    lost,
  ]).flat();

  it('does not grow by the attempts that sales ask for while nothing answers', () => {
    const once = run({ kind: 'start' }, lost);
    const { state, effects } = run({ kind: 'start' }, lost, ...nudges);
    expect(state).toEqual(once.state);
    expect(effects.at(-1)).toEqual(once.effects.at(-1));
  });

  it('grows by a nudged attempt that reached a gateway', () => {
    const nudged: ConnectionEvent[] = [{ kind: 'nudge' }, { kind: 'socket-opened' }, lost];
    expect(run({ kind: 'start' }, lost, ...nudged).state.attempt).toBe(2);
  });
});

describe('heartbeat', () => {
  const due: ConnectionEvent = { kind: 'heartbeat-due' };

  it('ends a session after three silent intervals', () => {
    expect(run(...UP, due, due).state).toMatchObject({ kind: 'up', missed: 2 });
    const { state, effects } = run(...UP, due, due, due);
    expect(state).toMatchObject({ kind: 'down', reason: 'silent' });
    expect(effects).toContainEqual({ kind: 'session-down' });
  });

  it('counts any message as a sign of life', () => {
    expect(run(...UP, due, due, { kind: 'message-received' }, due).state).toMatchObject({
      kind: 'up',
      missed: 1,
    });
  });

  it.each([
    [0, CONNECTION_LIMITS.minHeartbeatIntervalMs],
    [4_000_000_000, CONNECTION_LIMITS.maxHeartbeatIntervalMs],
  ])('bounds an interval of %i ms to %i ms', (heartbeatIntervalMs, bounded) => {
    const { state } = run(...OPENED, CHALLENGE, {
      kind: 'welcome',
      welcome: { ...OFFER, heartbeatIntervalMs },
    });
    expect(state).toMatchObject({ heartbeatIntervalMs: bounded });
  });
});

describe('stopping', () => {
  it('closes the socket and stays down', () => {
    const { state, effects } = run(...UP, { kind: 'stop' });
    expect(state).toMatchObject({ kind: 'down', reason: 'stopped' });
    expect(effects.map((effect) => effect.kind)).toEqual([
      'send-goodbye',
      'disarm',
      'disarm',
      'close-socket',
      'session-down',
    ]);
    for (const kind of ['retry-due', 'nudge'] as const) {
      expect(connectionStep(state, { kind }, VERSIONS).state).toBe(state);
    }
    expect(connectionStep(state, { kind: 'start' }, VERSIONS).state.kind).toBe('connecting');
  });
});

const GONE: ConnectionEvent = { kind: 'socket-closed', detail: 'gone' };
const RECEIVED: ConnectionEvent = { kind: 'message-received' };
const DUE: ConnectionEvent = { kind: 'heartbeat-due' };

describe('an event', () => {
  const STATES: Readonly<Record<string, readonly ConnectionEvent[]>> = {
    'not started': [],
    down: [{ kind: 'start' }, GONE],
    stopped: [{ kind: 'stop' }],
    connecting: [{ kind: 'start' }],
    connected: OPENED,
    'hello-sent': [...OPENED, CHALLENGE],
    up: UP,
  };
  const NOT_DOWN = ['connecting', 'connected', 'hello-sent', 'up'];

  it.each([
    [{ kind: 'start' }, ['not started', 'stopped']],
    [{ kind: 'nudge' }, ['down']],
    [{ kind: 'retry-due' }, ['not started', 'down']],
    [{ kind: 'socket-opened' }, ['connecting']],
    [GONE, NOT_DOWN],
    [goodbye('going-down'), NOT_DOWN],
    [{ kind: 'violation', detail: 'x' }, NOT_DOWN],
    [{ kind: 'unproven' }, NOT_DOWN],
    [{ kind: 'stalled' }, ['up']],
    [{ kind: 'step-timeout' }, ['connecting', 'connected', 'hello-sent']],
    [CHALLENGE, NOT_DOWN],
    [WELCOME, NOT_DOWN],
    [RECEIVED, ['up']],
    [DUE, ['up']],
  ] as const)('%o changes something in its own states alone', (event, own) => {
    const changed = Object.entries(STATES).filter(([, events]) => {
      const { state } = run(...events);
      const step = connectionStep(state, event, VERSIONS);
      if (step.state !== state) return true;
      expect(step.effects).toEqual([]);
      return false;
    });
    expect(changed.map(([name]) => name)).toEqual(own);
  });
});

describe('the effects of a step', () => {
  const step = (delayMs: number) => ({
    kind: 'arm',
    timer: 'step',
    minDelayMs: delayMs,
    maxDelayMs: delayMs,
  });

  it('bound connecting and each step of the handshake', () => {
    expect(run({ kind: 'start' }).effects).toEqual([
      { kind: 'disarm', timer: 'retry' },
      { kind: 'open-socket' },
      step(CONNECTION_LIMITS.connectTimeoutMs),
    ]);
    expect(run(...OPENED).effects).toEqual([step(CONNECTION_LIMITS.handshakeTimeoutMs)]);
    expect(run(...OPENED, CHALLENGE).effects.at(-1)).toEqual(step(CONNECTION_LIMITS.handshakeTimeoutMs));
  });

  it('send a heartbeat and set the time of the next one', () => {
    expect(run(...UP, DUE).effects).toEqual([
      { kind: 'send-heartbeat' },
      { kind: 'arm', timer: 'heartbeat', minDelayMs: 5_000, maxDelayMs: 5_000 },
    ]);
    expect(run(...UP, RECEIVED).effects).toEqual([]);
  });

  it('end a wait where the agent stops before it connects, and send no Goodbye before a session', () => {
    const stop: ConnectionEvent = { kind: 'stop' };
    expect(run({ kind: 'start' }, GONE, stop).effects).toEqual([{ kind: 'disarm', timer: 'retry' }]);
    expect(run(...OPENED, stop).effects).toEqual([
      { kind: 'disarm', timer: 'step' },
      { kind: 'disarm', timer: 'heartbeat' },
      { kind: 'close-socket', detail: 'agent stops' },
    ]);
  });
});

describe('the detail of a state', () => {
  it('is the reason of a Goodbye, or its code', () => {
    const reason = 'an update is installed';
    expect(run(...UP, { ...goodbye('going-down'), reason } as ConnectionEvent).state).toMatchObject({
      detail: reason,
    });
    expect(run(...UP, goodbye('going-down')).state).toMatchObject({ detail: 'going-down' });
  });

  it.each([
    [[{ kind: 'start' }, { kind: 'step-timeout' }], 'no connection within 10000 ms'],
    [[...OPENED, { kind: 'step-timeout' }], 'the gateway sent no Challenge'],
    [[...OPENED, CHALLENGE, { kind: 'step-timeout' }], 'the gateway sent no Welcome'],
  ] as const)('names the step that took too long', (events, detail) => {
    expect(run(...events).state).toMatchObject({ detail });
  });
});

it('takes each version that it offers, and none outside', () => {
  const welcomed = (version: number) =>
    run(...OPENED, CHALLENGE, { kind: 'welcome', welcome: { ...OFFER, version } }).state;
  expect(welcomed(2).kind).toBe('up');
  for (const version of [0, 3])
    expect(welcomed(version)).toMatchObject({ kind: 'down', reason: 'version-mismatch' });
});

it('waits out a delay of the gateway, whatever is sold', () => {
  const { state } = run(...UP, goodbye('going-down', 5_000));
  expect(connectionStep(state, { kind: 'nudge' }, VERSIONS).state).toBe(state);
});

it('waits by its failures before, where a sale caused the last one', () => {
  const again: ConnectionEvent[] = [{ kind: 'retry-due' }, GONE];
  const nudged: ConnectionEvent[] = [{ kind: 'nudge' }, GONE];
  const { effects } = run({ kind: 'start' }, GONE, ...again, ...again, ...nudged);
  expect(effects.at(-1)).toEqual({ kind: 'arm', timer: 'retry', ...retryWindow(2, 'unreachable') });
});

it('keeps its window where the gateway requests the start of it', () => {
  const { slowRetryMinMs, slowRetryMaxMs } = CONNECTION_LIMITS;
  expect(retryWindow(0, 'fenced', slowRetryMinMs)).toEqual({
    minDelayMs: slowRetryMinMs,
    maxDelayMs: slowRetryMaxMs,
  });
  expect(retryWindow(0, 'turn-later', 0)).toEqual({ minDelayMs: 0, maxDelayMs: 1_000 });
});
