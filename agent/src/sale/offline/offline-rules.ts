import type { CardData } from '../../drivers/core/driver.js';
import type { CardFingerprint } from './card-fingerprint.js';
import { cardholderVerdict, isDoubtful } from './card-verification.js';
import {
  deferredOnly,
  onCard,
  onTerminal,
  type UnforwardedSale,
  type Weight,
  weigh,
} from './offline-exposure.js';
import {
  type CardRule,
  cardRule,
  deferredLimits,
  deferredMaxCount,
  OFFLINE_MAXIMA,
  type OfflinePolicy,
  offlineLimits,
  offlineMaxContactAgeMs,
  offlineMaxCount,
  offlineMaxPerCard,
} from './offline-policy.js';
import { becauseText, type OfflineReadiness, type OfflineReason } from './offline-reasons.js';

/** What the rules check of the requested sale. */
interface OfflineRequest {
  readonly type: string;
  readonly minor: number;
  readonly currency: string;
  readonly onlineOnly: boolean;
}

/** What the rules look at; all of it is input. */
export interface OfflineSituation {
  readonly policy: OfflinePolicy;
  /** The gateway has not sent the policy of the store, which may be stricter. */
  readonly policyUnknown?: boolean;
  readonly terminalId: string;
  readonly journalReady: boolean;
  readonly clockBehind: boolean;
  /** Since the last contact with the gateway, measured against the monotonic time floor; `undefined`: never. */
  readonly contactAgeMs: number | undefined;
  /** Of all terminals of this agent, the sale that is decided left out. */
  readonly unforwarded: readonly UnforwardedSale[];
}

/** What a sale's card may do without the gateway. */
export type OfflineVerdict =
  /** The card may approve offline; `deferIfNot`: if it ends without a TC, its ARQC may be deferred. */
  | { readonly kind: 'ask-card'; readonly deferIfNot: boolean }
  /** The card may not approve, but its ARQC may be kept. `endCard`: it waits for a second GENERATE AC. */
  | { readonly kind: 'defer'; readonly endCard: boolean }
  | { readonly kind: 'refuse'; readonly reasons: readonly OfflineReason[] };

/** Whether a terminal could take the smallest sale of some currency right now; `terminal`: what is wrong with the device. */
export function offlineReadiness(situation: OfflineSituation, terminal?: OfflineReason): OfflineReadiness {
  const { policy } = situation;
  const reasons = situationReasons(situation);
  if (policy.enabled && terminal) reasons.push(terminal);
  const currencies = Object.keys(policy.limits);
  const full = currencies.filter((currency) => offlineLeft(situation, currency).minor <= 0);
  if (policy.enabled && currencies.length === 0) reasons.push('currency-not-allowed');
  else if (policy.enabled && full.length === currencies.length) reasons.push('sum-limit-reached');
  if (reasons.length > 0) return { ready: false, reasons, because: becauseText(reasons) };
  return { ready: true, reasons, deferred: policy.deferred.enabled };
}

/** What stands against taking this sale without the gateway, before its card is known. */
export function saleReasons(situation: OfflineSituation, sale: OfflineRequest): OfflineReason[] {
  const { policy } = situation;
  const reasons = situationReasons(situation);
  if (sale.onlineOnly) reasons.push('online-only');
  if (sale.type !== 'sale') reasons.push('type-needs-gateway');
  const limits = offlineLimits(policy, sale.currency);
  if (!limits) return [...reasons, 'currency-not-allowed'];
  if (sale.minor > limits.perSaleMinor) reasons.push('amount-over-limit');
  if (sale.minor > offlineLeft(situation, sale.currency).minor) reasons.push('sum-limit-reached');
  return reasons;
}

/**
 * What a sale's card may do, where nothing stands against the sale itself ({@link saleReasons}). A tap is over with its
 * first cryptogram: it cannot give another.
 */
export function judgeCard(
  situation: OfflineSituation,
  sale: OfflineRequest,
  card: CardData,
  fingerprint: CardFingerprint,
): OfflineVerdict {
  const common = commonReasons(situation, sale, card, fingerprint);
  const forCard = [...approvalReasons(situation, sale, card), ...common];
  const deferral = [...deferralReasons(situation, sale, card, fingerprint), ...common];
  const mayDefer = deferral.length === 0;
  const isChipCard = card.facts.entryMode === 'ICC';
  if (isChipCard && forCard.length === 0) return { kind: 'ask-card', deferIfNot: mayDefer };
  if (mayDefer) return { kind: 'defer', endCard: isChipCard };
  if (forCard.length === 0) return { kind: 'ask-card', deferIfNot: false };
  const reasons = situation.policy.deferred.enabled ? [...forCard, ...deferral] : forCard;
  return { kind: 'refuse', reasons: [...new Set(reasons)] };
}

/** What stands against a TC that the card gave by itself. */
export function tcReasons(
  situation: OfflineSituation,
  sale: OfflineRequest,
  card: CardData,
  fingerprint: CardFingerprint,
): OfflineReason[] {
  return [...approvalReasons(situation, sale, card), ...commonReasons(situation, sale, card, fingerprint)];
}

/** What the limits still allow on the situation's terminal in a currency. */
export function offlineLeft(
  { policy, unforwarded, terminalId }: Pick<OfflineSituation, 'policy' | 'unforwarded' | 'terminalId'>,
  currency: string,
): Weight {
  const taken = weigh(onTerminal(unforwarded, terminalId), currency);
  return {
    minor: Math.max(0, (offlineLimits(policy, currency)?.sumMinor ?? 0) - taken.minor),
    count: Math.max(0, offlineMaxCount(policy) - taken.count),
  };
}

/** The same for deferred authorizations: never more than the general limits leave. */
export function deferredLeft(
  situation: Pick<OfflineSituation, 'policy' | 'unforwarded' | 'terminalId'>,
  currency: string,
): Weight {
  const { policy, unforwarded, terminalId } = situation;
  const general = offlineLeft(situation, currency);
  const taken = weigh(deferredOnly(onTerminal(unforwarded, terminalId)), currency);
  const sumMinor = policy.deferred.enabled ? (deferredLimits(policy, currency)?.sumMinor ?? 0) : 0;
  return {
    minor: Math.max(0, Math.min(general.minor, sumMinor - taken.minor)),
    count: Math.max(0, Math.min(general.count, deferredMaxCount(policy) - taken.count)),
  };
}

function situationReasons(situation: OfflineSituation): OfflineReason[] {
  const { policy, contactAgeMs, unforwarded, terminalId } = situation;
  const reasons: OfflineReason[] = [];
  if (!policy.enabled) reasons.push('switched-off');
  else if (situation.policyUnknown) reasons.push('store-policy-unknown');
  if (!situation.journalReady) reasons.push('journal-unavailable');
  if (situation.clockBehind) reasons.push('clock-behind');
  if (contactAgeMs === undefined) reasons.push('never-in-contact');
  else if (contactAgeMs > offlineMaxContactAgeMs(policy)) reasons.push('contact-too-old');
  if (onTerminal(unforwarded, terminalId).length >= offlineMaxCount(policy))
    reasons.push('count-limit-reached');
  return reasons;
}

/** The holder, and what else was taken with the card: the same for both ways. */
function commonReasons(
  { policy, unforwarded }: OfflineSituation,
  sale: OfflineRequest,
  card: CardData,
  fingerprint: CardFingerprint,
): OfflineReason[] {
  const reasons: OfflineReason[] = [];
  const holder = cardholderVerdict(card);
  if (holder === 'online-pin') reasons.push('online-pin');
  if (holder === 'failed') reasons.push('cardholder-not-verified');
  const taken = onCard(unforwarded, fingerprint);
  if (taken.some(({ state }) => state === 'lost')) reasons.push('card-lost-before');
  if (taken.length >= offlineMaxPerCard(policy)) reasons.push('card-count-limit-reached');
  const { perCardMinor = 0 } = offlineLimits(policy, sale.currency) ?? {};
  if (weigh(taken, sale.currency).minor + sale.minor > perCardMinor) reasons.push('card-sum-limit-reached');
  return reasons;
}

/** Words for what a list of card rules has against a card. */
interface RuleWords {
  readonly entryMode: OfflineReason;
  readonly verification: OfflineReason;
  readonly amount: OfflineReason;
}

const CARD_DECISION: RuleWords = {
  entryMode: 'entry-mode-not-allowed',
  verification: 'verification-not-allowed',
  amount: 'amount-over-card-rule',
};

const DEFERRAL: RuleWords = {
  entryMode: 'deferral-entry-mode-not-allowed',
  verification: 'deferral-verification-not-allowed',
  amount: 'deferral-amount-over-card-rule',
};

function approvalReasons(
  { policy }: OfflineSituation,
  sale: OfflineRequest,
  card: CardData,
): OfflineReason[] {
  return ruleReasons(policy.cards, sale, card, CARD_DECISION);
}

function deferralReasons(
  { policy, unforwarded, terminalId }: OfflineSituation,
  sale: OfflineRequest,
  card: CardData,
  fingerprint: CardFingerprint,
): OfflineReason[] {
  const { deferred } = policy;
  if (!deferred.enabled) return ['deferral-switched-off'];
  const reasons = ruleReasons(deferred.cards, sale, card, DEFERRAL);
  if (isDoubtful(card)) reasons.push('card-doubtful');
  const limits = deferredLimits(policy, sale.currency);
  if (!limits) return [...reasons, 'deferral-currency-not-allowed'];
  const taken = weigh(deferredOnly(onTerminal(unforwarded, terminalId)), sale.currency);
  const withCard = weigh(deferredOnly(onCard(unforwarded, fingerprint)), sale.currency);
  if (sale.minor > limits.perSaleMinor) reasons.push('deferral-amount-over-limit');
  if (taken.minor + sale.minor > limits.sumMinor) reasons.push('deferral-sum-limit-reached');
  if (taken.count >= deferredMaxCount(policy)) reasons.push('deferral-count-limit-reached');
  if (withCard.minor + sale.minor > limits.perCardMinor) reasons.push('deferral-card-sum-limit-reached');
  return reasons;
}

function ruleReasons(
  rules: readonly CardRule[],
  { currency, minor }: OfflineRequest,
  card: CardData,
  words: RuleWords,
): OfflineReason[] {
  const { entryMode } = card.facts;
  const readable = OFFLINE_MAXIMA.entryModes.includes(entryMode);
  if (!readable || !rules.some((rule) => rule.entryMode === entryMode)) return [words.entryMode];
  const holder = cardholderVerdict(card);
  // These have their own reasons.
  if (holder === 'online-pin' || holder === 'failed') return [];
  const rule = cardRule(rules, entryMode, holder);
  if (!rule) return [words.verification];
  const most = rule.perSaleMinor?.[currency];
  return most !== undefined && minor > most ? [words.amount] : [];
}
