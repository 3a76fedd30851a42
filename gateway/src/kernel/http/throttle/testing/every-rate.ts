import { THROTTLED_OPERATIONS, type ThrottleRates } from '../throttle.js';
import type { Rate } from '../token-bucket.js';

/** The same rate for each class. */
export function everyRate(rate: Rate): ThrottleRates {
  return Object.fromEntries(THROTTLED_OPERATIONS.map((operation) => [operation, rate])) as ThrottleRates;
}
