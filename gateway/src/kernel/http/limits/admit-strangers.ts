import { type AdmitStranger, admitStrangers } from '@tillbridge/platform/net/admit-strangers.js';
import type { Peers } from '@tillbridge/platform/net/peers.js';
import { Strangers } from '@tillbridge/platform/net/strangers.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tooManyRequests } from '../request/errors.js';
import { PROBES } from '../request/probes.js';
import type { HttpLimits } from './http-limits.js';
import { peerOf } from './peer.js';

/** What lets strangers to work. */
interface StrangerDeps {
  readonly clock: Clock;
  /** Proxies that are believed when they say who their clients are. */
  readonly proxies: Peers;
  readonly limits: Pick<HttpLimits, 'strangersPerSecond' | 'strangersBurst'>;
}

/** Admits requests of public routes in parallel with those of merchants, at the rate of their peer. */
export function admitRestStrangers(
  server: FastifyInstance,
  { clock, proxies, limits: { strangersPerSecond: perSecond, strangersBurst: burst } }: StrangerDeps,
): AdmitStranger {
  return admitStrangers(server, new Strangers({ perSecond, burst }, clock), {
    isFor,
    peerOf: ({ raw }) => peerOf(raw, proxies),
    refusal: tooManyRequests,
  });
}

/** Requests for a checkout by its id count for its merchant. */
function isFor({ is404, routeOptions: { url = '', config } }: FastifyRequest) {
  const { right = 'public', byCheckoutId } = config;
  if (PROBES.has(url)) return 'probe';
  return is404 || right === 'refused' || (right === 'public' && byCheckoutId !== true)
    ? 'everybody'
    : 'callers';
}
