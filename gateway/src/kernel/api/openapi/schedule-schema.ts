import type { Json, JsonObject } from './json.js';
import { COUNT, listOf, objectOf, oneOf, TEXT, texts } from './schema-parts.js';

/** A time of the schedule's time zone, with its offset. */
const TIME: JsonObject = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d[+-]\\d{4}$' };

/** Members of a schedule in answers (docs/schedules.md). */
export const SCHEDULE_PROPERTIES: Record<string, Json> = {
  ...texts('id', 'entityId', 'registrationId', 'referencedId', 'paymentType', 'amount', 'currency'),
  state: oneOf('active', 'descheduled', 'ended', 'suspended'),
  job: { type: 'object', additionalProperties: TEXT },
  timeZone: TEXT,
  start: TIME,
  end: TIME,
  descheduledAt: TIME,
  retryAt: TIME,
  nextExecutions: listOf(TIME),
  lastExecutions: {
    type: 'array',
    items: objectOf(
      {
        at: TIME,
        attempt: COUNT,
        paymentId: TEXT,
        missed: COUNT,
      },
      ['at', 'attempt', 'paymentId', 'missed'],
    ),
  },
};
