import type { DisplayEvent } from '../display/customer-displays.js';
import type { TillEvent } from '../sale/service/sale-service.js';

/** A comment line that keeps proxies and clients from giving up on a quiet stream. */
export const HEARTBEAT_TEXT = ': heartbeat\n\n';

/** How long a client should wait before it comes back. */
export const RETRY_TEXT = 'retry: 1000\n\n';

/** One service event as server-sent event; passing events carry no id, so that resuming starts at the last durable one. */
export function eventText(event: TillEvent | DisplayEvent): string {
  const { type, atMs, ...rest } = event;
  const { id, ...data } = { id: undefined, ...rest };
  const lines = id === undefined ? [] : [`id: ${id}`];
  lines.push(`event: ${type}`, `data: ${JSON.stringify({ at: new Date(atMs).toISOString(), ...data })}`);
  return `${lines.join('\n')}\n\n`;
}

/** The row number of a durable event; undefined for a passing one. */
export function eventId(event: TillEvent): number | undefined {
  return 'id' in event ? event.id : undefined;
}

/** The row after which a client resumes; undefined when the text is no row number. */
export function readLastEventId(text: string): number | undefined {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  return id;
}
