import { AUTHENTICATION_PARAMETERS } from './authentication.js';
import { BASIC_PAYMENT_PARAMETERS } from './basic.js';
import { GIFT_CARD_PARAMETERS } from './methods/gift-card.js';
import type { Parameter } from './rows/parameter.js';

const NAMES: readonly string[] = ['testMode', 'giftCard.number', 'giftCard.pin'];

/** An addition of ours: what a question for the balance of a gift card takes. */
export const GIFT_CARD_BALANCE_PARAMETERS: readonly Parameter[] = [
  ...AUTHENTICATION_PARAMETERS,
  ...[...BASIC_PAYMENT_PARAMETERS, ...GIFT_CARD_PARAMETERS].filter(({ name }) => NAMES.includes(name)),
];
