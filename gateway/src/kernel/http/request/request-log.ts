import type { IncomingMessage } from 'node:http';
import { outcomeOf } from '@tillbridge/wire/payment/result-codes/result-classes.js';
import type { FastifyInstance } from 'fastify';
import { modeOf } from './checkout-id.js';
import type { HttpDeps } from './deps.js';

/** The result of a request in the log: the code of its answer, its meaning in one word, and the id that its client has. */
interface Result {
  readonly resultCode: string;
  readonly outcome: string;
  readonly ndc: string;
}

declare module 'fastify' {
  interface FastifyReply {
    /** The result in its payload, for the log; undefined on other pages. */
    loggedResult: Result | undefined;
  }
}

/** What requests are logged with. */
interface RequestLogDeps extends Pick<HttpDeps, 'logger' | 'strangers'> {
  /** Who sent a request, for limits per peer. */
  readonly peerOf: (request: IncomingMessage) => string;
}

/**
 * One line per request: it names the route, never the URL, whose query may hold what a log must not. Of requests without a token, and without
 * the id of a checkout, some are written and the others counted (stranger-log.ts).
 */
export function logRequests(server: FastifyInstance, { logger, strangers, peerOf }: RequestLogDeps): void {
  server.decorateReply('loggedResult', undefined);
  server.addHook('preSerialization', (_request, reply, payload, done) => {
    reply.loggedResult = resultOf(payload);
    done(null, payload);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, caller, checkout, raw } = request;
    const { statusCode: status } = reply;
    const ms = Math.round(reply.elapsedTime);
    const result = reply.loggedResult;
    const line = { method, route: routeOptions.url ?? 'none', status, ms, ...result };
    if (caller ?? checkout) logger.info(line, 'request');
    else {
      const act = { kind: kindOf(status, result), peer: peerOf(raw), isAnswered: status < 400 };
      strangers.take(act, line, 'request');
    }
    done();
  });
}

/** Status and result code: few of them are answers to strangers. */
function kindOf(status: number, result: Result | undefined): string {
  return result === undefined ? `${status}` : `${status} ${result.resultCode}`;
}

/** The result of an answer of the API; undefined for other pages. */
function resultOf(payload: unknown): Result | undefined {
  const { result, ndc } = (payload ?? {}) as { result?: { code?: unknown }; ndc?: unknown };
  const resultCode = result?.code;
  if (typeof resultCode !== 'string' || typeof ndc !== 'string') return undefined;
  return { resultCode, outcome: outcomeOf(resultCode), ndc: loggedNdc(ndc) };
}

/** Digits of a checkout's id in the log: enough to find its requests, of no use to pay with. */
const LOGGED_DIGITS = 8;

/** That of a checkout is its id, with which any client may pay. */
export function loggedNdc(ndc: string): string {
  return modeOf(ndc) === undefined ? ndc : `${ndc.slice(0, LOGGED_DIGITS)}…`;
}
