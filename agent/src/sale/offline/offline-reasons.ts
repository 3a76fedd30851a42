/** What stands against a sale without the gateway, and how a person reads it behind "because". */
export const OFFLINE_REASONS = {
  'switched-off': 'offline sales are switched off',
  'store-policy-unknown': 'the gateway has not sent the policy of the store since it was lost here',
  'journal-unavailable': 'the journal cannot be written, or may not be the right one (see status)',
  /** P6. */
  'clock-behind': 'the clock is behind a time that is already known',
  'never-in-contact': 'the gateway was never reached',
  'contact-too-old': 'the last contact with the gateway is too long ago',
  'terminal-not-ready': 'the terminal is not connected',
  'terminal-keys-missing': 'the terminal has no key for card data',
  'terminal-tampered': 'the terminal was opened and has erased its keys',
  'count-limit-reached': 'too many offline sales of this terminal wait or are parked',
  'sum-limit-reached': 'the sum of offline sales on this terminal is reached',
  'online-only': 'the till wants this sale online only',
  'type-needs-gateway': 'this type of sale needs the gateway',
  'currency-not-allowed': 'this currency is never sold offline',
  'amount-over-limit': 'the amount is above the limit for one offline sale',
  'entry-mode-not-allowed': 'a card read this way cannot pay offline',
  'verification-not-allowed': 'a cardholder verified this way cannot pay offline',
  'amount-over-card-rule': 'the amount is above the limit for cards read and verified this way',
  'online-pin': 'the PIN can be checked by the issuer alone',
  'cardholder-not-verified': 'the cardholder could not be verified',
  'card-count-limit-reached': 'this card has offline sales that are not confirmed',
  'card-sum-limit-reached': 'the sum of offline sales with this card is reached',
  'card-lost-before':
    'an offline sale with this card was declined later or expired, which is not acknowledged',
  'deferral-switched-off': 'deferred authorizations are switched off',
  'deferral-currency-not-allowed': 'this currency is never deferred',
  'deferral-amount-over-limit': 'the amount is above the limit for one deferred authorization',
  'deferral-sum-limit-reached': 'the sum of deferred authorizations on this terminal is reached',
  'deferral-count-limit-reached': 'too many deferred authorizations of this terminal wait or are parked',
  'deferral-entry-mode-not-allowed': 'a card read this way is not deferred',
  'deferral-verification-not-allowed': 'a sale is not deferred for a cardholder verified this way',
  'deferral-amount-over-card-rule':
    'the amount is above the deferral limit for cards read and verified this way',
  'deferral-card-sum-limit-reached': 'the sum of deferred authorizations with this card is reached',
  'card-doubtful': 'the terminal found the card doubtful',
} as const satisfies Readonly<Record<string, string>>;

/** One of them, as tills get it. */
export type OfflineReason = keyof typeof OFFLINE_REASONS;

/** The reasons in words, for "offline-ready: no, because …"; a word this build does not know stands as it is. */
export function becauseText(reasons: readonly string[]): string {
  return reasons.map((reason) => (isReason(reason) ? OFFLINE_REASONS[reason] : reason)).join('; ');
}

function isReason(reason: string): reason is OfflineReason {
  return Object.hasOwn(OFFLINE_REASONS, reason);
}

/** Whether a terminal may sell without the gateway right now, and what is in the way. */
export interface OfflineReadiness {
  readonly ready: boolean;
  /** Words of `sale/offline-reasons.ts`, such as `switched-off` or `sum-limit-reached`; empty when ready. */
  readonly reasons: readonly string[];
  /** The reasons for a person; absent when ready. */
  readonly because?: string;
  /** When ready: whether authorizations may be deferred, too. */
  readonly deferred?: boolean;
}
