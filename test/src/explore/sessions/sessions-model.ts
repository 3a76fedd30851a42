import { INITIAL_CONNECTION } from '@tillbridge/agent/uplink/connection-machine.js';
import { endOfStale, rowAfterLeaving } from '@tillbridge/gateway/core/bridge/enrolment/current-session.js';
import type { AgentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { Parts } from '../core/canonical.js';
import type { Model } from '../core/model.js';
import { AGENT, FIRST_DAY } from '../gateway/gateway-program.js';
import { NODE_NAMES, nodeName } from '../gateway/node-set.js';
import { NOW_MS } from '../gateway/replayed-process.js';
import { committed, getRow, type StoredRows } from '../gateway/stored-rows.js';
import { closedByAgent, eventOf, fedAgent, fedSession, openOf, presentLine } from './session-steps.js';
import {
  isWhole,
  type Line,
  lineAt,
  type SessionSeams,
  type SessionsAction,
  type SessionsBudget,
  type SessionsState,
  type SessionWork,
  spent,
  withAgent,
  withLine,
} from './sessions-state.js';

/** What is explored of sessions. */
export interface SessionsBounds {
  readonly budget: SessionsBudget;
  readonly nodes: 1 | 2;
  /** Processes with the identity of the agent: the second has a restored copy of its journal. */
  readonly copies: 1 | 2;
}

const NAMES = ['the agent', 'its restored copy'] as const;

/** Handshakes and ends of sessions: the connection machine of an agent, and the session machines of its gateway on one database. */
export class SessionsModel implements Model<SessionsState, SessionsAction> {
  readonly name = 'sessions of an agent';
  readonly initial: SessionsState;
  readonly #parts = new Parts();
  readonly #seams: SessionSeams;
  readonly #mirrors = new WeakMap<object, number>();

  constructor({ budget, nodes, copies }: SessionsBounds, seams: SessionSeams = {}) {
    this.#seams = seams;
    const first = committed({}, FIRST_DAY);
    if ('conflict' in first) throw new Error('the first day has a conflict');
    const agent = { isUp: false, connection: INITIAL_CONNECTION, timers: [] };
    this.initial = this.#shared({
      agents: Array.from({ length: copies }, () => agent),
      nodes: Array.from({ length: nodes }, () => true),
      ...{ lines: [], rows: first.rows, budget },
    });
  }

  /** Nodes differ by their names alone: of a state and the one in which they have changed places, one stands for both. */
  key({ agents, nodes, lines, rows, budget, breach }: SessionsState): string {
    const both = [agents.map((agent) => this.#parts.number(agent)), budget.faults, budget.people, breach];
    const own = this.#places(nodes, rows, lines, (part) => this.#parts.number(part));
    if (nodes.length < 2) return [...both, own].join('|');
    const other = this.#places(nodes.toReversed(), rows, lines, (part) => this.#mirrored(part));
    return [...both, own < other ? own : other].join('|');
  }

  #places(
    nodes: readonly boolean[],
    rows: StoredRows,
    lines: readonly Line[],
    numberOf: (part: object) => number,
  ): string {
    // Connections differ by their numbers alone: their order means nothing.
    const ofLines = lines.map(numberOf).sort((a, b) => a - b);
    return [nodes, numberOf(rows), ofLines].join('|');
  }

  /** The number of a part in which the nodes have changed places. */
  #mirrored(part: object): number {
    let number = this.#mirrors.get(part);
    if (number === undefined) {
      number = this.#parts.number(mirrorOf(part));
      this.#mirrors.set(part, number);
    }
    return number;
  }

  step(_state: SessionsState, action: SessionsAction): SessionsState {
    return this.#shared(action.to());
  }

  violation({ breach, lines, agents }: SessionsState): string | undefined {
    if (breach !== undefined) return breach;
    for (const line of lines) {
      const { connection } = agents[line.of] ?? {};
      if (!line.isPresent || connection?.kind !== 'up') continue;
      const { phase } = line.session;
      if (phase !== 'open' && phase !== 'closed')
        return 'P5: the agent is in a session that its gateway has not opened';
      const open = openOf(line);
      if (open && open.epoch !== connection.epoch)
        return `P5: the agent takes session ${open.epoch} for session ${connection.epoch}`;
    }
    return undefined;
  }

  /** An agent and its gateway are in the same session, which is the newest. */
  isEnd({ agents, lines, rows }: SessionsState): boolean {
    const newest = agentRow(rows).epoch;
    return lines.some((line) => {
      const isQuiet = isWhole(line) && line.up.length + line.down.length === 0;
      return isQuiet && agents[line.of]?.connection.kind === 'up' && openOf(line)?.epoch === newest;
    });
  }

  actions(state: SessionsState): readonly SessionsAction[] {
    return [
      ...[...state.agents.keys()].flatMap((of) => this.#ofAgent(state, of)),
      ...[...state.nodes.keys()].flatMap((node) => this.#ofNode(state, node)),
      ...[...state.lines.keys()].flatMap((at) => this.#ofLine(state, at)),
      ...byOperator(state),
    ];
  }

  #ofAgent(state: SessionsState, of: number): SessionsAction[] {
    const agent = state.agents[of];
    const name = NAMES[of] ?? `copy ${of}`;
    if (!agent) return [];
    const fed = (from: SessionsState, event: Parameters<typeof fedAgent>[2]) => () =>
      fedAgent(from, of, event, this.#seams);
    if (!agent.isUp)
      return [{ name: `${name} starts`, to: fed(withAgent(state, of, { isUp: true }), { kind: 'start' }) }];
    const { connection, timers } = agent;
    const found: SessionsAction[] = [];
    const present = presentLine(state, of);
    const line = present < 0 ? undefined : lineAt(state, present);
    if (timers.includes('retry') && connection.kind === 'down') {
      // Two copies could take the session from each other for ever.
      const isSlow = connection.reason === 'superseded' && state.agents.length > 1;
      const after = isSlow ? spent(state, 'people') : state;
      if (!isSlow || state.budget.people > 0)
        found.push({
          name: `${name} tries again`,
          isFault: isSlow,
          to: fed(fired(after, of, 'retry'), { kind: 'retry-due' }),
        });
    }
    if (timers.includes('step') && line) {
      const mayCome = mayStillCome(state, line);
      if (!mayCome || state.budget.faults > 0)
        found.push({
          name: mayCome ? `${name} waits no longer, too early` : `${name} waits no longer`,
          isFault: mayCome,
          to: fed(fired(mayCome ? spent(state, 'faults') : state, of, 'step'), { kind: 'step-timeout' }),
        });
    }
    const isOnItsWay = line !== undefined && isWhole(line) && line.up.length + line.down.length > 0;
    if (timers.includes('heartbeat') && !isOnItsWay)
      found.push({
        name: `a heartbeat of ${name} is due`,
        to: fed(fired(state, of, 'heartbeat'), { kind: 'heartbeat-due' }),
      });
    if (state.budget.faults > 0) {
      found.push({ name: `${name} ends without a word`, isFault: true, to: () => agentEnded(state, of) });
      if (connection.kind === 'down' && !connection.patient)
        found.push({
          name: `a sale of ${name} wants the link`,
          isFault: true,
          to: fed(spent(state, 'faults'), { kind: 'nudge' }),
        });
    }
    return found;
  }

  #ofNode(state: SessionsState, node: number): SessionsAction[] {
    const name = nodeName(node);
    if (!state.nodes[node])
      return [
        { name: `${name} starts again`, to: () => ({ ...state, nodes: state.nodes.with(node, true) }) },
      ];
    if (state.budget.faults === 0) return [];
    return [
      { name: `${name} ends without a word`, isFault: true, to: () => nodeEnded(state, node) },
      { name: `${name} stops`, isFault: true, to: () => nodeEnded(this.#stopped(state, node), node) },
    ];
  }

  #stopped(state: SessionsState, node: number): SessionsState {
    let after = state;
    for (const [at, line] of state.lines.entries())
      if (line.node === node) after = fedSession(after, at, { kind: 'stop' }, this.#seams);
    return after;
  }

  #ofLine(state: SessionsState, at: number): SessionsAction[] {
    const line = lineAt(state, at);
    const which = `${NAMES[line.of] ?? line.of}${line.isPresent ? '' : ', a connection that it gave up'}`;
    const found = line.node === undefined ? this.#reaching(state, at, line, which) : [];
    if (line.node !== undefined) {
      found.push(...this.#messages(state, at, line, which));
      if (line.work) found.push(...this.#works(state, at, line.node, line.work, which));
      found.push(...this.#sessionEnds(state, at, line, line.node, which));
    }
    const isCutOff = line.isCut || line.gatewayEnd === 'closed';
    if (line.agentEnd === 'open' && isCutOff && (line.isCut || line.down.length === 0))
      found.push({
        name: `the end of the connection is seen: ${which}`,
        to: () =>
          line.isPresent
            ? fedAgent(state, line.of, { kind: 'socket-closed', detail: 'cut' }, this.#seams)
            : withLine(state, at, { agentEnd: 'closed' }),
      });
    if (state.budget.faults > 0 && isWhole(line))
      found.push({
        name: `the connection is cut: ${which}`,
        isFault: true,
        to: () => withLine(spent(state, 'faults'), at, { isCut: true, up: [], down: [] }),
      });
    return found;
  }

  /** A new connection comes to a node, or to none. */
  #reaching(state: SessionsState, at: number, line: Line, which: string): SessionsAction[] {
    // What the agent has given up before it was there comes nowhere.
    if (line.agentEnd === 'closed') return [];
    const reached = state.nodes.flatMap((isUp, node): SessionsAction[] => {
      if (!isUp) return [];
      const to = (): SessionsState => {
        const opened = { kind: 'opened', nonce: new Uint8Array() } as const;
        const there = fedSession(withLine(state, at, { node }), at, opened, this.#seams);
        return fedAgent(there, line.of, { kind: 'socket-opened' }, this.#seams);
      };
      return [{ name: `${which} reaches ${nodeName(node)}`, to }];
    });
    if (reached.length > 0) return reached;
    const refused = { kind: 'socket-closed', detail: 'no node' } as const;
    return [{ name: `${which} reaches no node`, to: () => fedAgent(state, line.of, refused, this.#seams) }];
  }

  #messages(state: SessionsState, at: number, line: Line, which: string): SessionsAction[] {
    const found: SessionsAction[] = [];
    const { up, down, isPresent, of } = line;
    const [message] = up;
    if (message && line.gatewayEnd === 'open')
      found.push({
        name: `the gateway receives the ${message.kind}: ${which}`,
        to: () =>
          fedSession(
            withLine(state, at, { up: up.slice(1) }),
            at,
            { kind: 'received', envelope: message },
            this.#seams,
          ),
      });
    const [answer] = down;
    const accepts = isPresent || this.#seams.acceptsGivenUp === true;
    if (answer && accepts)
      found.push({
        name: `the agent receives the ${answer.kind}: ${which}`,
        to: () => {
          const received = withLine(state, at, { down: down.slice(1) });
          const alive = fedAgent(received, of, { kind: 'message-received' }, this.#seams);
          return fedAgent(alive, of, eventOf(answer), this.#seams);
        },
      });
    return found;
  }

  /** What a session waits for at its database comes. */
  #works(state: SessionsState, at: number, node: number, work: SessionWork, which: string): SessionsAction[] {
    const name = nodeName(node);
    const { work: _done, ...line } = lineAt(state, at);
    const left: SessionsState = { ...state, lines: state.lines.with(at, line) };
    const fed = (from: SessionsState, event: Parameters<typeof fedSession>[2]) =>
      fedSession(from, at, event, this.#seams);
    const found: SessionsAction[] = [];
    switch (work.kind) {
      case 'read': {
        const agent = agentRow(state.rows);
        const facts = {
          agent,
          provenBy: 'current',
          channelFits: true,
          isHeld: false,
          nowMs: NOW_MS,
        } as const;
        found.push({
          name: `${name} reads the agent: ${which}`,
          to: () => fed(left, { kind: 'agent-read', ...facts }),
        });
        break;
      }
      case 'commit': {
        const stored = stepped(left, { ...work.row, nodeId: name });
        const waiting = stored && withLine(stored, at, { work: { kind: 'streams' } });
        found.push(
          waiting
            ? { name: `${name} commits the session: ${which}`, to: () => waiting }
            : {
                name: `${name} loses a race for the epoch: ${which}`,
                to: () => fed(left, { kind: 'lost-race' }),
              },
        );
        if (stored && state.budget.faults > 0)
          found.push({
            name: `${name} commits the session, and ends: ${which}`,
            isFault: true,
            to: () => nodeEnded(stored, node),
          });
        break;
      }
      case 'streams':
        found.push({
          name: `${name} reads the streams: ${which}`,
          to: () => fed(left, { kind: 'committed', streams: [], nowMs: NOW_MS }),
        });
        break;
      case 'leave': {
        const row = rowAfterLeaving(agentRow(state.rows), { epoch: work.epoch, nodeId: name });
        found.push({
          name: `${name} notes that the agent has left: ${which}`,
          to: () => (row && stepped(left, row)) ?? left,
        });
        break;
      }
    }
    if (work.kind !== 'leave' && state.budget.faults > 0)
      found.push({
        name: `the database of ${name} cannot be reached: ${which}`,
        isFault: true,
        to: () => fed(spent(left, 'faults'), { kind: 'store-unavailable' }),
      });
    return found;
  }

  /** Times that are over, an end of the agent's side, and a newer session elsewhere. */
  #sessionEnds(state: SessionsState, at: number, line: Line, node: number, which: string): SessionsAction[] {
    if (line.gatewayEnd === 'closed') return [];
    const found: SessionsAction[] = [];
    const name = nodeName(node);
    const fed = (from: SessionsState, event: Parameters<typeof fedSession>[2]) => () =>
      fedSession(from, at, event, this.#seams);
    const isGone = line.isCut || (line.agentEnd === 'closed' && line.up.length === 0);
    if (isGone)
      found.push({
        name: `${name} sees the end of the connection: ${which}`,
        to: fed(state, { kind: 'socket-closed' }),
      });
    for (const timer of line.timers) {
      const mayCome = !line.isCut && line.agentEnd === 'open';
      if (mayCome && state.budget.faults === 0) continue;
      const from = mayCome ? spent(state, 'faults') : state;
      found.push({
        name: `${name} waits no longer for a ${timer === 'hello' ? 'Hello' : 'message'}: ${which}`,
        isFault: mayCome,
        to: fed(withLine(from, at, { timers: line.timers.filter((other) => other !== timer) }), {
          kind: `${timer}-timeout`,
        }),
      });
    }
    const end = line.admitted > 0 ? endOfStale(openOf(line), agentRow(state.rows)) : undefined;
    if (end)
      found.push({
        name: `${name} learns that the agent has a newer session: ${which}`,
        to: fed(state, { kind: end }),
      });
    return found;
  }

  /** The state of parts that others have, too; connections whose ends are both closed are gone. */
  #shared(state: SessionsState): SessionsState {
    const parts = this.#parts;
    const lines = state.lines.flatMap((line) => {
      const next = leaving(line);
      const isOver = next.agentEnd === 'closed' && (next.gatewayEnd === 'closed' || next.node === undefined);
      const isAwaited = this.#seams.acceptsGivenUp === true && next.down.length > 0;
      return isOver && !next.work && !isAwaited ? [] : [parts.one(next)];
    });
    return {
      ...state,
      agents: parts.one(state.agents),
      lines,
      rows: parts.one(state.rows),
    };
  }
}

/** The value in which two nodes have changed places: as places of a list, and by their names. */
function mirrorOf<T>(value: T): T {
  if (value === NODE_NAMES[0] || value === NODE_NAMES[1])
    return NODE_NAMES[value === NODE_NAMES[0] ? 1 : 0] as T;
  if (Array.isArray(value)) return value.map(mirrorOf) as T;
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  const fields = Object.entries(value).map(([name, field]) =>
    name === 'node' && typeof field === 'number' ? [name, 1 - field] : [name, mirrorOf(field)],
  );
  return Object.fromEntries(fields) as T;
}

/** A session that was that of its agent has ended: its node notes that. */
function leaving(line: Line): Line {
  const { session, admitted: epoch, work } = line;
  if (epoch === 0 || session.phase !== 'closed') return line;
  return { ...line, admitted: 0, ...(!work && { work: { kind: 'leave', epoch } }) };
}

function agentRow(rows: StoredRows): AgentRow {
  const row = getRow(rows, 'agents', [AGENT]);
  if (!row) throw new Error('the agent is registered');
  return row;
}

/** The state with the row of the agent; undefined where another commit came first. */
function stepped(state: SessionsState, row: AgentRow): SessionsState | undefined {
  const before = agentRow(state.rows);
  const stored = committed(state.rows, [{ op: 'update', table: 'agents', row }]);
  if ('conflict' in stored) return undefined;
  const { epoch, generation } = agentRow(stored.rows);
  const breach =
    generation < before.generation
      ? `P5: generation ${generation} of the journal follows ${before.generation}`
      : generation > before.generation && before.allowedGeneration !== generation
        ? `P5: generation ${generation} of the journal begins without its operator`
        : epoch < before.epoch
          ? `P5: session ${epoch} follows session ${before.epoch}`
          : undefined;
  return { ...state, rows: stored.rows, ...(breach && { breach }) };
}

function fired(state: SessionsState, of: number, timer: 'retry' | 'step' | 'heartbeat'): SessionsState {
  const { timers = [] } = state.agents[of] ?? {};
  return withAgent(state, of, { timers: timers.filter((name) => name !== timer) });
}

/** Whether what an agent waits for on a new connection may still come. */
function mayStillCome({ nodes }: SessionsState, line: Line): boolean {
  if (line.node === undefined) return nodes.includes(true);
  return isWhole(line) || (line.down.length > 0 && !line.isCut);
}

function agentEnded(state: SessionsState, of: number): SessionsState {
  const closed = closedByAgent(state, presentLine(state, of));
  return spent(withAgent(closed, of, { isUp: false, connection: INITIAL_CONNECTION, timers: [] }), 'faults');
}

/** The node without its memory: its connections end. */
function nodeEnded(state: SessionsState, node: number): SessionsState {
  const lines = state.lines.map((line): Line => {
    if (line.node !== node) return line;
    const { work: _, ...rest } = line;
    return { ...rest, gatewayEnd: 'closed', up: [], timers: [], session: { phase: 'closed' }, admitted: 0 };
  });
  return spent({ ...state, lines, nodes: state.nodes.with(node, false) }, 'faults');
}

/** The operator allows the generation of the restored copy. */
function byOperator(state: SessionsState): SessionsAction[] {
  const row = agentRow(state.rows);
  if (state.agents.length < 2 || state.budget.people === 0 || row.allowedGeneration !== null) return [];
  const allowed = { ...row, allowedGeneration: 2, allowedUntilMs: Number.MAX_SAFE_INTEGER };
  const after = stepped(spent(state, 'people'), allowed);
  return after
    ? [{ name: 'the operator allows the generation of the copy', isFault: true, to: () => after }]
    : [];
}
