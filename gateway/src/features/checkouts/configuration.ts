import { milliseconds } from '@tillbridge/platform/config/number-setting.js';
import { section, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { MAX_CARD_PAIRS } from '../../core/payments/policy/card-tries.js';
import { DEFAULT_CARD_TESTING_LIMITS, MAX_CHECKOUTS_PER_ADDRESS } from './rules/checkout-limits.js';

/** How often cards may be tried before it looks like a test of stolen ones. */
const CARD_TESTING_SECTION = section(
  {
    attempts: wholeNumber(
      1,
      1_000,
      {
        description: 'Payment details that shoppers may send for one checkout.',
        env: 'GATEWAY_CARD_TESTING_ATTEMPTS',
        default: DEFAULT_CARD_TESTING_LIMITS.attempts,
      },
      'a whole number',
    ),
    checkoutsPerAddress: wholeNumber(
      1,
      MAX_CHECKOUTS_PER_ADDRESS,
      {
        description:
          'Checkouts for which one address (IPv6: one network of 64 bits) may send payment details within `windowMs`.',
        env: 'GATEWAY_CARD_TESTING_CHECKOUTS_PER_ADDRESS',
        default: DEFAULT_CARD_TESTING_LIMITS.checkoutsPerAddress,
      },
      'a whole number',
    ),
    windowMs: milliseconds(1_000, 86_400_000, {
      description: 'The time in which these are counted.',
      env: 'GATEWAY_CARD_TESTING_WINDOW_MS',
      default: DEFAULT_CARD_TESTING_LIMITS.windowMs,
    }),
    pairsAtMerchant: wholeNumber(
      1,
      MAX_CARD_PAIRS,
      {
        description:
          'Pairs of expiry and card verification value that one card may be tried with at a merchant within `pairWindowMs`, from whatever addresses.',
        env: 'GATEWAY_CARD_TESTING_PAIRS_AT_MERCHANT',
        default: DEFAULT_CARD_TESTING_LIMITS.pairsAtMerchant,
      },
      'a whole number',
    ),
    pairsOfCard: wholeNumber(
      1,
      MAX_CARD_PAIRS,
      {
        description: 'The same at all merchants together.',
        env: 'GATEWAY_CARD_TESTING_PAIRS_OF_CARD',
        default: DEFAULT_CARD_TESTING_LIMITS.pairsOfCard,
      },
      'a whole number',
    ),
    pairWindowMs: milliseconds(1_000, 7 * 86_400_000, {
      description: 'The time in which the pairs of a card are counted.',
      env: 'GATEWAY_CARD_TESTING_PAIR_WINDOW_MS',
      default: DEFAULT_CARD_TESTING_LIMITS.pairWindowMs,
    }),
  },
  { default: {} },
);

/** Settings of the feature. */
export const CHECKOUT_SETTINGS = { cardTesting: CARD_TESTING_SECTION };
