import type { IncomingMessage } from 'node:http';

/** Length of the body that the head of a request announces, in bytes; undefined where it announces none (RFC 9112 §6.3). */
export function bodyLength({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}
