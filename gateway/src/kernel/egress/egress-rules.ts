import { peersOf } from '@tillbridge/platform/net/peers.js';
import type { HomeConfig } from '../configuration/home-config.js';
import type { EgressRules } from './target.js';

/** The part of the configuration that decides where the gateway may connect. */
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
