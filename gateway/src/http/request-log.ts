import { outcomeOf } from '@tillbridge/protocol/api/result-classes.js';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { HttpDeps } from './deps.js';

/** What a request came to, for people: the code of its answer and what that means in one word. */
interface Result {
  readonly resultCode: string;
  readonly outcome: string;
}

/** One line per request: it names the route, never the URL, whose query may hold what a log must not. */
export function logRequests(server: FastifyInstance, { logger }: HttpDeps): void {
  const results = new WeakMap<FastifyReply, Result>();
  server.addHook('preSerialization', async (_request, reply, payload) => {
    const resultCode = codeOf(payload);
    if (resultCode !== undefined) results.set(reply, { resultCode, outcome: outcomeOf(resultCode) });
    return payload;
  });
  server.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const ms = Math.round(reply.elapsedTime);
    const line = { method, route: routeOptions.url ?? 'none', status: reply.statusCode, ms };
    logger.info({ ...line, ...results.get(reply) }, 'request');
  });
}

/** The result code of an answer of the API; undefined for other pages. */
function codeOf(payload: unknown): string | undefined {
  const { result } = (payload ?? {}) as { readonly result?: { readonly code?: unknown } };
  return typeof result?.code === 'string' ? result.code : undefined;
}
