import { type AdmitStranger, admitStrangers } from '@tillbridge/platform/net/admit-strangers.js';
import { peerName } from '@tillbridge/platform/net/peers.js';
import { type StrangerLimits, Strangers } from '@tillbridge/platform/net/strangers.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { FastifyInstance } from 'fastify';
import { TillError } from './till-error.js';

/** The calls that need a token. */
const GUARDED = '/v1/';
const PROBE = '/healthz';

/** Admits requests for panel, docs and unknown paths at the rate of their address, apart from those of tills. */
export function admitTillStrangers(
  server: FastifyInstance,
  clock: Clock,
  limits: Partial<StrangerLimits> = {},
): AdmitStranger {
  return admitStrangers(server, new Strangers(limits, clock), {
    isFor: ({ routeOptions: { url = '' } }) => {
      if (url === PROBE) return 'probe';
      return url.startsWith(GUARDED) ? 'callers' : 'everybody';
    },
    peerOf: ({ raw }) => peerName(raw.socket.remoteAddress),
    refusal: (reply, waitMs) => {
      reply.header('retry-after', String(Math.ceil(waitMs / 1_000)));
      return new TillError('too-many-requests', 'too many requests of this address without a valid token');
    },
  });
}
