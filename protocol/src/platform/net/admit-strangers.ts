import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Strangers } from './strangers.js';

/** Lets one request without credentials to work; false: nobody waits for its answer, and nothing more is to be done. */
export type AdmitStranger = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

/**
 * Lets requests without credentials to work as {@link Strangers} says.
 * @param refusal makes the error of one that is refused, and may come again after so many milliseconds
 */
export function strangerAdmission(
  strangers: Strangers,
  peerOf: (request: FastifyRequest) => string,
  refusal: (reply: FastifyReply, waitMs: number) => Error,
): AdmitStranger {
  return async (request, reply) => {
    const { socket } = request.raw;
    const verdict = await strangers.enter(peerOf(request));
    if (verdict.kind === 'crowded') socket.destroy();
    if (socket.destroyed) {
      reply.hijack();
      return false;
    }
    if (verdict.kind === 'refused') throw refusal(reply, verdict.waitMs);
    return true;
  };
}
