import { Temporal } from 'temporal-polyfill';

/** What a wall clock shows. */
type LocalTime = Readonly<
  Pick<Temporal.PlainDateTime, 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'>
>;

type TimeUnits = 'years' | 'months' | 'weeks' | 'days' | 'hours' | 'minutes' | 'seconds';

/** A length of time, such as `{ months: 1 }`. */
export type TimeSpan = Readonly<Partial<Record<TimeUnits, number>>>;

/** Is there a time zone of this name, as the IANA database has it? */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** What a wall clock in a time zone shows at an instant; milliseconds since 1970. */
export function localTime(atMs: number, timeZone: string): LocalTime {
  return zoned(atMs, timeZone).toPlainDateTime();
}

/** The same as text: `2026-11-23 14:05:09`. */
export function localText(atMs: number, timeZone: string): string {
  return textOf(zoned(atMs, timeZone));
}

/** The same with the distance from UTC: `2026-10-25 02:30:00+0200`. */
export function offsetText(atMs: number, timeZone: string): string {
  const at = zoned(atMs, timeZone);
  return textOf(at) + at.offset.replace(':', '').slice(0, 5);
}

/**
 * The instant of a local date (its start) or date and time in ISO 8601, with a blank or `T` between them. Where clocks are set back it is the
 * earlier one; a time in a gap comes as long after it as it lies in it. Milliseconds since 1970.
 * @throws RangeError for a text that names no time
 */
export function instantOfLocal(text: string, timeZone: string): number {
  const local = Temporal.PlainDateTime.from(text, { overflow: 'reject' });
  return local.toZonedDateTime(timeZone).epochMilliseconds;
}

/** The start of the day of an instant. */
export function startOfDay(atMs: number, timeZone: string): number {
  return zoned(atMs, timeZone).startOfDay().epochMilliseconds;
}

/**
 * An instant some time later. Days and longer units keep the time of the wall clock; a month that is too short ends with its last day.
 * @throws RangeError beyond the years of JavaScript's dates
 */
export function addTime(atMs: number, span: TimeSpan, timeZone: string): number {
  return zoned(atMs, timeZone).add(span).epochMilliseconds;
}

function zoned(atMs: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone);
}

function textOf(at: Temporal.ZonedDateTime): string {
  return at.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ');
}
