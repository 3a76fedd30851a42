import { type AdmitStranger, strangerAdmission } from '@tillbridge/protocol/platform/net/admit-strangers.js';
import type { Peers } from '@tillbridge/protocol/platform/net/peers.js';
import { Strangers } from '@tillbridge/protocol/platform/net/strangers.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tooManyRequests } from '../request/errors.js';
import { PROBES } from '../transport/redirect.js';
import type { HttpLimits } from './http-limits.js';
import { peerOf } from './peer.js';

/** What lets strangers to work. */
export interface StrangerDeps {
  readonly clock: Clock;
  /** Proxies that are believed when they say who their clients are. */
  readonly proxies: Peers;
  readonly limits: Pick<HttpLimits, 'strangersPerSecond' | 'strangersBurst'>;
}

/**
 * Lets requests of routes for everybody to work beside those of merchants, at the rate of their peer. Requests whose credentials turn out to
 * be none pass what is returned before they are refused.
 */
export function admitStrangers(
  server: FastifyInstance,
  { clock, proxies, limits: { strangersPerSecond: perSecond, strangersBurst: burst } }: StrangerDeps,
): AdmitStranger {
  const strangers = new Strangers({ perSecond, burst }, clock);
  const admit = strangerAdmission(strangers, ({ raw }) => peerOf(raw, proxies), tooManyRequests);
  server.addHook('onRequest', (request, reply, done) => {
    // A probe that is late ends the process: it is not counted.
    if (PROBES.has(request.routeOptions.url ?? '')) void strangers.turn().then(() => done());
    else if (isForEverybody(request)) admit(request, reply).then((goesOn) => goesOn && done(), done);
    else done();
  });
  return admit;
}

/** Those for a checkout by its id count for its merchant. */
function isForEverybody({ is404, routeOptions: { config } }: FastifyRequest): boolean {
  const { right = 'public', byCheckoutId } = config;
  return is404 || right === 'nobody' || (right === 'public' && byCheckoutId !== true);
}
