import { fromHex } from '@tillbridge/protocol/bytes.js';
import { hasBit } from '@tillbridge/protocol/emv/bits.js';
import { readCvmResults } from '@tillbridge/protocol/emv/cvm-results.js';
import { TVR } from '@tillbridge/protocol/emv/tvr.js';
import type { CardData } from '../drivers/driver.js';
import type { Exposure } from '../journal/forward-queue.js';
import type { OfflineReadiness } from './desk.js';
import { emvSummary } from './emv-summary.js';
import type { AcceptedSale } from './facts.js';
import { type OfflinePolicy, offlineLimits, offlineMaxContactAgeMs, offlineMaxCount } from './policy.js';

/** What stands against an approval without the gateway. */
export type OfflineReason =
  | 'switched-off'
  | 'journal-unavailable'
  /** The wall clock is behind a time already journaled or heard (P6). */
  | 'clock-behind'
  | 'never-in-contact'
  | 'contact-too-old'
  | 'count-limit-reached'
  | 'sum-limit-reached'
  | 'online-only'
  /** Refunds and preauthorizations need the gateway. */
  | 'type-needs-gateway'
  | 'currency-not-allowed'
  | 'amount-over-limit'
  | 'entry-mode-not-allowed'
  | 'online-pin'
  | 'cardholder-not-verified';

/** What the rules look at before there is a sale. */
export interface OfflineSituation {
  readonly policy: OfflinePolicy;
  readonly journalReady: boolean;
  readonly clockBehind: boolean;
  /** Since the gateway was last heard, measured against the highest time ever known; `undefined`: never. */
  readonly contactAgeMs: number | undefined;
  /** The terminal's waiting records, all currencies. */
  readonly exposure: readonly Exposure[];
}

/** Offline PIN and signature are for the card and the cashier; this one only the issuer could have checked. */
const ENCIPHERED_PIN_ONLINE = 0x02;
const CVM_METHOD_MASK = 0x3f;

/** Whether a terminal could approve the smallest sale of some currency right now. */
export function offlineReadiness(situation: OfflineSituation): OfflineReadiness {
  const { policy, exposure } = situation;
  const reasons = situationReasons(situation);
  const currencies = Object.keys(policy.limits);
  const full = currencies.filter((currency) => offlineLeft(policy, exposure, currency).minor <= 0);
  if (policy.enabled && full.length === currencies.length) reasons.push('sum-limit-reached');
  return { ready: reasons.length === 0, reasons };
}

/** What stands against approving this sale without the gateway, before its card is known. */
export function saleReasons(situation: OfflineSituation, sale: AcceptedSale): OfflineReason[] {
  const { policy, exposure } = situation;
  const reasons = situationReasons(situation);
  if (sale.onlineOnly) reasons.push('online-only');
  if (sale.type !== 'sale') reasons.push('type-needs-gateway');
  const limits = offlineLimits(policy, sale.currency);
  if (!limits) return [...reasons, 'currency-not-allowed'];
  if (sale.minor > limits.perSaleMinor) reasons.push('amount-over-limit');
  if (sale.minor > offlineLeft(policy, exposure, sale.currency).minor) reasons.push('sum-limit-reached');
  return reasons;
}

/** What stands against this card: how it was read, and how its holder was verified. */
export function cardReasons(policy: OfflinePolicy, card: CardData): OfflineReason[] {
  const reasons: OfflineReason[] = [];
  if (!policy.entryModes.includes(card.facts.entryMode)) reasons.push('entry-mode-not-allowed');
  const { cvm: cvmHex, tvr: tvrHex } = emvSummary(card.iccData);
  const cvm = readCvmResults(fromHex(cvmHex ?? ''));
  const tvr = fromHex(tvrHex ?? '');
  const pinWentOnline =
    card.pin !== undefined ||
    hasBit(tvr, TVR.onlinePinEntered) ||
    (cvm !== undefined && (cvm.code & CVM_METHOD_MASK) === ENCIPHERED_PIN_ONLINE);
  if (pinWentOnline) reasons.push('online-pin');
  if (hasBit(tvr, TVR.cardholderVerificationFailed) || cvm?.outcome === 'failed') {
    reasons.push('cardholder-not-verified');
  }
  return reasons;
}

/** What the limits still allow on a terminal in a currency. */
export function offlineLeft(
  policy: OfflinePolicy,
  exposure: readonly Exposure[],
  currency: string,
): { readonly minor: number; readonly count: number } {
  const waiting = exposure
    .filter((each) => each.currency === currency)
    .reduce((sum, each) => sum + each.minor, 0);
  const count = exposure.reduce((sum, each) => sum + each.count, 0);
  return {
    minor: Math.max(0, (offlineLimits(policy, currency)?.sumMinor ?? 0) - waiting),
    count: Math.max(0, offlineMaxCount(policy) - count),
  };
}

function situationReasons(situation: OfflineSituation): OfflineReason[] {
  const { policy, contactAgeMs } = situation;
  const reasons: OfflineReason[] = [];
  if (!policy.enabled) reasons.push('switched-off');
  if (!situation.journalReady) reasons.push('journal-unavailable');
  if (situation.clockBehind) reasons.push('clock-behind');
  if (contactAgeMs === undefined) reasons.push('never-in-contact');
  else if (contactAgeMs > offlineMaxContactAgeMs(policy)) reasons.push('contact-too-old');
  if (situation.exposure.reduce((sum, each) => sum + each.count, 0) >= offlineMaxCount(policy)) {
    reasons.push('count-limit-reached');
  }
  return reasons;
}
