import { CARD_NAMES, PRESENT_MODES } from '../cards/catalogue.js';
import { MAX_RESULT_TEXT, MAX_RESULTS } from '../inspection/sale-log.js';

const TEXT = { type: 'string', maxLength: MAX_RESULT_TEXT } as const;
const TEXTS = { type: 'array', maxItems: MAX_RESULTS, items: TEXT } as const;

/** An act of a cardholder; which of the fields it needs follows from `act`. */
const ACT = {
  type: 'object',
  required: ['act'],
  additionalProperties: false,
  properties: {
    act: { type: 'string', enum: ['present', 'pin', 'cancel', 'remove'] },
    card: { type: 'string', enum: CARD_NAMES },
    how: { type: 'string', enum: PRESENT_MODES },
    second: { type: 'boolean' },
    pin: { type: 'string', enum: ['right', 'wrong', 'bypass', 'cancel'] },
    during: { type: 'string', maxLength: 32 },
  },
} as const;

/** The sale of a scenario as a request writes it. */
export const SCENARIO_SALE = {
  type: 'object',
  required: ['cardholder', 'expected'],
  additionalProperties: false,
  properties: {
    amount: { type: 'string', maxLength: 16 },
    currency: { type: 'string', maxLength: 3 },
    cardholder: { type: 'array', maxItems: 32, items: ACT },
    expected: {
      type: 'object',
      required: ['cryptograms', 'cvm', 'issuer'],
      additionalProperties: false,
      properties: { application: TEXT, cryptograms: TEXTS, cvm: TEXTS, issuer: TEXTS },
    },
  },
} as const;
