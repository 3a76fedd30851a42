import type { Clock } from './clock.js';
import type { Random } from './random.js';

/** Time and random numbers, of which a simulation gives its own. */
export interface Seams {
  readonly clock: Clock;
  readonly random: Random;
}
