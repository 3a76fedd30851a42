import type { JsonObject } from './json.js';
import { FLAG, INSTANT, listOf, objectOf, oneOf, texts } from './schema-parts.js';

const SOURCE = oneOf(
  'till',
  'terminal',
  'agent',
  'bridge',
  'gateway',
  'risk',
  'three-d-secure',
  'security-module',
  'acquirer',
  'settlement',
  'webhook',
);

/** Members of the story of a payment, an addition of ours. */
export const TIMELINE_PROPERTIES = {
  id: { type: 'string' },
  money: objectOf(
    {
      ...texts('currency', 'authorized', 'captured', 'refunded', 'chargedBack', 'reversed'),
      next: listOf(
        objectOf(
          {
            ...texts('paymentType', 'upTo', 'code', 'description'),
            followUp: oneOf('capture', 'refund', 'reversal', 'increment'),
            allowed: FLAG,
          },
          ['paymentType', 'followUp', 'allowed'],
        ),
      ),
    },
    ['currency', 'authorized', 'captured', 'refunded', 'chargedBack', 'reversed', 'next'],
  ),
  linked: listOf(
    objectOf(
      {
        ...texts('id', 'paymentType', 'amount', 'currency', 'state', 'code'),
        at: INSTANT,
        followedBy: { type: 'array', description: 'The same of each payment that follows it.' },
      },
      ['id', 'paymentType', 'amount', 'currency', 'state', 'code', 'at', 'followedBy'],
    ),
  ),
  gaps: listOf(
    objectOf({ source: SOURCE, from: INSTANT, to: INSTANT, text: { type: 'string' } }, ['source', 'text']),
  ),
  clocks: listOf(objectOf({ clock: { type: 'string' }, aheadMs: { type: 'integer' } }, ['clock', 'aheadMs'])),
  timeline: listOf(
    objectOf(
      {
        at: INSTANT,
        source: SOURCE,
        ...texts('clock', 'step', 'by', 'rule', 'code', 'detail', 'paymentId'),
        durationMs: { type: 'integer', minimum: 0 },
        ids: { type: 'object', additionalProperties: { type: 'string' } },
      },
      ['at', 'clock', 'source', 'step', 'by'],
    ),
  ),
} satisfies Record<string, JsonObject>;
