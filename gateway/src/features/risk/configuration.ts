import { milliseconds } from '@tillbridge/platform/config/number-setting.js';
import { oneOf, section, text } from '@tillbridge/platform/schema/fields.js';
import { Type } from '@tillbridge/platform/schema/type.js';

/** The external service that screens payments. */
export const SCREENING_SECTION = section({
  url: text('an http or https address without a user in it', /^https?:\/\/[^\s@]{1,2000}$/, {
    description: 'Where payments are screened by an external service; https in mode `live`.',
    env: 'GATEWAY_SCREENING_URL',
  }),
  timeLimitMs: milliseconds(50, 10_000, {
    description: 'How long it may take for one payment; after it, it counts as silent.',
    env: 'GATEWAY_SCREENING_TIME_LIMIT_MS',
    default: 2_000,
  }),
  whenSilent: oneOf(['pass', 'flag', 'review', 'refuse'], {
    description: 'What becomes of a payment without its verdict; `flag`: approved with 000.400.082.',
    env: 'GATEWAY_SCREENING_WHEN_SILENT',
    default: 'review',
  }),
});

/** Settings of the feature. */
export const RISK_SETTINGS = { screening: Type.Optional(SCREENING_SECTION) };
