import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { type Bucket, type Rate, spendFrom, takeFrom } from './token-bucket.js';

/**
 * Classes of requests that are counted apart ("per operation"), with their rates unless configured: far above a busy merchant, below
 * what one client may take from all others. A class of a new section of the API is a row here; its settings follow.
 */
export const DEFAULT_THROTTLE_RATES = {
  payments: { perSecond: 200, burst: 2_000 },
  followUps: { perSecond: 200, burst: 2_000 },
  reads: { perSecond: 400, burst: 4_000 },
  query: { perSecond: 100, burst: 1_000 },
  shoppers: { perSecond: 200, burst: 2_000 },
  schedules: { perSecond: 50, burst: 500 },
  failedCards: { perSecond: 5, burst: 500 },
} as const satisfies Readonly<Record<string, Rate>>;

/** One class of requests. */
export type ThrottledOperation = keyof typeof DEFAULT_THROTTLE_RATES;

/** All classes. */
export const THROTTLED_OPERATIONS = Object.keys(DEFAULT_THROTTLE_RATES) as ThrottledOperation[];

/** The rate of each class, for each merchant with all of its channels; of `failedCards` for each token. */
export type ThrottleRates = Readonly<Record<ThrottledOperation, Rate>>;

/** Counts requests. */
export interface Throttle {
  /** Takes a request; 0 when it may pass, else how long to wait, in milliseconds. */
  take(merchantId: string, operation: ThrottledOperation): Promise<number>;
  /** How long a request would have to wait, in milliseconds; takes none. */
  wait(merchantId: string, operation: ThrottledOperation): Promise<number>;
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

  async take(merchantId: string, operation: ThrottledOperation): Promise<number> {
    const key = `${operation} ${merchantId}`;
    const rate = this.#rates[operation];
    const { bucket, waitMs } = takeFrom(this.#buckets.get(key), rate, this.#clock.monotonicMs());
    this.#keep(key, bucket);
    return waitMs;
  }

  async wait(merchantId: string, operation: ThrottledOperation): Promise<number> {
    const bucket = this.#buckets.get(`${operation} ${merchantId}`);
    return takeFrom(bucket, this.#rates[operation], this.#clock.monotonicMs()).waitMs;
  }

  /** Takes requests that have passed elsewhere. */
  spend(merchantId: string, operation: ThrottledOperation, count: number): void {
    const key = `${operation} ${merchantId}`;
    const nowMs = this.#clock.monotonicMs();
    this.#keep(key, spendFrom(this.#buckets.get(key), this.#rates[operation], { count, nowMs }));
  }

  #keep(key: string, bucket: Bucket): void {
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MAX_BUCKETS) {
      const [oldest = ''] = this.#buckets.keys();
      this.#buckets.delete(oldest);
    }
  }
}
