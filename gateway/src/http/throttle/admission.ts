import type { FastifyInstance, FastifyRequest } from 'fastify';
import { REST_ERRORS } from '../../errors/error-table.js';
import { newId } from '../../payments/flow/payment-context.js';
import { type EnvelopeSources, envelope } from '../request/envelope.js';
import type { Throttle, ThrottledOperation } from './throttle.js';

/** What throttling works with. */
export interface ThrottleDeps extends EnvelopeSources {
  readonly throttle: Throttle;
}

/**
 * Refuses requests beyond the rate of their entity: 429, Retry-After, and the envelope with an id of its own (spec 7, 8). Requests
 * without a right to the entity are not counted, so that nobody can use up the rate of another entity.
 */
export function throttleRequests(server: FastifyInstance, deps: ThrottleDeps): void {
  server.addHook('preHandler', async (request, reply) => {
    const operation = operationOf(request);
    const entityId = await request.caller?.entityOf(request);
    if (operation === undefined || entityId === undefined) return;
    const waitMs = await deps.throttle.take(entityId, operation);
    if (waitMs === 0) return;
    const [, , status, resultCode] = REST_ERRORS['too-many-requests'];
    reply.code(status).header('retry-after', String(Math.ceil(waitMs / 1_000)));
    return reply.send({ id: newId(deps.random), ...envelope(deps, resultCode) });
  });
}

function operationOf({ method, routeOptions }: FastifyRequest): ThrottledOperation | undefined {
  const { url } = routeOptions;
  if (url === undefined || !/^\/v\d/.test(url)) return undefined;
  if (method === 'GET' || method === 'HEAD') return 'reads';
  if (method !== 'POST') return undefined;
  return url.includes('/:') ? 'followUps' : 'payments';
}
