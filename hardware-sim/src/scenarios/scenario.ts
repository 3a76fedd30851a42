import type { Fault } from '../faults/fault.js';
import type { NetworkState } from '../hosts/network-proxy.js';
import type { SaleResult, SaleView } from '../inspection/sale-log.js';
import type { CardholderAct } from '../terminals/core/cardholder-act.js';

/** Scenarios that are kept, and the length of a name. */
export const MAX_SCENARIOS = 64;
export const SCENARIO_NAME = /^[0-9A-Za-z][0-9A-Za-z _.-]{0,59}$/;

/** A sale of a scenario: what the till sells, what the cardholder does, and what must come of it. */
export interface ScenarioSale {
  /** For the one who starts the sale at a till: the simulator does not compare it. */
  readonly amount?: string;
  readonly currency?: string;
  readonly cardholder: readonly CardholderAct[];
  readonly expected: SaleResult;
}

/** A set of faults under a name, with a sale where it is a test. The same seed strikes the same frames. */
export interface Scenario {
  readonly name: string;
  readonly seed: number;
  /** Ids; all terminals when left out. */
  readonly terminals?: readonly string[];
  readonly faults: readonly Omit<Fault, 'seed'>[];
  /** The network with it; as it is when left out. */
  readonly network?: NetworkState;
  /** What the next sale on its terminals is compared with. */
  readonly sale?: ScenarioSale;
}

const SEED_LIMIT = 2 ** 32;
/** Between the seeds of two terminals: more than the faults of one. */
const TERMINAL_STEP = 64;

/** The faults of one terminal in a run. @param at its place among all terminals: each has its own draws */
export function faultsOf({ faults }: Scenario, seed: number, at: number): Fault[] {
  return faults.map((fault, index) => ({ ...fault, seed: (seed + at * TERMINAL_STEP + index) % SEED_LIMIT }));
}

/** A scenario that does again what happened in a sale: its cardholder, and the faults of the terminal as they stood when it began. @param at as in {@link faultsOf} */
export function scenarioOfSale(
  name: string,
  terminalId: string,
  at: number,
  { amount, currency, cardholder, result }: SaleView,
  standing: readonly Fault[],
): Scenario {
  const faults = standing.map(({ seed: _, ...fault }) => fault);
  return {
    name,
    seed: standing[0] ? (standing[0].seed - at * TERMINAL_STEP + SEED_LIMIT) % SEED_LIMIT : 1,
    terminals: [terminalId],
    faults,
    sale: {
      ...(amount !== undefined && { amount }),
      ...(currency !== undefined && { currency }),
      cardholder,
      expected: result,
    },
  };
}
