import type { IncomingMessage } from 'node:http';
import { type Peers, peerName } from '@tillbridge/platform/net/peers.js';

/** Who sent a request, for limits per peer: the address of its connection, or the client address that a trusted proxy forwards. */
export function peerOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  proxies: Peers,
): string {
  const { remoteAddress } = socket;
  if (!proxies.has(remoteAddress)) return peerName(remoteAddress);
  // The proxy next to us adds the last one.
  const client = headers['x-forwarded-for']?.toString().split(',').at(-1)?.trim();
  return peerName(client || remoteAddress);
}
