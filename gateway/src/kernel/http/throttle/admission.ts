import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tooManyRequests } from '../request/errors.js';
import { hookWhere } from '../request/hook-where.js';
import { merchantOf } from '../request/merchant.js';
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

/** A client that ignores `Retry-After` can send only so many requests over each of its connections. */
export const REFUSAL_LIMITS = {
  /** How long a refusal is held back at least, in milliseconds. */
  delayMs: 1_000,
  /** Least time between two refusals of one merchant, in milliseconds: sent together, its next requests would come together, too. */
  apartMs: 5,
  /** Refusals held back at once; further ones are sent at once. */
  maxHeld: 5_000,
} as const;

/**
 * Refuses requests beyond the rate of the merchant whose token they have, whichever of its channels they name: 429, Retry-After, and the
 * envelope with its own id. They are counted before their body is read, or as soon as the body names their entity.
 * A refusal is held back for a moment: sent at once, a client that does not wait gets so many that they slow down everybody else.
 */
export function throttleRequests(server: FastifyInstance, { throttle, clock }: ThrottleDeps): void {
  let held = 0;
  /** When the last refusal of a merchant is sent, while one is held back. */
  const lastMs = new Map<string, number>();
  const holdBack = async (merchantId: string): Promise<void> => {
    if (held >= REFUSAL_LIMITS.maxHeld) return;
    const nowMs = clock.monotonicMs();
    const sendMs = Math.max(
      nowMs + REFUSAL_LIMITS.delayMs,
      (lastMs.get(merchantId) ?? 0) + REFUSAL_LIMITS.apartMs,
    );
    lastMs.set(merchantId, sendMs);
    held += 1;
    await new Promise<void>((resolve) => clock.setTimer(sendMs - nowMs, resolve));
    held -= 1;
    if (lastMs.get(merchantId) === sendMs) lastMs.delete(merchantId);
  };
  const count = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const operation = request.routeOptions.config.throttle;
    const merchantId = merchantOf(request);
    if (operation === undefined || merchantId === undefined) return;
    const waitMs = await throttle.take(merchantId, operation);
    if (waitMs === 0) return;
    await holdBack(merchantId);
    throw tooManyRequests(reply, waitMs);
  };
  server.addHook('onRequest', count);
  const isCountedLater = ({ login, checkout }: FastifyRequest) => (login ?? checkout) !== undefined;
  server.addHook('preHandler', hookWhere(isCountedLater, count));
}
