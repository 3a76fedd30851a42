import { minorDigits } from '@tillbridge/protocol/payment/money.js';
import type { EntryMode, TerminalRisk } from '../drivers/driver.js';

const HOUR_MS = 3_600_000;

/** Offline limits in one currency, minor units. */
export interface OfflineLimits {
  readonly perSaleMinor: number;
  /** Sum of one terminal's approvals that the gateway has not acknowledged. */
  readonly sumMinor: number;
}

/** When a sale may be approved without the gateway. */
export interface OfflinePolicy {
  readonly enabled: boolean;
  /** By ISO 4217 currency; one that is missing is never offline. */
  readonly limits: Readonly<Record<string, OfflineLimits>>;
  /** Approvals of one terminal that the gateway has not acknowledged. */
  readonly maxCount: number;
  /** Since the gateway was last heard. */
  readonly maxContactAgeMs: number;
  readonly entryModes: readonly EntryMode[];
  /**
   * No answer to a request that was handed over: `decline` the card, or `reverse` that request first and let the card
   * decide (the reversal is journaled in the same write as the record, and goes out before it).
   */
  readonly afterHandOver: 'decline' | 'reverse';
  /** Terminal risk management while offline approvals are allowed; otherwise the floor limit is 0. */
  readonly risk: TerminalRisk;
}

/** What the sale needs to know beside its facts. */
export interface SalePolicy {
  /** How long the terminal may wait for a card. */
  readonly cardTimeoutMs: number;
  /** How long a sale that needs the gateway waits for a link before its card is read. */
  readonly linkWaitMs: number;
  /** How long a request that was handed over may stay unanswered. */
  readonly answerTimeoutMs: number;
  /** Pauses before the resolver's status requests; after the last the sale is reversed without a clear status. */
  readonly statusScheduleMs: readonly number[];
  /** How long a till's call waits for the end of a sale that became unknown or is being reversed. */
  readonly openAnswerWaitMs: number;
  readonly offline: OfflinePolicy;
}

/** Online only: the floor limit sends every sale to the gateway. */
export const ONLINE_ONLY_RISK: TerminalRisk = {
  floorLimitMinor: 0,
  randomSelectionThresholdMinor: 0,
  randomSelectionTargetPercent: 0,
  randomSelectionMaxPercent: 0,
};

/** No configuration lifts the offline limits above these (reference: terminals §3). */
export const OFFLINE_MAXIMA = {
  /** Whole units of the currency. */
  perSaleUnits: 1_000,
  sumUnits: 25_000,
  count: 500,
  contactAgeMs: 72 * HOUR_MS,
} as const;

/** Offline is off until somebody switches it on; the numbers are those of the reference's proposal. */
export const DEFAULT_POLICY: SalePolicy = {
  cardTimeoutMs: 60_000,
  linkWaitMs: 5_000,
  answerTimeoutMs: 30_000,
  statusScheduleMs: [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000],
  openAnswerWaitMs: 5_000,
  offline: {
    enabled: false,
    limits: {},
    maxCount: 60,
    maxContactAgeMs: 24 * HOUR_MS,
    entryModes: ['ICC'],
    afterHandOver: 'decline',
    risk: ONLINE_ONLY_RISK,
  },
};

/** The limits of a currency, never above the maxima; `undefined` when it is never offline. */
export function offlineLimits(policy: OfflinePolicy, currency: string): OfflineLimits | undefined {
  const configured = Object.hasOwn(policy.limits, currency) ? policy.limits[currency] : undefined;
  if (!configured) return undefined;
  const unit = 10 ** minorDigits(currency);
  return {
    perSaleMinor: Math.min(configured.perSaleMinor, OFFLINE_MAXIMA.perSaleUnits * unit),
    sumMinor: Math.min(configured.sumMinor, OFFLINE_MAXIMA.sumUnits * unit),
  };
}

/** How many approvals may wait. */
export function offlineMaxCount(policy: OfflinePolicy): number {
  return Math.min(policy.maxCount, OFFLINE_MAXIMA.count);
}

/** How old the last contact may be. */
export function offlineMaxContactAgeMs(policy: OfflinePolicy): number {
  return Math.min(policy.maxContactAgeMs, OFFLINE_MAXIMA.contactAgeMs);
}
