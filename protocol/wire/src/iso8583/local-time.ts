/** Formats by time zone: to make one takes long. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** Whether the system knows a time zone by this name. */
export function isTimeZone(timeZone: string): boolean {
  try {
    formatOf(timeZone);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** A time `yyyyMMddHHmmss` in UTC as the clocks of a time zone show it, in the same form. */
export function localTime(at: string, timeZone: string): string {
  if (timeZone === 'UTC') return at;
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(at)?.map(Number) ?? [];
  const ms = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
  const parts = formatOf(timeZone).formatToParts(ms);
  const of = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? '';
  return ['year', 'month', 'day', 'hour', 'minute', 'second']
    .map((type) => of(type as Intl.DateTimeFormatPartTypes))
    .join('');
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone);
  if (known) return known;
  const two = '2-digit';
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    },
  } as const);
  FORMATS.set(timeZone, format);
  return format;
}
