import { formatAmount } from '@tillbridge/wire/payment/money.js';
import type { ForwardQueue } from '../journal/forward-queue.js';

/** What waited for the gateway from a moment on; sums of offline sales are decimal texts by currency. */
export interface ExposureChange {
  readonly atMs: number;
  readonly depth: number;
  readonly sums: Readonly<Record<string, string>>;
}

/** What waits now, as from a moment on. */
export function exposureFrom(queue: Pick<ForwardQueue, 'depth' | 'exposure'>, atMs: number): ExposureChange {
  const minors = new Map<string, number>();
  for (const { currency, minor } of queue.exposure())
    minors.set(currency, (minors.get(currency) ?? 0) + minor);
  const sums = [...minors].map(([currency, minor]) => [currency, formatAmount({ minor, currency })]);
  return { atMs, depth: queue.depth(), sums: Object.fromEntries(sums) };
}

/** Whether the same waits in both. */
export function isSameExposure(one: ExposureChange, other: ExposureChange): boolean {
  return one.depth === other.depth && JSON.stringify(one.sums) === JSON.stringify(other.sums);
}
