import { section, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { variableOf } from '../../configuration/variable-of.js';
import { DEFAULT_THROTTLE_RATES, THROTTLED_OPERATIONS, type ThrottledOperation } from './throttle.js';

/** How many requests of a class a merchant may send. */
function rate(operation: ThrottledOperation) {
  const variable = variableOf('THROTTLE', operation);
  const { perSecond, burst } = DEFAULT_THROTTLE_RATES[operation];
  const requests = (description: string, env: string, preset: number) =>
    wholeNumber(1, 1_000_000, { description, env, default: preset }, 'a whole number of requests');
  return section(
    {
      perSecond: requests(
        operation === 'failedCards'
          ? 'Refused payments with a card number of a token in the long run.'
          : 'Requests of a merchant, with all of its channels, in the long run.',
        `${variable}_PER_SECOND`,
        perSecond,
      ),
      burst: requests('Requests at once after a quiet time.', `${variable}_BURST`, burst),
    },
    { default: {} },
  );
}

/** Rates of each class of requests. */
export const THROTTLE_SETTINGS = Object.fromEntries(
  THROTTLED_OPERATIONS.map((operation) => [operation, rate(operation)]),
) as Record<ThrottledOperation, ReturnType<typeof rate>>;
