import { formatAmount, type Money } from '@tillbridge/protocol/payment/money.js';
import { OFFLINE_LIMIT_MAXIMA } from '@tillbridge/protocol/payment/offline-maxima.js';
import type { StorePolicy } from '@tillbridge/protocol/payment/store-policy.js';
import type { OfflineWindowRow } from '../../store/rows.js';
import type { OfflineDecision } from '../decide/requests.js';
import { boundsIn, type CurrencyBounds } from './offline-limits.js';

/** Records of one kind that were taken: how many, and minor units by currency. */
interface Taken {
  readonly count: number;
  readonly sums: Readonly<Record<string, number>>;
}

/** All records of a window, and the deferred ones among them. */
interface WindowContent {
  readonly general: Taken;
  readonly deferred: Taken;
}

/** A window with one record more, or the limit that this record breaks. */
export type WindowVerdict =
  | { readonly kind: 'counted'; readonly window: Pick<OfflineWindowRow, 'sinceMs' | 'taken'> }
  | { readonly kind: 'broken'; readonly limit: string };

const NOTHING: Taken = { count: 0, sums: {} };
const EMPTY: WindowContent = { general: NOTHING, deferred: NOTHING };

/**
 * Counts an offline record against the store's count and sum. The window of a terminal begins when one of its records arrives, and holds
 * all that were decided before that moment: none of them was confirmed then, so the agent has counted them together. What was decided
 * later begins a new window. So a window never holds more than the agent has counted, and what an honest agent took within its limits breaks
 * none here. Pure.
 */
export function intoWindow(
  window: OfflineWindowRow | undefined,
  { kind, decidedAtMs, ageMs }: OfflineDecision,
  amount: Money,
  nowMs: number,
  { offline }: StorePolicy,
): WindowVerdict {
  const decidedHereMs = ageMs === undefined ? decidedAtMs : nowMs - ageMs;
  // A window that begins after now was begun by a clock that was ahead.
  const goesOn = window && window.sinceMs <= nowMs && decidedHereMs <= window.sinceMs;
  const before = goesOn ? (JSON.parse(window.taken) as WindowContent) : EMPTY;
  const isDeferred = kind === 'deferred';
  const general = plus(before.general, amount);
  const deferred = isDeferred ? plus(before.deferred, amount) : before.deferred;
  const { currency } = amount;
  const limit =
    broken('offline sales', general, currency, boundsIn(currency, offline, OFFLINE_LIMIT_MAXIMA)) ??
    (isDeferred
      ? broken(
          'deferred authorizations',
          deferred,
          currency,
          boundsIn(currency, offline?.deferred, OFFLINE_LIMIT_MAXIMA.deferred),
        )
      : undefined);
  if (limit !== undefined) return { kind: 'broken', limit };
  const sinceMs = goesOn ? window.sinceMs : nowMs;
  return { kind: 'counted', window: { sinceMs, taken: JSON.stringify({ general, deferred }) } };
}

function plus({ count, sums }: Taken, { currency, minor }: Money): Taken {
  const before = Object.hasOwn(sums, currency) ? (sums[currency] ?? 0) : 0;
  return { count: count + 1, sums: { ...sums, [currency]: before + minor } };
}

function broken(
  what: string,
  { count, sums }: Taken,
  currency: string,
  bounds: CurrencyBounds,
): string | undefined {
  if (count > bounds.count) return `${what} of one terminal that wait together are at most ${bounds.count}`;
  const most = formatAmount({ minor: bounds.sumMinor, currency });
  const sum = sums[currency] ?? 0;
  return sum > bounds.sumMinor
    ? `${what} of one terminal that wait together come to at most ${most} ${currency}`
    : undefined;
}
