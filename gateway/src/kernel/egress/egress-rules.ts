import { peersOf } from '@tillbridge/platform/net/peers.js';
import type { HomeConfig } from '../configuration/home-config.js';
import type { EgressRules } from './target.js';

/** What of the configuration says where the gateway may call. */
export interface EgressConfig {
  /** Private networks that the gateway may call. */
  readonly egressAllowed: readonly string[];
}

/** What a gateway's own requests are held to: plain HTTP is for the test mode alone. */
export function egressRules({
  egressAllowed,
  transport,
}: Pick<HomeConfig, 'transport'> & EgressConfig): EgressRules {
  return { allowed: peersOf(egressAllowed), plainHttp: transport.mode === 'test' };
}
