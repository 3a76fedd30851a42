import { BRIDGE_VERSIONS } from '@tillbridge/wire/bridge/limits.js';
import {
  type Challenge,
  type EnrolmentAnswer,
  type EnrolmentRequest,
  type Envelope,
  GoodbyeCode,
  type Heartbeat,
  type Hello,
  type StreamKind,
  type StreamPosition,
} from '@tillbridge/wire/bridge/messages.js';
import type { MachineStep } from '@tillbridge/wire/machine-step.js';
import type { AgentRow } from '../../kernel/store/rows.js';
import { decideHello, type HelloFacts } from './enrolment/decide-hello.js';
import type { TrustAlert } from './enrolment/trust-alerts.js';
import type { BridgeLimits } from './limits/bridge-limits.js';
import { type AdoptedStream, resumeStreams } from './resume-streams.js';

/** The session of an authenticated agent. */
export interface OpenSession {
  readonly agentId: string;
  readonly entityId: string;
  readonly terminals: readonly string[];
  readonly epoch: number;
  /** When the agent proved itself, by the gateway's clock. */
  readonly provenAtMs: number;
}

/** Phase of a session. Before `open` it accepts one Hello or one request for enrolment. */
export type SessionState =
  | { readonly phase: 'waiting-hello'; readonly challenge: Challenge }
  | { readonly phase: 'enrolling' }
  | {
      readonly phase: 'reading-agent';
      readonly challenge: Challenge;
      readonly hello: Hello;
      readonly attempt: number;
    }
  | {
      readonly phase: 'committing';
      readonly challenge: Challenge;
      readonly hello: Hello;
      readonly attempt: number;
      readonly version: number;
      readonly row: AgentRow;
    }
  | { readonly phase: 'open'; readonly session: OpenSession }
  | { readonly phase: 'closed' };

/** Bodies that an open session passes on. */
type WorkKind = 'authorizationRequest' | 'statusRequest' | 'commandResult' | StreamKind;

export type SessionEvent =
  /** The socket is open; the nonce is fresh. */
  | { readonly kind: 'opened'; readonly nonce: Uint8Array }
  | { readonly kind: 'received'; readonly envelope: Envelope }
  /** The agent sent something that is no message of the bridge, or is not allowed now. */
  | { readonly kind: 'violation'; readonly reason: string }
  /** Answer to `read-agent`. */
  | ({ readonly kind: 'agent-read' } & Omit<HelloFacts, 'hello'>)
  /** Answer to `enrol`; none: it was refused. */
  | { readonly kind: 'enrolled'; readonly answer: EnrolmentAnswer | undefined }
  /** The new epoch is durable. */
  | { readonly kind: 'committed'; readonly streams: readonly StreamPosition[]; readonly nowMs: number }
  | { readonly kind: 'lost-race' }
  | { readonly kind: 'store-unavailable' }
  | { readonly kind: 'too-much'; readonly reason: string }
  | { readonly kind: 'hello-timeout' }
  | { readonly kind: 'silence-timeout' }
  /** The agent has a newer session. */
  | { readonly kind: 'superseded' }
  /** The agent's key counts no more. */
  | { readonly kind: 'revoked' }
  /** The gateway stops. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'socket-closed' };

export type SessionEffect =
  | { readonly kind: 'send-challenge'; readonly challenge: Challenge }
  | { readonly kind: 'read-agent'; readonly challenge: Challenge; readonly hello: Hello }
  | { readonly kind: 'enrol'; readonly challenge: Challenge; readonly request: EnrolmentRequest }
  | { readonly kind: 'send-enrolment'; readonly answer: EnrolmentAnswer }
  | { readonly kind: 'alert'; readonly alert: TrustAlert }
  /** Writes the row with its new epoch and reads the streams. */
  | { readonly kind: 'commit-session'; readonly row: AgentRow; readonly bootId: string }
  /** Makes this the agent's session: supersedes an older one, then sends the Welcome with the gateway's proof. */
  | {
      readonly kind: 'admit';
      readonly challenge: Challenge;
      readonly hello: Hello;
      readonly session: OpenSession;
      readonly version: number;
      readonly streams: readonly StreamPosition[];
      /** Streams that continue after messages that were never received. */
      readonly adopted: readonly AdoptedStream[];
    }
  | { readonly kind: 'answer-heartbeat'; readonly heartbeat: Heartbeat }
  | { readonly kind: 'work'; readonly envelope: Envelope<WorkKind> }
  | {
      readonly kind: 'send-goodbye';
      readonly code: GoodbyeCode;
      readonly reason: string;
      readonly retryAfterMs: number;
    }
  | { readonly kind: 'close'; readonly reason: string }
  | { readonly kind: 'arm'; readonly timer: 'hello' | 'silence'; readonly delayMs: number }
  | { readonly kind: 'disarm'; readonly timer: 'hello' | 'silence' };

/** A new state and what its owner has to do. */
type SessionStep = MachineStep<SessionState, SessionEffect>;

/** Before the socket is there. */
export const INITIAL_SESSION: SessionState = { phase: 'closed' };

/**
 * One session of the bridge as a pure machine (docs/bridge.md): challenge, signed Hello, the decision on it, a new epoch that is durable
 * before the signed Welcome is sent, then messages. Or challenge, request for enrolment, answer.
 */
export function sessionStep(state: SessionState, event: SessionEvent, limits: BridgeLimits): SessionStep {
  if (event.kind === 'opened') return opened(event.nonce, limits);
  if (state.phase === 'closed') return { state, effects: [] };
  switch (event.kind) {
    case 'received':
      return received(state, event.envelope, limits);
    case 'agent-read':
      return state.phase === 'reading-agent' ? agentRead(state, event) : same(state);
    case 'enrolled':
      return state.phase === 'enrolling' ? enrolled(event.answer) : same(state);
    case 'committed':
      return state.phase === 'committing' ? admitted(state, event, limits) : same(state);
    case 'lost-race':
      return state.phase === 'committing' ? again(state, limits) : same(state);
    case 'violation':
      return leave(GoodbyeCode.PROTOCOL_ERROR, event.reason);
    case 'store-unavailable':
      return leave(GoodbyeCode.OVERLOADED, 'the gateway cannot write now', limits.comeBackMs);
    case 'too-much':
      return leave(GoodbyeCode.OVERLOADED, event.reason, limits.comeBackMs);
    case 'hello-timeout':
      return leave(GoodbyeCode.UNAUTHENTICATED, `no Hello within ${limits.helloTimeoutMs} ms`);
    case 'silence-timeout':
      return end('the agent is silent');
    case 'superseded':
      return leave(GoodbyeCode.SUPERSEDED, 'the agent has a newer session');
    case 'revoked':
      return leave(GoodbyeCode.UNAUTHENTICATED, 'the agent’s key was revoked or replaced');
    case 'stop':
      return leave(GoodbyeCode.GOING_DOWN, 'the gateway stops', limits.leaveMs);
    case 'socket-closed':
      return end('the socket is closed');
  }
}

const same = (state: SessionState): SessionStep => ({ state, effects: [] });

function opened(nonce: Uint8Array, limits: BridgeLimits): SessionStep {
  const challenge = { nonce, versionMin: BRIDGE_VERSIONS.min, versionMax: BRIDGE_VERSIONS.max };
  return {
    state: { phase: 'waiting-hello', challenge },
    effects: [
      { kind: 'send-challenge', challenge },
      { kind: 'arm', timer: 'hello', delayMs: limits.helloTimeoutMs },
    ],
  };
}

function end(reason: string): SessionStep {
  return {
    state: { phase: 'closed' },
    effects: [
      { kind: 'disarm', timer: 'hello' },
      { kind: 'disarm', timer: 'silence' },
      { kind: 'close', reason },
    ],
  };
}

function leave(code: GoodbyeCode, reason: string, retryAfterMs = 0): SessionStep {
  const { state, effects } = end(reason);
  return { state, effects: [{ kind: 'send-goodbye', code, reason, retryAfterMs }, ...effects] };
}

type Alive = Exclude<SessionState, { phase: 'closed' }>;

function received(state: Alive, envelope: Envelope, limits: BridgeLimits): SessionStep {
  if (state.phase === 'open') return inSession(state, envelope, limits);
  if (state.phase !== 'waiting-hello')
    return leave(GoodbyeCode.PROTOCOL_ERROR, `${envelope.kind} before the Welcome`);
  const { challenge } = state;
  if (envelope.kind === 'enrolmentRequest')
    return { state: { phase: 'enrolling' }, effects: [{ kind: 'enrol', challenge, request: envelope.body }] };
  if (envelope.kind !== 'hello')
    return leave(GoodbyeCode.UNAUTHENTICATED, `${envelope.kind} before the Hello`);
  const hello = envelope.body;
  return {
    state: { phase: 'reading-agent', challenge, hello, attempt: 1 },
    effects: [{ kind: 'read-agent', challenge, hello }],
  };
}

/** The agent comes back with a Hello under its new key. */
function enrolled(answer: EnrolmentAnswer | undefined): SessionStep {
  if (!answer)
    return leave(GoodbyeCode.UNAUTHENTICATED, 'the code is unknown, used, expired or for something else');
  const { state, effects } = end('the agent is enrolled');
  return { state, effects: [{ kind: 'send-enrolment', answer }, ...effects] };
}

function agentRead(
  state: Extract<SessionState, { phase: 'reading-agent' }>,
  event: Extract<SessionEvent, { kind: 'agent-read' }>,
): SessionStep {
  const { challenge, hello, attempt } = state;
  const verdict = decideHello({ ...event, hello });
  if (verdict.kind === 'refuse') {
    const left = leave(verdict.code, verdict.reason);
    return verdict.alert
      ? { ...left, effects: [{ kind: 'alert', alert: verdict.alert }, ...left.effects] }
      : left;
  }
  const { version, row } = verdict;
  return {
    state: { phase: 'committing', challenge, hello, attempt, version, row },
    effects: [{ kind: 'commit-session', row, bootId: hello.bootId }],
  };
}

/** Reads the agent again: another session of it was committed in between and may have fenced this one. */
function again(state: Extract<SessionState, { phase: 'committing' }>, limits: BridgeLimits): SessionStep {
  const { challenge, hello, attempt } = state;
  if (attempt >= limits.commitAttempts)
    return leave(GoodbyeCode.OVERLOADED, 'too many sessions of this agent at once', limits.comeBackMs);
  return {
    state: { phase: 'reading-agent', challenge, hello, attempt: attempt + 1 },
    effects: [{ kind: 'read-agent', challenge, hello }],
  };
}

function admitted(
  { row, version, challenge, hello }: Extract<SessionState, { phase: 'committing' }>,
  { streams: stored, nowMs: provenAtMs }: Extract<SessionEvent, { kind: 'committed' }>,
  limits: BridgeLimits,
): SessionStep {
  const session: OpenSession = {
    agentId: row.id,
    entityId: row.entityId,
    terminals: JSON.parse(row.terminals) as string[],
    epoch: row.epoch,
    provenAtMs,
  };
  const { positions: streams, adopted } = resumeStreams(stored, hello.streams);
  return {
    state: { phase: 'open', session },
    effects: [
      { kind: 'disarm', timer: 'hello' },
      { kind: 'admit', challenge, hello, session, version, streams, adopted },
      armSilence(limits),
    ],
  };
}

function armSilence(limits: BridgeLimits): SessionEffect {
  return { kind: 'arm', timer: 'silence', delayMs: limits.heartbeatIntervalMs * limits.missedHeartbeats };
}

function inSession(
  state: Extract<SessionState, { phase: 'open' }>,
  envelope: Envelope,
  limits: BridgeLimits,
): SessionStep {
  const inWork = (effect: SessionEffect): SessionStep => ({ state, effects: [armSilence(limits), effect] });
  switch (envelope.kind) {
    case 'heartbeat':
      return inWork({ kind: 'answer-heartbeat', heartbeat: envelope.body });
    case 'goodbye':
      return end('the agent sent Goodbye');
    case 'authorizationRequest':
    case 'statusRequest':
    case 'reversal':
    case 'offlineRecord':
    case 'capture':
    case 'voiceAuthorization':
    case 'cancelIfUnseen':
    case 'commandResult':
      return inWork({ kind: 'work', envelope });
    default:
      return leave(GoodbyeCode.PROTOCOL_ERROR, `an agent in a session does not send ${envelope.kind}`);
  }
}
