import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { type Bucket, type Rate, takeFrom } from './token-bucket.js';

/** Kinds of requests that are counted apart (spec 8: "per operation"). */
export const THROTTLED_OPERATIONS = ['payments', 'followUps', 'reads'] as const;
/** One kind of requests. */
export type ThrottledOperation = (typeof THROTTLED_OPERATIONS)[number];

/** The rate of each kind, for each entity. */
export type ThrottleRates = Readonly<Record<ThrottledOperation, Rate>>;

/** Rates unless configured: far above a busy merchant, below what one client may take from all others. */
export const DEFAULT_THROTTLE_RATES: ThrottleRates = {
  payments: { perSecond: 200, burst: 2_000 },
  followUps: { perSecond: 200, burst: 2_000 },
  reads: { perSecond: 400, burst: 4_000 },
};

/** Counts requests. A gateway of several nodes counts in one place behind the same interface. */
export interface Throttle {
  /** Takes a request; 0 when it may pass, else how long to wait, in milliseconds. */
  take(entityId: string, operation: ThrottledOperation): Promise<number>;
}

/** Buckets kept at most; beyond, the one that was used least lately starts full again. */
const MAX_BUCKETS = 50_000;

/** Counts in the memory of this process. */
export class LocalThrottle implements Throttle {
  readonly #rates: ThrottleRates;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** Least lately used first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(rates: ThrottleRates, clock: Pick<Clock, 'monotonicMs'>) {
    this.#rates = rates;
    this.#clock = clock;
  }

  async take(entityId: string, operation: ThrottledOperation): Promise<number> {
    const key = `${operation} ${entityId}`;
    const rate = this.#rates[operation];
    const { bucket, waitMs } = takeFrom(this.#buckets.get(key), rate, this.#clock.monotonicMs());
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MAX_BUCKETS) {
      const [oldest = ''] = this.#buckets.keys();
      this.#buckets.delete(oldest);
    }
    return waitMs;
  }
}
