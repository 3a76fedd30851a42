import type { IntentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { Parts } from '../core/canonical.js';
import type { Model } from '../core/model.js';
import { standing } from '../gateway/acquirer.js';
import { lateOutcomes, type Outside, outcomesOf } from '../gateway/call-outcomes.js';
import { IDLE, type Stepped } from '../gateway/gateway-host.js';
import { FIRST_DAY, type GatewaySeams, type NodeWork, nodeProgram } from '../gateway/gateway-program.js';
import {
  isQuiet,
  NodeSet,
  type NodesAction,
  type NodesWorld,
  nodeName,
  withNode,
} from '../gateway/node-set.js';
import type { Entry } from '../gateway/replayed-process.js';
import { committed, findRows, getRow, rowsAfter, type StoredRows } from '../gateway/stored-rows.js';

/** What is explored of two nodes. */
export interface NodesBounds {
  /** Requests to the acquirer and answers of it that are lost or late, ends of nodes: of all together. */
  readonly faults: number;
  /** How often the merchant asks for the payment: once at the first node, then at the second. */
  readonly requests: 1 | 2;
  /** How often the time of a step passes at each of the two. */
  readonly passes: readonly [first: number, second: number];
}

/** Two nodes on one database, and a merchant who pays once. */
export interface NodesState extends NodesWorld<NodeWork> {
  /** How much time may still pass at each. */
  readonly passes: readonly number[];
  /** Requests that the merchant has sent. */
  readonly sent: number;
  readonly reported?: 'approved' | 'declined';
}

type Found = NodesAction<NodesState>;

const PAYMENT_ID = '1'.repeat(32);
/** Of a step of time: a node looks at the others once in it, and has to see nothing of them for two of them. */
const STEP_MS = 1_500;

/** Claims, fences and leases of two nodes: the commits of both in every order, and time that passes at one and not at the other. */
export class NodesModel implements Model<NodesState, Found> {
  readonly name = 'two nodes';
  readonly #parts = new Parts();
  readonly #set: NodeSet<NodesState, NodeWork>;
  readonly #bounds: NodesBounds;
  #initial: NodesState | undefined;

  private constructor(bounds: NodesBounds, seams: GatewaySeams) {
    this.#bounds = bounds;
    this.#set = new NodeSet({
      parts: this.#parts,
      programs: ['first', 'second'].map((name) => (seed) => nodeProgram(`${name} ${seed}`, seams)),
      keepsPast: true,
      isLook: ({ kind }) => kind === 'resolve',
      breachOf: ({ outside }, after) => breachOf(outside, after),
      ended: (state, ended) => ({ ...state, ...reportedBy(ended) }),
    });
  }

  /** The model, whose nodes have booted. */
  static async of(bounds: NodesBounds, seams: GatewaySeams = {}): Promise<NodesModel> {
    const model = new NodesModel(bounds, seams);
    model.#initial = await model.#booted();
    return model;
  }

  get initial(): NodesState {
    if (!this.#initial) throw new Error('the nodes have not booted');
    return this.#initial;
  }

  key({ nodes, outside, passes, faults, sent, reported, breach }: NodesState): string {
    const parts = [...nodes, outside].map((part) => this.#parts.number(part));
    return [...parts, passes, faults, sent, reported, breach].join('|');
  }

  async step(_state: NodesState, action: Found): Promise<NodesState> {
    return this.#set.shared(await action.to());
  }

  violation(state: NodesState): string | undefined {
    const { breach, outside, reported } = state;
    if (breach !== undefined) return breach;
    const stands = standing(outside.ledger).length;
    if (stands > 1) return 'P2: two authorizations of one payment stand at the acquirer';
    if (reported === 'approved' && stands === 0 && outside.late.length === 0)
      return 'P2: the payment was reported as approved, and no money stands for it';
    if (!isQuiet(state)) return undefined;
    const payment = getRow(outside.rows, 'payments', [PAYMENT_ID]);
    const isTaken = payment !== undefined && payment.state !== 'declined';
    return isTaken === stands > 0 || openIntents(outside.rows).length > 0
      ? undefined
      : `P2: the payment is ${payment?.state ?? 'not there'}, and ${stands} authorizations stand`;
  }

  isEnd(state: NodesState): boolean {
    if (state.sent === 0 || !isQuiet(state)) return false;
    // Where no more time passes, a node cannot see that the other one has ended.
    const isTimeOver = state.passes.includes(0);
    return isTimeOver || openIntents(state.outside.rows).length === 0;
  }

  actions(state: NodesState): readonly Found[] {
    const late = lateOutcomes(state.outside).map(({ name, outside }) => ({
      name,
      to: () => ({ ...state, outside }),
    }));
    return [...late, ...[...state.nodes.keys()].flatMap((which) => this.#ofNode(state, which))];
  }

  #ofNode(state: NodesState, which: number): Found[] {
    const name = nodeName(which);
    const { nodes, passes, sent } = state;
    if (!nodes[which]?.isUp) return [{ name: `${name} starts again`, to: () => this.#boot(state, which) }];
    const found = this.#set.actionsOf(state, which);
    if (sent === which && which < this.#bounds.requests)
      found.push({
        name:
          which === 0 ? 'the merchant pays at the first node' : 'the merchant asks again at the second node',
        to: () => this.#set.entry({ ...state, sent: sent + 1 }, which, PAY),
      });
    const left = passes[which] ?? 0;
    if (left > 0)
      found.push({
        name: `time passes at ${name}`,
        to: () => this.#set.entry({ ...state, passes: passes.with(which, left - 1) }, which, PASS),
      });
    if (nodes[which]?.process.running.length === 0 && openIntents(state.outside.rows).length > 0)
      found.push({
        name: `${name} looks for what was left open`,
        to: () => this.#set.entry(state, which, RESOLVE),
      });
    return found;
  }

  #boot(state: NodesState, which: number): Promise<NodesState> {
    const boots = 1 + (state.nodes[which]?.boots ?? 0);
    const entry = { what: 'start', work: { kind: 'boot', count: boots } } as const;
    return this.#set.entry(withNode(state, which, { isUp: true, boots }), which, entry);
  }

  /** Both nodes with their leases. */
  async #booted(): Promise<NodesState> {
    const first = committed({}, FIRST_DAY);
    if ('conflict' in first) throw new Error('the first day has a conflict');
    const { passes, faults } = this.#bounds;
    const node = { isUp: true, process: IDLE, boots: 0 };
    const outside: Outside = { rows: first.rows, ledger: {}, late: [] };
    let state = this.#set.shared({ nodes: [node, node], outside, passes, faults, sent: 0 });
    for (const which of state.nodes.keys()) {
      state = this.#set.shared(await this.#boot(state, which));
      for (let open = openCall(state, which); open; open = openCall(state, which)) {
        const [outcome] = outcomesOf(open, state.outside, undefined);
        if (!outcome) throw new Error('a boot waits for a commit');
        const after = { ...state, outside: outcome.outside };
        state = this.#set.shared(await this.#set.replied(after, which, open.call, outcome));
      }
    }
    return state;
  }
}

const openCall = ({ nodes }: NodesState, which: number) => nodes[which]?.process.open[0];

const PAY: Entry<NodeWork> = { what: 'start', work: { kind: 'pay', paymentId: PAYMENT_ID } };
const RESOLVE: Entry<NodeWork> = { what: 'start', work: { kind: 'resolve' } };
const PASS: Entry<NodeWork> = { what: 'passes', ms: STEP_MS };

function openIntents(rows: StoredRows): readonly IntentRow[] {
  return findRows(rows, 'intents', 'state', ['open']);
}

/** What the merchant was answered. */
function reportedBy(ended: Stepped<NodeWork>['ended']): Pick<NodesState, 'reported'> {
  for (const { work, result } of ended) {
    const disposition =
      work.kind === 'pay' ? (result as { readonly disposition?: string }).disposition : undefined;
    if (disposition === 'approved' || disposition === 'declined') return { reported: disposition };
  }
  return {};
}

/** What a commit did with an intent against the leases as they were. */
function breachOf(before: Outside, after: Outside): string | undefined {
  const held = new Set(rowsAfter(before.rows, 'nodes', undefined).map(({ id }) => id));
  for (const intent of openIntents(after.rows)) {
    const was = getRow(before.rows, 'intents', [intent.id]);
    if (was?.version === intent.version) continue;
    if (intent.owner !== null && !held.has(intent.owner))
      return 'P2: a node whose lease was ended works on a payment';
    if (was?.state === 'open' && was.owner !== null && was.owner !== intent.owner && held.has(was.owner))
      return 'P2: a node takes what another one works on';
  }
  return undefined;
}
