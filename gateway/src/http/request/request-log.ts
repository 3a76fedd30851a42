import { outcomeOf } from '@tillbridge/protocol/api/result-codes/result-classes.js';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { modeOf } from '../../checkouts/checkout-id.js';
import type { HttpDeps } from './deps.js';

/** The result of a request in the log: the code of its answer, its meaning in one word, and the id that its client has. */
interface Result {
  readonly resultCode: string;
  readonly outcome: string;
  readonly ndc: string;
}

/** One line per request: it names the route, never the URL, whose query may hold what a log must not. */
export function logRequests(server: FastifyInstance, { logger }: HttpDeps): void {
  const results = new WeakMap<FastifyReply, Result>();
  server.addHook('preSerialization', (_request, reply, payload, done) => {
    const result = resultOf(payload);
    if (result !== undefined) results.set(reply, result);
    done(null, payload);
  });
  server.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    const ms = Math.round(reply.elapsedTime);
    const line = { method, route: routeOptions.url ?? 'none', status: reply.statusCode, ms };
    logger.info({ ...line, ...results.get(reply) }, 'request');
    done();
  });
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

/** That of a checkout is its id, with which whoever has it may pay. */
function loggedNdc(ndc: string): string {
  return modeOf(ndc) === undefined ? ndc : `${ndc.slice(0, LOGGED_DIGITS)}…`;
}
