import type { CryptogramType } from '@tillbridge/wire/emv/cid.js';
import type { CardRiskRules } from '../core/application-profile.js';
import type { CardState } from '../core/card-state.js';

/** Whether the transactions in a row without the issuer, this one included, exceed the card's limit. */
export function offlineLimitExceeded(rules: CardRiskRules, state: CardState): boolean {
  return state.atc - state.lastOnlineAtc > rules.consecutiveOfflineLimit;
}

/** Card action analysis of the first GENERATE AC (EMV Book 3 §10.8): never less strict than the terminal's request. */
export function decideFirst(
  rules: CardRiskRules,
  state: CardState,
  requested: CryptogramType,
): CryptogramType {
  if (requested !== 'TC') return requested;
  return rules.offlineRequest === 'go-online' || offlineLimitExceeded(rules, state) ? 'ARQC' : 'TC';
}

/** What the second GENERATE AC is decided by. */
interface CompletionFacts {
  readonly requested: CryptogramType;
  readonly unableToGoOnline: boolean;
  /** True only behind a true ARPC. */
  readonly issuerApproved: boolean;
}

/** Card action analysis of the second GENERATE AC: a TC needs the issuer's approval, or rules that allow it without one. */
export function decideSecond(rules: CardRiskRules, state: CardState, facts: CompletionFacts): CryptogramType {
  if (facts.requested !== 'TC') return 'AAC';
  if (!facts.unableToGoOnline) return facts.issuerApproved ? 'TC' : 'AAC';
  return rules.unableToGoOnline === 'accept' && !offlineLimitExceeded(rules, state) ? 'TC' : 'AAC';
}
