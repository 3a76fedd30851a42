import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../request/authenticate.js';
import { tooManyRequests } from '../request/errors.js';
import { formOf } from '../request/form.js';
import { hookWhere } from '../request/hook-where.js';
import type { Throttle } from './throttle.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests of this route may try a card. */
    triesCards?: true;
  }
  interface FastifyRequest {
    /** A payment was made of it, and refused. */
    isRefusedPayment: boolean;
  }
}

/**
 * Holds a token that tries cards: each payment with a card number that is refused counts for its token, on all nodes together, and beyond the
 * rate of `failedCards` further ones are not looked at: 429 and Retry-After. What is wrong in form is no try, and an approval counts for nothing.
 */
export function limitFailedTries(
  server: FastifyInstance,
  { throttle }: { readonly throttle: Throttle },
): void {
  server.decorateRequest('isRefusedPayment', false);
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    const waitMs = await throttle.wait(callerOf(request).credential.id, 'failedCards');
    if (waitMs > 0) throw tooManyRequests(reply, waitMs);
  };
  server.addHook('preHandler', hookWhere(triesCard, refuse));
  server.addHook('onSend', (request, _reply, payload, done) => {
    if (!request.isRefusedPayment || !triesCard(request)) return done();
    return throttle.take(callerOf(request).credential.id, 'failedCards').then(() => payload);
  });
}

/** Whether a request sends a card number where payments are made; such a route has a caller. */
function triesCard(request: FastifyRequest): boolean {
  return (
    request.routeOptions.config.triesCards === true &&
    formOf(request).parameters.some(([name]) => name === 'card.number')
  );
}
