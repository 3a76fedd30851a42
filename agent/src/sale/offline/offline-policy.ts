import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import { OFFLINE_LIMIT_MAXIMA } from '@tillbridge/wire/payment/offline-maxima.js';
import type { EntryMode, TerminalRisk } from '../../drivers/core/driver.js';

const HOUR_MS = 3_600_000;

/** How a sale without the gateway came about; the two are never merged (ARCHITECTURE.md, "The life of a card-present sale"). */
export type OfflineApproval =
  /** The card gave a TC. */
  | 'card-approved'
  /** There is an ARQC and no TC; the merchant's policy takes the risk. */
  | 'deferred';

/** How a cardholder may have been verified without the issuer. */
export type CardVerification =
  /** The chip compared the PIN. */
  | 'offline-pin'
  /** The holder's own device did (EMV contactless: on-device cardholder verification). */
  | 'device'
  | 'signature'
  | 'none';

/** Words of {@link CardVerification}. */
export const CARD_VERIFICATIONS: readonly CardVerification[] = ['offline-pin', 'device', 'signature', 'none'];

/** Offline limits in one currency, minor units. */
export interface OfflineLimits {
  readonly perSaleMinor: number;
  /** Sum of one terminal's unconfirmed approvals. */
  readonly sumMinor: number;
  /** Sum of one card's unconfirmed approvals, on all terminals; absent: as the sale's limit. */
  readonly perCardMinor?: number;
}

/** One way of reading a card and verifying its holder that is allowed without the gateway. */
export interface CardRule {
  readonly entryMode: EntryMode;
  readonly verification: CardVerification;
  /** By currency: a lower limit for a sale this way; a currency that is missing keeps the general one. */
  readonly perSaleMinor?: Readonly<Record<string, number>>;
}

/** When a sale may be approved on an ARQC without a TC. Its limits count in addition to the general ones, which stay in force. */
export interface DeferredPolicy {
  readonly enabled: boolean;
  readonly limits: Readonly<Record<string, OfflineLimits>>;
  /** Unconfirmed deferred sales of one terminal. */
  readonly maxCount: number;
  readonly cards: readonly CardRule[];
}

/** When a sale may be approved without the gateway. */
export interface OfflinePolicy {
  readonly enabled: boolean;
  /** By ISO 4217 currency; one that is missing is never offline. */
  readonly limits: Readonly<Record<string, OfflineLimits>>;
  /** Unconfirmed approvals of one terminal. */
  readonly maxCount: number;
  /** Unconfirmed approvals of one card, on all terminals. */
  readonly maxPerCard: number;
  /** Since the last contact with the gateway. */
  readonly maxContactAgeMs: number;
  /** Age at which a record that is still queued is not forwarded any more: it ends as `expired`. */
  readonly expiryMs: number;
  /** What the card may approve offline (TC). */
  readonly cards: readonly CardRule[];
  readonly deferred: DeferredPolicy;
  /**
   * No answer to a request that was handed over: `decline` the card, or `reverse` that request first and let the rules
   * decide (the reversal is journaled in the same write as the record, and goes out before it).
   */
  readonly afterHandOver: 'decline' | 'reverse';
  /** Terminal risk management while offline approvals are allowed; otherwise the floor limit is 0. */
  readonly risk: TerminalRisk;
}

/** Online only: the floor limit sends every sale to the gateway. */
export const ONLINE_ONLY_RISK: TerminalRisk = {
  floorLimitMinor: 0,
  randomSelectionThresholdMinor: 0,
  randomSelectionTargetPercent: 0,
  randomSelectionMaxPercent: 0,
};

/** No configuration, wherever it comes from, lifts the offline limits above these (agent/docs/offline-rules.md). */
export const OFFLINE_MAXIMA = {
  ...OFFLINE_LIMIT_MAXIMA,
  /** A magstripe and typed digits prove nothing; a PIN that only the issuer can check is never enough (`online-pin`). */
  entryModes: ['ICC', 'NFC_ICC'] as readonly EntryMode[],
} as const;

const verified = (entryMode: EntryMode, verifications: readonly CardVerification[]): readonly CardRule[] =>
  verifications.map((verification) => ({ entryMode, verification }));

/** Offline is off by default; the other numbers are a proposal. */
export const OFFLINE_OFF: OfflinePolicy = {
  enabled: false,
  limits: {},
  maxCount: 60,
  maxPerCard: 1,
  maxContactAgeMs: 24 * HOUR_MS,
  expiryMs: 24 * HOUR_MS,
  cards: verified('ICC', ['offline-pin', 'signature', 'none']),
  deferred: { enabled: false, limits: {}, maxCount: 10, cards: [] },
  afterHandOver: 'decline',
  risk: ONLINE_ONLY_RISK,
};

/** Which cards a deferral takes by default: those whose cardholder was verified. */
export const DEFERRED_CARDS: readonly CardRule[] = [
  ...verified('NFC_ICC', ['device']),
  ...verified('ICC', ['offline-pin', 'signature']),
];

/** The limits of a currency, never above the maxima; `undefined` when it is never offline. */
export function offlineLimits(policy: OfflinePolicy, currency: string): Required<OfflineLimits> | undefined {
  return clamped(policy.limits, currency, OFFLINE_MAXIMA);
}

/** The limits of deferred sales in a currency, never above the maxima; `undefined` when none is deferred. */
export function deferredLimits(policy: OfflinePolicy, currency: string): Required<OfflineLimits> | undefined {
  return clamped(policy.deferred.limits, currency, OFFLINE_MAXIMA.deferred);
}

/** How many approvals of one terminal may wait. */
export function offlineMaxCount(policy: OfflinePolicy): number {
  return Math.min(policy.maxCount, OFFLINE_MAXIMA.count);
}

/** How many deferred sales of one terminal may wait. */
export function deferredMaxCount({ deferred }: OfflinePolicy): number {
  return Math.min(deferred.maxCount, OFFLINE_MAXIMA.deferred.count);
}

/** How many approvals of one card may wait. */
export function offlineMaxPerCard(policy: OfflinePolicy): number {
  return Math.min(policy.maxPerCard, OFFLINE_MAXIMA.perCard);
}

/** How old the last contact may be. */
export function offlineMaxContactAgeMs(policy: OfflinePolicy): number {
  return Math.min(policy.maxContactAgeMs, OFFLINE_MAXIMA.contactAgeMs);
}

/** How old a queued record may become. */
export function offlineExpiryMs(policy: OfflinePolicy): number {
  return Math.min(policy.expiryMs, OFFLINE_MAXIMA.expiryMs);
}

/** The rule for a card; entry modes that are never offline have none under any policy. */
export function cardRule(
  rules: readonly CardRule[],
  entryMode: EntryMode,
  verification: CardVerification,
): CardRule | undefined {
  if (!OFFLINE_MAXIMA.entryModes.includes(entryMode)) return undefined;
  return rules.find((rule) => rule.entryMode === entryMode && rule.verification === verification);
}

function clamped(
  limits: OfflinePolicy['limits'],
  currency: string,
  maxima: { readonly perSaleUnits: number; readonly sumUnits: number; readonly perCardUnits: number },
): Required<OfflineLimits> | undefined {
  const configured = Object.hasOwn(limits, currency) ? limits[currency] : undefined;
  if (!configured) return undefined;
  const unit = 10 ** minorDigits(currency);
  const { perSaleMinor, sumMinor, perCardMinor = perSaleMinor } = configured;
  return {
    perSaleMinor: Math.min(perSaleMinor, maxima.perSaleUnits * unit),
    sumMinor: Math.min(sumMinor, maxima.sumUnits * unit),
    perCardMinor: Math.min(perCardMinor, maxima.perCardUnits * unit),
  };
}
