import { NOTHING_LIVE, type SaleEvent } from '@tillbridge/agent/sale/machine/state/events.js';
import { toGatewayAnswer } from '@tillbridge/agent/sale/machine/state/gateway-answer.js';
import { DEFAULT_POLICY } from '@tillbridge/agent/sale/machine/state/policy.js';
import { isOpen } from '@tillbridge/agent/sale/machine/state/sale-state.js';
import { INITIAL_SENDER, isStalled } from '@tillbridge/agent/uplink/stream-sender.js';
import { initialBacklog } from '@tillbridge/gateway/core/bridge/backlog-machine.js';
import { resumeStreams } from '@tillbridge/gateway/core/bridge/resume-streams.js';
import { StatusState } from '@tillbridge/wire/bridge/messages.js';
import { Parts } from '../core/canonical.js';
import type { Model } from '../core/model.js';
import { IDLE, ProcessHost } from '../gateway/gateway-host.js';
import {
  AGENT,
  FIRST_DAY,
  type GatewaySeams,
  type GatewayWork,
  gatewayProgram,
} from '../gateway/gateway-program.js';
import { committed, findRows, getRow, type StoredRows } from '../gateway/stored-rows.js';
import { placeOf, projectionOf, saleState } from './agent-run.js';
import type { AgentRules, AgentSeams, SaleAtPlace, UpMessage } from './agent-state.js';
import { agentActions, events, stepped } from './by-agent.js';
import { gatewayActions, postponedAt, received } from './by-gateway.js';
import { PLACES } from './card.js';
import { brokenPromise, hasEnded } from './sale-promises.js';
import {
  type Budget,
  type DownMessage,
  nameOf,
  type SaleAction,
  type SaleWorld,
  spent,
} from './sale-world.js';

/** Credits of a session, as the gateway gives them. */
const CREDITS = { liveCredits: 8, backlogCredits: 32 } as const;

/** What is explored of a sale. */
export interface SaleBounds {
  readonly budget: Budget;
  /** The card may decide without the gateway. */
  readonly offline: boolean;
  /** Each has a sale of its own. */
  readonly terminals: 1 | 2;
  /** A message may block its stream for as long as it is let, and is parked then. */
  readonly parks?: true;
  /** Default: `any`. */
  readonly cards?: AgentRules['cards'];
}

/** What there is of a sale before its till requests it. */
const NOT_BEGUN: SaleAtPlace = {
  live: NOTHING_LIVE,
  isReading: false,
  timers: [],
  terminal: { at: 'idle' },
  shown: null,
  requests: 0,
  gaveTc: false,
};

/** Sales of one or two terminals, from the till to the acquirer's record, and all that may happen on its way. */
export class SaleModel implements Model<SaleWorld, SaleAction> {
  readonly name: string;
  readonly initial: SaleWorld;
  readonly #parts = new Parts();
  readonly #host: ProcessHost<GatewayWork>;
  readonly #rules: AgentRules;
  readonly #parks: boolean;

  constructor(
    { budget, offline, terminals, parks, cards = 'any' }: SaleBounds,
    seams: { readonly agent?: AgentSeams; readonly gateway?: GatewaySeams } = {},
  ) {
    this.#parks = parks === true;
    const sales = terminals === 1 ? 'sale' : 'sales of two terminals';
    this.name = offline ? `${sales}, with offline approvals` : sales;
    const limits = { EUR: { perSaleMinor: 10_000, sumMinor: 15_000, perCardMinor: 15_000 } };
    const offlinePolicy = { ...DEFAULT_POLICY.offline, enabled: true, limits, maxPerCard: 60 };
    this.#rules = {
      policy: {
        ...DEFAULT_POLICY,
        // As many pauses as make a difference: one request for the status, and one more.
        statusScheduleMs: [0, 1_000],
        ...(offline && { offline: { ...offlinePolicy, afterHandOver: 'reverse' } }),
      },
      cards,
      seams: seams.agent ?? {},
    };
    this.#host = new ProcessHost((seed) => gatewayProgram(seed, seams.gateway), this.#parts);
    this.initial = this.#shared({
      agent: {
        isUp: true,
        rows: [],
        blobs: {},
        sender: INITIAL_SENDER,
        sales: PLACES.slice(0, terminals).map(() => NOT_BEGUN),
      },
      wire: { isUp: false, epoch: 0, up: [], down: [] },
      gateway: { isUp: true, process: IDLE, backlog: initialBacklog([]) },
      rows: firstRows(),
      acquirer: { ledger: {}, late: [] },
      budget,
    });
  }

  /** How many steps of the gateway were carried out by running its code. */
  get gatewayRuns(): number {
    return this.#host.runs;
  }

  key({ agent, wire, gateway, rows, acquirer, budget, breach }: SaleWorld): string {
    const parts = [agent, wire, gateway, rows, acquirer, budget].map((part) => this.#parts.number(part));
    return [...parts, breach].join();
  }

  violation(world: SaleWorld): string | undefined {
    return world.breach ?? brokenPromise(world);
  }

  isEnd(world: SaleWorld): boolean {
    return hasEnded(world);
  }

  async step(_world: SaleWorld, action: SaleAction): Promise<SaleWorld> {
    return this.#shared(await action.to());
  }

  actions(world: SaleWorld): readonly SaleAction[] {
    return [
      ...agentActions(world, this.#rules),
      ...gatewayActions(world, this.#host, this.#parks),
      ...this.#byWire(world),
    ];
  }

  /** The link comes up and goes down; messages arrive, are lost and repeated. */
  #byWire(world: SaleWorld): SaleAction[] {
    const { agent, wire, gateway, budget } = world;
    if (!agent.isUp) return [];
    if (!wire.isUp) {
      if (agent.sender.up)
        return [{ name: 'the agent sees that the link is down', to: () => this.#sawDown(world) }];
      return gateway.isUp ? [{ name: 'the link comes up', to: () => this.#linked(world) }] : [];
    }
    const found: SaleAction[] = [];
    // Of two sales the gateway works on one at a time: the orders of its own steps are explored with one sale, and with two nodes.
    const takes = agent.sales.length === 1 || world.gateway.process.running.length === 0;
    for (const [at, message] of takes ? unlike(wire.up) : [])
      found.push({
        name: `the gateway receives ${nameOf(message)}`,
        to: () => received(withUp(world, wire.up.toSpliced(at, 1)), this.#host, message),
      });
    // The sale deals with what it sent before anything can come back.
    for (const [at, message] of unlike(wire.down))
      if (agent.sales[placeOf(message.body.messageId)]?.sent === undefined)
        found.push(...this.#down(withDown(world, wire.down.toSpliced(at, 1)), message));
    if (isSilent(world)) found.push({ name: 'the agent gives the silent session up', to: () => cut(world) });
    if (budget.faults > 0)
      found.push({
        name: 'the link is cut',
        isFault: true,
        to: () => spent(cut(world), 'faults'),
      });
    return budget.faults > 0 ? [...found, ...faults(world)] : found;
  }

  #down(world: SaleWorld, message: DownMessage): SaleAction[] {
    const name = `the agent receives ${nameOf(message)}`;
    if (message.kind === 'authorizationAnswer' || message.kind === 'statusAnswer')
      return events(world, this.#rules, placeOf(message.body.messageId), name, eventOf(message));
    const { messageId } = message.body;
    const take = (ends: boolean) => () =>
      stepped(
        world,
        this.#rules,
        (run) => {
          if (message.kind === 'acknowledgement' && message.body.outcome)
            run.acknowledged(messageId, message.body.outcome);
          if (message.kind === 'parked') run.parked(messageId, message.body.reasonCode, message.body.reason);
        },
        ends,
      );
    const found: SaleAction[] = [{ name, to: take(false) }];
    if (world.budget.faults > 0)
      found.push({ name: `${name}; the agent ends when that is on disk`, isFault: true, to: take(true) });
    return found;
  }

  #sawDown(world: SaleWorld): Promise<SaleWorld> {
    return stepped(world, this.#rules, (run) => {
      run.feed({ kind: 'session-down' });
      for (const at of world.agent.sales.keys()) run.post(at, { kind: 'link', state: 'down' });
    });
  }

  /** A handshake: the new epoch is committed, and both sides begin at the same place of each stream. */
  #linked(world: SaleWorld): Promise<SaleWorld> {
    const agentRow = getRow(world.rows, 'agents', [AGENT]);
    if (!agentRow) throw new Error('the agent is registered');
    const epoch = agentRow.epoch + 1;
    const stored = committed(world.rows, [{ op: 'update', table: 'agents', row: { ...agentRow, epoch } }]);
    if ('conflict' in stored) throw new Error('no other session begins');
    const known = PLACES.flatMap(({ terminalId }) =>
      findRows(world.rows, 'streams', 'primary', [AGENT, terminalId]),
    );
    const projection = projectionOf(world.agent.rows);
    const { positions } = resumeStreams(known, projection.positions());
    const linked: SaleWorld = {
      ...world,
      rows: stored.rows,
      wire: { isUp: true, epoch, up: [], down: [] },
      gateway: { ...world.gateway, backlog: initialBacklog(positions) },
    };
    return stepped(linked, this.#rules, (run) => {
      run.feed({ kind: 'session-up', ...CREDITS, terminals: projection.terminals() });
      for (const at of world.agent.sales.keys()) {
        const state = saleState(world.agent.rows, at);
        if (state && isOpen(state)) run.post(at, { kind: 'link', state: 'up' });
      }
    });
  }

  /** The world of parts that other worlds have, too; what is on its way is in one order. */
  #shared({ agent, wire, gateway, rows, acquirer, budget, breach }: SaleWorld): SaleWorld {
    const parts = this.#parts;
    const up = wire.up.toSorted(byName);
    const down = wire.down.toSorted(byName);
    return {
      agent: parts.one(agent),
      wire: parts.one({ ...wire, up, down }),
      gateway: parts.one(gateway),
      rows: parts.one(rows),
      acquirer: parts.one(acquirer),
      budget: parts.one(budget),
      ...(breach !== undefined && { breach }),
    };
  }
}

/** Nothing is under way for messages of the streams that the gateway has not acknowledged: the sender sees that after a while. */
function isSilent(world: SaleWorld): boolean {
  const { agent, wire, gateway } = world;
  const isUnderWay = wire.up.length + wire.down.length + gateway.process.running.length > 0;
  return !isUnderWay && postponedAt(world).length === 0 && isStalled(agent.sender, Number.POSITIVE_INFINITY);
}

const cut = (world: SaleWorld): SaleWorld => ({
  ...world,
  wire: { ...world.wire, isUp: false, up: [], down: [] },
});

function byName(a: UpMessage | DownMessage, b: UpMessage | DownMessage): number {
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

/** Messages with their places; of equal ones the first. */
function unlike<T extends UpMessage | DownMessage>(
  messages: readonly T[],
): readonly (readonly [number, T])[] {
  const names = new Set<string>();
  return messages.flatMap((message, at) => {
    const name = nameOf(message);
    if (names.has(name)) return [];
    names.add(name);
    return [[at, message] as const];
  });
}

const withUp = (world: SaleWorld, up: readonly UpMessage[]): SaleWorld => ({
  ...world,
  wire: { ...world.wire, up },
});
const withDown = (world: SaleWorld, down: readonly DownMessage[]): SaleWorld => ({
  ...world,
  wire: { ...world.wire, down },
});

/** Single messages are lost and repeated. */
function faults(world: SaleWorld): SaleAction[] {
  const { up, down } = world.wire;
  const less = spent(world, 'faults');
  return [
    ...unlike(up).flatMap(([at, message]) => [
      { name: `${nameOf(message)} is lost`, isFault: true, to: () => withUp(less, up.toSpliced(at, 1)) },
      { name: `${nameOf(message)} is repeated`, isFault: true, to: () => withUp(less, [...up, message]) },
    ]),
    ...unlike(down).flatMap(([at, message]) => [
      { name: `${nameOf(message)} is lost`, isFault: true, to: () => withDown(less, down.toSpliced(at, 1)) },
      { name: `${nameOf(message)} is repeated`, isFault: true, to: () => withDown(less, [...down, message]) },
    ]),
  ];
}

const STATES: Readonly<Record<number, Extract<SaleEvent, { kind: 'status' }>['state']>> = {
  [StatusState.NOT_SEEN]: 'not-seen',
  [StatusState.IN_PROGRESS]: 'in-progress',
  [StatusState.ANSWERED]: 'answered',
  [StatusState.TOMBSTONED]: 'tombstoned',
};

function eventOf(message: Extract<DownMessage, { kind: 'authorizationAnswer' | 'statusAnswer' }>): SaleEvent {
  const { messageId, outcome } = message.body;
  const issuerData = new Uint8Array();
  if (message.kind === 'statusAnswer') {
    const state = STATES[message.body.state] ?? 'in-progress';
    return {
      kind: 'status',
      messageId,
      state,
      issuerData,
      ...(outcome && { answer: toGatewayAnswer(outcome) }),
    };
  }
  if (!outcome) throw new Error('an answer has an outcome');
  return { kind: 'answer', messageId, answer: toGatewayAnswer(outcome), issuerData };
}

function firstRows(): StoredRows {
  const first = committed({}, FIRST_DAY);
  if ('conflict' in first) throw new Error('the first day has a conflict');
  return first.rows;
}
