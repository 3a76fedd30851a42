import { type ClocksBounds, ClocksModel } from './clocks/clocks-model.js';
import type { ClockSeams } from './clocks/clocks-state.js';
import { type Exploration, type ExploreLimits, explore, from, replay } from './core/explorer.js';
import type { Action, Model } from './core/model.js';
import type { GatewaySeams } from './gateway/gateway-program.js';
import { type LinkBounds, LinkModel } from './link/link-model.js';
import type { LinkSeams } from './link/link-state.js';
import { type NodesBounds, NodesModel } from './nodes/nodes-model.js';
import type { AgentSeams } from './sale/agent-state.js';
import { type SaleBounds, SaleModel } from './sale/sale-model.js';
import { type SessionsBounds, SessionsModel } from './sessions/sessions-model.js';
import type { SessionSeams } from './sessions/sessions-state.js';
import { type TotalsBounds, TotalsModel } from './totals/totals-model.js';
import type { TotalsSeams } from './totals/totals-state.js';
import { type WaitsBounds, WaitsModel } from './waits/waits-model.js';

/** How far a machine is explored: in every test run, by the command, or as far as time and memory last. */
export type Bound = 'quick' | 'full' | 'deep';

/** Where deliberate bugs stand; none: the product as it is. */
export interface Seams {
  readonly link?: LinkSeams;
  readonly agent?: AgentSeams;
  readonly gateway?: GatewaySeams;
  readonly clocks?: ClockSeams;
  readonly sessions?: SessionSeams;
  readonly totals?: TotalsSeams;
}

/** A machine that is explored. */
export interface Machine {
  /** What it consists of, in a few words. */
  readonly what: string;
  explore(bound: Bound, seams?: Seams, limits?: Partial<ExploreLimits>): Promise<Exploration>;
  /**
   * The promise that is broken on a way, or after it; undefined where all are kept.
   * @throws RangeError where an action of the trace cannot happen
   */
  replay(bound: Bound, trace: readonly string[], seams?: Seams): Promise<string | undefined>;
}

/** So many states are visited after a trace that was kept. */
const STATES_AFTER_TRACE = 20_000;

function machine<S, A extends Action, B>(
  what: string,
  bounds: Readonly<Record<Bound, B>>,
  make: (bounds: B, seams: Seams) => Model<S, A> | Promise<Model<S, A>>,
): Machine {
  return {
    what,
    explore: async (bound, seams = {}, limits = {}) => explore(await make(bounds[bound], seams), limits),
    replay: async (bound, trace, seams = {}) => {
      const model = await make(bounds[bound], seams);
      const { state, promise } = await replay(model, trace);
      if (promise !== undefined) return promise;
      const after = await explore(from(model, state), { states: STATES_AFTER_TRACE });
      return after.violation?.promise;
    },
  };
}

const LINK: Readonly<Record<Bound, LinkBounds>> = {
  quick: { exchanges: 1, faults: 1, crashes: 1 },
  full: { exchanges: 1, faults: 2, crashes: 1 },
  deep: { exchanges: 1, faults: 3, crashes: 2 },
};
const TWO_EXCHANGES: Readonly<Record<Bound, LinkBounds>> = {
  quick: { exchanges: 2, faults: 0, crashes: 0 },
  full: { exchanges: 2, faults: 1, crashes: 0 },
  deep: { exchanges: 2, faults: 1, crashes: 1 },
};
const TOTALS: Readonly<Record<Bound, TotalsBounds>> = {
  quick: { exchanges: 1, requests: ['sale', 'hold'], days: 'announced', faults: 1, crashes: 0 },
  full: { exchanges: 1, requests: ['sale', 'hold'], days: 'any', faults: 1, crashes: 0 },
  deep: { exchanges: 2, requests: ['sale', 'hold'], days: 'any', faults: 2, crashes: 1 },
};
const SALE: Readonly<Record<Bound, SaleBounds>> = {
  quick: { budget: { faults: 1, people: 0 }, offline: false, terminals: 1, parks: true },
  full: { budget: { faults: 1, people: 1 }, offline: false, terminals: 1 },
  deep: { budget: { faults: 2, people: 1 }, offline: false, terminals: 1 },
};
const OFFLINE: Readonly<Record<Bound, SaleBounds>> = {
  quick: { budget: { faults: 1, people: 0 }, offline: true, terminals: 1, parks: true },
  full: { budget: { faults: 1, people: 1 }, offline: true, terminals: 1 },
  deep: { budget: { faults: 2, people: 1 }, offline: true, terminals: 1 },
};
const TWO_SALES: Readonly<Record<Bound, SaleBounds>> = {
  quick: { budget: { faults: 0, people: 0 }, offline: false, terminals: 2, cards: 'willing' },
  full: { budget: { faults: 0, people: 0 }, offline: true, terminals: 2 },
  deep: { budget: { faults: 1, people: 0 }, offline: false, terminals: 2 },
};
const NODES: Readonly<Record<Bound, NodesBounds>> = {
  quick: { faults: 0, requests: 1, passes: [0, 2] },
  full: { faults: 0, requests: 2, passes: [0, 2] },
  deep: { faults: 1, requests: 2, passes: [1, 4] },
};

const WAITS: Readonly<Record<Bound, WaitsBounds>> = {
  quick: { nodes: 1, faults: 0, lookUps: 1 },
  full: { nodes: 1, faults: 1, lookUps: 0 },
  deep: { nodes: 2, faults: 2, lookUps: 1 },
};
const SESSIONS: Readonly<Record<Bound, SessionsBounds>> = {
  quick: { budget: { faults: 1, people: 0 }, nodes: 2, copies: 1 },
  full: { budget: { faults: 2, people: 0 }, nodes: 2, copies: 1 },
  deep: { budget: { faults: 3, people: 0 }, nodes: 2, copies: 1 },
};
const TWO_COPIES: Readonly<Record<Bound, SessionsBounds>> = {
  quick: { budget: { faults: 0, people: 1 }, nodes: 1, copies: 2 },
  full: { budget: { faults: 0, people: 2 }, nodes: 2, copies: 2 },
  deep: { budget: { faults: 1, people: 2 }, nodes: 2, copies: 2 },
};

/** Wrong by more than any rule has in it. */
const DAY_MIN = 24 * 60;
const CLOCKS: Readonly<Record<Bound, ClocksBounds>> = {
  quick: { minutes: 2, faults: 2, wrongMin: [-1, 1] },
  full: { minutes: 2, faults: 2, wrongMin: [-DAY_MIN, -1, 1, DAY_MIN] },
  deep: { minutes: 4, faults: 3, wrongMin: [-DAY_MIN, -1, 1, DAY_MIN] },
};

/** The machines, in the order of the command. */
export const MACHINES = {
  link: machine(
    'an exchange with an acquirer’s host',
    LINK,
    (bounds, { link }) => new LinkModel(bounds, link),
  ),
  'two-exchanges': machine(
    'two exchanges over one link',
    TWO_EXCHANGES,
    (bounds, { link }) => new LinkModel(bounds, link),
  ),
  totals: machine(
    'totals of an acquirer’s settlement days, and what no answer came to',
    TOTALS,
    (bounds, { totals }) => new TotalsModel(bounds, totals),
  ),
  sale: machine(
    'a sale, from the till to the acquirer',
    SALE,
    (bounds, seams) => new SaleModel(bounds, seams),
  ),
  'offline-sale': machine(
    'a sale whose card may decide without the gateway',
    OFFLINE,
    (bounds, seams) => new SaleModel(bounds, seams),
  ),
  'two-sales': machine(
    'two sales on two terminals of one agent',
    TWO_SALES,
    (bounds, seams) => new SaleModel(bounds, seams),
  ),
  nodes: machine('two gateways on one database', NODES, (bounds, { gateway }) =>
    NodesModel.of(bounds, gateway),
  ),
  waits: machine(
    'a payment that waits for its shopper',
    WAITS,
    (bounds, { gateway }) => new WaitsModel(bounds, gateway),
  ),
  sessions: machine(
    'handshakes and ends of sessions of an agent',
    SESSIONS,
    (bounds, { sessions }) => new SessionsModel(bounds, sessions),
  ),
  'two-copies': machine(
    'sessions of an agent and of a restored copy of its journal',
    TWO_COPIES,
    (bounds, { sessions }) => new SessionsModel(bounds, sessions),
  ),
  clocks: machine(
    'the time of a store: its clock, the gateway’s, and what a restart keeps',
    CLOCKS,
    (bounds, { clocks }) => new ClocksModel(bounds, clocks),
  ),
} as const satisfies Readonly<Record<string, Machine>>;

/** Name of a machine. */
export type MachineName = keyof typeof MACHINES;

/** Names of the machines. */
export const MACHINE_NAMES = Object.keys(MACHINES) as readonly MachineName[];
