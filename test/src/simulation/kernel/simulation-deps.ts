import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { SeededRandom } from './seeded-random.js';
import type { Trace } from './trace.js';

/** Time and random numbers of a simulation. */
export interface SimulationDeps {
  readonly clock: Clock;
  readonly random: SeededRandom;
}

/** The same, for a part that writes into the trace. */
export interface TracedDeps extends SimulationDeps {
  readonly trace: Trace;
}
