import { Cron } from 'croner';
import { calendarPattern, type JobFields } from './quartz-expression.js';

/** When a job runs, by its fields and its time zone. Times are milliseconds since 1970, of whole seconds. */
interface Calendar {
  /** The first time after this one; undefined where none comes. */
  after(ms: number): number | undefined;
  /** The last time up to this one, itself included; undefined where there was none. */
  upTo(ms: number): number | undefined;
  /** The next times after this one, `count` at most. */
  next(ms: number, count: number): readonly number[];
}

const SECOND_MS = 1_000;

/**
 * The calendar of a job. Where the clocks go forward, a run at a time that is left out comes at the first second after the gap; where they go
 * back, a run at a time that comes twice is made the first time. A job with `*` or a step in second, minute or hour follows the clock: it
 * runs at no time that is left out, and at both that come twice. Pure.
 * @param timeZone IANA name
 */
export function calendarOf(fields: JobFields, timeZone: string): Calendar {
  const cron = new Cron(calendarPattern(fields), {
    mode: '7-part',
    timezone: timeZone,
    alternativeWeekdays: true,
    domAndDow: true,
    fixedTimeRule: 'no-wildcard',
    paused: true,
  });
  return {
    after: (ms) => cron.nextRun(new Date(ms))?.getTime(),
    upTo: (ms) => {
      const followingSecond = Math.floor(ms / SECOND_MS) * SECOND_MS + SECOND_MS;
      return cron.previousRuns(1, new Date(followingSecond))[0]?.getTime();
    },
    next: (ms, count) => cron.nextRuns(count, new Date(ms)).map((time) => time.getTime()),
  };
}
