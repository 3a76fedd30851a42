import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { answerAfterRest, DISCARD_LIMITS } from '@tillbridge/platform/net/discard-rest.js';
import type { Peers } from '@tillbridge/platform/net/peers.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bodyLength } from '../request/body-length.js';
import { tooManyRequests } from '../request/errors.js';
import { BodyBudget } from './body-budget.js';
import type { HttpLimits } from './http-limits.js';
import { peerOf } from './peer.js';

/** What limits bodies. */
interface BodyLimitDeps {
  /** Proxies that are believed when they say who their clients are. */
  readonly proxies: Peers;
  readonly limits: Pick<HttpLimits, 'bodyBytes' | 'bodyBytesWithoutToken' | 'bodyBytesPerMerchant'>;
}

/** Bodies without a token that one peer may have under way, if each has the most bytes. */
const FORMS_PER_PEER = 64;
/** When a client whose bodies wait for their answers may come again, in milliseconds. */
const RETRY_AFTER_MS = 1_000;

/**
 * Refuses a body whose owner has no room for it, before it is read: 429. Of a signed-in client that is refused for whatever reason before its long
 * body has come, so much is dropped that it finds its answer where it writes all before it reads. A stranger is hung up on.
 */
export function limitBodies(server: FastifyInstance, { proxies, limits }: BodyLimitDeps): void {
  const merchants = new BodyBudget(limits.bodyBytesPerMerchant);
  const peers = new BodyBudget(FORMS_PER_PEER * limits.bodyBytesWithoutToken);
  /** Takes room for bytes of a request until it is answered or its client has gone. */
  const holderOf = (request: FastifyRequest, reply: FastifyReply) => {
    const merchantId = request.caller?.credential.merchantId;
    const [budget, owner] =
      merchantId === undefined ? [peers, peerOf(request.raw, proxies)] : [merchants, merchantId];
    let held = 0;
    reply.raw.once('close', () => budget.release(owner, held));
    return (bytes: number): void => {
      if (!budget.take(owner, bytes)) throw tooManyRequests(reply, RETRY_AFTER_MS);
      held += bytes;
    };
  };
  server.addHook('preParsing', (request, reply, payload, next) => {
    const bytes = bodyLength(request.raw);
    if (bytes === 0) return next(null, payload);
    const hold = holderOf(request, reply);
    if (bytes !== undefined) {
      // A longer one is refused as such.
      if (bytes <= limits.bodyBytes) hold(bytes);
      return next(null, payload);
    }
    const counted = payload.pipe(
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          try {
            hold(chunk.length);
            done(null, chunk);
          } catch (error) {
            done(error as Error);
          }
        },
      }),
    );
    next(null, counted);
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    const { raw, caller } = request;
    if (raw.complete || !isLong(raw, limits)) return done();
    // A stranger is hung up on, and so is who announces more than is dropped.
    if (!caller || (bodyLength(raw) ?? 0) > DISCARD_LIMITS.bytes) {
      reply.header('connection', 'close');
      return done();
    }
    reply.removeHeader('connection');
    return answerAfterRest(raw).then(() => payload);
  });
}

function isLong(request: IncomingMessage, { bodyBytesWithoutToken }: BodyLimitDeps['limits']): boolean {
  return (bodyLength(request) ?? Number.POSITIVE_INFINITY) > bodyBytesWithoutToken;
}
