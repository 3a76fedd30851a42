import { backoffMs } from '@tillbridge/platform/backoff.js';
import { negotiateVersion, type VersionRange } from '@tillbridge/wire/bridge/handshake.js';
import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';
import type { Challenge, Welcome } from '@tillbridge/wire/bridge/messages.js';
import type { MachineStep } from '@tillbridge/wire/machine-step.js';

/** Why there is no session; each reason has its own way back. */
export type DownReason =
  | 'not-started'
  | 'unreachable'
  | 'connection-lost'
  | 'silent'
  | 'unacknowledged'
  | 'handshake-timeout'
  | 'protocol-error'
  | 'going-down'
  | 'overloaded'
  /** Too many agents connect at once; the gateway gave this one a time to come back. */
  | 'turn-later'
  | 'unauthenticated'
  /** Who answers is not the gateway that this agent was enrolled with. */
  | 'gateway-unproven'
  | 'generation-not-allowed'
  | 'version-mismatch'
  | 'superseded'
  | 'fenced'
  | 'stopped';

/**
 * Where the connection to the gateway stands. `attempt` counts failures since the last proven session, without
 * the nudged attempts that reached no gateway.
 */
export type ConnectionState =
  | {
      readonly kind: 'down';
      readonly attempt: number;
      readonly reason: DownReason;
      readonly detail: string;
      /** The wait before the next attempt must not be cut short. */
      readonly patient: boolean;
    }
  | {
      readonly kind: 'connecting';
      readonly attempt: number;
      /** A sale caused this attempt: if nothing answers, it does not lengthen the backoff. */
      readonly nudged: boolean;
    }
  | { readonly kind: 'connected'; readonly attempt: number }
  | { readonly kind: 'hello-sent'; readonly attempt: number }
  | {
      readonly kind: 'up';
      readonly attempt: number;
      readonly epoch: number;
      readonly heartbeatIntervalMs: number;
      /** Heartbeat intervals that ended without a message from the gateway. */
      readonly missed: number;
    };

/** What a Welcome decides about the session (bridge.proto, Welcome); 0 credits leave it to this version's limits. */
type WelcomeFacts = Pick<
  Welcome,
  'version' | 'epoch' | 'heartbeatIntervalMs' | 'liveCredits' | 'backlogCredits' | 'timeMs'
>;

export type ConnectionEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  /** Someone wants the link now: a waiting retry is not waited for. */
  | { readonly kind: 'nudge' }
  | { readonly kind: 'retry-due' }
  | { readonly kind: 'socket-opened' }
  | { readonly kind: 'socket-closed'; readonly detail: string }
  | { readonly kind: 'challenge'; readonly challenge: Challenge }
  /** The gateway has proven itself. */
  | { readonly kind: 'welcome'; readonly welcome: WelcomeFacts }
  /** A Welcome that is not the gateway's. */
  | { readonly kind: 'unproven' }
  | {
      readonly kind: 'goodbye';
      readonly code: DownReason;
      readonly reason: string;
      readonly retryAfterMs: number;
    }
  /** Any well-formed message of a session that is up: a sign of life. */
  | { readonly kind: 'message-received' }
  /** The gateway sent a message that it must not send now. */
  | { readonly kind: 'violation'; readonly detail: string }
  /** The gateway answers heartbeats and acknowledges nothing. */
  | { readonly kind: 'stalled' }
  | { readonly kind: 'step-timeout' }
  | { readonly kind: 'heartbeat-due' };

/** `retry` waits between attempts, `step` bounds connecting and each step of the handshake, `heartbeat` beats. */
export type ConnectionTimer = 'retry' | 'step' | 'heartbeat';

export type ConnectionEffect =
  | { readonly kind: 'open-socket' }
  | { readonly kind: 'close-socket'; readonly detail: string }
  | { readonly kind: 'send-hello'; readonly challenge: Challenge }
  | { readonly kind: 'send-heartbeat' }
  | { readonly kind: 'send-goodbye' }
  /** Sets the named timer anew, to a moment drawn evenly between the two delays. */
  | {
      readonly kind: 'arm';
      readonly timer: ConnectionTimer;
      readonly minDelayMs: number;
      readonly maxDelayMs: number;
    }
  | { readonly kind: 'disarm'; readonly timer: ConnectionTimer }
  /** Comes before the session is used: what the queue sends depends on how old it is. */
  | { readonly kind: 'tell-time'; readonly timeMs: number }
  | { readonly kind: 'session-up'; readonly liveCredits: number; readonly backlogCredits: number }
  | { readonly kind: 'session-down' };

/** A new state and what its owner has to do. */
type ConnectionStep = MachineStep<ConnectionState, ConnectionEffect>;

/** Every time and count of the connection, by name. */
export const CONNECTION_LIMITS = {
  backoffBaseMs: 1_000,
  /** How long an agent may still be away after its gateway is back; 5,000 of them then try 1,000 times a second. */
  backoffCapMs: 10_000,
  /** A condition that only a person ends is tried again within this window. */
  slowRetryMinMs: 60_000,
  slowRetryMaxMs: 120_000,
  /** The longest "come back in" of a gateway that is obeyed. */
  maxRetryAfterMs: 600_000,
  connectTimeoutMs: 10_000,
  handshakeTimeoutMs: 10_000,
  missedHeartbeats: BRIDGE_LIMITS.missedHeartbeats,
  minHeartbeatIntervalMs: 1_000,
  maxHeartbeatIntervalMs: 120_000,
} as const;

/** Conditions that another attempt will hardly change. */
const SLOW: ReadonlySet<DownReason> = new Set([
  'unauthenticated',
  'gateway-unproven',
  'generation-not-allowed',
  'version-mismatch',
  'superseded',
  'fenced',
]);

const UNPROVEN =
  'who answers at gateway.bridgeUrl does not prove to be the gateway of this agent: correct the address; after a loss of the gateway’s keys, enrol anew';

/** The state of an agent that has not tried yet. */
export const INITIAL_CONNECTION: Extract<ConnectionState, { kind: 'down' }> = {
  kind: 'down',
  attempt: 0,
  reason: 'not-started',
  detail: 'not started',
  patient: true,
};

/**
 * The window for the next attempt: full jitter over 1 s doubling to 10 s, a slow window where only a person can
 * help, and never before the gateway's own "come back in".
 */
export function retryWindow(
  attempt: number,
  reason: DownReason,
  retryAfterMs = 0,
): { readonly minDelayMs: number; readonly maxDelayMs: number } {
  const requestedMs = Math.min(Math.max(0, retryAfterMs), CONNECTION_LIMITS.maxRetryAfterMs);
  const slow = SLOW.has(reason);
  const ceilingMs = backoffMs(attempt + 1, CONNECTION_LIMITS.backoffBaseMs, CONNECTION_LIMITS.backoffCapMs);
  const minDelayMs = slow ? CONNECTION_LIMITS.slowRetryMinMs : 0;
  const maxDelayMs = slow ? CONNECTION_LIMITS.slowRetryMaxMs : ceilingMs;
  if (requestedMs <= minDelayMs) return { minDelayMs, maxDelayMs };
  // All agents of a gateway that goes down get the same number: spread them after it. A turn belongs to one agent.
  return {
    minDelayMs: requestedMs,
    maxDelayMs: requestedMs + (slow || reason === 'turn-later' ? 0 : ceilingMs),
  };
}

/** The connection to the gateway as a pure machine; `versions` are the bridge versions of this build. */
export function connectionStep(
  state: ConnectionState,
  event: ConnectionEvent,
  versions: VersionRange,
): ConnectionStep {
  switch (event.kind) {
    case 'start':
      return state.kind === 'down' && (state.reason === 'not-started' || state.reason === 'stopped')
        ? connect(0)
        : stay(state);
    case 'nudge':
      // A till that flushes in a loop must not hammer a gateway that refused, or set a delay.
      return state.kind === 'down' && !state.patient ? connect(state.attempt, true) : stay(state);
    case 'retry-due':
      return state.kind === 'down' && state.reason !== 'stopped' ? connect(state.attempt) : stay(state);
    case 'stop':
      return stop(state);
    case 'socket-opened':
      return state.kind === 'connecting'
        ? { state: { kind: 'connected', attempt: state.attempt }, effects: [armStep('handshakeTimeoutMs')] }
        : stay(state);
    case 'socket-closed':
      return state.kind === 'down' ? stay(state) : lost(state, event.detail);
    case 'goodbye':
      return state.kind === 'down'
        ? stay(state)
        : fall(state, event.code, event.reason || event.code, event.retryAfterMs);
    case 'violation':
      return state.kind === 'down' ? stay(state) : fall(state, 'protocol-error', event.detail);
    case 'unproven':
      return state.kind === 'down' ? stay(state) : fall(state, 'gateway-unproven', UNPROVEN);
    case 'stalled':
      return state.kind === 'up'
        ? fall(state, 'unacknowledged', 'the gateway left a message unacknowledged for too long')
        : stay(state);
    case 'step-timeout':
      return stepTimeout(state);
    case 'challenge':
      return challenged(state, event.challenge, versions);
    case 'welcome':
      return welcomed(state, event.welcome, versions);
    case 'message-received':
      return state.kind === 'up' ? { state: { ...state, attempt: 0, missed: 0 }, effects: [] } : stay(state);
    case 'heartbeat-due':
      return state.kind === 'up' ? beat(state) : stay(state);
  }
}

function stay(state: ConnectionState): ConnectionStep {
  return { state, effects: [] };
}

function armStep(limit: 'connectTimeoutMs' | 'handshakeTimeoutMs'): ConnectionEffect {
  const delayMs = CONNECTION_LIMITS[limit];
  return { kind: 'arm', timer: 'step', minDelayMs: delayMs, maxDelayMs: delayMs };
}

function connect(attempt: number, nudged = false): ConnectionStep {
  return {
    state: { kind: 'connecting', attempt, nudged },
    effects: [{ kind: 'disarm', timer: 'retry' }, { kind: 'open-socket' }, armStep('connectTimeoutMs')],
  };
}

function stop(state: ConnectionState): ConnectionStep {
  const next: ConnectionState = { ...INITIAL_CONNECTION, reason: 'stopped', detail: 'stopped' };
  if (state.kind === 'down') return { state: next, effects: [{ kind: 'disarm', timer: 'retry' }] };
  const goodbye: ConnectionEffect[] = state.kind === 'up' ? [{ kind: 'send-goodbye' }] : [];
  return { state: next, effects: [...goodbye, ...leave(state, 'agent stops')] };
}

function leave(state: ConnectionState, detail: string): ConnectionEffect[] {
  const effects: ConnectionEffect[] = [
    { kind: 'disarm', timer: 'step' },
    { kind: 'disarm', timer: 'heartbeat' },
    { kind: 'close-socket', detail },
  ];
  if (state.kind === 'up') effects.push({ kind: 'session-down' });
  return effects;
}

function fall(
  state: Exclude<ConnectionState, { kind: 'down' }>,
  reason: DownReason,
  detail: string,
  retryAfterMs = 0,
): ConnectionStep {
  // A busy store makes an attempt with every sale of an outage: if these counted, the first sale-free minute after
  // it would be spent waiting.
  const counts = !(state.kind === 'connecting' && state.nudged);
  const window = retryWindow(counts ? state.attempt : Math.max(0, state.attempt - 1), reason, retryAfterMs);
  return {
    state: {
      kind: 'down',
      attempt: counts ? state.attempt + 1 : state.attempt,
      reason,
      detail,
      patient: SLOW.has(reason) || retryAfterMs > 0,
    },
    effects: [...leave(state, detail), { kind: 'arm', timer: 'retry', ...window }],
  };
}

function lost(state: Exclude<ConnectionState, { kind: 'down' }>, detail: string): ConnectionStep {
  return fall(state, state.kind === 'connecting' ? 'unreachable' : 'connection-lost', detail);
}

function stepTimeout(state: ConnectionState): ConnectionStep {
  switch (state.kind) {
    case 'connecting':
      return fall(state, 'unreachable', `no connection within ${CONNECTION_LIMITS.connectTimeoutMs} ms`);
    case 'connected':
      return fall(state, 'handshake-timeout', 'the gateway sent no Challenge');
    case 'hello-sent':
      return fall(state, 'handshake-timeout', 'the gateway sent no Welcome');
    default:
      return stay(state);
  }
}

function challenged(state: ConnectionState, challenge: Challenge, versions: VersionRange): ConnectionStep {
  if (state.kind === 'down') return stay(state);
  if (state.kind !== 'connected') return fall(state, 'protocol-error', `a Challenge while ${state.kind}`);
  const theirRange = { min: challenge.versionMin, max: challenge.versionMax };
  if (negotiateVersion(theirRange, versions) === undefined) {
    const theirs = `${challenge.versionMin}-${challenge.versionMax}`;
    return fall(
      state,
      'version-mismatch',
      `gateway speaks bridge versions ${theirs}, this agent ${versions.min}-${versions.max}`,
    );
  }
  return {
    state: { kind: 'hello-sent', attempt: state.attempt },
    effects: [{ kind: 'send-hello', challenge }, armStep('handshakeTimeoutMs')],
  };
}

function welcomed(state: ConnectionState, welcome: WelcomeFacts, versions: VersionRange): ConnectionStep {
  if (state.kind === 'down') return stay(state);
  if (state.kind !== 'hello-sent') return fall(state, 'protocol-error', `a Welcome while ${state.kind}`);
  if (welcome.version < versions.min || welcome.version > versions.max) {
    return fall(state, 'version-mismatch', `gateway chose bridge version ${welcome.version}`);
  }
  const heartbeatIntervalMs = Math.min(
    CONNECTION_LIMITS.maxHeartbeatIntervalMs,
    Math.max(CONNECTION_LIMITS.minHeartbeatIntervalMs, welcome.heartbeatIntervalMs),
  );
  return {
    // The attempts are forgotten only when the session has shown a sign of life after its Welcome: a gateway
    // that welcomes and falls over at once is still backed off from.
    state: { kind: 'up', attempt: state.attempt, epoch: welcome.epoch, heartbeatIntervalMs, missed: 0 },
    effects: [
      { kind: 'disarm', timer: 'step' },
      { kind: 'tell-time', timeMs: welcome.timeMs },
      {
        kind: 'session-up',
        liveCredits: credits(welcome.liveCredits, BRIDGE_LIMITS.liveCredits),
        backlogCredits: credits(welcome.backlogCredits, BRIDGE_LIMITS.backlogCredits),
      },
      { kind: 'send-heartbeat' },
      armHeartbeat(heartbeatIntervalMs),
    ],
  };
}

function credits(offered: number, limit: number): number {
  return offered === 0 ? limit : Math.min(offered, limit);
}

function armHeartbeat(intervalMs: number): ConnectionEffect {
  return { kind: 'arm', timer: 'heartbeat', minDelayMs: intervalMs, maxDelayMs: intervalMs };
}

function beat(state: Extract<ConnectionState, { kind: 'up' }>): ConnectionStep {
  const missed = state.missed + 1;
  if (missed >= CONNECTION_LIMITS.missedHeartbeats) {
    return fall(state, 'silent', `no sign of life for ${missed} heartbeat intervals`);
  }
  return {
    state: { ...state, missed },
    effects: [{ kind: 'send-heartbeat' }, armHeartbeat(state.heartbeatIntervalMs)],
  };
}
