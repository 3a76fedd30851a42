import type { Money } from '@tillbridge/protocol/payment/money.js';
import { formatAmount, minorDigits } from '@tillbridge/protocol/payment/money.js';
import { OFFLINE_LIMIT_MAXIMA } from '@tillbridge/protocol/payment/offline-maxima.js';
import type { OfflineDecision } from './requests.js';
import type { StorePolicy } from './store-policy.js';

/** A record is on its way for a moment after the agent looked at its age; milliseconds. */
export const AGE_TOLERANCE_MS = 3_600_000;

/** What the age of an offline record comes to. */
export type AgeVerdict = 'young' | 'too-old' | 'disputed';

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
  const maxima = kind === 'deferred' ? OFFLINE_LIMIT_MAXIMA.deferred : OFFLINE_LIMIT_MAXIMA;
  const limits = kind === 'deferred' ? offline?.deferred : offline?.limits;
  const own = limits && (Object.hasOwn(limits, currency) ? limits[currency] : 0);
  if (own === 0) return `no offline sale in ${currency}`;
  const most = Math.min(own ?? Infinity, maxima.perSaleUnits * 10 ** minorDigits(currency));
  const shown = formatAmount({ minor: most, currency });
  return minor > most ? `an offline sale is at most ${shown} ${currency}` : undefined;
}
