import type { Parts } from '../core/canonical.js';
import type { Action } from '../core/model.js';
import { type CallOutcome, type Outside, outcomesOf } from './call-outcomes.js';
import { IDLE, ProcessHost, type ProcessState, type Stepped, sentRequests } from './gateway-host.js';
import type { Entry, OpenCall, Program } from './replayed-process.js';

/** One node of a gateway. */
export interface NodeState<W> {
  readonly isUp: boolean;
  readonly process: ProcessState<W>;
  /** How often it has started: each process has another id. */
  readonly boots: number;
}

/** Nodes on one database, and what they stand on. */
export interface NodesWorld<W> {
  readonly nodes: readonly NodeState<W>[];
  readonly outside: Outside;
  /** Faults that may still come. */
  readonly faults: number;
  readonly breach?: string;
}

/** What may happen to nodes: the state after it is known only when it is taken. */
export interface NodesAction<S> extends Action {
  readonly to: () => Promise<S> | S;
}

/** What a {@link NodeSet} works with. */
interface NodeSetDeps<S, W> {
  readonly parts: Parts;
  /** For each node its program; random bytes follow from the seed. */
  readonly programs: readonly ((seed: string) => Program<W>)[];
  /** Whether what a node has in memory counts also while it does nothing. */
  readonly keepsPast: boolean;
  /** A look for work: one that finds nothing leaves nothing in the memory of the node. */
  readonly isLook: (work: W) => boolean;
  /** The promise that a commit breaks. */
  readonly breachOf: (before: S, after: Outside) => string | undefined;
  /** The state after works that have ended. */
  readonly ended: (state: S, ended: Stepped<W>['ended']) => S;
}

/** Names of nodes. */
export const NODE_NAMES = ['the first node', 'the second node'] as const;

/** Name of a node. */
export function nodeName(which: number): string {
  return NODE_NAMES[which] ?? `node ${which + 1}`;
}

/** Nodes of a gateway on one database: their commits and requests in every order, and their ends before and after each commit. */
export class NodeSet<S extends NodesWorld<W>, W> {
  readonly #deps: NodeSetDeps<S, W>;
  readonly #hosts: readonly ProcessHost<W>[];

  constructor(deps: NodeSetDeps<S, W>) {
    this.#deps = deps;
    this.#hosts = deps.programs.map((programOf) => new ProcessHost(programOf, deps.parts));
  }

  /** What becomes of the calls of a node that is up, and its end. */
  actionsOf(state: S, which: number): NodesAction<S>[] {
    const node = nodeOf(state, which);
    const found = node.process.open.flatMap((call) => this.#replies(state, which, call));
    if (state.faults > 0)
      found.push({
        name: `${nodeName(which)} ends without a word`,
        isFault: true,
        to: () => nodeEnded(state, which),
      });
    return found;
  }

  /** The state after an entry of a node, and after all that follows from it until the node waits again. */
  async entry(state: S, which: number, given: Entry<W>): Promise<S> {
    const { keepsPast, parts, isLook, ended } = this.#deps;
    const { process } = nodeOf(state, which);
    const entry = parts.one(given);
    const host = this.#hosts[which];
    if (!host) throw new RangeError(`there is no node ${which}`);
    const stepped = await host.step(process, entry, state.outside.rows, keepsPast);
    const isVain =
      entry.what === 'start' &&
      isLook(entry.work) &&
      stepped.process.open.length === process.open.length &&
      stepped.ended.some(({ work }) => work === entry.work);
    if (isVain) return state;
    return ended(withNode(state, which, { process: stepped.process }), stepped.ended);
  }

  /** What became of a call, as the node has it then. */
  replied(
    state: S,
    which: number,
    call: number,
    { reply, answer }: Pick<CallOutcome, 'reply' | 'answer'>,
  ): Promise<S> | S {
    if (reply) return this.entry(state, which, { what: 'reply', call, reply });
    const { process } = nodeOf(state, which);
    const answers = answer ? { ...process.answers, [call]: answer } : process.answers;
    return withNode(state, which, { process: { ...process, answers } });
  }

  /** The state of parts that others have, too. */
  shared(state: S): S {
    const { parts } = this.#deps;
    return { ...state, nodes: parts.one(state.nodes), outside: parts.one(state.outside) };
  }

  #replies(state: S, which: number, call: OpenCall): NodesAction<S>[] {
    const answer = nodeOf(state, which).process.answers[call.call];
    return outcomesOf(call, state.outside, answer).flatMap(({ isFault, ...outcome }) => {
      if (isFault && state.faults === 0) return [];
      const before = isFault ? { ...state, faults: state.faults - 1 } : state;
      const isCommit = outcome.isStored && call.kind === 'commit';
      const breach = isCommit ? this.#deps.breachOf(state, outcome.outside) : undefined;
      const after: S = { ...before, outside: outcome.outside, ...(breach && { breach }) };
      const name = `${nodeName(which)}: ${outcome.name}`;
      const found: NodesAction<S>[] = [
        { name, isFault: isFault === true, to: () => this.replied(after, which, call.call, outcome) },
      ];
      if (outcome.isStored && state.faults > 0)
        found.push({ name: `${name}, and ends`, isFault: true, to: () => nodeEnded(after, which) });
      return found;
    });
  }
}

function nodeOf<W>({ nodes }: NodesWorld<W>, which: number): NodeState<W> {
  const node = nodes[which];
  if (!node) throw new RangeError(`there is no node ${which}`);
  return node;
}

/** The state with a changed node. */
export function withNode<S extends NodesWorld<W>, W>(
  state: S,
  which: number,
  change: Partial<NodeState<W>>,
): S {
  return { ...state, nodes: state.nodes.with(which, { ...nodeOf(state, which), ...change }) };
}

/** The state without the memory of a node: what it had sent may still come to the acquirer. */
function nodeEnded<S extends NodesWorld<W>, W>(state: S, which: number): S {
  const late = [...state.outside.late, ...sentRequests(nodeOf(state, which).process)];
  const ended: S = { ...state, outside: { ...state.outside, late }, faults: state.faults - 1 };
  return withNode<S, W>(ended, which, { isUp: false, process: IDLE });
}

/** Whether nothing is under way: at the nodes, and on the way to the acquirer. */
export function isQuiet<W>({ nodes, outside }: NodesWorld<W>): boolean {
  return (
    outside.late.length === 0 && nodes.every(({ isUp, process }) => isUp && process.running.length === 0)
  );
}
