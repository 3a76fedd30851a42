import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Strangers } from './strangers.js';

/** Lets one request without credentials to work; false: the client has left, and nothing more is to be done. */
export type AdmitStranger = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

/** How a server knows strangers. */
interface StrangerRules {
  /** What a request is for. `everybody`: it is counted. `probe`: it is not, as a probe that is late ends the process. */
  readonly isFor: (request: FastifyRequest) => 'everybody' | 'probe' | 'callers';
  readonly peerOf: (request: FastifyRequest) => string;
  /** The error of a request that is refused, and may come again after so many milliseconds. */
  readonly refusal: (reply: FastifyReply, waitMs: number) => Error;
}

/**
 * Admits requests without credentials within the limits of {@link Strangers}, apart from those of callers. Requests whose credentials
 * are wrong pass the returned function before they are refused.
 */
export function admitStrangers(
  server: FastifyInstance,
  strangers: Strangers,
  { isFor, peerOf, refusal }: StrangerRules,
): AdmitStranger {
  const admit: AdmitStranger = async (request, reply) => {
    const { socket } = request.raw;
    // Who hangs up is waited for no longer: what is held of its request would fill the memory.
    const gone = new Promise<undefined>((resolve) => reply.raw.once('close', () => resolve(undefined)));
    const verdict = await Promise.race([strangers.enter(peerOf(request)), gone]);
    if (verdict?.kind === 'crowded') socket.destroy();
    if (verdict === undefined || socket.destroyed) {
      reply.hijack();
      return false;
    }
    if (verdict.kind === 'refused') throw refusal(reply, verdict.waitMs);
    return true;
  };
  server.addHook('onRequest', (request, reply, done) => {
    const whose = isFor(request);
    if (whose === 'callers') done();
    else if (whose === 'probe') void strangers.turn().then(() => done());
    else admit(request, reply).then((goesOn) => goesOn && done(), done);
  });
  server.addHook('onSend', (request, reply, _payload, done) => {
    // An answer without a length counts as its request alone.
    const bytes = Number(reply.getHeader('content-length'));
    if (isFor(request) === 'everybody') strangers.sent(peerOf(request), bytes);
    done();
  });
  return admit;
}
