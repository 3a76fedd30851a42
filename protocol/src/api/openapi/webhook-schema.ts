import type { Json, JsonObject } from './json.js';

const TEXT: JsonObject = { type: 'string' };
const TIME: JsonObject = { type: 'string', format: 'date-time' };
const COUNT: JsonObject = { type: 'integer', minimum: 0 };

/** A list of objects. */
function listOf(properties: Record<string, Json>, required: readonly string[]): JsonObject {
  return { type: 'array', items: { type: 'object', properties, required: [...required] } };
}

/** Schema of a webhook endpoint, an addition of ours. */
export function webhookSchema(): JsonObject {
  return {
    type: 'object',
    properties: {
      id: TEXT,
      entityId: TEXT,
      url: TEXT,
      types: { type: 'array', items: TEXT },
      scope: { type: 'string', enum: ['all', 'reduced'] },
      format: { type: 'string', enum: ['hex', 'json'] },
      state: { type: 'string', enum: ['inactive', 'active', 'paused'] },
      note: TEXT,
      testedAt: TIME,
      keys: listOf({ id: TEXT, usedFrom: TIME }, ['id', 'usedFrom']),
      createdAt: TIME,
    },
    required: ['id', 'entityId', 'types', 'scope', 'format', 'state', 'keys', 'createdAt'],
  };
}

/** Schema of one try of a delivery, an addition of ours. */
export function tryProperties(): Record<string, Json> {
  return { ...callProperties(), durationMs: COUNT };
}

/** Schema of a call to a shop, an addition of ours: what came back, or why nothing did. */
export function callProperties(): Record<string, Json> {
  return { at: TIME, status: COUNT, fault: TEXT };
}

/** Schema of a list of deliveries with their tries, an addition of ours. */
export function deliveriesSchema(): JsonObject {
  const properties = {
    sequence: COUNT,
    eventId: TEXT,
    state: { type: 'string', enum: ['waiting', 'delivered', 'givenUp'] },
    createdAt: TIME,
    dueAt: TIME,
    tries: listOf(tryProperties(), ['at', 'durationMs']),
  };
  return listOf(properties, ['sequence', 'eventId', 'state', 'createdAt', 'tries']);
}

/** Schema of a list of deliveries as they are posted on, an addition of ours. */
export function pendingDeliveriesSchema(): JsonObject {
  const headers = { type: 'object', additionalProperties: TEXT };
  return listOf({ sequence: COUNT, headers, body: TEXT }, ['sequence', 'headers', 'body']);
}
