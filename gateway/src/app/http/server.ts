import { lacksHost } from '@tillbridge/platform/http/malformed-request.js';
import { answerInTurn } from '@tillbridge/platform/net/answer-in-turn.js';
import { limitConnections } from '@tillbridge/platform/net/limit-connections.js';
import { MIN_TLS_VERSION, type TlsPair } from '@tillbridge/platform/net/tls-certificate.js';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import type { Feature } from '../../core/feature.js';
import { giftCardBalanceRoute } from '../../core/payment-api/gift-card-balance.js';
import { type IdempotencyDeps, keepIdempotent } from '../../core/payment-api/idempotency/hooks.js';
import type { PaymentRouteDeps } from '../../core/payment-api/payment-deps.js';
import { queryRoutes } from '../../core/payment-api/query/routes.js';
import { receiptRoute } from '../../core/payment-api/receipt-route.js';
import { paymentRoutes } from '../../core/payment-api/routes.js';
import { shareFairly } from '../../kernel/http/fair-share/hooks.js';
import { takeLegacyForms, takeLogins } from '../../kernel/http/legacy/hooks.js';
import { admitRestStrangers } from '../../kernel/http/limits/admit-strangers.js';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../../kernel/http/limits/http-limits.js';
import { limitBodies } from '../../kernel/http/limits/limit-bodies.js';
import { peerOf } from '../../kernel/http/limits/peer.js';
import { authenticateRequests } from '../../kernel/http/request/authenticate.js';
import { answerClientError } from '../../kernel/http/request/client-errors.js';
import { RequestRefused } from '../../kernel/http/request/envelope.js';
import { errorAnswers, refuseOtherPaths, sendError, watchMethods } from '../../kernel/http/request/errors.js';
import { takeForms } from '../../kernel/http/request/form.js';
import { ANSWER_HEADERS } from '../../kernel/http/request/headers.js';
import { logRequests } from '../../kernel/http/request/request-log.js';
import { type ThrottleDeps, throttleRequests } from '../../kernel/http/throttle/admission.js';
import { limitFailedTries } from '../../kernel/http/throttle/failed-tries.js';
import { requireTls } from '../../kernel/http/transport/redirect.js';
import { traceRequests } from '../../kernel/tracing/trace-requests.js';
import type { Tracing } from '../../kernel/tracing/tracing.js';
import { alertRoutes } from './alerts/routes.js';
import { docsRoutes } from './docs/routes.js';
import { healthRoutes } from './health/routes.js';
import { inboxRoutes } from './inbox/routes.js';
import { landingRoute } from './landing/routes.js';
import { type MetricsDeps, metricsRoutes } from './metrics/routes.js';
import { resultCodeRoutes } from './result-codes/routes.js';

/** What the server is built with. */
export interface ServerDeps extends PaymentRouteDeps, IdempotencyDeps, ThrottleDeps, MetricsDeps {
  readonly features: readonly Pick<Feature, 'watch' | 'credentials' | 'forms' | 'routes' | 'inbox'>[];
  /** Absent: no collector of traces is named. */
  readonly tracing?: Tracing;
  /** Certificate and key in PEM, where the server speaks TLS itself. */
  readonly tls?: TlsPair;
  /** Other limits than {@link DEFAULT_HTTP_LIMITS}. */
  readonly limits?: Partial<HttpLimits>;
}

/** Builds the REST server; it does not listen yet. */
export function buildServer(deps: ServerDeps): FastifyInstance {
  const limits = { ...DEFAULT_HTTP_LIMITS, ...deps.limits };
  const server = emptyServer(deps, limits);
  admitRequests(server, deps, limits);
  const refuseOtherMethods = watchMethods(server);
  addRoutes(server, deps);
  refuseOtherMethods();
  docsRoutes(server, deps.buildNumber);
  return server;
}

/** A server whose limits hold before anything of ours looks at a request. */
function emptyServer(deps: ServerDeps, limits: HttpLimits): FastifyInstance {
  const connections = {
    connectionsCheckingInterval: limits.timeoutCheckMs,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    // Checked below, for an answer of ours.
    requireHostHeader: false,
  };
  const server = fastify({
    ...(deps.tls
      ? {
          https: {
            ...connections,
            ...deps.tls,
            minVersion: MIN_TLS_VERSION,
            handshakeTimeout: limits.headersTimeoutMs,
          },
        }
      : { http: connections }),
    clientErrorHandler: (error, socket) =>
      answerClientError({ ...deps, headerBytes: limits.headerBytes }, error, socket),
    loggerInstance: deps.logger as FastifyBaseLogger,
    // Our own line per request stands in for it (request-log.ts).
    // A logger for each request, with its number, would be made and never written to.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    routerOptions: { maxParamLength: limits.paramLength },
    return503OnClosing: true,
    frameworkErrors: (error, _request, reply) => {
      sendError(deps, reply, error);
    },
  });
  limitConnections(server.server, limits, deps.transport.proxies);
  answerInTurn(server.server);
  return server;
}

/** What every request passes, in this order. */
function admitRequests(server: FastifyInstance, deps: ServerDeps, limits: HttpLimits): void {
  takeForms(server);
  const answerHeaders = Object.entries(ANSWER_HEADERS);
  server.addHook('onSend', (_request, reply, _payload, done) => {
    // A route that sets its own Cache-Control keeps it.
    for (const [name, value] of answerHeaders) if (!reply.hasHeader(name)) reply.header(name, value);
    done();
  });
  if (deps.tracing) traceRequests(server, deps.tracing);
  logRequests(server, { ...deps, peerOf: (request) => peerOf(request, deps.transport.proxies) });
  for (const { watch } of deps.features) watch?.(server);
  server.addHook('onRequest', ({ raw }, reply, done) => {
    if (!lacksHost(raw)) return done();
    reply.header('connection', 'close');
    done(new RequestRefused('not-a-request'));
  });
  errorAnswers(server, deps);
  const { clock, transport } = deps;
  const admitStranger = admitRestStrangers(server, { clock, proxies: transport.proxies, limits });
  requireTls(server, transport, admitStranger);
  refuseOtherPaths(server);
  takeLogins(server);
  for (const { credentials } of deps.features) credentials?.(server, admitStranger);
  authenticateRequests(server, deps, { maxFormBytes: limits.bodyBytesWithoutToken, admitStranger });
  throttleRequests(server, deps);
  shareFairly(server, deps, limits.requestsAtWork);
  takeLegacyForms(server, deps);
  for (const { forms } of deps.features) forms?.(server);
  limitBodies(server, { proxies: deps.transport.proxies, limits });
  limitFailedTries(server, deps);
  keepIdempotent(server, deps);
}

function addRoutes(server: FastifyInstance, deps: ServerDeps): void {
  paymentRoutes(server, deps);
  queryRoutes(server, deps);
  giftCardBalanceRoute(server, deps);
  receiptRoute(server, deps);
  for (const { routes } of deps.features) routes?.(server);
  alertRoutes(server, deps);
  inboxRoutes(
    server,
    deps,
    deps.features.flatMap(({ inbox = [] }) => inbox),
  );
  resultCodeRoutes(server);
  healthRoutes(server, deps.store);
  metricsRoutes(server, deps);
  landingRoute(server, deps.mode);
}
