import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tooManyRequests } from '../request/errors.js';
import type { Throttle, ThrottledOperation } from './throttle.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What requests of this route count as; absent: they are not counted. */
    throttle?: ThrottledOperation;
  }
}

/** What throttling works with. */
export interface ThrottleDeps {
  readonly throttle: Throttle;
}

/**
 * Refuses requests beyond the rate of the merchant whose token they have, whichever of its channels they name: 429, Retry-After, and the
 * envelope with an id of its own (spec 7, 8). They are counted before their body is read, or as soon as the body has told whose they are.
 */
export function throttleRequests(server: FastifyInstance, { throttle }: ThrottleDeps): void {
  const count = async ({ caller, routeOptions }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const operation = routeOptions.config.throttle;
    if (operation === undefined || !caller) return;
    const waitMs = await throttle.take(caller.token.merchantId, operation);
    if (waitMs > 0) throw tooManyRequests(reply, waitMs);
  };
  server.addHook('onRequest', count);
  server.addHook('preHandler', async (request, reply) => {
    if (request.login) await count(request, reply);
  });
}
