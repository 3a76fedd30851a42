import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tooManyRequests } from '../request/errors.js';
import { formOf } from '../request/form.js';
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
  server.addHook('preHandler', async (request, reply) => {
    const token = triedBy(request);
    const waitMs = token === undefined ? 0 : await throttle.wait(token, 'failedCards');
    if (waitMs > 0) throw tooManyRequests(reply, waitMs);
  });
  server.addHook('onSend', async (request) => {
    const token = request.isRefusedPayment ? triedBy(request) : undefined;
    if (token !== undefined) await throttle.take(token, 'failedCards');
  });
}

/** The token that sends a card number; undefined for every other request. */
function triedBy(request: FastifyRequest): string | undefined {
  if (request.routeOptions.config.triesCards !== true) return undefined;
  const isTry = formOf(request).parameters.some(([name]) => name === 'card.number');
  return isTry ? request.caller?.token.id : undefined;
}
