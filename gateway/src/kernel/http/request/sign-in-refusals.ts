import type { TokenRight } from '../../api/token-rights.js';
import { RequestRefused } from './envelope.js';

/** Names under which the refusals state what is wrong: the header, and what older clients send in its place. */
const HEADER = 'Authorization';
const LOGIN = 'authentication.userId';

/** How a request that is signed in looks. */
const FORM = 'Authorization: Bearer <access token>';

/**
 * The refusal of a request that does not name its sender, or not as it must. The header itself is never shown.
 * @param header as it was sent; undefined: there was none
 * @param maxFormBytes longest body that is read without the header, where the body is longer
 */
export function notAuthenticated(header: string | undefined, maxFormBytes?: number): RequestRefused {
  const message = header === undefined ? missing(maxFormBytes) : malformed(header);
  return new RequestRefused('not-authenticated', [{ name: HEADER, value: null, message }]);
}

/** The refusal of user id and password in a request for an entity that does not take them. */
export function loginNotAccepted(): RequestRefused {
  const message = `is taken for older clients of their own entity alone; send "${FORM}"`;
  return new RequestRefused('not-authenticated', [{ name: LOGIN, value: null, message }]);
}

/** The refusal of an unknown token, or user id and password: one for all reasons, so that a stranger learns of none. */
export function tokenRefused(isLogin: boolean): RequestRefused {
  const message = 'is unknown or was revoked; tokens of the test host and of the live host differ';
  return new RequestRefused('token-refused', [{ name: isLogin ? LOGIN : HEADER, value: null, message }]);
}

/** The refusal of a token, or of a user's role, without the right that a request needs: to its own holder. */
export function rightMissing(
  wanted: readonly TokenRight[],
  has: readonly string[],
  of: 'token' | 'role' = 'token',
): RequestRefused {
  const needs = wanted.length === 1 ? `the right ${wanted[0]}` : `one of the rights ${wanted.join(', ')}`;
  const message = `the ${of} needs ${needs}; it has ${[...new Set(has)].join(', ') || 'none'}`;
  return new RequestRefused('no-right', [{ name: HEADER, value: null, message }]);
}

/** The refusal of an entity that the token may not act for; it does not reveal whether there is such an entity. */
export function entityOfAnother(own: string | null): RequestRefused {
  const message =
    own === null
      ? 'is no merchant and no channel'
      : `is not the entity of the token, ${own}, nor one of its channels`;
  return new RequestRefused('entity-of-another', [{ name: 'entityId', value: null, message }]);
}

function missing(maxFormBytes: number | undefined): string {
  const limit = maxFormBytes === undefined ? '' : `; without it a body has at most ${maxFormBytes} bytes`;
  return `may not be empty: send "${FORM}"${limit}`;
}

function malformed(header: string): string {
  const [scheme = ''] = header.trim().split(/\s/, 1);
  if (/^bearer$/i.test(scheme))
    return header.trim().length > scheme.length
      ? 'has characters after Bearer that no access token has'
      : `lacks the access token after Bearer: send "${FORM}"`;
  const isScheme = header.trim().length > scheme.length && /^[A-Za-z][A-Za-z0-9-]{0,19}$/.test(scheme);
  return isScheme
    ? `must use the scheme Bearer, not ${scheme}: send "${FORM}"`
    : `must begin with "Bearer " before the access token: send "${FORM}"`;
}
