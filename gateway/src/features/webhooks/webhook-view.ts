import { present } from '@tillbridge/wire/present.js';
import type { DeliveryRow, WebhookEndpointRow } from '../../kernel/store/rows.js';
import { type DeliveryTry, triesOf } from './rules/delivery-log.js';
import type { StoredWebhookKey } from './webhook-keys.js';

/** An endpoint as lists and answers show it, without its keys. Times are ISO 8601 UTC. */
export function endpointView({ id, entityId, url, scope, format, state, note, ...row }: WebhookEndpointRow) {
  return {
    id,
    entityId,
    ...present({ url }),
    types: JSON.parse(row.types) as string[],
    scope,
    format,
    state,
    ...present({ note, testedAt: row.testedAtMs === null ? undefined : timeText(row.testedAtMs) }),
    keys: (JSON.parse(row.keys) as StoredWebhookKey[]).map(({ id: keyId, fromMs }) => ({
      id: keyId,
      usedFrom: timeText(fromMs),
    })),
    createdAt: timeText(row.createdAtMs),
  };
}

/** A delivery with its tries. */
export function deliveryView(row: DeliveryRow) {
  const { sequence, eventId, state, dueAtMs, createdAtMs } = row;
  return {
    sequence,
    eventId,
    state,
    createdAt: timeText(createdAtMs),
    ...present({ dueAt: dueAtMs === null ? undefined : timeText(dueAtMs) }),
    tries: triesOf(row).map(tryView),
  };
}

/** One try. */
export function tryView({ atMs, status, fault, durationMs }: DeliveryTry) {
  return { at: timeText(atMs), ...present({ status, fault }), durationMs };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
