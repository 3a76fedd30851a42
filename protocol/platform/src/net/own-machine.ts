import type { IncomingMessage } from 'node:http';
import { LOOPBACK, type Peers } from './peers.js';

/** What a proxy adds to a request that it passes on. */
const PASSED_ON = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'via',
];

/**
 * Did the request begin on this machine? A proxy on the same machine passes on what began elsewhere: a configured one is never trusted,
 * and an unconfigured one shows by the headers that it adds.
 */
export function isFromThisMachine(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  proxies?: Peers,
): boolean {
  if (!LOOPBACK.has(socket.remoteAddress) || proxies?.has(socket.remoteAddress)) return false;
  return PASSED_ON.every((name) => headers[name] === undefined);
}
