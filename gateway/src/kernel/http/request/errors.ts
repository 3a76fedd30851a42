import { maskText } from '@tillbridge/wire/mask/mask.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TryLaterError } from '../../errors/try-later-error.js';
import { newId } from '../../store/new-id.js';
import { CommitConflict, StoreUnavailableError } from '../../store/store.js';
import type { HttpDeps } from './deps.js';
import { type EnvelopeDeps, envelope, invalidParameters, RequestRefused } from './envelope.js';
import { FORM_TYPE } from './form.js';
import { nearRoute } from './near-route.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const;

/** What errors are answered and reported with. */
type ErrorDeps = EnvelopeDeps & Pick<HttpDeps, 'logger' | 'alerts' | 'strangers'>;

/** Every answer that is no success has the envelope too. */
export function errorAnswers(server: FastifyInstance, deps: ErrorDeps): void {
  server.setErrorHandler((error, _request, reply) => sendError(deps, reply, error));
}

/** Answers every path that there is not with 404, before a body is read. */
export function refuseOtherPaths(server: FastifyInstance): void {
  server.addHook('onRequest', ({ is404, method, url }, _reply, done) => {
    done(is404 ? noSuchPath(method, url) : undefined);
  });
}

/** The refusal of a path that there is not; names a documented one that may have been meant. */
function noSuchPath(method: string, url: string): RequestRefused {
  const near = nearRoute(method, url);
  const message = `there is no such path; did you mean ${near}?`;
  return new RequestRefused('wrong-url', near === undefined ? [] : [{ name: 'path', value: null, message }]);
}

/** The refusal of a client that has to wait, with the time. */
export function tooManyRequests(reply: FastifyReply, waitMs: number): RequestRefused {
  reply.header('retry-after', String(Math.ceil(waitMs / 1_000)));
  return new RequestRefused('too-many-requests');
}

/** The refusal of a request that cannot be answered in time. */
export function overloaded(reply: FastifyReply): RequestRefused {
  reply.header('retry-after', '1');
  return new RequestRefused('overloaded');
}

/**
 * Notes the methods of all paths from now on. Call what it returns when all are there: every other method of theirs is then answered with 405 and
 * the list of those, before a body is read.
 */
export function watchMethods(server: FastifyInstance): () => void {
  const methods = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    methods.set(url, new Set([...(methods.get(url) ?? []), ...[method].flat()]));
  });
  return () => {
    for (const [url, known] of [...methods]) {
      const allow = METHODS.filter((method) => known.has(method)).join(', ');
      server.route({
        method: METHODS.filter((method) => !known.has(method)),
        url,
        config: { right: 'refused' },
        onRequest: async (_request, reply) => {
          reply.header('allow', allow);
          throw new RequestRefused('wrong-method');
        },
        handler: async () => undefined,
      });
    }
  };
}

/** The answer to an error: what we refused, what another request was faster with, what the database cannot do, what is unexpected. */
export function sendError(deps: ErrorDeps, reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof RequestRefused) return sendRefusal(deps, reply, error);
  if (error instanceof StoreUnavailableError) {
    logUnavailable(deps, reply.request, error);
    return sendRefusal(deps, reply.header('retry-after', '1'), new RequestRefused('database-unavailable'));
  }
  if (error instanceof CommitConflict || error instanceof TryLaterError) {
    deps.logger.warn({ err: error }, 'request cannot be carried out now');
    return sendRefusal(deps, reply.header('retry-after', '1'), new RequestRefused('changed-meanwhile'));
  }
  const refused = asRefusal(error, reply.request);
  if (refused) return sendRefusal(deps, reply, refused);
  const ndc = newId(deps.random);
  reportFault(deps, reply.request, { error, ndc });
  return sendRefusal(deps, reply, new RequestRefused('internal'), ndc);
}

/** While there is no database no token can be checked: every client is a stranger. */
function logUnavailable(
  { logger, strangers }: ErrorDeps,
  { caller, checkout, ip }: FastifyRequest,
  { code: fault, message }: StoreUnavailableError,
): void {
  if (caller ?? checkout) logger.error({ fault }, message);
  else strangers.take({ kind: 'no database', peer: ip, isAnswered: true }, { fault }, message);
}

/** An unexpected fault: its cause in the log under the ndc that its client has, and an alert. */
function reportFault(
  { logger, alerts }: ErrorDeps,
  { method, routeOptions }: FastifyRequest,
  { error, ndc }: { readonly error: unknown; readonly ndc: string },
): void {
  const route = routeOptions.url ?? 'none';
  logger.error({ ndc, method, route, err: error }, 'unexpected fault in a request');
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const alert = { code: 'request-failed', subject: `${method} ${route}` } as const;
  alerts
    .raise({ ...alert, detail: `ndc ${ndc}, ${maskText(cause)}` })
    .catch((err: unknown) => logger.error({ ndc, err }, 'alert not stored'));
}

/** Faults that the HTTP library finds before a route runs. */
function asRefusal(error: unknown, request: FastifyRequest): RequestRefused | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE': {
      const type = request.headers['content-type'];
      const hint = type?.includes('json') ? ', not as JSON' : '';
      const message = `must be ${FORM_TYPE}; charset=UTF-8: send the parameters as a form${hint}`;
      return new RequestRefused('not-a-form', [{ name: 'Content-Type', value: type ?? null, message }]);
    }
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new RequestRefused('body-too-large', [
        {
          name: '',
          value: null,
          message: `the body must not exceed ${request.routeOptions.bodyLimit} bytes`,
        },
      ]);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalidParameters([
        { name: '', value: null, message: 'the body is not as long as Content-Length states' },
      ]);
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new RequestRefused('wrong-url');
    default:
      return undefined;
  }
}

function sendRefusal(
  deps: ErrorDeps,
  reply: FastifyReply,
  refused: RequestRefused,
  ndc?: string,
): FastifyReply {
  if (refused.httpStatus === 401) reply.header('www-authenticate', 'Bearer');
  const { httpStatus, resultCode, parameterErrors, description } = refused;
  // A throttled answer has its own id.
  const id = httpStatus === 429 ? { id: newId(deps.random) } : {};
  const { result, ...frame } = envelope(deps, resultCode, parameterErrors, ndc);
  return reply
    .code(httpStatus)
    .send({ ...id, result: { ...result, ...(description !== undefined && { description }) }, ...frame });
}
