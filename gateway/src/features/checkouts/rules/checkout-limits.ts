import { type CardTryLimits, DEFAULT_CARD_TRY_LIMITS } from '../../../core/payments/policy/card-tries.js';

const MINUTE_MS = 60_000;

/** Bounds of checkouts. */
export const CHECKOUT_LIMITS = {
  /** How long a checkout id is valid, in milliseconds (docs/checkouts.md). */
  lifeMs: 30 * MINUTE_MS,
  /** How long it is kept from its creation on, unless something needs it longer, in milliseconds. */
  keptMs: 7 * 24 * 60 * MINUTE_MS,
  /** When the shop is called whose shopper has posted and that has not fetched the result, from the creation; milliseconds (docs/checkouts.md). */
  resultCallAfterMs: 29 * MINUTE_MS,
  /** Stored payment details that one checkout offers. */
  registrations: 50,
  /** Status requests of a checkout within {@link statusWindowMs} (docs/checkouts.md). */
  statusReads: 2,
  statusWindowMs: MINUTE_MS,
} as const;

/** What cards are tested by: a card with many details, an address or a checkout that tries too many (the configuration sets it). */
export interface CardTestingLimits extends CardTryLimits {
  /** Payment details that may be sent for one checkout. */
  readonly attempts: number;
  /** Checkouts for which one address may send payment details within {@link windowMs}. */
  readonly checkoutsPerAddress: number;
  readonly windowMs: number;
}

/** Most that {@link CardTestingLimits.checkoutsPerAddress} may be set to: they stand in one row. */
export const MAX_CHECKOUTS_PER_ADDRESS = 1_000;

/** The limits unless configured. */
export const DEFAULT_CARD_TESTING_LIMITS: CardTestingLimits = {
  attempts: 10,
  checkoutsPerAddress: 30,
  windowMs: 10 * MINUTE_MS,
  ...DEFAULT_CARD_TRY_LIMITS,
};
