import type { IncomingHttpHeaders } from 'node:http';

/** How long a browser may remember the answer to a preflight. */
const PREFLIGHT_MAX_AGE_SECONDS = 600;

const ALLOWED_METHODS = 'GET, POST, DELETE';
const ALLOWED_HEADERS = 'authorization, content-type, prefer, last-event-id';
const EXPOSED_HEADERS = 'location, preference-applied, retry-after';

/** Headers of every answer to a page of a configured origin (Fetch standard §3.3). No cookies are used, so no credentials are allowed. */
export function crossOriginHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
    vary: 'origin',
  };
}

/** Whether a request is a browser's preflight (Fetch standard §3.2.2). */
export function isPreflight(method: string, headers: IncomingHttpHeaders): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/**
 * Headers of the answer to a preflight. A browser of Private Network Access also requests whether a page of a public network may call this
 * machine. Local Network Access, which follows it, asks the user instead, and sends no header.
 */
export function preflightHeaders(
  origin: string,
  request: IncomingHttpHeaders,
): Readonly<Record<string, string>> {
  return {
    ...crossOriginHeaders(origin),
    'access-control-allow-methods': ALLOWED_METHODS,
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
    ...(request['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
    vary: 'origin, access-control-request-private-network',
  };
}
