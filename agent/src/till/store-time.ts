import { instantOfLocal, startOfDay } from '@tillbridge/wire/text/local-time.js';

/** A date or a time of the store; nothing was sold before times were counted. */
const LOCAL = /^(?:19[7-9]\d|[2-9]\d{3})-\d\d-\d\d(?:T\d\d:\d\d(?::[0-5]\d)?)?$/;
const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * The instant that a text names: ISO 8601 with a zone, a local date (its start) or time of the store, or `today`.
 * @returns milliseconds since 1970; undefined for a text that names none
 */
export function instantOf(text: string, timeZone: string, nowMs: number): number | undefined {
  if (text === 'today') return startOfDay(nowMs, timeZone);
  if (WITH_ZONE.test(text)) {
    const atMs = Date.parse(text);
    return atMs >= 0 ? atMs : undefined;
  }
  if (!LOCAL.test(text)) return undefined;
  try {
    return instantOfLocal(text, timeZone);
  } catch {
    return undefined;
  }
}
