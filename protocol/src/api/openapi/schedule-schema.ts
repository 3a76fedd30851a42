import type { Json, JsonObject } from './json.js';

const TEXT: JsonObject = { type: 'string' };
/** A time of the schedule's time zone, with its offset. */
const TIME: JsonObject = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d[+-]\\d{4}$' };

/** Members of a schedule in answers (reference §2.6). */
export function scheduleProperties(): Record<string, Json> {
  return {
    id: TEXT,
    entityId: TEXT,
    registrationId: TEXT,
    referencedId: TEXT,
    paymentType: TEXT,
    amount: TEXT,
    currency: TEXT,
    state: { type: 'string', enum: ['active', 'descheduled', 'ended', 'suspended'] },
    job: { type: 'object', additionalProperties: TEXT },
    timeZone: TEXT,
    start: TIME,
    end: TIME,
    descheduledAt: TIME,
    retryAt: TIME,
    nextExecutions: { type: 'array', items: TIME },
    lastExecutions: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          at: TIME,
          attempt: { type: 'integer', minimum: 0 },
          paymentId: TEXT,
          missed: { type: 'integer', minimum: 0 },
        },
        required: ['at', 'attempt', 'paymentId', 'missed'],
      },
    },
  };
}
