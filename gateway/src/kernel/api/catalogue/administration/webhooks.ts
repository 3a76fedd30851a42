import {
  BOOLEAN,
  characters,
  integer,
  listOf,
  oneOf,
  TIMESTAMP,
  text,
  URL_6_TO_2048,
} from '../rows/format.js';
import { optional } from '../rows/parameter.js';

const ENTITY = optional('entityId', characters('0-9a-f', 32, 32));
const SEQUENCE = integer(1, 999_999_999_999);

/** Parameters of requests on webhook endpoints, additions of ours: whose endpoints are meant, and what is wanted of them. */
export const WEBHOOK_PARAMETERS = {
  endpoint: [ENTITY],
  creation: [
    ENTITY,
    optional('url', URL_6_TO_2048),
    optional('types', listOf('PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK')),
    optional('scope', oneOf('all', 'reduced')),
    optional('format', oneOf('hex', 'json')),
  ],
  /** Why the deliveries of an endpoint wait. */
  pause: [ENTITY, optional('note', text(1, 500))],
  /** Whether a new key is used at once, without an overlap. */
  rotation: [ENTITY, optional('atOnce', BOOLEAN)],
  /** Which part of the log of deliveries. */
  log: [ENTITY, optional('limit', integer(1, 500)), optional('after', SEQUENCE)],
  /** How many deliveries are fetched at once. */
  pending: [ENTITY, optional('limit', integer(1, 500))],
  /** The number of one delivery. */
  delivery: [ENTITY, optional('sequence', SEQUENCE)],
  /** Which deliveries are sent again: one, or those of events of a time. */
  resend: [
    ENTITY,
    optional('sequence', SEQUENCE),
    optional('date.from', TIMESTAMP),
    optional('date.to', TIMESTAMP),
  ],
} as const;
