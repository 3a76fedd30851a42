import { BOOLEAN, characters, integer, listOf, oneOf, text, URL_6_TO_2048 } from './rows/format.js';
import { optional } from './rows/parameter.js';

const ENTITY = optional('entityId', characters('0-9a-f', 32, 32));
const SEQUENCE = integer(1, 999_999_999_999);

/** An addition of ours: whose webhook endpoints are meant. */
export const WEBHOOK_PARAMETERS = [ENTITY] as const;

/** An addition of ours: what a new webhook endpoint is to be. */
export const WEBHOOK_CREATION_PARAMETERS = [
  ENTITY,
  optional('url', URL_6_TO_2048),
  optional('types', listOf('PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK')),
  optional('scope', oneOf('all', 'reduced')),
  optional('format', oneOf('hex', 'json')),
] as const;

/** An addition of ours: why the deliveries of an endpoint wait. */
export const WEBHOOK_PAUSE_PARAMETERS = [ENTITY, optional('note', text(1, 500))] as const;

/** An addition of ours: whether a new key is used at once, without an overlap. */
export const WEBHOOK_ROTATION_PARAMETERS = [ENTITY, optional('atOnce', BOOLEAN)] as const;

/** An addition of ours: which part of the log of deliveries is wanted. */
export const WEBHOOK_LOG_PARAMETERS = [
  ENTITY,
  optional('limit', integer(1, 500)),
  optional('after', SEQUENCE),
] as const;

/** An addition of ours: how many deliveries are fetched at once. */
export const WEBHOOK_PENDING_PARAMETERS = [ENTITY, optional('limit', integer(1, 500))] as const;

/** An addition of ours: the number of one delivery. */
export const WEBHOOK_DELIVERY_PARAMETERS = [ENTITY, optional('sequence', SEQUENCE)] as const;
