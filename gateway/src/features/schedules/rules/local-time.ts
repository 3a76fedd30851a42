import { CronDate } from 'croner';

/** Units of `job.noticeUnit` and `job.durationUnit` (spec 2.9). */
export type TimeUnit = 'YEAR' | 'MONTH' | 'WEEK' | 'DAY' | 'HOUR' | 'MINUTE' | 'SECOND';

const SECOND_MS = 1_000;
/** Units that have the same length everywhere, in milliseconds. */
const FIXED_MS: Readonly<Partial<Record<TimeUnit, number>>> = {
  HOUR: 3_600 * SECOND_MS,
  MINUTE: 60 * SECOND_MS,
  SECOND: SECOND_MS,
};

/** The time that a wall clock shows as `yyyy-MM-dd HH:mm:ss`; one in a gap is taken after it. Milliseconds since 1970. */
export function instantOf(text: string, timeZone: string): number {
  return new CronDate(text.replace(' ', 'T'), timeZone).getTime();
}

/** What a wall clock shows at a time, and how far it is from UTC: `2026-10-25 02:30:00+0200`. */
export function localText(ms: number, timeZone: string): string {
  const { year, month, day, hour, minute, second } = new CronDate(new Date(ms), timeZone);
  const offset = Math.round((Date.UTC(year, month, day, hour, minute, second) - ms) / 60_000);
  const sign = offset < 0 ? '-' : '+';
  const shift = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map(twoDigits).join('');
  return (
    `${String(year).padStart(4, '0')}-${twoDigits(month + 1)}-${twoDigits(day)} ` +
    `${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}${sign}${shift}`
  );
}

/**
 * A time and some units more. Days and longer units keep the time of the wall clock; a month that is too short ends with its last day.
 * @param count whole, of a size that stays within the years of JavaScript's dates
 */
export function addUnits(ms: number, count: number, unit: TimeUnit, timeZone: string): number {
  const fixedMs = FIXED_MS[unit];
  if (fixedMs !== undefined) return ms + count * fixedMs;
  const { year, month, day, hour, minute, second } = new CronDate(new Date(ms), timeZone);
  const months = unit === 'YEAR' ? 12 * count : unit === 'MONTH' ? count : 0;
  const days = unit === 'WEEK' ? 7 * count : unit === 'DAY' ? count : 0;
  const lastDay = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate();
  const moved = new Date(Date.UTC(year, month + months, Math.min(day, lastDay) + days, hour, minute, second));
  return instantOf(moved.toISOString().slice(0, 19), timeZone);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
