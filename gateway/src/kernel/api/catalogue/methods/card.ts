import { digits, EXPIRY_MONTH, EXPIRY_YEAR, oneOf, text } from '../rows/format.js';
import { conditional, optional, required } from '../rows/parameter.js';

/** Spec 2.3: card.*; a required row is required when the card itself is sent. */
export const CARD_PARAMETERS = [
  optional('card.holder', text(3, 128), { echoed: true }),
  required('card.number', digits(8, 32), { sensitive: true }),
  required('card.expiryMonth', EXPIRY_MONTH, { echoed: true }),
  required('card.expiryYear', EXPIRY_YEAR, { echoed: true }),
  conditional('card.cvv', digits(3, 4), 'not-stated', { sensitive: true }),
  optional('card.numberType', oneOf('PAN', 'DPAN')),
] as const;
