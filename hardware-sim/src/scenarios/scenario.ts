import type { Fault } from '../faults/fault.js';
import type { NetworkState } from '../hosts/network-proxy.js';

/** Scenarios that are kept, and the length of a name. */
export const MAX_SCENARIOS = 64;
export const SCENARIO_NAME = /^[0-9A-Za-z][0-9A-Za-z _.-]{0,59}$/;

/** A set of faults under a name. The same seed strikes the same frames. */
export interface Scenario {
  readonly name: string;
  readonly seed: number;
  /** Ids; all terminals when left out. */
  readonly terminals?: readonly string[];
  readonly faults: readonly Omit<Fault, 'seed'>[];
  /** The network with it; as it is when left out. */
  readonly network?: NetworkState;
}

const SEED_LIMIT = 2 ** 32;
/** Between the seeds of two terminals: more than the faults of one. */
const TERMINAL_STEP = 64;

/** The faults of one terminal in a run. @param at its place among all terminals: each has its own draws */
export function faultsOf({ faults }: Scenario, seed: number, at: number): Fault[] {
  return faults.map((fault, index) => ({ ...fault, seed: (seed + at * TERMINAL_STEP + index) % SEED_LIMIT }));
}
