import {
  AMOUNT,
  BRAND,
  CURRENCY,
  characters,
  digits,
  integer,
  oneOf,
  pattern,
  TIMESTAMP,
  text,
} from './rows/format.js';
import { optional } from './rows/parameter.js';

const ENTITY = optional('entityId', characters('0-9a-f', 32, 32));
const TIMES = [optional('date.from', TIMESTAMP), optional('date.to', TIMESTAMP)] as const;
const TYPES = optional(
  'paymentTypes',
  pattern('([A-Z]{2}|PA\\.CP)(,([A-Z]{2}|PA\\.CP)){0,11}', {
    valid: ['DB,RF', 'PA.CP'],
    invalid: ['db', 'DB,'],
  }),
);

/** An addition of ours: what payments may be found by, all of it together. */
const FOUND_BY = [
  ENTITY,
  ...TIMES,
  optional('id', characters('0-9A-Za-z.-', 4, 64)),
  optional('merchantTransactionId', text(1, 255)),
  optional('amount', AMOUNT),
  optional('currency', CURRENCY),
  optional('card.last4Digits', digits(4, 4)),
  optional('customer.email', text(6, 128)),
  optional('pos.terminalId', characters('\\x21-\\x7e', 1, 32)),
  optional('agentId', characters('\\x21-\\x7e', 1, 64)),
  optional('paymentBrand', BRAND),
  TYPES,
  optional('outcome', oneOf('approved', 'declined')),
  optional('result.code', pattern('\\d{3}\\.\\d{3}\\.\\d{3}', { valid: ['000.100.110'], invalid: ['000'] })),
  optional('responseCode', characters('0-9A-Z', 2, 2)),
] as const;

/** An addition of ours: a list of payments. */
export const PAYMENT_LIST_PARAMETERS = [
  ...FOUND_BY,
  optional('limit', integer(1, 500)),
  optional('cursor', characters('0-9a-z.-', 3, 64)),
] as const;

/** The same as a file. */
export const PAYMENT_EXPORT_PARAMETERS = [
  ...FOUND_BY,
  optional('limit', integer(1, 10_000)),
  optional('cursor', characters('0-9a-z.-', 3, 64)),
] as const;

/** An addition of ours: what payments add up to. */
export const PAYMENT_TOTALS_PARAMETERS = [
  ENTITY,
  ...TIMES,
  TYPES,
  optional('currency', CURRENCY),
  optional('interval', oneOf('hour', 'day')),
] as const;
