import { peersOf } from '@tillbridge/protocol/platform/net/peers.js';
import type { GatewayConfig } from '../configuration/config.js';

/** How clients reach the gateway, and whose word counts on that. */
export function transportOf({ transport }: Pick<GatewayConfig, 'transport'>) {
  return { ...transport, proxies: peersOf(transport.trustedProxies) };
}
