import type { FastifyRequest } from 'fastify';
import { RequestRefused } from '../../../kernel/http/request/envelope.js';
import { isEncrypted, type Transport } from '../../../kernel/http/transport/redirect.js';

/** Methods that change nothing. */
const SAFE = new Set(['GET', 'HEAD']);

/**
 * Refuses what a page of another site may have sent. What changes something must have come from our own page: it names our origin (RFC 6454 §7),
 * which no script can write into a request; and where the browser states whose page sends it (Fetch Metadata), it is ours.
 * @throws RequestRefused
 */
export function requireOwnPage(transport: Transport, { method, headers, raw }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  // A read without a page is one that a person typed.
  const isFromOurs = site === undefined || site === 'same-origin' || (site === 'none' && SAFE.has(method));
  const own = [`${isEncrypted(transport, raw) ? 'https' : 'http'}://${headers.host}`, transport.publicUrl];
  const isOwnOrigin = SAFE.has(method) || (headers.origin !== undefined && own.includes(headers.origin));
  if (isFromOurs && isOwnOrigin) return;
  const [name, value] = isFromOurs ? ['Origin', headers.origin] : ['Sec-Fetch-Site', site];
  const message = 'must be that of this gateway: a session is used from its own pages alone';
  throw new RequestRefused('wrong-origin', [
    { name, value: value?.toString().slice(0, 255) ?? null, message },
  ]);
}
