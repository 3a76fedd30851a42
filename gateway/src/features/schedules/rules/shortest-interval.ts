import type { JobFault, JobValues } from './job-plan.js';
import { isUnset, type JobFields, valuesOf } from './quartz-expression.js';

/** What the times of schedules are bounded by (the configuration sets it). */
export interface ScheduleTimes {
  /** From one run of a schedule to the next, at least; seconds. */
  readonly shortestIntervalSeconds: number;
}

/** The bounds unless configured. */
export const DEFAULT_SCHEDULE_TIMES: ScheduleTimes = { shortestIntervalSeconds: 60 };

/** Fields of a time of the day, and how many seconds one more of each is. */
const UNITS = { hour: 3_600, minute: 60, second: 1 } as const;
const DAY_SECONDS = 86_400;
/** The one interval that no field of the time alone makes: from the last run of a day to the first one of the next. */
const NEXT_DAY = 'hour';

/** Why a job runs too often, for the merchant; undefined where it does not. Pure. */
export function intervalFault(
  job: JobValues,
  fields: JobFields,
  { shortestIntervalSeconds: least }: ScheduleTimes,
): JobFault | undefined {
  const { field, seconds } = shortestInterval(fields);
  if (seconds >= least) return undefined;
  return {
    code: 'job-too-often',
    parameter: job.expression === undefined ? field : 'expression',
    message: `runs again after ${seconds} s (${field} "${fields[field]}"): the shortest interval is ${least} s`,
  };
}

/**
 * The shortest interval of two runs, and the field that makes it. The times of a day are all combinations of seconds, minutes and hours. Two
 * runs of different days count where every day has runs.
 */
function shortestInterval(fields: JobFields): {
  readonly field: keyof typeof UNITS;
  readonly seconds: number;
} {
  const intervals: { readonly field: keyof typeof UNITS; readonly seconds: number }[] = [];
  /** From the first to the last combination of the fields below, in seconds. */
  let span = 0;
  for (const field of ['second', 'minute', 'hour'] as const) {
    const values = valuesOf(fields, field);
    const steps = values.slice(1).map((value, index) => value - (values[index] ?? 0));
    if (steps.length > 0) intervals.push({ field, seconds: Math.min(...steps) * UNITS[field] - span });
    span += ((values.at(-1) ?? 0) - (values[0] ?? 0)) * UNITS[field];
  }
  const isDaily = isUnset(fields.dayOfMonth) && isUnset(fields.dayOfWeek);
  intervals.push({ field: NEXT_DAY, seconds: isDaily ? DAY_SECONDS - span : DAY_SECONDS });
  return intervals.reduce((least, each) => (each.seconds < least.seconds ? each : least));
}
