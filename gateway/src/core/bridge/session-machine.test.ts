import {
  type EnrolmentAnswer,
  type Envelope,
  GoodbyeCode,
  type Hello,
} from '@tillbridge/wire/bridge/messages.js';
import { describe, expect, test } from 'vitest';
import type { AgentRow } from '../../kernel/store/rows.js';
import { newAgentRow } from '../../security/agents/agent-row.js';
import type { HelloFacts } from './enrolment/decide-hello.js';
import { DEFAULT_BRIDGE_LIMITS as LIMITS } from './limits/bridge-limits.js';
import { INITIAL_SESSION, type SessionEvent, sessionStep } from './session-machine.js';

const AGENT: AgentRow = {
  ...newAgentRow({ id: 'agent-1', entityId: 'entity-1', publicKey: 'pem', terminals: ['T1', 'T2'] }, 0),
  generation: 2,
  epoch: 41,
  version: 9,
};
const HELLO: Hello = {
  agentId: 'agent-1',
  bootId: 'boot',
  generation: 2,
  versionMin: 1,
  versionMax: 3,
  nonce: Uint8Array.of(2),
  channel: 'none',
  signature: new Uint8Array(64),
  software: 'test',
  streams: [],
  terminals: [],
};
const NONCE = Uint8Array.of(1);
const CHALLENGE = { nonce: NONCE, versionMin: 1, versionMax: 1 };

function envelope<K extends Envelope['kind']>(kind: K, body: unknown = {}): SessionEvent {
  return { kind: 'received', envelope: { id: 'i', terminalId: '', sequence: 0, kind, body } as Envelope };
}

const OPENED: SessionEvent = { kind: 'opened', nonce: NONCE };
const hello = (overrides: Partial<Hello> = {}) => envelope('hello', { ...HELLO, ...overrides });
const read = (agent: AgentRow = AGENT, facts: Partial<HelloFacts> = {}): SessionEvent => ({
  kind: 'agent-read',
  agent,
  provenBy: 'current',
  channelFits: true,
  isHeld: false,
  nowMs: 1_000,
  ...facts,
});
const COMMITTED: SessionEvent = {
  kind: 'committed',
  streams: [{ terminalId: 'T1', nextSequence: 7 }],
  nowMs: 1_000,
};
const OPEN: readonly SessionEvent[] = [OPENED, hello(), read(), COMMITTED];

/** Last state and the effects of the last event. */
function run(...events: SessionEvent[]) {
  let step = sessionStep(INITIAL_SESSION, events[0] ?? OPENED, LIMITS);
  for (const event of events.slice(1)) step = sessionStep(step.state, event, LIMITS);
  return step;
}

function goodbye(...events: SessionEvent[]) {
  const { state, effects } = run(...events);
  const sent = effects.find((effect) => effect.kind === 'send-goodbye');
  expect(state.phase).toBe('closed');
  expect(effects.at(-1)?.kind).toBe('close');
  return sent && { code: sent.code, reason: sent.reason, retryAfterMs: sent.retryAfterMs };
}

describe('the handshake', () => {
  test('challenge, Hello, new epoch, and only then the session', () => {
    expect(run(OPENED).effects).toEqual([
      { kind: 'send-challenge', challenge: CHALLENGE },
      { kind: 'arm', timer: 'hello', delayMs: LIMITS.helloTimeoutMs },
    ]);
    expect(run(OPENED, hello()).effects).toEqual([
      { kind: 'read-agent', challenge: CHALLENGE, hello: HELLO },
    ]);
    const committing = run(OPENED, hello(), read());
    expect(committing.effects).toEqual([
      { kind: 'commit-session', row: { ...AGENT, epoch: 42 }, bootId: 'boot' },
    ]);
    const { state, effects } = run(...OPEN);
    const session = {
      agentId: 'agent-1',
      entityId: 'entity-1',
      terminals: ['T1', 'T2'],
      epoch: 42,
      provenAtMs: 1_000,
    };
    expect(state).toEqual({ phase: 'open', session });
    expect(effects).toEqual([
      { kind: 'disarm', timer: 'hello' },
      {
        kind: 'admit',
        challenge: CHALLENGE,
        hello: HELLO,
        session,
        version: 1,
        streams: [{ terminalId: 'T1', nextSequence: 7 }],
        adopted: [],
      },
      { kind: 'arm', timer: 'silence', delayMs: LIMITS.heartbeatIntervalMs * LIMITS.missedHeartbeats },
    ]);
  });

  test('an answer without a pending request changes nothing', () => {
    const phases: readonly (readonly SessionEvent[])[] = [
      [OPENED],
      [OPENED, envelope('enrolmentRequest')],
      [OPENED, hello()],
      [OPENED, hello(), read()],
      OPEN,
    ];
    const waiting = ['waiting-hello', 'enrolling', 'reading-agent', 'committing', 'open'];
    const awaited: Readonly<Record<string, readonly string[]>> = {
      enrolling: ['enrolled'],
      'reading-agent': ['agent-read'],
      committing: ['committed', 'lost-race'],
    };
    const answers: readonly SessionEvent[] = [
      read(),
      { kind: 'enrolled', answer: { agentId: 'a' } as EnrolmentAnswer },
      COMMITTED,
      { kind: 'lost-race' },
    ];
    expect(phases.map((events) => run(...events).state.phase)).toEqual(waiting);
    for (const events of phases)
      for (const late of answers) {
        const { state } = run(...events);
        if (awaited[state.phase]?.includes(late.kind)) continue;
        expect(run(...events, late), `${late.kind} while ${state.phase}`).toEqual({ state, effects: [] });
      }
  });

  test('a stream goes on behind what the agent will never send, and never before what is stored', () => {
    const streams = [
      { terminalId: 'T1', nextSequence: 5 },
      { terminalId: 'T2', nextSequence: 3 },
    ];
    expect(run(OPENED, hello({ streams }), read(), COMMITTED).effects).toContainEqual(
      expect.objectContaining({
        kind: 'admit',
        streams: [
          { terminalId: 'T1', nextSequence: 7 },
          { terminalId: 'T2', nextSequence: 3 },
        ],
        adopted: [{ terminalId: 'T2', expected: 1, offered: 3 }],
      }),
    );
  });

  test('a refused Hello ends it, after its alert is raised', () => {
    const { effects } = run(OPENED, hello({ generation: 3 }), read());
    expect(effects.map(({ kind }) => kind)).toEqual(['alert', 'send-goodbye', 'disarm', 'disarm', 'close']);
    const [alert] = effects;
    expect(alert).toMatchObject({ alert: { code: 'agent-generation-jump', subject: 'agent-1' } });
    expect(goodbye(OPENED, hello({ generation: 1 }), read())?.code).toBe(GoodbyeCode.FENCED);
  });

  test('a request for enrolment is answered, and the session ends; refused, it gets no reason', () => {
    const request = envelope('enrolmentRequest', { codeId: 'c' });
    expect(run(OPENED, request).effects).toEqual([
      { kind: 'enrol', challenge: CHALLENGE, request: { codeId: 'c' } },
    ]);
    const answer = { agentId: 'a' } as EnrolmentAnswer;
    const { state, effects } = run(OPENED, request, { kind: 'enrolled', answer });
    expect(state.phase).toBe('closed');
    expect(effects[0]).toEqual({ kind: 'send-enrolment', answer });
    const refused = goodbye(OPENED, request, { kind: 'enrolled', answer: undefined });
    expect(refused?.code).toBe(GoodbyeCode.UNAUTHENTICATED);
  });

  test('without a common version there is no session', () => {
    const sent = goodbye(OPENED, hello({ versionMin: 2 }), read());
    expect(sent).toMatchObject({
      code: GoodbyeCode.VERSION_MISMATCH,
      reason: expect.stringContaining('2 to 3'),
    });
  });

  test('a lost race looks at the agent again, and not for ever', () => {
    const lost: SessionEvent = { kind: 'lost-race' };
    expect(run(OPENED, hello(), read(), lost)).toMatchObject({
      state: { phase: 'reading-agent', attempt: 2 },
      effects: [{ kind: 'read-agent', challenge: CHALLENGE, hello: HELLO }],
    });
    const fenced = goodbye(OPENED, hello(), read(), lost, read({ ...AGENT, generation: 5, epoch: 50 }));
    expect(fenced?.code).toBe(GoodbyeCode.FENCED);
    const rounds = Array.from({ length: LIMITS.commitAttempts }, () => [read(), lost]).flat();
    expect(goodbye(OPENED, hello(), ...rounds)?.code).toBe(GoodbyeCode.OVERLOADED);
  });

  test.each([
    ['nothing in time', [{ kind: 'hello-timeout' }], GoodbyeCode.UNAUTHENTICATED],
    ['money before the Hello', [envelope('authorizationRequest')], GoodbyeCode.UNAUTHENTICATED],
    ['a word before the Welcome', [hello(), envelope('heartbeat')], GoodbyeCode.PROTOCOL_ERROR],
    [
      'a second request before the first was answered',
      [envelope('enrolmentRequest'), hello()],
      GoodbyeCode.PROTOCOL_ERROR,
    ],
    ['something unreadable', [{ kind: 'violation', reason: 'x' }], GoodbyeCode.PROTOCOL_ERROR],
    ['a store that cannot write', [hello(), read(), { kind: 'store-unavailable' }], GoodbyeCode.OVERLOADED],
  ] satisfies [string, SessionEvent[], GoodbyeCode][])('%s ends it', (_name, events, code) => {
    if (events.some(({ kind }) => kind === 'store-unavailable'))
      expect(goodbye(OPENED, ...events)?.reason).toBe('the gateway cannot write now');
    const retryAfterMs = code === GoodbyeCode.OVERLOADED ? LIMITS.comeBackMs : 0;
    expect(goodbye(OPENED, ...events)).toMatchObject({ code, retryAfterMs });
  });
});

describe('an open session', () => {
  test('passes work on, answers heartbeats, and lets both keep it alive', () => {
    const silence = {
      kind: 'arm',
      timer: 'silence',
      delayMs: LIMITS.heartbeatIntervalMs * LIMITS.missedHeartbeats,
    };
    expect(run(...OPEN, envelope('reversal')).effects).toEqual([
      silence,
      expect.objectContaining({ kind: 'work' }),
    ]);
    expect(run(...OPEN, envelope('heartbeat')).effects).toEqual([
      silence,
      expect.objectContaining({ kind: 'answer-heartbeat' }),
    ]);
  });

  test.each([
    ['a second Hello', hello(), GoodbyeCode.PROTOCOL_ERROR],
    ['a gateway’s word', envelope('welcome'), GoodbyeCode.PROTOCOL_ERROR],
    ['a newer session', { kind: 'superseded' }, GoodbyeCode.SUPERSEDED],
    ['a revoked key', { kind: 'revoked' }, GoodbyeCode.UNAUTHENTICATED],
    ['the end of the gateway', { kind: 'stop' }, GoodbyeCode.GOING_DOWN],
    ['too much at once', { kind: 'too-much', reason: 'x' }, GoodbyeCode.OVERLOADED],
  ] satisfies [string, SessionEvent, GoodbyeCode][])('%s ends it', (_name, event, code) => {
    expect(goodbye(...OPEN, event)?.code).toBe(code);
  });

  test('silence, a goodbye and a lost socket end it without a Goodbye', () => {
    for (const event of [
      { kind: 'silence-timeout' },
      envelope('goodbye'),
      { kind: 'socket-closed' },
    ] as const) {
      expect(goodbye(...OPEN, event)).toBeUndefined();
    }
  });

  test('what comes after the end changes nothing', () => {
    const ended = [...OPEN, { kind: 'superseded' } as const];
    for (const event of [envelope('reversal'), COMMITTED, { kind: 'stop' } as const]) {
      expect(run(...ended, event)).toEqual({ state: { phase: 'closed' }, effects: [] });
    }
  });
});
