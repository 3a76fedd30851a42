import {
  type ConnectionEffect,
  type ConnectionEvent,
  connectionStep,
} from '@tillbridge/agent/uplink/connection-machine.js';
import { goodbyeBody, goodbyeReason, outsideStreams } from '@tillbridge/agent/uplink/session-messages.js';
import { takesPlaceOf } from '@tillbridge/gateway/core/bridge/enrolment/current-session.js';
import { DEFAULT_BRIDGE_LIMITS } from '@tillbridge/gateway/core/bridge/limits/bridge-limits.js';
import {
  INITIAL_SESSION,
  type SessionEffect,
  type SessionEvent,
  sessionStep,
} from '@tillbridge/gateway/core/bridge/session-machine.js';
import { BRIDGE_VERSIONS } from '@tillbridge/wire/bridge/limits.js';
import type { Bodies, Heartbeat, Hello } from '@tillbridge/wire/bridge/messages.js';
import { AGENT } from '../gateway/gateway-program.js';
import { getRow } from '../gateway/stored-rows.js';
import {
  type DownLine,
  type Line,
  lineAt,
  type SessionSeams,
  type SessionsState,
  type UpLine,
  withAgent,
  withLine,
} from './sessions-state.js';

/** More failures in a row differ in their pauses alone. */
const MOST_ATTEMPTS = 2;
const NO_BYTES = new Uint8Array();
const HEARTBEAT = outsideStreams('heartbeat', 'heartbeat', { timeMs: 0 } as Heartbeat);

/** A connection that the agent has begun. */
function begun(of: number): Line {
  return {
    ...{ of, isPresent: true, agentEnd: 'open', gatewayEnd: 'open', isCut: false, up: [], down: [] },
    ...{ session: INITIAL_SESSION, timers: [], admitted: 0 },
  };
}

/** The Hello of an agent: a copy of its journal that was restored has the next generation. */
function helloOf(of: number): Hello {
  const { min: versionMin, max: versionMax } = BRIDGE_VERSIONS;
  return {
    ...{ agentId: AGENT, bootId: `boot ${of}`, generation: 1 + of, versionMin, versionMax },
    ...{ nonce: NO_BYTES, channel: '', signature: NO_BYTES, software: '', streams: [], terminals: [] },
  };
}

/** The place of the present connection of an agent; -1: it has none. */
export function presentLine({ lines }: SessionsState, of: number): number {
  return lines.findIndex((line) => line.of === of && line.isPresent);
}

/** Lets the connection machine of an agent take an event, and does what it decides. */
export function fedAgent(
  state: SessionsState,
  of: number,
  event: ConnectionEvent,
  seams: SessionSeams,
): SessionsState {
  const agent = state.agents[of];
  if (!agent) throw new RangeError(`there is no agent ${of}`);
  const step = (seams.connection ?? connectionStep)(agent.connection, event, BRIDGE_VERSIONS);
  const { attempt } = step.state;
  const connection = { ...step.state, attempt: Math.min(attempt, MOST_ATTEMPTS) };
  let after = withAgent(state, of, { connection });
  for (const effect of step.effects) after = byAgent(after, of, effect);
  return after;
}

function byAgent(state: SessionsState, of: number, effect: ConnectionEffect): SessionsState {
  const { timers = [] } = state.agents[of] ?? {};
  const present = presentLine(state, of);
  switch (effect.kind) {
    case 'open-socket':
      return { ...closedByAgent(state, present), lines: [...closedByAgent(state, present).lines, begun(of)] };
    case 'close-socket':
      return closedByAgent(state, present);
    case 'send-hello':
      return sentUp(state, present, outsideStreams('hello', 'hello', helloOf(of)));
    case 'send-heartbeat':
      return sentUp(state, present, HEARTBEAT);
    case 'send-goodbye':
      return sentUp(state, present, outsideStreams('goodbye', 'goodbye', goodbyeBody('agent stops')));
    case 'arm':
      return withAgent(state, of, {
        timers: [...timers.filter((name) => name !== effect.timer), effect.timer].sort(),
      });
    case 'disarm':
      return withAgent(state, of, { timers: timers.filter((name) => name !== effect.timer) });
    default:
      // The sender of the streams takes its part in the machine of a sale.
      return state;
  }
}

/** What the agent had sent may still come; what is on its way to it is gone. */
export function closedByAgent(state: SessionsState, at: number): SessionsState {
  return at < 0 ? state : withLine(state, at, { agentEnd: 'closed', isPresent: false });
}

function sentUp(state: SessionsState, at: number, message: UpLine): SessionsState {
  if (at < 0) return state;
  const line = lineAt(state, at);
  return isLost(line, 'gatewayEnd') ? state : withLine(state, at, { up: [...line.up, message] });
}

function sentDown(state: SessionsState, at: number, message: DownLine): SessionsState {
  const line = lineAt(state, at);
  return isLost(line, 'agentEnd') ? state : withLine(state, at, { down: [...line.down, message] });
}

function isLost(line: Line, end: 'agentEnd' | 'gatewayEnd'): boolean {
  return line.isCut || line[end] === 'closed';
}

/** Lets the session of a connection take an event, and does what it decides. */
export function fedSession(
  state: SessionsState,
  at: number,
  event: SessionEvent,
  seams: SessionSeams,
): SessionsState {
  const step = (seams.session ?? sessionStep)(lineAt(state, at).session, event, DEFAULT_BRIDGE_LIMITS);
  let after = withLine(state, at, { session: step.state });
  for (const effect of step.effects) after = bySession(after, at, effect, seams);
  return after;
}

function bySession(
  state: SessionsState,
  at: number,
  effect: SessionEffect,
  seams: SessionSeams,
): SessionsState {
  const { timers } = lineAt(state, at);
  switch (effect.kind) {
    case 'send-challenge':
      return sentDown(state, at, { kind: 'challenge', challenge: effect.challenge });
    case 'read-agent':
      return withLine(state, at, { work: { kind: 'read' } });
    case 'commit-session':
      return withLine(state, at, { work: { kind: 'commit', row: effect.row } });
    case 'admit':
      return admitted(state, at, effect, seams);
    case 'answer-heartbeat':
      return sentDown(state, at, { kind: 'heartbeatAnswer' });
    case 'send-goodbye': {
      const { code, reason, retryAfterMs } = effect;
      return sentDown(state, at, { kind: 'goodbye', code, reason, retryAfterMs });
    }
    case 'close':
      return closedByGateway(state, at);
    case 'arm':
      return withLine(state, at, {
        timers: [...timers.filter((name) => name !== effect.timer), effect.timer].sort(),
      });
    case 'disarm':
      return withLine(state, at, { timers: timers.filter((name) => name !== effect.timer) });
    default:
      return state;
  }
}

/** What the gateway had sent may still come; what is on its way to it is gone. */
function closedByGateway(state: SessionsState, at: number): SessionsState {
  return withLine(state, at, { gatewayEnd: 'closed', up: [], timers: [] });
}

/** The session becomes that of its agent at its node, and the Welcome leaves; or a newer one is there. */
function admitted(
  state: SessionsState,
  at: number,
  { session, version }: Extract<SessionEffect, { kind: 'admit' }>,
  seams: SessionSeams,
): SessionsState {
  const { node } = lineAt(state, at);
  const { epoch } = session;
  const stored = getRow(state.rows, 'agents', [AGENT])?.epoch ?? 0;
  const older = state.lines.findIndex((line) => line.admitted > 0 && line.node === node);
  const before = older < 0 ? undefined : openOf(lineAt(state, older));
  const takes = (seams.takesPlaceOf ?? takesPlaceOf)(before, session);
  if (!takes) return fedSession(state, at, { kind: 'superseded' }, seams);
  const breach =
    stored < epoch
      ? `P5: the Welcome of session ${epoch} leaves before its epoch is on disk`
      : before && before.epoch > epoch
        ? `P5: session ${epoch} takes the place of session ${before.epoch}`
        : state.lines.some((line, other) => other !== at && openOf(line)?.epoch === epoch)
          ? `P5: two sessions have the epoch ${epoch}`
          : undefined;
  let after: SessionsState = breach === undefined ? state : { ...state, breach };
  after = withLine(after, at, { admitted: epoch });
  if (older >= 0) {
    after = withLine(after, older, { admitted: 0 });
    after = fedSession(after, older, { kind: 'superseded' }, seams);
  }
  return sentDown(after, at, { kind: 'welcome', epoch, version });
}

/** The open session of a connection. */
export function openOf({ session }: Line) {
  return session.phase === 'open' ? session.session : undefined;
}

/** What the agent receives, as an event of its machine. */
export function eventOf(message: DownLine): ConnectionEvent {
  switch (message.kind) {
    case 'challenge':
      return message;
    case 'welcome': {
      const { epoch, version } = message;
      const welcome: Bodies['welcome'] = { epoch, version, timeMs: 0 } as Bodies['welcome'];
      const { heartbeatIntervalMs, liveCredits, backlogCredits } = DEFAULT_BRIDGE_LIMITS;
      return { kind: 'welcome', welcome: { ...welcome, heartbeatIntervalMs, liveCredits, backlogCredits } };
    }
    case 'goodbye': {
      const { code, reason, retryAfterMs } = message;
      return { kind: 'goodbye', code: goodbyeReason(code), reason, retryAfterMs };
    }
    case 'heartbeatAnswer':
      return { kind: 'message-received' };
  }
}
