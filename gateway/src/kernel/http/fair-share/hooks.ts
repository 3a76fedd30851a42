import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import { overloaded, tooManyRequests } from '../request/errors.js';
import { merchantOf } from '../request/merchant.js';
import { FairShare, OverloadedError, type Place } from './fair-share.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its place among the requests at work. */
    place: Place | undefined;
  }
}

/** When a merchant whose own requests have all of its places may try again, in milliseconds. */
const RETRY_MS = 1_000;

/** What is needed to share fairly. */
interface FairShareDeps {
  readonly clock: Clock;
  readonly metrics?: Registry;
}

/**
 * Lets requests that count for the throttle to work, by turns between the merchants whose tokens they have. Beyond what can be answered in
 * time they are refused with Retry-After: 429 where the merchant's own requests have its share of the places, else 503.
 * @param requestsAtWork at once, of all merchants
 */
export function shareFairly(
  server: FastifyInstance,
  { clock, metrics }: FairShareDeps,
  requestsAtWork: number,
): void {
  const registers = metrics ? [metrics] : [];
  const share = new FairShare(requestsAtWork, clock);
  server.decorateRequest('place', undefined);
  const refused = new Counter({
    name: 'tillbridge_gateway_overloaded_total',
    help: 'Requests refused because they could not be answered in time',
    registers,
  });
  new Gauge({
    name: 'tillbridge_gateway_requests_at_work',
    help: 'Requests that hold one of the places shared among merchants',
    registers,
    collect() {
      this.set(share.atWork);
    },
  });
  server.addHook('preHandler', (request, reply, done) => {
    const merchantId = merchantOf(request);
    if (merchantId === undefined || request.routeOptions.config.throttle === undefined) return done();
    const refuse = (error: unknown): void => {
      refused.inc();
      const isOwnDoing = error instanceof OverloadedError && error.isOwnDoing;
      done(isOwnDoing ? tooManyRequests(reply, RETRY_MS) : overloaded(reply));
    };
    try {
      const place = share.enter(merchantId);
      if (!(place instanceof Promise)) {
        request.place = place;
        return done();
      }
      place.then((given) => {
        request.place = given;
        done();
      }, refuse);
    } catch (error) {
      refuse(error);
    }
  });
  server.addHook('onResponse', (request, _reply, done) => {
    if (request.place) share.leave(request.place);
    done();
  });
}
