import { formatAmount, type Money } from '@tillbridge/wire/payment/money.js';
import { OFFLINE_LIMIT_MAXIMA } from '@tillbridge/wire/payment/offline-maxima.js';
import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import type { OfflineWindowRow } from '../../../kernel/store/rows.js';
import type { OfflineDecision } from '../rules/requests.js';
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
type WindowVerdict =
  | { readonly kind: 'counted'; readonly window: Pick<OfflineWindowRow, 'sinceMs' | 'latestMs' | 'taken'> }
  | { readonly kind: 'broken'; readonly limit: string };

const NOTHING: Taken = { count: 0, sums: {} };
const EMPTY: WindowContent = { general: NOTHING, deferred: NOTHING };

/** When a window of a terminal may end, by the gateway's clock alone; milliseconds. */
export interface WindowLimits {
  /** From the latest record of the window to the proof of a session: in between the agent may have been alone, and sold what comes then. */
  readonly shortestAbsenceMs: number;
  /** From the first record of a window, without such an absence: single requests of a session may stay unanswered, too. */
  readonly longestMs: number;
}

/** The limits of every gateway. A simulation in which outages are seconds apart has shorter ones. */
export const WINDOW_LIMITS: WindowLimits = { shortestAbsenceMs: 5 * 60_000, longestMs: 3_600_000 };

/** What the gateway itself knows of the moment in which a record arrives, by its own clock. */
interface Arrival {
  readonly nowMs: number;
  /** When the agent proved itself for the session that brings the record. */
  readonly provenAtMs: number;
}

/**
 * Counts an offline record against the store's count and sum. The window of a terminal begins when one of its records arrives, and holds
 * all that were decided before that moment: none of them was confirmed then, so the agent has counted them together. What was decided
 * later begins a new window, but only after the agent may have been without the gateway by the gateway's own clock: the store's word on
 * ages makes a window longer, and never shorter. Pure.
 */
export function intoWindow(
  window: OfflineWindowRow | undefined,
  { kind, decidedAtMs, ageMs }: OfflineDecision,
  amount: Money,
  { nowMs, provenAtMs }: Arrival,
  { offline }: StorePolicy,
  limits: WindowLimits = WINDOW_LIMITS,
): WindowVerdict {
  const decidedHereMs = ageMs === undefined ? decidedAtMs : nowMs - ageMs;
  // A window that begins after now was begun by a clock that was ahead.
  const goesOn =
    window &&
    window.sinceMs <= nowMs &&
    (decidedHereMs <= window.sinceMs || !mayHaveEnded(window, { nowMs, provenAtMs }, limits));
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
  return {
    kind: 'counted',
    window: { sinceMs, latestMs: nowMs, taken: JSON.stringify({ general, deferred }) },
  };
}

function mayHaveEnded(
  { sinceMs, latestMs }: OfflineWindowRow,
  { nowMs, provenAtMs }: Arrival,
  { shortestAbsenceMs, longestMs }: WindowLimits,
): boolean {
  return provenAtMs - latestMs >= shortestAbsenceMs || nowMs - sinceMs >= longestMs;
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
