/** What the clock of a store shows. */
interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** The local time of an instant in a zone of the IANA database. */
export function localTime(atMs: number, timeZone: string): LocalTime {
  const parts = formatOf(timeZone).formatToParts(atMs);
  const value = (name: keyof LocalTime) => Number(parts.find(({ type }) => type === name)?.value);
  return {
    year: value('year'),
    month: value('month'),
    day: value('day'),
    hour: value('hour'),
    minute: value('minute'),
    second: value('second'),
  };
}

/** A format takes longer to make than to use; a store has one zone. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  FORMATS.set(timeZone, made);
  return made;
}

/** An instant as a person of the store reads it: `2026-11-23 14:05:09`. */
export function localText(atMs: number, timeZone: string): string {
  const { year, month, day, hour, minute, second } = localTime(atMs, timeZone);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

/** The instant of a local time; where clocks are set back the earlier one, where they are set forward the first that exists. */
function instantOfLocal(local: LocalTime, timeZone: string): number {
  const wanted = utc(local);
  // The offset of the zone at both sides of a change of the clocks.
  const offsets = [wanted - DAY_MS, wanted + DAY_MS].map((atMs) => utc(localTime(atMs, timeZone)) - atMs);
  const fits = offsets
    .map((offset) => wanted - offset)
    .filter((atMs) => utc(localTime(atMs, timeZone)) === wanted);
  return fits.length > 0 ? Math.min(...fits) : wanted - Math.min(...offsets);
}

const DAY_MS = 86_400_000;

function utc({ year, month, day, hour, minute, second }: LocalTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Nothing was sold before times were counted. */
const FIRST_YEAR = 1970;
const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?)?$/;
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
  const [, year, month, day, hour = 0, minute = 0, second = 0] = LOCAL.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || year < FIRST_YEAR) return undefined;
  const local = { year, month, day, hour: hour || 0, minute: minute || 0, second: second || 0 };
  const read = new Date(utc(local));
  const isReal =
    read.getUTCMonth() === month - 1 &&
    read.getUTCDate() === day &&
    read.getUTCHours() === local.hour &&
    local.minute < 60;
  return isReal ? instantOfLocal(local, timeZone) : undefined;
}

/** The start of the day of an instant. */
export function startOfDay(atMs: number, timeZone: string): number {
  return instantOfLocal({ ...localTime(atMs, timeZone), hour: 0, minute: 0, second: 0 }, timeZone);
}
