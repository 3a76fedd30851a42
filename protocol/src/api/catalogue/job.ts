import { type CronField, digits, type Format, oneOf, TIMESTAMP, text } from './rows/format.js';
import { optional, under } from './rows/parameter.js';

const UNIT = oneOf('YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND');

function cron(field: CronField | 'expression'): Format {
  return { kind: 'cron', field };
}

/** Spec 2.9: job.*, scheduling. */
export const JOB_PARAMETERS = under('job.', [
  optional('name', text(1, 64)),
  optional('year', cron('year')),
  optional('month', cron('month')),
  optional('dayOfMonth', cron('dayOfMonth')),
  optional('dayOfWeek', cron('dayOfWeek')),
  optional('hour', cron('hour')),
  optional('minute', cron('minute')),
  optional('second', cron('second')),
  optional('startDate', TIMESTAMP),
  optional('endDate', TIMESTAMP),
  optional('noticeUnit', UNIT),
  optional('durationUnit', UNIT),
  optional('noticeNumber', digits(0, 16)),
  optional('durationNumber', digits(0, 16)),
  optional('noticeCallable', oneOf('ANYTIME', 'DURATION_END')),
  optional('expression', cron('expression')),
]);
