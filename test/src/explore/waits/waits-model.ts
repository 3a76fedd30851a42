import type { IntentRow, PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { Parts } from '../core/canonical.js';
import type { Model } from '../core/model.js';
import { decideAtBank, isOpenAtBank, standing } from '../gateway/acquirer.js';
import { lateOutcomes, type Outside } from '../gateway/call-outcomes.js';
import { IDLE, type Stepped } from '../gateway/gateway-host.js';
import { FIRST_DAY, type GatewaySeams } from '../gateway/gateway-program.js';
import {
  isQuiet,
  NodeSet,
  type NodesAction,
  type NodesWorld,
  nodeName,
  withNode,
} from '../gateway/node-set.js';
import { committed, findRows, getRow, type StoredRows } from '../gateway/stored-rows.js';
import { type WaitingPlace, type WaitsWork, waitsProgram } from './waits-program.js';

/** What is explored of a payment that waits. */
export interface WaitsBounds {
  /** Processes on the database. */
  readonly nodes: 1 | 2;
  /** Requests and answers that are lost or late, statuses that are not to be had, ends of nodes: of all together. */
  readonly faults: number;
  /** How often the merchant requests the status. */
  readonly lookUps: number;
}

/** A payment that waits for its shopper, and the nodes of its gateway. */
export interface WaitsState extends NodesWorld<WaitsWork> {
  /** Absent: it has not begun. */
  readonly at?: WaitingPlace;
  /** What the shopper decided, and whether before the deadline. */
  readonly decided?: { readonly approves: boolean; readonly isInTime: boolean };
  /** By how many hours its time is over; 0: it is not. */
  readonly hours: number;
  readonly hasReturned: boolean;
  /** That may still come. */
  readonly lookUps: number;
}

type Found = NodesAction<WaitsState>;

const PAYMENT_ID = '1'.repeat(32);
const PLACES: readonly WaitingPlace[] = ['bank', 'gate'];
/** Codes of payments whose wait ended at the deadline. */
const EXPIRED: ReadonlySet<string> = new Set(['100.396.103', '100.380.501']);

/** A payment that waits for its shopper: decisions, returns, look-ups, deadlines and the resolver, at one process or at two. */
export class WaitsModel implements Model<WaitsState, Found> {
  readonly name = 'a payment that waits';
  readonly initial: WaitsState;
  readonly #parts = new Parts();
  readonly #set: NodeSet<WaitsState, WaitsWork>;
  /** Claims of an ended node, and tries that failed, are over after an hour each. */
  readonly #mostHours: number;

  constructor({ nodes, faults, lookUps }: WaitsBounds, seams: GatewaySeams = {}) {
    this.#mostHours = 2 + faults + lookUps;
    const names = ['first', 'second'].slice(0, nodes);
    this.#set = new NodeSet({
      parts: this.#parts,
      programs: names.map((name) => (seed) => waitsProgram(`${name} ${seed}`, seams)),
      keepsPast: false,
      isLook: ({ kind }) => kind !== 'pay',
      breachOf,
      ended: reported,
    });
    const first = committed({}, FIRST_DAY);
    if ('conflict' in first) throw new Error('the first day has a conflict');
    const node = { isUp: true, process: IDLE, boots: 0 };
    this.initial = this.#set.shared({
      nodes: names.map(() => node),
      outside: { rows: first.rows, ledger: {}, late: [] },
      ...{ faults, hours: 0, hasReturned: false, lookUps },
    });
  }

  key({ nodes, outside, at, decided, faults, hours, hasReturned, lookUps, breach }: WaitsState): string {
    const parts = [...nodes, outside].map((part) => this.#parts.number(part));
    const shopper = [decided?.approves, decided?.isInTime, hasReturned];
    return [...parts, at, ...shopper, faults, hours, lookUps, breach].join('|');
  }

  async step(_state: WaitsState, action: Found): Promise<WaitsState> {
    return this.#set.shared(await action.to());
  }

  violation(state: WaitsState): string | undefined {
    const { breach, outside } = state;
    if (breach !== undefined) return breach;
    const payment = paymentOf(outside.rows);
    if (!payment) return undefined;
    const wait = getRow(outside.rows, 'waits', [PAYMENT_ID]);
    if (wait && wait.endedAtMs === null) return 'P3: the payment has its outcome, and waits on';
    if (wait && (wait.sealed !== null || wait.redirect !== null))
      return 'P7: the payment has its outcome, and keeps what its later steps needed';
    if (!isQuiet(state) || intentOf(outside.rows)?.state !== 'done') return undefined;
    const stands = standing(outside.ledger).length;
    if ((payment.state !== 'declined') !== stands > 0)
      return `P2: the payment is ${payment.state}, and ${stands} authorizations stand`;
    return isOpenAtBank(outside.ledger) ? 'P2: the bank takes an approval after the end' : undefined;
  }

  isEnd(state: WaitsState): boolean {
    const { at, outside } = state;
    // What ended before its first commit never was.
    const isOver = intentOf(outside.rows) === undefined || paymentOf(outside.rows) !== undefined;
    return at !== undefined && isQuiet(state) && isOver;
  }

  actions(state: WaitsState): readonly Found[] {
    if (state.at === undefined) return PLACES.map((at) => this.#begun(state, at));
    const late = lateOutcomes(state.outside).map(({ name, outside }) => ({
      name,
      to: () => ({ ...state, outside }),
    }));
    const ofNodes = [...state.nodes.keys()].flatMap((which) => this.#ofNode(state, which));
    return [...late, ...byShopper(state), ...this.#byTime(state), ...ofNodes];
  }

  #begun(state: WaitsState, at: WaitingPlace): Found {
    const what = at === 'bank' ? 'by an account that its shopper approves it at' : 'with a card';
    const work = { kind: 'pay', paymentId: PAYMENT_ID, at } as const;
    return {
      name: `the merchant requests a payment ${what}`,
      to: () => this.#set.entry({ ...state, at }, 0, { what: 'start', work }),
    };
  }

  #byTime(state: WaitsState): Found[] {
    const { hours } = state;
    const isWaiting = intentOf(state.outside.rows)?.state === 'waiting';
    if (hours >= this.#mostHours || (hours === 0 && !isWaiting)) return [];
    // No work takes an hour.
    if (hours > 0 && !isQuiet(state)) return [];
    const name = hours === 0 ? 'its time is over' : 'an hour passes';
    return [{ name, to: () => ({ ...state, hours: hours + 1 }) }];
  }

  #ofNode(given: WaitsState, which: number): Found[] {
    // Nothing frees what a node has claimed that ends when no more time passes.
    const state = given.hours < this.#mostHours ? given : { ...given, faults: 0 };
    const name = nodeName(which);
    const { nodes, hours, outside, hasReturned, lookUps } = state;
    const node = nodes[which];
    if (!node?.isUp)
      return [{ name: `${name} starts again`, to: () => withNode(given, which, { isUp: true }) }];
    const begin = (from: WaitsState, work: WaitsWork) => () =>
      this.#set.entry(from, which, { what: 'start', work });
    const found = this.#set.actionsOf(state, which).map((action) => withFaultsOf(given, state, action));
    const intent = intentOf(outside.rows);
    const isBusy = node.process.running.length > 0;
    const paymentId = PAYMENT_ID;
    if (intent?.state === 'open' && !isBusy)
      found.push({
        name: `${name} looks for what was left open`,
        to: begin(given, { kind: 'resolve', hours }),
      });
    if (intent?.state === 'waiting' && hours > 0 && !isBusy)
      found.push({ name: `${name} looks for deadlines`, to: begin(given, { kind: 'deadlines', hours }) });
    // Who looks while a deadline is worked on lets it be tried again later.
    if (!intent || hours >= this.#mostHours) return found;
    if (!hasReturned)
      found.push({
        name: `the shopper comes back to ${name}`,
        isFault: true,
        to: begin({ ...given, hasReturned: true }, { kind: 'return', paymentId, hours }),
      });
    if (lookUps > 0)
      found.push({
        name: `the merchant requests the status at ${name}`,
        isFault: true,
        to: begin({ ...given, lookUps: lookUps - 1 }, { kind: 'look-up', paymentId, hours }),
      });
    return found;
  }
}

/** The action of a state without faults, in the state with them. */
function withFaultsOf(given: WaitsState, state: WaitsState, action: Found): Found {
  if (given === state) return action;
  return { ...action, to: async () => ({ ...(await action.to()), faults: given.faults }) };
}

/** A shopper may do nothing: a true end must be reachable without them. */
function byShopper(state: WaitsState): Found[] {
  const { at, decided, hours, outside } = state;
  const { rows, ledger } = outside;
  if (decided) return [];
  const mayDecide = at === 'bank' ? isOpenAtBank(ledger) : intentOf(rows)?.state === 'waiting';
  if (!mayDecide) return [];
  return [true, false].map((approves) => ({
    name: `the shopper ${approves ? 'approves' : 'refuses'} the payment`,
    isFault: true,
    to: () => ({
      ...state,
      decided: { approves, isInTime: hours === 0 },
      outside:
        at === 'bank'
          ? { ...outside, ledger: decideAtBank(ledger, approves) }
          : { ...outside, challenge: approves },
    }),
  }));
}

function intentOf(rows: StoredRows): IntentRow | undefined {
  return findRows(rows, 'intents', 'payment', [PAYMENT_ID])[0];
}

function paymentOf(rows: StoredRows): PaymentRow | undefined {
  return getRow(rows, 'payments', [PAYMENT_ID]);
}

/** What a commit does to a payment that waits. */
function breachOf({ outside: before, decided, hours }: WaitsState, after: Outside): string | undefined {
  const isNoMore = intentOf(before.rows)?.state === 'waiting' && intentOf(after.rows)?.state !== 'waiting';
  if (isNoMore && !decided && hours === 0)
    return 'P2: the payment waits no more, before its time is over and without its shopper';
  const was = paymentOf(before.rows);
  const payment = paymentOf(after.rows);
  if (!payment) return undefined;
  if (was) return was.state === payment.state ? undefined : 'P2: the payment has a second outcome';
  const isApproved = payment.state !== 'declined';
  if (isApproved && !decided?.approves) return 'P2: the payment is paid, and its shopper did not approve it';
  return !isApproved && decided?.approves && decided.isInTime && EXPIRED.has(payment.resultCode)
    ? 'P2: the payment expired, and its shopper had approved it in time'
    : undefined;
}

/** What is reported to shopper and merchant has to be what is stored. */
function reported(state: WaitsState, ended: Stepped<WaitsWork>['ended']): WaitsState {
  for (const { work, result } of ended) {
    if (work.kind !== 'return' && work.kind !== 'pay') continue;
    const { disposition } = (result ?? {}) as { readonly disposition?: string };
    if (disposition !== 'approved' && disposition !== 'declined') continue;
    const stored = paymentOf(state.outside.rows);
    const isStored = stored !== undefined && (stored.state !== 'declined') === (disposition === 'approved');
    if (!isStored) return { ...state, breach: `P1: the payment was reported as ${disposition}, and is not` };
  }
  return state;
}
