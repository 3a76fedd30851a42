import { type AdmitStranger, strangerAdmission } from '@tillbridge/protocol/platform/net/admit-strangers.js';
import { peerName } from '@tillbridge/protocol/platform/net/peers.js';
import { type StrangerLimits, Strangers } from '@tillbridge/protocol/platform/net/strangers.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { FastifyInstance } from 'fastify';
import { TillError } from './till-error.js';

/** The calls that need a token: whoever has none passes what is returned before it is refused. */
const GUARDED = '/v1/';
/** A probe that is late ends the process: it is not counted. */
const PROBE = '/healthz';

/** Lets requests for panel, docs and paths that there are not to work beside those of tills, at the rate of their address. */
export function admitStrangers(
  server: FastifyInstance,
  clock: Clock,
  limits: Partial<StrangerLimits> = {},
): AdmitStranger {
  const strangers = new Strangers(limits, clock);
  const admit = strangerAdmission(
    strangers,
    ({ raw }) => peerName(raw.socket.remoteAddress),
    (reply, waitMs) => {
      reply.header('retry-after', String(Math.ceil(waitMs / 1_000)));
      return new TillError('too-many-requests', 'too many requests of this address without a valid token');
    },
  );
  server.addHook('onRequest', (request, reply, done) => {
    const { url = '' } = request.routeOptions;
    if (url === PROBE) void strangers.turn().then(() => done());
    else if (!url.startsWith(GUARDED)) admit(request, reply).then((goesOn) => goesOn && done(), done);
    else done();
  });
  return admit;
}
