import { peersOf } from '@tillbridge/protocol/platform/net/peers.js';
import type { GatewayConfig } from '../config/config.js';
import type { EgressRules } from './target.js';

/** What a gateway's own requests are held to: plain HTTP is for the test mode alone. */
export function egressRules({
  egressAllowed,
  transport,
}: Pick<GatewayConfig, 'egressAllowed' | 'transport'>): EgressRules {
  return { allowed: peersOf(egressAllowed), plainHttp: transport.mode === 'test' };
}
