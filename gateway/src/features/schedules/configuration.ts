import { section, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { DEFAULT_SCHEDULE_TIMES } from './rules/shortest-interval.js';

/** What merchants may schedule. */
const SCHEDULES_SECTION = section(
  {
    shortestIntervalSeconds: wholeNumber(
      1,
      86_400,
      {
        description:
          'From one run of a schedule to the next, at least; a job that runs more often is refused.',
        env: 'GATEWAY_SCHEDULES_SHORTEST_INTERVAL_SECONDS',
        default: DEFAULT_SCHEDULE_TIMES.shortestIntervalSeconds,
      },
      'seconds',
    ),
  },
  { default: {} },
);

/** Settings of the feature. */
export const SCHEDULE_SETTINGS = { schedules: SCHEDULES_SECTION };
