import type { FastifyReply, FastifyRequest } from 'fastify';
import { isEncrypted, type Transport } from '../../../kernel/http/transport/redirect.js';
import { SESSION_LIMITS } from '../rules/session-rules.js';

/** What cookies are read and written with. */
export interface CookieDeps {
  readonly transport: Transport;
}

/** Over TLS the name binds it to this very host and path (RFC 6265bis §4.1.3). Plain HTTP is for this machine in test mode. */
function cookieName(isSecure: boolean): string {
  return isSecure ? '__Host-tillbridge-console' : 'tillbridge-console';
}

/** The value of the session's cookie; undefined where there is none. */
export function cookieOf({ transport }: CookieDeps, { headers, raw }: FastifyRequest): string | undefined {
  const name = cookieName(isEncrypted(transport, raw));
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = part.trim().split('=', 2);
    if (key === name && value !== '') return value;
  }
  return undefined;
}

/** Gives a browser the cookie of a session, or takes it: undefined. No script reads it, and no other site's page sends it. */
export function setCookie(
  { transport }: CookieDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  value: string | undefined,
): void {
  const isSecure = isEncrypted(transport, request.raw);
  const seconds = value === undefined ? 0 : SESSION_LIMITS.lifetimeMs / 1_000;
  const scope = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`;
  reply.header('set-cookie', `${cookieName(isSecure)}=${value ?? ''}; ${scope}`);
}
