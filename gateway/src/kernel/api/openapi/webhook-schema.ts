import type { Json, JsonObject } from './json.js';
import { COUNT, INSTANT, listOf, objectOf, oneOf, TEXT, texts } from './schema-parts.js';

/** Schema of a webhook endpoint, an addition of ours. */
export const WEBHOOK_SCHEMA: JsonObject = objectOf(
  {
    ...texts('id', 'entityId', 'url'),
    types: listOf(TEXT),
    scope: oneOf('all', 'reduced'),
    format: oneOf('hex', 'json'),
    state: oneOf('inactive', 'active', 'paused'),
    note: TEXT,
    testedAt: INSTANT,
    keys: listOf(objectOf({ id: TEXT, usedFrom: INSTANT }, ['id', 'usedFrom'])),
    createdAt: INSTANT,
  },
  ['id', 'entityId', 'types', 'scope', 'format', 'state', 'keys', 'createdAt'],
);

/** Schema of a call to a shop, an addition of ours: what came back, or why nothing did. */
export const CALL_PROPERTIES: Record<string, Json> = { at: INSTANT, status: COUNT, fault: TEXT };

/** Schema of one try of a delivery, an addition of ours. */
export const TRY_PROPERTIES: Record<string, Json> = { ...CALL_PROPERTIES, durationMs: COUNT };

/** Schema of a list of deliveries with their tries, an addition of ours. */
export function deliveriesSchema(): JsonObject {
  const properties = {
    sequence: COUNT,
    eventId: TEXT,
    state: oneOf('waiting', 'delivered', 'givenUp'),
    createdAt: INSTANT,
    dueAt: INSTANT,
    tries: listOf(objectOf(TRY_PROPERTIES, ['at', 'durationMs'])),
  };
  return listOf(objectOf(properties, ['sequence', 'eventId', 'state', 'createdAt', 'tries']));
}

/** Schema of a list of deliveries as they are posted on, an addition of ours. */
export function pendingDeliveriesSchema(): JsonObject {
  const headers = { type: 'object', additionalProperties: TEXT };
  return listOf(objectOf({ sequence: COUNT, headers, body: TEXT }, ['sequence', 'headers', 'body']));
}
