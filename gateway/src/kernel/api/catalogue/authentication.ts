import { characters, pattern } from './rows/format.js';
import { conditional, PAYMENT_OPERATIONS, required } from './rows/parameter.js';

/** Spec 2.2: the entity that a call is for; it stands in the query of a GET. */
export const AUTHENTICATION_PARAMETERS = [
  conditional('entityId', characters('0-9a-f', 32, 32), 'known-entity', {
    operations: [...PAYMENT_OPERATIONS, 'query', 'report'],
  }),
] as const;

/** Spec 2.2: the header; no parameter of a body. */
export const AUTHENTICATION_HEADERS = [
  required(
    'Authorization',
    pattern('Bearer [A-Za-z0-9._~+/=-]{1,512}', {
      valid: ['Bearer abc', 'Bearer T0tN=='],
      invalid: ['Basic abc', 'Bearer', 'Bearer ', 'bearer abc'],
    }),
    { header: true, sensitive: true },
  ),
] as const;
