import type {
  ConnectionState,
  ConnectionTimer,
  connectionStep,
} from '@tillbridge/agent/uplink/connection-machine.js';
import type { takesPlaceOf } from '@tillbridge/gateway/core/bridge/enrolment/current-session.js';
import type {
  SessionEffect,
  SessionState,
  sessionStep,
} from '@tillbridge/gateway/core/bridge/session-machine.js';
import type { AgentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Envelope } from '@tillbridge/wire/bridge/messages.js';
import type { Action } from '../core/model.js';
import type { StoredRows } from '../gateway/stored-rows.js';

/** What a gateway sends in addition to the answers to the work of a session. */
export type DownLine =
  | {
      readonly kind: 'challenge';
      readonly challenge: Extract<SessionEffect, { kind: 'send-challenge' }>['challenge'];
    }
  | { readonly kind: 'welcome'; readonly epoch: number; readonly version: number }
  | {
      readonly kind: 'goodbye';
      readonly code: number;
      readonly reason: string;
      readonly retryAfterMs: number;
    }
  | { readonly kind: 'heartbeatAnswer' };

/** Messages of an agent outside of its streams. */
export type UpLine = Envelope<'hello' | 'heartbeat' | 'goodbye'>;

/** What a session waits for at its database. */
export type SessionWork =
  | { readonly kind: 'read' }
  | { readonly kind: 'commit'; readonly row: AgentRow }
  /** Its epoch is on disk; what it begins with is read. */
  | { readonly kind: 'streams' }
  /** Its agent has left: the row is to say so. */
  | { readonly kind: 'leave'; readonly epoch: number };

/** A connection of an agent: reliable and in order, until it is cut. */
export interface Line {
  /** The agent, by its number. */
  readonly of: number;
  /** The node that it has reached; absent: none yet. */
  readonly node?: number;
  /** The agent's present one. */
  readonly isPresent: boolean;
  readonly agentEnd: 'open' | 'closed';
  readonly gatewayEnd: 'open' | 'closed';
  /** Nothing comes through any more, and no end has noticed that. */
  readonly isCut: boolean;
  readonly up: readonly UpLine[];
  readonly down: readonly DownLine[];
  readonly session: SessionState;
  readonly timers: readonly ('hello' | 'silence')[];
  readonly work?: SessionWork;
  /** Epoch of the session where it is that of its agent at its node, else 0. */
  readonly admitted: number;
}

/** A process with the identity of an agent, and a copy of its journal. */
export interface AgentSide {
  readonly isUp: boolean;
  readonly connection: ConnectionState;
  readonly timers: readonly ConnectionTimer[];
}

/** How much may still happen that need not. */
export interface SessionsBudget {
  /** Ends of processes, cuts, times that are over too early, databases that cannot be reached: of all together. */
  readonly faults: number;
  /** What an operator does, and slow tries of an agent that was refused: of all together. */
  readonly people: number;
}

/** Agents, the nodes of their gateway and the connections between them. */
export interface SessionsState {
  readonly agents: readonly AgentSide[];
  readonly nodes: readonly boolean[];
  readonly lines: readonly Line[];
  readonly rows: StoredRows;
  readonly budget: SessionsBudget;
  readonly breach?: string;
}

/** What may happen. */
export interface SessionsAction extends Action {
  readonly to: () => SessionsState;
}

/** Where a deliberate bug may stand. */
export interface SessionSeams {
  readonly connection?: typeof connectionStep;
  readonly session?: typeof sessionStep;
  readonly takesPlaceOf?: typeof takesPlaceOf;
  /** Messages of a connection that the agent has given up still count. */
  readonly acceptsGivenUp?: true;
}

/** The state with a little less of a budget. */
export function spent(state: SessionsState, what: keyof SessionsBudget): SessionsState {
  return { ...state, budget: { ...state.budget, [what]: state.budget[what] - 1 } };
}

/** The state with a changed agent. */
export function withAgent(state: SessionsState, of: number, change: Partial<AgentSide>): SessionsState {
  const agent = state.agents[of];
  if (!agent) throw new RangeError(`there is no agent ${of}`);
  return { ...state, agents: state.agents.with(of, { ...agent, ...change }) };
}

/** The state with a changed connection. */
export function withLine(state: SessionsState, at: number, change: Partial<Line>): SessionsState {
  return { ...state, lines: state.lines.with(at, { ...lineAt(state, at), ...change }) };
}

/** A connection by its place. */
export function lineAt(state: SessionsState, at: number): Line {
  const line = state.lines[at];
  if (!line) throw new RangeError(`there is no connection ${at}`);
  return line;
}

/** Whether what one end sends still comes to the other. */
export function isWhole({ agentEnd, gatewayEnd, isCut }: Line): boolean {
  return agentEnd === 'open' && gatewayEnd === 'open' && !isCut;
}
