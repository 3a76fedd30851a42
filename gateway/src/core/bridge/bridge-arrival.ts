import type { IncomingMessage } from 'node:http';
import { NO_TLS } from '@tillbridge/wire/bridge/gateway-pins.js';
import { mayBeServed, type Transport } from '../../kernel/http/transport/redirect.js';
import type { BridgeArrival } from './endpoint.js';

/**
 * How a connection to the bridge came; undefined where its transport may carry no money. Behind proxies the peer is the address
 * that the first of them saw.
 * @param tlsPins of the servers that agents reach
 */
export function bridgeArrival(
  transport: Transport,
  request: IncomingMessage,
  tlsPins: readonly string[],
): BridgeArrival | undefined {
  if (!mayBeServed(transport, request)) return undefined;
  const { socket, headers } = request;
  const { proxies } = transport;
  const isProxied = proxies.has(socket.remoteAddress) && headers['x-forwarded-proto'] !== undefined;
  const isTls = isProxied || ('encrypted' in socket && socket.encrypted === true);
  const hops = [
    ...(headers['x-forwarded-for']?.toString().split(',') ?? []),
    socket.remoteAddress ?? 'unknown',
  ];
  const seen = hops.map((hop) => hop.trim()).reverse();
  const peer = seen.find((hop) => !proxies.has(hop)) ?? seen.at(-1) ?? 'unknown';
  return { peer, channels: isTls ? tlsPins : [NO_TLS] };
}
