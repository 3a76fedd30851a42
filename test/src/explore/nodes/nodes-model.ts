import type { IntentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { Parts } from '../core/canonical.js';
import type { Action, Model } from '../core/model.js';
import { standing } from '../gateway/acquirer.js';
import { type CallOutcome, lateOutcomes, type Outside, outcomesOf } from '../gateway/call-outcomes.js';
import { IDLE, ProcessHost, type ProcessState, sentRequests } from '../gateway/gateway-host.js';
import { FIRST_DAY, type GatewaySeams, type NodeWork, nodeProgram } from '../gateway/gateway-program.js';
import type { Entry, OpenCall } from '../gateway/replayed-process.js';
import {
  committed,
  findRows,
  getRow,
  rowsAfter,
  type StoredRows,
  sharedRows,
} from '../gateway/stored-rows.js';

/** What is explored of two nodes. */
export interface NodesBounds {
  /** Requests to the acquirer and answers of it that are lost or late, ends of nodes: of all together. */
  readonly faults: number;
  /** How often the merchant asks for the payment: once at the first node, then at the second. */
  readonly requests: 1 | 2;
  /** How often the time of a step passes at each of the two. */
  readonly passes: readonly [first: number, second: number];
}

/** One node: its process, and how much time may still pass at it. */
interface NodeState {
  readonly isUp: boolean;
  readonly process: ProcessState<NodeWork>;
  readonly passes: number;
  /** How often it has started: each process has another id. */
  readonly boots: number;
}

/** Two nodes on one database, and a merchant who pays once. */
export interface NodesState {
  readonly nodes: readonly [NodeState, NodeState];
  readonly outside: Outside;
  readonly faults: number;
  /** Requests that the merchant has sent. */
  readonly sent: number;
  readonly reported?: 'approved' | 'declined';
  readonly breach?: string;
}

interface NodesAction extends Action {
  readonly to: () => Promise<NodesState> | NodesState;
}

type Stepped = Awaited<ReturnType<ProcessHost<NodeWork>['step']>>;

const PAYMENT_ID = '1'.repeat(32);
const NAMES = ['the first node', 'the second node'] as const;
/** Of a step of time: a node looks at the others once in it, and has to see nothing of them for two of them. */
const STEP_MS = 1_500;

/** Claims, fences and leases of two nodes: the commits of both in every order, and time that passes at one and not at the other. */
export class NodesModel implements Model<NodesState, NodesAction> {
  readonly name = 'two nodes';
  readonly #parts = new Parts();
  readonly #hosts: readonly [ProcessHost<NodeWork>, ProcessHost<NodeWork>];
  readonly #bounds: NodesBounds;
  #initial: NodesState | undefined;

  private constructor(bounds: NodesBounds, seams: GatewaySeams) {
    this.#bounds = bounds;
    const host = (name: string) =>
      new ProcessHost((seed) => nodeProgram(`${name} ${seed}`, seams), this.#parts);
    this.#hosts = [host('first'), host('second')];
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

  key({ nodes, outside, faults, sent, reported, breach }: NodesState): string {
    const { rows, ledger, late } = outside;
    const parts = [...nodes, rows, ledger, late].map((part) => this.#parts.number(part));
    return [...parts, faults, sent, reported, breach].join();
  }

  async step(_state: NodesState, action: NodesAction): Promise<NodesState> {
    return this.#shared(await action.to());
  }

  violation({ breach, outside, reported, nodes }: NodesState): string | undefined {
    if (breach !== undefined) return breach;
    const stands = standing(outside.ledger).length;
    if (stands > 1) return 'P2: two authorizations of one payment stand at the acquirer';
    if (reported === 'approved' && stands === 0 && outside.late.length === 0)
      return 'P2: the payment was reported as approved, and no money stands for it';
    if (!isQuiet(nodes, outside)) return undefined;
    const payment = getRow(outside.rows, 'payments', [PAYMENT_ID]);
    const isTaken = payment !== undefined && payment.state !== 'declined';
    return isTaken === stands > 0 || openIntents(outside.rows).length > 0
      ? undefined
      : `P2: the payment is ${payment?.state ?? 'not there'}, and ${stands} authorizations stand`;
  }

  isEnd({ nodes, outside, sent }: NodesState): boolean {
    if (sent === 0 || !isQuiet(nodes, outside)) return false;
    // Where no more time passes, a node cannot see that the other one has ended.
    const isTimeOver = nodes.some(({ passes }) => passes === 0);
    return isTimeOver || openIntents(outside.rows).length === 0;
  }

  actions(state: NodesState): readonly NodesAction[] {
    const found: NodesAction[] = lateOutcomes(state.outside).map(({ name, outside }) => ({
      name,
      to: () => ({ ...state, outside }),
    }));
    for (const which of [0, 1] as const) found.push(...this.#ofNode(state, which));
    return found;
  }

  #ofNode(state: NodesState, which: 0 | 1): NodesAction[] {
    const node = state.nodes[which];
    const name = NAMES[which];
    if (!node.isUp) return [{ name: `${name} starts again`, to: () => this.#boot(state, which) }];
    const found = node.process.open.flatMap((call) => this.#replies(state, which, call));
    if (state.sent === which && which < this.#bounds.requests)
      found.push({
        name:
          which === 0 ? 'the merchant pays at the first node' : 'the merchant asks again at the second node',
        to: () => this.#entry({ ...state, sent: state.sent + 1 }, which, PAY),
      });
    if (node.passes > 0)
      found.push({
        name: `time passes at ${name}`,
        to: () => this.#entry(withNode(state, which, { passes: node.passes - 1 }), which, PASS),
      });
    if (node.process.running.length === 0 && openIntents(state.outside.rows).length > 0)
      found.push({
        name: `${name} looks for what was left open`,
        to: () => this.#entry(state, which, RESOLVE),
      });
    if (state.faults > 0)
      found.push({ name: `${name} ends without a word`, isFault: true, to: () => nodeEnded(state, which) });
    return found;
  }

  #replies(state: NodesState, which: 0 | 1, call: OpenCall): NodesAction[] {
    const answer = state.nodes[which].process.answers[call.call];
    return outcomesOf(call, state.outside, answer).flatMap(({ isFault, ...outcome }) => {
      if (isFault && state.faults === 0) return [];
      const before = isFault ? { ...state, faults: state.faults - 1 } : state;
      const breach =
        outcome.isStored && call.kind === 'commit' ? breachOf(state.outside, outcome.outside) : undefined;
      const after = { ...before, outside: outcome.outside, ...(breach && { breach }) };
      const name = `${NAMES[which]}: ${outcome.name}`;
      const found: NodesAction[] = [
        { name, isFault: isFault === true, to: () => this.#replied(after, which, call.call, outcome) },
      ];
      if (outcome.isStored && state.faults > 0)
        found.push({ name: `${name}, and ends`, isFault: true, to: () => nodeEnded(after, which) });
      return found;
    });
  }

  #replied(
    state: NodesState,
    which: 0 | 1,
    call: number,
    { reply, answer }: Pick<CallOutcome, 'reply' | 'answer'>,
  ): Promise<NodesState> | NodesState {
    if (reply) return this.#entry(state, which, { what: 'reply', call, reply });
    const { process } = state.nodes[which];
    const answers = answer ? { ...process.answers, [call]: answer } : process.answers;
    return withNode(state, which, { process: { ...process, answers } });
  }

  async #entry(state: NodesState, which: 0 | 1, entry: Entry<NodeWork>): Promise<NodesState> {
    const { process } = state.nodes[which];
    const { rows } = state.outside;
    const stepped = await this.#hosts[which].step(process, this.#parts.one(entry), rows, true);
    // A look that has found nothing to do leaves nothing in the memory of the node.
    const isVain = entry === RESOLVE && stepped.ended.length > 0;
    if (isVain) return state;
    return withNode({ ...state, ...reportedBy(stepped) }, which, { process: stepped.process });
  }

  #boot(state: NodesState, which: 0 | 1): Promise<NodesState> {
    const boots = state.nodes[which].boots + 1;
    const entry = { what: 'start', work: { kind: 'boot', count: boots } } as const;
    return this.#entry(withNode(state, which, { isUp: true, boots }), which, entry);
  }

  /** Both nodes with their leases. */
  async #booted(): Promise<NodesState> {
    const first = committed({}, FIRST_DAY);
    if ('conflict' in first) throw new Error('the first day has a conflict');
    const { passes, faults } = this.#bounds;
    const node = { isUp: true, process: IDLE, boots: 0 };
    let state: NodesState = this.#shared({
      nodes: [
        { ...node, passes: passes[0] },
        { ...node, passes: passes[1] },
      ],
      outside: { rows: first.rows, ledger: {}, late: [] },
      faults,
      sent: 0,
    });
    for (const which of [0, 1] as const) {
      state = this.#shared(await this.#boot(state, which));
      for (let open = state.nodes[which].process.open[0]; open; open = state.nodes[which].process.open[0]) {
        const [outcome] = outcomesOf(open, state.outside, undefined);
        if (!outcome) throw new Error('a boot waits for a commit');
        state = this.#shared(
          await this.#replied({ ...state, outside: outcome.outside }, which, open.call, outcome),
        );
      }
    }
    return state;
  }

  #shared(state: NodesState): NodesState {
    const parts = this.#parts;
    const { rows, ledger, late } = state.outside;
    const one = (node: NodeState): NodeState => parts.one({ ...node, process: parts.one(node.process) });
    return {
      ...state,
      nodes: [one(state.nodes[0]), one(state.nodes[1])],
      outside: parts.one({
        rows: sharedRows(rows, parts),
        ledger: parts.one(ledger),
        late: parts.list(late),
      }),
    };
  }
}

const PAY: Entry<NodeWork> = { what: 'start', work: { kind: 'pay', paymentId: PAYMENT_ID } };
const RESOLVE: Entry<NodeWork> = { what: 'start', work: { kind: 'resolve' } };
const PASS: Entry<NodeWork> = { what: 'passes', ms: STEP_MS };

function openIntents(rows: StoredRows): readonly IntentRow[] {
  return findRows(rows, 'intents', 'state', ['open']);
}

function isQuiet(nodes: NodesState['nodes'], { late }: Outside): boolean {
  return late.length === 0 && nodes.every(({ isUp, process }) => isUp && process.running.length === 0);
}

function withNode(state: NodesState, which: 0 | 1, change: Partial<NodeState>): NodesState {
  const [first, second] = state.nodes;
  const nodes: NodesState['nodes'] =
    which === 0 ? [{ ...first, ...change }, second] : [first, { ...second, ...change }];
  return { ...state, nodes };
}

function nodeEnded(state: NodesState, which: 0 | 1): NodesState {
  const late = [...state.outside.late, ...sentRequests(state.nodes[which].process)];
  const ended = { ...state, outside: { ...state.outside, late }, faults: state.faults - 1 };
  return withNode(ended, which, { isUp: false, process: IDLE });
}

/** What the merchant was answered. */
function reportedBy({ ended }: Stepped): Pick<NodesState, 'reported'> {
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
