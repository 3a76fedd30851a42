import type { Action, Model } from './model.js';
import { Edges } from './reachability.js';
import { collisionBound, NONE, VisitedStates } from './visited.js';

/** What an exploration may take at most, each by its name. */
export interface ExploreLimits {
  readonly states: number;
  /** Actions from the first state. */
  readonly depth: number;
  readonly seconds: number;
  /** Of the process, in MiB. */
  readonly memoryMib: number;
}

/** What ended an exploration: `all` where no state is left, else the name of the limit. */
type EndedBy = 'all' | 'violation' | keyof ExploreLimits;

/** A state that breaks a promise, and the shortest way to it. */
export interface Violation {
  readonly promise: string;
  /** Names of the actions from the first state on. */
  readonly trace: readonly string[];
}

/** What an exploration has found. */
export interface Exploration {
  readonly model: string;
  readonly states: number;
  readonly transitions: number;
  /** Actions on the longest of the shortest ways. */
  readonly depth: number;
  /** States that have their true end. */
  readonly ends: number;
  readonly seconds: number;
  /** Of the processor: on a busy machine less than the seconds. */
  readonly processorSeconds: number;
  readonly memoryMib: number;
  /** Probability that two states were taken for one. */
  readonly collisionBound: number;
  readonly endedBy: EndedBy;
  readonly violation?: Violation;
}

/** A bound that no quick exploration meets. */
export const NO_LIMITS: ExploreLimits = {
  states: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
  seconds: Number.POSITIVE_INFINITY,
  memoryMib: 7_000,
};

/** So many states are taken between two looks at time and memory. */
const LOOK_EVERY = 512;
const MIB = 2 ** 20;

/**
 * Visits the states of a model breadth first, until all are visited, one breaks a promise or a limit is met. Where no promise is broken,
 * each state must reach a true end without a further fault; states that were not taken any more count as if they did.
 * @throws what the model throws
 */
export async function explore<S, A extends Action>(
  model: Model<S, A>,
  limits: Partial<ExploreLimits> = {},
): Promise<Exploration> {
  return new Explorer(model, { ...NO_LIMITS, ...limits }).run();
}

class Explorer<S, A extends Action> {
  readonly #model: Model<S, A>;
  readonly #limits: ExploreLimits;
  readonly #visited = new VisitedStates();
  readonly #edges = new Edges();
  readonly #beganMs = performance.now();
  readonly #processor = process.cpuUsage();
  #ends = new Uint8Array(1_024);
  /** States whose actions were all taken: those before this number. */
  #taken = 0;
  #transitions = 0;
  #depth = 0;
  #memoryMib = 0;
  #violation: { readonly promise: string; readonly state: number } | undefined;

  constructor(model: Model<S, A>, limits: ExploreLimits) {
    this.#model = model;
    this.#limits = limits;
  }

  async run(): Promise<Exploration> {
    let level: S[] = [];
    this.#visit(this.#model.initial, NONE, 0, level);
    let endedBy: EndedBy | undefined;
    while (level.length > 0 && !endedBy) {
      const next: S[] = [];
      endedBy = this.#depth >= this.#limits.depth ? 'depth' : await this.#takeLevel(level, next);
      if (next.length > 0 && !endedBy) this.#depth += 1;
      level = next;
    }
    if (!this.#violation) this.#violation = this.#unending();
    return this.#report(this.#violation ? 'violation' : (endedBy ?? 'all'));
  }

  /** Takes all actions of the states of a depth; gives what ended it early. */
  async #takeLevel(level: readonly S[], next: S[]): Promise<EndedBy | undefined> {
    for (const state of level) {
      for (const [place, action] of this.#model.actions(state).entries()) {
        const stepped = this.#model.step(state, action);
        const after = stepped instanceof Promise ? await stepped : stepped;
        this.#transitions += 1;
        const number = this.#visit(after, this.#taken, place, next);
        if (!action.isFault) this.#edges.add(this.#taken, number);
        if (this.#violation) {
          this.#depth += 1;
          return 'violation';
        }
      }
      this.#taken += 1;
      const met = this.#met();
      if (met) return met;
    }
    return undefined;
  }

  #visit(state: S, parent: number, action: number, next: S[]): number {
    const { number, isNew } = this.#visited.visit(this.#model.key(state), parent, action);
    if (!isNew) return number;
    if (this.#ends.length <= number) {
      const grown = new Uint8Array(this.#ends.length * 2);
      grown.set(this.#ends);
      this.#ends = grown;
    }
    if (this.#model.isEnd(state)) this.#ends[number] = 1;
    const promise = this.#model.violation(state);
    if (promise !== undefined) this.#violation ??= { promise, state: number };
    next.push(state);
    return number;
  }

  #met(): EndedBy | undefined {
    if (this.#visited.size >= this.#limits.states) return 'states';
    if (this.#taken % LOOK_EVERY !== 0) return undefined;
    this.#memoryMib = Math.max(this.#memoryMib, process.memoryUsage.rss() / MIB);
    if (this.#memoryMib > this.#limits.memoryMib) return 'memoryMib';
    return this.#seconds() > this.#limits.seconds ? 'seconds' : undefined;
  }

  #seconds(): number {
    return (performance.now() - this.#beganMs) / 1_000;
  }

  #processorSeconds(): number {
    const { user, system } = process.cpuUsage(this.#processor);
    return (user + system) / 1e6;
  }

  /** The first state from which no true end can be reached; where that is where all begins, the first one in which nothing goes on any more. */
  #unending(): { readonly promise: string; readonly state: number } | undefined {
    const goals = this.#ends.slice(0, this.#visited.size).fill(1, this.#taken);
    const reaching = this.#edges.reaching(goals);
    const first = reaching.indexOf(0);
    if (first < 0) return undefined;
    const goesOn = this.#edges.leaving(reaching.length);
    const stuck = first > 0 ? first : reaching.findIndex((reaches, at) => reaches === 0 && goesOn[at] === 0);
    return { promise: 'P3: no true end can be reached from here', state: Math.max(first, stuck) };
  }

  async #report(endedBy: EndedBy): Promise<Exploration> {
    const states = this.#visited.size;
    this.#memoryMib = Math.max(this.#memoryMib, process.memoryUsage.rss() / MIB);
    const violation = this.#violation && {
      promise: this.#violation.promise,
      trace: await this.#traceTo(this.#violation.state),
    };
    return {
      model: this.#model.name,
      states,
      transitions: this.#transitions,
      depth: this.#depth,
      ends: this.#ends.subarray(0, states).reduce((sum, isEnd) => sum + isEnd, 0),
      seconds: this.#seconds(),
      processorSeconds: this.#processorSeconds(),
      memoryMib: Math.round(this.#memoryMib),
      collisionBound: collisionBound(states),
      endedBy,
      ...(violation && { violation }),
    };
  }

  async #traceTo(number: number): Promise<readonly string[]> {
    const names: string[] = [];
    let state = this.#model.initial;
    for (const place of this.#visited.pathTo(number)) {
      const action = this.#model.actions(state)[place];
      if (!action) throw new Error('the actions of a state differ from one look to the next');
      names.push(action.name);
      state = await this.#model.step(state, action);
    }
    return names;
  }
}

/** Where a trace leads: its last state, and the promise that is broken first on the way. */
export interface Replayed<S> {
  readonly state: S;
  readonly promise: string | undefined;
}

/**
 * Replays a trace, up to the first broken promise.
 * @throws RangeError where an action of the trace cannot happen: the model, or the code that decides, has changed
 */
export async function replay<S, A extends Action>(
  model: Model<S, A>,
  trace: readonly string[],
): Promise<Replayed<S>> {
  let state = model.initial;
  for (const [at, name] of trace.entries()) {
    const action = model.actions(state).find((each) => each.name === name);
    if (!action) throw new RangeError(`action ${at + 1} of the trace cannot happen: ${name}`);
    state = await model.step(state, action);
    const promise = model.violation(state);
    if (promise !== undefined) return { state, promise };
  }
  return { state, promise: undefined };
}

/** The same model, which begins in another of its states. */
export function from<S, A extends Action>(model: Model<S, A>, initial: S): Model<S, A> {
  return {
    name: model.name,
    initial,
    actions: (state) => model.actions(state),
    step: (state, action) => model.step(state, action),
    key: (state) => model.key(state),
    violation: (state) => model.violation(state),
    isEnd: (state) => model.isEnd(state),
  };
}
