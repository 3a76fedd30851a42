import type { MachineStep } from '@tillbridge/wire/machine-step.js';
import type { StreamEnvelope } from '../journal/forward-queue.js';

/** A message on the way. */
interface InFlight {
  readonly sentAtMs: number;
}

/**
 * What the sender knows. Nothing of it survives a session: what was not acknowledged is read again from the queue.
 * `sentAtMs` are monotonic milliseconds.
 */
export interface SenderState {
  /** Counts sessions, so that a late answer of the queue cannot reach a newer one. */
  readonly session: number;
  readonly up: boolean;
  readonly liveCredits: number;
  readonly backlogCredits: number;
  /** Live messages that have no answer yet, by message id. */
  readonly live: ReadonlyMap<string, InFlight>;
  /** Stream messages that are not acknowledged yet, by message id. */
  readonly backlog: ReadonlyMap<string, InFlight>;
  /** Highest sequence sent in this session, by terminal. */
  readonly cursors: ReadonlyMap<string, number>;
  /** Terminals that may have work, in turn. */
  readonly turn: readonly string[];
  /** The queue is being read, or a stream message is being written. */
  readonly busy: boolean;
}

export type SenderEvent =
  | {
      readonly kind: 'session-up';
      readonly liveCredits: number;
      readonly backlogCredits: number;
      readonly terminals: readonly string[];
    }
  | { readonly kind: 'session-down' }
  /** A terminal has a new message, or another try is requested. */
  | { readonly kind: 'work'; readonly terminalId: string }
  /** The queue's answer to `pull`. */
  | {
      readonly kind: 'pulled';
      readonly session: number;
      readonly terminalId: string;
      readonly envelope: StreamEnvelope | undefined;
      readonly atMs: number;
    }
  /** The queue could not be read; the owner sends `work` for the terminal when it is worth another try. */
  | { readonly kind: 'pull-failed'; readonly session: number }
  /** The socket has taken the stream message; until then nothing else of the backlog is in live's way. */
  | { readonly kind: 'written'; readonly session: number }
  /** The queue has recorded that the message is acknowledged or parked. */
  | { readonly kind: 'recorded'; readonly messageId: string }
  | { readonly kind: 'live-sent'; readonly messageId: string; readonly atMs: number }
  | { readonly kind: 'live-answered'; readonly messageId: string };

export type SenderEffect =
  | {
      readonly kind: 'pull';
      readonly session: number;
      readonly terminalId: string;
      readonly afterSequence: number;
    }
  | { readonly kind: 'send'; readonly session: number; readonly envelope: StreamEnvelope };

/** A new state and what its owner has to do. */
type SenderStep = MachineStep<SenderState, SenderEffect>;

/** Times of the two queues, by name. */
export const SENDER_LIMITS = {
  /** A live message without an answer gives its credit back: the sale has long stopped waiting. */
  liveCreditTtlMs: 120_000,
  /** A stream message unacknowledged for so long: the session is started over and everything sent again. */
  acknowledgeTimeoutMs: 45_000,
} as const;

/** A sender without a session. */
export const INITIAL_SENDER: SenderState = {
  session: 0,
  up: false,
  liveCredits: 0,
  backlogCredits: 0,
  live: new Map(),
  backlog: new Map(),
  cursors: new Map(),
  turn: [],
  busy: false,
};

/** The two queues as a pure machine: order per terminal, turns between terminals, credits, one backlog write at a time. */
export function senderStep(state: SenderState, event: SenderEvent): SenderStep {
  switch (event.kind) {
    case 'session-up':
      return pump({
        ...INITIAL_SENDER,
        session: state.session + 1,
        up: true,
        liveCredits: event.liveCredits,
        backlogCredits: event.backlogCredits,
        turn: [...new Set(event.terminals)],
      });
    case 'session-down':
      return { state: { ...INITIAL_SENDER, session: state.session }, effects: [] };
    case 'work':
      return pump({ ...state, turn: withTurn(state.turn, event.terminalId) });
    case 'pulled':
      return isCurrent(state, event.session) ? pulled(state, event) : { state, effects: [] };
    case 'pull-failed':
    case 'written':
      return isCurrent(state, event.session) ? pump({ ...state, busy: false }) : { state, effects: [] };
    case 'recorded':
      return pump({ ...state, backlog: without(state.backlog, event.messageId) });
    case 'live-sent':
      return {
        state: { ...state, live: new Map(state.live).set(event.messageId, { sentAtMs: event.atMs }) },
        effects: [],
      };
    case 'live-answered':
      return { state: { ...state, live: without(state.live, event.messageId) }, effects: [] };
  }
}

/** True while another live message may go out; `nowMs` is monotonic. */
export function mayGoLive(state: SenderState, nowMs: number): boolean {
  if (!state.up) return false;
  let waiting = 0;
  for (const { sentAtMs } of state.live.values()) {
    if (nowMs - sentAtMs < SENDER_LIMITS.liveCreditTtlMs) waiting += 1;
  }
  return waiting < state.liveCredits;
}

/** True when the gateway has left a stream message unacknowledged for too long; `nowMs` is monotonic. */
export function isStalled(state: SenderState, nowMs: number): boolean {
  for (const { sentAtMs } of state.backlog.values()) {
    if (nowMs - sentAtMs >= SENDER_LIMITS.acknowledgeTimeoutMs) return true;
  }
  return false;
}

function isCurrent(state: SenderState, session: number): boolean {
  return state.up && state.session === session;
}

function withTurn(turn: readonly string[], terminalId: string): readonly string[] {
  return turn.includes(terminalId) ? turn : [...turn, terminalId];
}

function without(map: ReadonlyMap<string, InFlight>, key: string): ReadonlyMap<string, InFlight> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

/** Requests the next message from the queue for the terminal whose turn it is, when nothing is in the way. */
function pump(state: SenderState): SenderStep {
  const [terminalId, ...rest] = state.turn;
  if (!state.up || state.busy || terminalId === undefined || state.backlog.size >= state.backlogCredits) {
    return { state, effects: [] };
  }
  const afterSequence = state.cursors.get(terminalId) ?? 0;
  return {
    state: { ...state, turn: rest, busy: true },
    effects: [{ kind: 'pull', session: state.session, terminalId, afterSequence }],
  };
}

function pulled(state: SenderState, event: Extract<SenderEvent, { kind: 'pulled' }>): SenderStep {
  const { envelope, terminalId } = event;
  // Nothing more of this terminal; a message that came during the read has put it in turn again.
  if (!envelope) return pump({ ...state, busy: false });
  const cursor = state.cursors.get(terminalId) ?? 0;
  if (envelope.terminalId !== terminalId || envelope.sequence <= cursor) {
    throw new RangeError(
      `forward queue gave message ${envelope.id} of stream ${envelope.terminalId} at ${envelope.sequence}, requested ${terminalId} after ${cursor}`,
    );
  }
  return {
    state: {
      ...state,
      backlog: new Map(state.backlog).set(envelope.id, { sentAtMs: event.atMs }),
      cursors: new Map(state.cursors).set(terminalId, envelope.sequence),
      turn: withTurn(state.turn, terminalId),
    },
    effects: [{ kind: 'send', session: state.session, envelope }],
  };
}
