import {
  AMOUNT,
  alphanumeric,
  type CronField,
  CURRENCY,
  characters,
  digits,
  oneOf,
  PAYMENT_TYPE,
  TIMESTAMP,
  text,
} from './rows/format.js';
import { optional, under } from './rows/parameter.js';
import { TEST_MODE } from './rows/test-mode.js';

const UNIT = oneOf('YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND');

const cron = <const F extends CronField | 'expression'>(field: F) => optional(field, { kind: 'cron', field });

/** Spec 2.9: job.*, scheduling. */
export const JOB_PARAMETERS = under('job.', [
  optional('name', text(1, 64)),
  ...(['year', 'month', 'dayOfMonth', 'dayOfWeek', 'hour', 'minute', 'second'] as const).map(cron),
  optional('startDate', TIMESTAMP),
  optional('endDate', TIMESTAMP),
  optional('noticeUnit', UNIT),
  optional('durationUnit', UNIT),
  optional('noticeNumber', digits(0, 16)),
  optional('durationNumber', digits(0, 16)),
  optional('noticeCallable', oneOf('ANYTIME', 'DURATION_END')),
  cron('expression'),
]);

const ENTITY = optional('entityId', characters('0-9a-f', 32, 32));

/** Parameters of requests on schedules in addition to those of the specification's tables (docs/schedules.md). */
export const SCHEDULE_PARAMETERS = {
  /** What the runs of a new schedule pay with; `referenceUuid` names an earlier payment instead. */
  creation: [
    optional('registrationId', alphanumeric(32, 32)),
    optional('registration.id', alphanumeric(32, 32)),
  ],
  /** The job that takes the place of the former one, and what is paid from now on. */
  change: [
    ENTITY,
    TEST_MODE,
    optional('paymentType', PAYMENT_TYPE),
    optional('amount', AMOUNT),
    optional('currency', CURRENCY),
    optional('merchantTransactionId', text(8, 255)),
    ...JOB_PARAMETERS,
  ],
  end: [ENTITY, TEST_MODE, optional('paymentType', PAYMENT_TYPE)],
  one: [ENTITY, TEST_MODE],
} as const;
