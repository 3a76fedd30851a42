import type { Clock } from '@tillbridge/protocol/seams/clock.js';
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
  readonly clock: Clock;
}

/** A client that is told to wait and does not can send only so many requests over each of its connections. */
export const REFUSAL_LIMITS = {
  /** How long a refusal is held back, in milliseconds. */
  delayMs: 250,
  /** Refusals held back at once; further ones are sent at once. */
  maxHeld: 5_000,
} as const;

/**
 * Refuses requests beyond the rate of the merchant whose token they have, whichever of its channels they name: 429, Retry-After, and the
 * envelope with an id of its own (spec 7, 8). They are counted before their body is read, or as soon as the body has told whose they are.
 * A refusal is held back for a moment: sent at once, a client that does not wait gets so many that they slow down everybody else.
 */
export function throttleRequests(server: FastifyInstance, { throttle, clock }: ThrottleDeps): void {
  let held = 0;
  const holdBack = async (): Promise<void> => {
    if (held >= REFUSAL_LIMITS.maxHeld) return;
    held += 1;
    await new Promise<void>((resolve) => clock.setTimer(REFUSAL_LIMITS.delayMs, resolve));
    held -= 1;
  };
  const count = async ({ caller, routeOptions }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const operation = routeOptions.config.throttle;
    if (operation === undefined || !caller) return;
    const waitMs = await throttle.take(caller.token.merchantId, operation);
    if (waitMs === 0) return;
    await holdBack();
    throw tooManyRequests(reply, waitMs);
  };
  server.addHook('onRequest', count);
  server.addHook('preHandler', async (request, reply) => {
    if (request.login) await count(request, reply);
  });
}
