import type { CronField } from '../../../kernel/api/catalogue/rows/format.js';
import type { JobFields } from './quartz-expression.js';

const SECOND_MS = 1_000;
const DAY_MS = 24 * 3_600_000;
const SECONDS_OF_DAY = 86_400;
/** No clock is put forward or back by more, in milliseconds. */
const MAX_SHIFT_MS = 3 * 3_600_000;
const MAX: Readonly<Record<CronField, number>> = {
  second: 59,
  minute: 59,
  hour: 23,
  dayOfMonth: 31,
  month: 12,
  dayOfWeek: 7,
  year: 2099,
};
const MIN: Readonly<Partial<Record<CronField, number>>> = {
  dayOfMonth: 1,
  month: 1,
  dayOfWeek: 1,
  year: 1970,
};
const NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/**
 * The times of a job between two times, found by looking at every second of the clock on the wall. It knows nothing of the calendar that it is
 * compared with.
 */
export function enumerated(fields: JobFields, timeZone: string, fromMs: number, toMs: number): number[] {
  const offsetAt = offsets(timeZone);
  const isFixed = [fields.second, fields.minute, fields.hour].every((each) => !/[*/]/.test(each));
  const isTime = timesOfDay(fields);
  const found = new Set<number>();
  // A wall clock is written as if it showed UTC.
  for (let dayMs = dayOf(fromMs) - DAY_MS; dayMs <= toMs + DAY_MS; dayMs += DAY_MS) {
    if (!isDay(fields, new Date(dayMs))) continue;
    for (let second = 0; second < SECONDS_OF_DAY; second += 1) {
      if (!isTime(second)) continue;
      const wallMs = dayMs + second * SECOND_MS;
      const instants = instantsOf(wallMs, offsetAt);
      if (!isFixed) for (const instant of instants) found.add(instant);
      else found.add(instants[0] ?? afterGap(wallMs, offsetAt));
    }
  }
  return [...found].filter((ms) => ms >= fromMs && ms < toMs).sort((a, b) => a - b);
}

/** The times at which the wall clock shows this, the first one first; none in a gap. */
function instantsOf(wallMs: number, offsetAt: (ms: number) => number): number[] {
  const shifts = new Set([offsetAt(wallMs - DAY_MS), offsetAt(wallMs + DAY_MS)]);
  return [...shifts]
    .map((shift) => wallMs - shift)
    .filter((ms) => ms + offsetAt(ms) === wallMs)
    .sort((a, b) => a - b);
}

function afterGap(wallMs: number, offsetAt: (ms: number) => number): number {
  const before = offsetAt(wallMs - DAY_MS);
  for (let ms = wallMs - before - MAX_SHIFT_MS; ; ms += SECOND_MS) if (offsetAt(ms) !== before) return ms;
}

/** Whether a second of the day is one of the job's. */
function timesOfDay({ second, minute, hour }: JobFields): (second: number) => boolean {
  const valuesOf = (value: string, field: CronField, count: number) =>
    Array.from({ length: count }, (_, at) => matches(value, field, at));
  const seconds = valuesOf(second, 'second', 60);
  const minutes = valuesOf(minute, 'minute', 60);
  const hours = valuesOf(hour, 'hour', 24);
  return (at) =>
    seconds[at % 60] === true &&
    minutes[Math.floor(at / 60) % 60] === true &&
    hours[Math.floor(at / 3_600)] === true;
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

function isDay(fields: JobFields, date: Date): boolean {
  const { dayOfMonth, dayOfWeek, month, year } = fields;
  return (
    matches(month, 'month', date.getUTCMonth() + 1) &&
    matches(year, 'year', date.getUTCFullYear()) &&
    dayOfMonth.split(',').some((item) => isDayOfMonth(item, date)) &&
    dayOfWeek.split(',').some((item) => isDayOfWeek(item, date))
  );
}

function isDayOfMonth(item: string, date: Date): boolean {
  const day = date.getUTCDate();
  const last = lastDay(date);
  if (item === '?') return true;
  if (item === 'L') return day === last;
  if (item === 'LW') {
    const working = [0, 1, 2].map((back) => last - back).find((each) => !isWeekend(date, each));
    return day === working;
  }
  if (!item.endsWith('W')) return matches(item, 'dayOfMonth', day);
  const wanted = Number(item.slice(0, -1));
  if (wanted > last) return false;
  // The nearest working day of the same month.
  const nearest = [0, -1, 1, -2, 2]
    .map((shift) => wanted + shift)
    .find((each) => each >= 1 && each <= last && !isWeekend(date, each));
  return day === nearest;
}

function isDayOfWeek(item: string, date: Date): boolean {
  const weekday = date.getUTCDay() + 1;
  const day = date.getUTCDate();
  if (item === '?') return true;
  if (item === 'L') return weekday === 7;
  if (item.endsWith('L')) return weekday === Number(item[0]) && day + 7 > lastDay(date);
  if (item.includes('#')) return weekday === Number(item[0]) && Math.ceil(day / 7) === Number(item[2]);
  return matches(
    item.replace(/[A-Z]{3}/g, (name) => String(NAMES.indexOf(name) + 1)),
    'dayOfWeek',
    weekday,
  );
}

function lastDay(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

function isWeekend(date: Date, day: number): boolean {
  const weekday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)).getUTCDay();
  return weekday === 0 || weekday === 6;
}

function matches(value: string, field: CronField, is: number): boolean {
  return value.split(',').some((item) => {
    const [base = '', step] = item.split('/');
    const [from = 0, to = step === undefined ? from : MAX[field]] =
      base === '*' ? [MIN[field] ?? 0, MAX[field]] : base.split('-').map(Number);
    return is >= from && is <= to && (is - from) % Number(step ?? 1) === 0;
  });
}

/** What a zone adds to UTC, in milliseconds; looked up once for each quarter of an hour. */
function offsets(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const known = new Map<number, number>();
  return (ms) => {
    const quarterMs = Math.floor(ms / 900_000) * 900_000;
    let offset = known.get(quarterMs);
    if (offset === undefined) {
      const part = Object.fromEntries(
        format.formatToParts(quarterMs).map(({ type, value }) => [type, Number(value)]),
      ) as Record<string, number>;
      const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
      offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarterMs;
      known.set(quarterMs, offset);
    }
    return offset;
  };
}
