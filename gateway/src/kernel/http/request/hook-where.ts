import type { FastifyReply, FastifyRequest } from 'fastify';

/** A hook that has work with some requests alone: the others pass it at once, without a promise for each. */
export function hookWhere(
  isDue: (request: FastifyRequest) => boolean,
  work: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): (request: FastifyRequest, reply: FastifyReply, done: () => void) => void {
  return (request, reply, done) => (isDue(request) ? work(request, reply) : done());
}
