import { digits, oneOf, type Parameter, pattern, text } from './parameter.js';

/** Spec 2.3: card.*; a required row is required when the card itself is sent. */
export const CARD_PARAMETERS: readonly Parameter[] = [
  { name: 'card.holder', format: text(3, 128), required: 'O' },
  { name: 'card.number', format: digits(8, 32), required: 'R', sensitive: true },
  { name: 'card.expiryMonth', format: pattern('(0[1-9]|1[0-2])'), required: 'R' },
  { name: 'card.expiryYear', format: pattern('(19|20)\\d{2}'), required: 'R' },
  { name: 'card.cvv', format: digits(3, 4), required: 'C', sensitive: true },
  { name: 'card.numberType', format: oneOf('PAN', 'DPAN'), required: 'O' },
];
