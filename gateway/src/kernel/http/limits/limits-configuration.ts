import { section, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { MAX_BODY_BYTES } from '../../api/form.js';
import { variableOf } from '../../configuration/variable-of.js';
import { DEFAULT_LIMITS } from './http-limits.js';

const limit = (
  minimum: number,
  maximum: number,
  key: keyof typeof DEFAULT_LIMITS,
  what: string,
  description: string,
) =>
  wholeNumber(
    minimum,
    maximum,
    { description, env: variableOf('LIMITS', key), default: DEFAULT_LIMITS[key] },
    what,
  );

/** What clients may take before anybody knows who they are, and what each of them may take after. */
export const LIMITS_SECTION = section(
  {
    connections: limit(
      1,
      1_000_000,
      'connections',
      'a whole number',
      'Connections at once, agents among them.',
    ),
    connectionsPerPeer: limit(
      1,
      1_000_000,
      'connectionsPerPeer',
      'a whole number',
      'Of one address (IPv6: one network of 64 bits). `trustedProxies` have no such limit.',
    ),
    headerBytes: limit(4_096, 65_536, 'headerBytes', 'bytes', 'Longest head of a request.'),
    headersTimeoutMs: limit(
      100,
      600_000,
      'headersTimeoutMs',
      'milliseconds',
      'How long the head of a request, or a TLS handshake, may take to come.',
    ),
    requestTimeoutMs: limit(
      100,
      600_000,
      'requestTimeoutMs',
      'milliseconds',
      'How long a whole request may take to come.',
    ),
    bodyBytes: limit(1_024, MAX_BODY_BYTES, 'bodyBytes', 'bytes', 'Longest body.'),
    bodyBytesWithoutToken: limit(
      0,
      65_536,
      'bodyBytesWithoutToken',
      'bytes',
      'Longest body of a request without a token header: older clients name themselves in it. One address may have 64 times as much under way. 0: their forms are refused.',
    ),
    bodyBytesPerMerchant: limit(
      MAX_BODY_BYTES,
      1_073_741_824,
      'bodyBytesPerMerchant',
      'bytes',
      'Sum of the bodies of one merchant that are not answered yet.',
    ),
    requestsAtWork: limit(
      8,
      10_000,
      'requestsAtWork',
      'a whole number',
      'Requests at work at once, shared fairly among the merchants that are active. Others wait their turn for half a second, then get 429 or 503.',
    ),
    strangersPerSecond: limit(
      1,
      1_000_000,
      'strangersPerSecond',
      'a whole number',
      'Requests without a token, or with one that is refused, of one address a second. Further ones wait 5 seconds at most, then get 429.',
    ),
    strangersBurst: limit(
      1,
      1_000_000,
      'strangersBurst',
      'a whole number',
      'How many of them may come at once after a quiet time.',
    ),
  },
  { default: {} },
);
