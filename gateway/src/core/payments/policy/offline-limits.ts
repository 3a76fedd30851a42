import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { OFFLINE_LIMIT_MAXIMA } from '@tillbridge/wire/payment/offline-maxima.js';
import type { OfflineBounds, StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import type { OfflineDecision } from '../rules/requests.js';

/** A record is on its way for a moment after the agent looked at its age; milliseconds. */
export const AGE_TOLERANCE_MS = 3_600_000;

/** What the age of an offline record comes to. */
type AgeVerdict = 'young' | 'too-old' | 'disputed';

/**
 * Judges the age of an offline record by two clocks: the gateway's, and what the agent counted on its own. Only what both say counts. Where
 * they do not agree, one of the clocks is wrong, and nothing is decided by it.
 */
export function judgeAge(
  { decidedAtMs, ageMs, ageAccepted }: OfflineDecision,
  nowMs: number,
  policy: StorePolicy,
): AgeVerdict {
  if (ageAccepted) return 'young';
  const longestMs = Math.min(policy.offline?.maxAgeMs ?? Infinity, OFFLINE_LIMIT_MAXIMA.expiryMs);
  const isOld = (age: number): boolean => age > longestMs + AGE_TOLERANCE_MS;
  const here = isOld(nowMs - decidedAtMs);
  if (here !== isOld(ageMs ?? nowMs - decidedAtMs)) return 'disputed';
  return here ? 'too-old' : 'young';
}

/** Which limit of the store an offline record breaks; undefined where it breaks none. */
export function brokenLimit(
  { kind }: OfflineDecision,
  amount: Money,
  { offline }: StorePolicy,
): string | undefined {
  const { currency, minor } = amount;
  const isDeferred = kind === 'deferred';
  const bounds = [boundsIn(currency, offline, OFFLINE_LIMIT_MAXIMA)];
  if (isDeferred) bounds.push(boundsIn(currency, offline?.deferred, OFFLINE_LIMIT_MAXIMA.deferred));
  const most = Math.min(...bounds.map(({ perSaleMinor }) => perSaleMinor));
  if (most === 0) return `no ${isDeferred ? 'deferred authorization' : 'offline sale'} in ${currency}`;
  const shown = formatAmount({ minor: most, currency });
  return minor > most ? `an offline sale is at most ${shown} ${currency}` : undefined;
}

/** What one kind of offline sales may come to in a currency. */
export interface CurrencyBounds {
  readonly perSaleMinor: number;
  readonly sumMinor: number;
  readonly count: number;
}

/** Bounds in a currency, never above the compiled maxima; `own` absent: the maxima alone; a currency that it leaves out: nothing. */
export function boundsIn(
  currency: string,
  own: OfflineBounds | undefined,
  maxima: { readonly perSaleUnits: number; readonly sumUnits: number; readonly count: number },
): CurrencyBounds {
  const unit = 10 ** minorDigits(currency);
  const highest = { perSaleMinor: maxima.perSaleUnits * unit, sumMinor: maxima.sumUnits * unit };
  if (!own) return { ...highest, count: maxima.count };
  const limit = Object.hasOwn(own.limits, currency) ? own.limits[currency] : undefined;
  return {
    perSaleMinor: Math.min(limit?.perSaleMinor ?? 0, highest.perSaleMinor),
    sumMinor: Math.min(limit?.sumMinor ?? 0, highest.sumMinor),
    count: Math.min(own.maxCount, maxima.count),
  };
}
