import type { JsonObject } from './json.js';
import { COUNT, INSTANT, listOf, objectOf, TEXT, texts } from './schema-parts.js';

const NULLABLE: JsonObject = { type: ['string', 'null'] };

/** Schema of a request as it was sent, masked; an addition of ours. */
export const REQUEST_SCHEMA: JsonObject = objectOf(
  {
    id: TEXT,
    at: INSTANT,
    ...texts('entityId', 'method', 'path'),
    status: COUNT,
    durationMs: { type: 'number', minimum: 0 },
    ...texts('resultCode', 'description', 'outcome', 'ndc', 'paymentId', 'madeId'),
    token: objectOf({ id: TEXT, name: TEXT }, ['id']),
    parameters: listOf(objectOf({ name: TEXT, value: NULLABLE }, ['name', 'value'])),
    leftOut: COUNT,
    errors: listOf(objectOf({ name: TEXT, value: NULLABLE, message: TEXT }, ['name', 'value', 'message'])),
  },
  ['id', 'at', 'entityId', 'method', 'path', 'status', 'durationMs', 'parameters', 'leftOut', 'errors'],
);
