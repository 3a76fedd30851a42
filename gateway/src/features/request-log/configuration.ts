import { section, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { variableOf } from '../../kernel/configuration/variable-of.js';
import { DEFAULT_REQUEST_LOG, type RequestLogSettings } from './request-log-settings.js';

const setting = (
  key: keyof RequestLogSettings,
  [minimum, maximum]: readonly [minimum: number, maximum: number],
  what: string,
  description: string,
) =>
  wholeNumber(
    minimum,
    maximum,
    { description, env: variableOf('REQUEST_LOG', key), default: DEFAULT_REQUEST_LOG[key] },
    what,
  );

/** Which requests are kept for developers, and for how long. */
const REQUEST_LOG_SECTION = section(
  {
    sharePercent: setting(
      'sharePercent',
      [0, 100],
      'percent',
      'Of the requests that end well, how many are kept; those that end otherwise are all kept. 0: none is kept at all.',
    ),
    keepDays: setting('keepDays', [1, 400], 'days', 'How long a request is kept.'),
    maxRows: setting(
      'maxRows',
      [1_000, 10_000_000],
      'a whole number of requests',
      'Requests that are kept at most; the oldest go first.',
    ),
    bodyBytes: setting(
      'bodyBytes',
      [0, 65_536],
      'bytes',
      'What is kept of the parameters of one request at most, in UTF-8 after masking.',
    ),
  },
  { default: {} },
);

/** Settings of the feature. */
export const REQUEST_LOG_SETTINGS = { requestLog: REQUEST_LOG_SECTION };
