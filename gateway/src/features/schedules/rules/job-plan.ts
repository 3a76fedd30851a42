import { addTime, instantOfLocal, type TimeSpan } from '@tillbridge/wire/text/local-time.js';
import { CRON_ORDER } from '../../../kernel/api/cron.js';
import { calendarOf } from './calendar.js';
import { fieldsOf, isUnset, type JobFields } from './quartz-expression.js';

/** `job.*` as sent, without the prefix. */
export type JobValues = Readonly<Record<string, string>>;

/** When a job runs, from when to when. Times are milliseconds since 1970. */
export interface JobPlan {
  readonly fields: JobFields;
  readonly timeZone: string;
  readonly startMs: number;
  /** No run is made after it; null: the calendar ends by itself, with the year 2099. */
  readonly endMs: number | null;
  /** The first run. */
  readonly firstRunMs: number;
}

/** What is wrong with a job. */
export interface JobFault {
  readonly code: JobFaultCode;
  /** The parameter, without the prefix. */
  readonly parameter: string;
  /** What it must be, or why it is refused. */
  readonly message: string;
}

/** Codes of {@link JobFault}. */
type JobFaultCode =
  | 'job-missing'
  | 'job-without-times'
  | 'job-days'
  | 'job-never-runs'
  | 'job-too-often'
  | 'job-duration'
  | 'job-notice';

/** Units of `job.noticeUnit` and `job.durationUnit` (docs/schedules.md). */
type TimeUnit = 'YEAR' | 'MONTH' | 'WEEK' | 'DAY' | 'HOUR' | 'MINUTE' | 'SECOND';

/** A period as it was sent. */
interface Period {
  readonly count: number;
  readonly unit: TimeUnit;
}

const JOB_LIMITS = {
  /** Longest duration, and longest notice, in years. */
  years: 100,
  /** The first year that the calendar does not have any more. */
  endOfYears: 2100,
} as const;

/** Values of the fields that were not sent (docs/schedules.md). */
const DEFAULTS: JobFields = {
  second: '0',
  minute: '0',
  hour: '0',
  dayOfMonth: '1',
  month: '1',
  dayOfWeek: '1',
  year: '*',
};
/** How many of a unit make a year, for the longest period, and the unit in a span of time. */
const UNITS: Readonly<Record<TimeUnit, { readonly perYear: number; readonly of: keyof TimeSpan }>> = {
  YEAR: { perYear: 1, of: 'years' },
  MONTH: { perYear: 12, of: 'months' },
  WEEK: { perYear: 52, of: 'weeks' },
  DAY: { perYear: 365, of: 'days' },
  HOUR: { perYear: 365 * 24, of: 'hours' },
  MINUTE: { perYear: 365 * 24 * 60, of: 'minutes' },
  SECOND: { perYear: 365 * 24 * 3_600, of: 'seconds' },
};

/** What a job means, or what is wrong with it. Each value is of its format. Pure. */
export function planJob(job: JobValues, timeZone: string, nowMs: number): JobPlan | JobFault {
  if (Object.keys(job).length === 0)
    return fault('job-missing', 'expression', 'must be sent, or second to year of the job');
  if (job.expression === undefined && CRON_ORDER.every((field) => job[field] === undefined))
    return fault('job-without-times', 'expression', 'must be sent, or one of second to year');
  const fields = job.expression === undefined ? ownFields(job) : fieldsOf(job.expression);
  const days = daysFault(fields, job.expression === undefined ? 'dayOfWeek' : 'expression');
  if (days) return days;
  const duration = periodOf(job, 'duration', 'job-duration');
  if (duration && 'code' in duration) return duration;
  const notice = noticeFault(job, duration);
  if (notice) return notice;
  const startMs = job.startDate === undefined ? nowMs : instantOfLocal(job.startDate, timeZone);
  const ends = [
    ...(job.endDate === undefined ? [] : [instantOfLocal(job.endDate, timeZone)]),
    ...(duration ? [afterPeriod(startMs, duration, timeZone)] : []),
  ];
  const endMs = ends.length > 0 ? Math.min(...ends) : null;
  const times = { fields, timeZone, startMs, endMs };
  const firstRunMs = runAfter(times, Math.max(startMs - 1, nowMs));
  return firstRunMs === undefined ? neverRuns(times, job, nowMs) : { ...times, firstRunMs };
}

/** The first run after a time; undefined where the job has ended by then. Pure. */
export function runAfter(
  { fields, timeZone, startMs, endMs }: Omit<JobPlan, 'firstRunMs'>,
  ms: number,
): number | undefined {
  const next = calendarOf(fields, timeZone).after(Math.max(ms, startMs - 1));
  return next === undefined || (endMs !== null && next > endMs) ? undefined : next;
}

/**
 * Until when a job runs on that is descheduled now: its notice (docs/schedules.md). With `DURATION_END` it ends with its duration, and not before the
 * notice is over.
 * @returns undefined where it ends at once. Pure.
 */
export function noticeEnd(
  job: JobValues,
  { timeZone, endMs }: Pick<JobPlan, 'timeZone' | 'endMs'>,
  nowMs: number,
): number | undefined {
  const notice = periodOf(job, 'notice', 'job-notice');
  const isAtEnd = job.noticeCallable === 'DURATION_END';
  const afterNotice = notice && !('code' in notice) ? afterPeriod(nowMs, notice, timeZone) : undefined;
  if (isAtEnd && endMs !== null) return endMs;
  if (afterNotice === undefined) return undefined;
  return endMs === null ? afterNotice : Math.min(afterNotice, endMs);
}

/** Fields one by one. A day field that was not sent leaves the day to the other one. */
function ownFields(job: JobValues): JobFields {
  const { dayOfMonth, dayOfWeek } = job;
  const fields = { ...DEFAULTS };
  for (const field of CRON_ORDER) fields[field] = job[field] ?? DEFAULTS[field];
  if (dayOfWeek === undefined && dayOfMonth !== '?') return { ...fields, dayOfWeek: '?' };
  if (dayOfMonth === undefined && dayOfWeek !== '?') return { ...fields, dayOfMonth: '?' };
  return fields;
}

/** Quartz knows no job with a day of the month and a day of the week, nor one without either. */
function daysFault({ dayOfMonth, dayOfWeek }: JobFields, parameter: string): JobFault | undefined {
  if (dayOfMonth === '?' && dayOfWeek === '?')
    return fault('job-days', parameter, 'must not be ? in both dayOfMonth and dayOfWeek');
  if (isUnset(dayOfMonth) || isUnset(dayOfWeek)) return undefined;
  return fault(
    'job-days',
    parameter,
    `must name a day of the month or of the week, not both: one of "${dayOfMonth}" and "${dayOfWeek}" must be ?`,
  );
}

function noticeFault(job: JobValues, duration: Period | undefined): JobFault | undefined {
  const notice = periodOf(job, 'notice', 'job-notice');
  if (notice && 'code' in notice) return notice;
  if (job.noticeCallable === 'DURATION_END' && !duration && job.endDate === undefined)
    return fault(
      'job-notice',
      'noticeCallable',
      'must be ANYTIME where the job has no duration and no endDate',
    );
  return undefined;
}

/** A period of a number and a unit; undefined where neither was sent. */
function periodOf(
  job: JobValues,
  name: 'duration' | 'notice',
  code: 'job-duration' | 'job-notice',
): Period | JobFault | undefined {
  const [number, unit] = [job[`${name}Number`], job[`${name}Unit`]];
  if (number === undefined && unit === undefined) return undefined;
  if (number === undefined) return fault(code, `${name}Number`, `must be sent with ${name}Unit`);
  if (unit === undefined) return fault(code, `${name}Unit`, `must be sent with ${name}Number`);
  const count = Number(number);
  // The catalogue has checked the words.
  const known = unit as TimeUnit;
  const most = JOB_LIMITS.years * UNITS[known].perYear;
  if (count < 1 || count > most)
    return fault(code, `${name}Number`, `must be 1 to ${most} ${unit}: ${JOB_LIMITS.years} years at most`);
  return { count, unit: known };
}

function afterPeriod(ms: number, { count, unit }: Period, timeZone: string): number {
  return addTime(ms, { [UNITS[unit].of]: count }, timeZone);
}

/** Why a job never runs, for the merchant. */
function neverRuns(times: Omit<JobPlan, 'firstRunMs'>, job: JobValues, nowMs: number): JobFault {
  const { fields, timeZone, startMs, endMs } = times;
  const calendar = calendarOf(fields, timeZone);
  const never = (parameter: string, why: string) => fault('job-never-runs', parameter, `never runs: ${why}`);
  const sent = job.expression === undefined ? 'dayOfMonth' : 'expression';
  if (calendar.after(Date.UTC(1970, 0)) === undefined) {
    const { dayOfMonth, dayOfWeek, month, year } = fields;
    const day = isUnset(dayOfMonth) ? `day of the week "${dayOfWeek}"` : `day of the month "${dayOfMonth}"`;
    return never(sent, `there is no ${day} in month "${month}" of year "${year}"`);
  }
  if (calendar.after(nowMs) === undefined)
    return never(
      job.expression === undefined ? 'year' : 'expression',
      `year "${fields.year}": all its times are over`,
    );
  if (endMs !== null && endMs <= nowMs)
    return never(job.endDate === undefined ? 'durationNumber' : 'endDate', 'its end is over');
  if (endMs !== null && endMs < startMs) return never('endDate', 'it ends before it starts');
  return never(sent, 'no time of it is between its start and its end');
}

function fault(code: JobFaultCode, parameter: string, message: string): JobFault {
  return { code, parameter, message };
}
