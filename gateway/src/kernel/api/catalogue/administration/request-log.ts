import { characters, integer, oneOf, pattern, TIMESTAMP } from '../rows/format.js';
import { optional } from '../rows/parameter.js';

/** Outcomes of requests that a list may be limited to. */
export const REQUEST_OUTCOMES = [
  'approved',
  'approved-review',
  'pending',
  'declined',
  'refused',
  'failed',
] as const;

/** An addition of ours: what the list of requests may be limited to. */
export const REQUEST_LOG_PARAMETERS = [
  optional('entityId', characters('0-9a-f', 32, 32)),
  optional('date.from', TIMESTAMP),
  optional('date.to', TIMESTAMP),
  optional('outcome', oneOf(...REQUEST_OUTCOMES)),
  optional('resultCode', pattern('\\d{3}\\.\\d{3}\\.\\d{3}')),
  // As the API reference writes it, such as /v1/payments/{id}.
  optional('path', characters('A-Za-z0-9/{}._-', 1, 128)),
  optional('paymentId', characters('0-9a-f', 32, 32)),
  optional('limit', integer(1, 500)),
  optional('after', characters('0-9a-f', 32, 32)),
] as const;
