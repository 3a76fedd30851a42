import { SCHEDULE_PATHS } from '@tillbridge/protocol/api/openapi/endpoints.js';
import { lacksHost } from '@tillbridge/protocol/http/malformed-request.js';
import { limitConnections } from '@tillbridge/protocol/platform/net/limit-connections.js';
import { MIN_TLS_VERSION, type TlsPair } from '@tillbridge/protocol/platform/net/tls-certificate.js';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { SHOPPER_PATH } from '../security/tokens/shopper-addresses.js';
import { traceRequests } from '../tracing/trace-requests.js';
import type { Tracing } from '../tracing/tracing.js';
import { agentRoutes } from './agents/routes.js';
import { alertRoutes } from './alerts/routes.js';
import { chargebackRoutes } from './chargebacks/routes.js';
import { knowCheckouts } from './checkouts/known-checkouts.js';
import { resultCallRoute } from './checkouts/result-call-route.js';
import { CHECKOUT_PATHS, checkoutRoutes } from './checkouts/routes.js';
import { checkoutShopperRoutes } from './checkouts/shopper-routes.js';
import { demoRoutes } from './demo/routes.js';
import { deviceRoutes } from './devices/routes.js';
import { docsRoutes } from './docs/routes.js';
import { shareFairly } from './fair-share/hooks.js';
import { healthRoutes } from './health/routes.js';
import { keepIdempotent } from './idempotency/hooks.js';
import { takeLegacyForms, takeLogins } from './legacy/hooks.js';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from './limits/http-limits.js';
import { limitBodies } from './limits/limit-bodies.js';
import { type MetricsDeps, metricsRoutes } from './metrics/routes.js';
import { payByLinkPages } from './pay-by-link/pages.js';
import { LINK_PAGE_PATH, payByLinkRoutes } from './pay-by-link/routes.js';
import { giftCardBalanceRoute } from './payments/gift-card-balance.js';
import { riskRoute } from './payments/risk-route.js';
import { paymentRoutes } from './payments/routes.js';
import { queryRoutes } from './query/routes.js';
import { reconciliationRoutes } from './reconciliation/routes.js';
import { registrationRoutes } from './registrations/routes.js';
import { reportRoutes } from './reports/routes.js';
import { authenticateRequests } from './request/authenticate.js';
import { answerClientError } from './request/client-errors.js';
import type { HttpDeps } from './request/deps.js';
import { RequestRefused } from './request/envelope.js';
import { errorAnswers, otherMethods, refuseOtherPaths, sendError } from './request/errors.js';
import { takeForms } from './request/form.js';
import { ANSWER_HEADERS } from './request/headers.js';
import { logRequests } from './request/request-log.js';
import { resultCodeRoutes } from './result-codes/routes.js';
import { reviewRoutes } from './reviews/routes.js';
import { SCHEDULE_RUN_PATH, SCHEDULE_STEPS, scheduleRoutes } from './schedules/routes.js';
import { shopperRoutes } from './shopper/routes.js';
import { simulatorRoutes } from './simulator/routes.js';
import { threeDSecureBrowserRoutes } from './three-d-secure/browser-routes.js';
import { threeDSecureRoutes } from './three-d-secure/routes.js';
import { type ThrottleDeps, throttleRequests } from './throttle/admission.js';
import { requireTls, type Transport } from './transport/redirect.js';
import { WEBHOOK_STEPS, webhookRoutes } from './webhooks/routes.js';
import { FRAME_PATH, SCRIPT_PATHS, widgetRoutes } from './widget/routes.js';

/** What the server is built with. */
export interface ServerDeps extends HttpDeps, ThrottleDeps, MetricsDeps {
  readonly transport: Transport;
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
    clientErrorHandler: (error, socket) => answerClientError(deps, error, socket),
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
  takeForms(server);
  server.addHook('onSend', (_request, reply, _payload, done) => {
    // A route that says how long its answer may be kept knows why.
    for (const [name, value] of Object.entries(ANSWER_HEADERS))
      if (!reply.hasHeader(name)) reply.header(name, value);
    done();
  });
  if (deps.tracing) traceRequests(server, deps.tracing);
  logRequests(server, deps);
  server.addHook('onRequest', ({ raw }, reply, done) => {
    if (!lacksHost(raw)) return done();
    reply.header('connection', 'close');
    done(new RequestRefused('not-a-request'));
  });
  errorAnswers(server, deps);
  requireTls(server, deps.transport);
  refuseOtherPaths(server);
  takeLogins(server);
  authenticateRequests(server, deps, limits.bodyBytesWithoutToken);
  knowCheckouts(server, deps);
  throttleRequests(server, deps);
  shareFairly(server, deps, limits.requestsAtWork);
  takeLegacyForms(server, deps);
  limitBodies(server, { proxies: deps.transport.proxies, limits });
  keepIdempotent(server, deps);
  paymentRoutes(server, deps);
  registrationRoutes(server, deps);
  checkoutRoutes(server, deps);
  checkoutShopperRoutes(server, deps, deps.transport.proxies);
  threeDSecureRoutes(server, deps);
  if (deps.threeDSecure) threeDSecureBrowserRoutes(server, deps, deps.threeDSecure);
  queryRoutes(server, deps);
  reportRoutes(server, deps);
  reconciliationRoutes(server, deps);
  alertRoutes(server, deps);
  agentRoutes(server, deps);
  deviceRoutes(server, deps);
  reviewRoutes(server, deps);
  riskRoute(server, deps);
  giftCardBalanceRoute(server, deps);
  scheduleRoutes(server, deps);
  webhookRoutes(server, deps);
  resultCodeRoutes(server);
  simulatorRoutes(server, deps);
  chargebackRoutes(server, deps);
  resultCallRoute(server, deps);
  shopperRoutes(server, deps);
  widgetRoutes(server, deps);
  payByLinkRoutes(server, deps);
  payByLinkPages(server, deps);
  demoRoutes(server, deps.demo);
  healthRoutes(server, deps.store);
  metricsRoutes(server, deps);
  otherMethods(server, '/v1/payments', ['POST']);
  otherMethods(server, '/v1/payments/', ['POST']);
  otherMethods(server, '/v1/payments/:id', ['GET', 'POST']);
  for (const path of CHECKOUT_PATHS) {
    otherMethods(server, path, ['POST']);
    otherMethods(server, `${path}/:id`, ['POST', 'DELETE']);
    otherMethods(server, `${path}/:id/payment`, ['GET', 'POST']);
    otherMethods(server, `${path}/:id/registration`, ['GET', 'POST']);
    otherMethods(server, `${path}/:id/widget`, ['GET']);
  }
  otherMethods(server, '/v1/registrations', ['POST']);
  otherMethods(server, '/v1/registrations/:id', ['GET', 'POST', 'DELETE']);
  otherMethods(server, '/v1/registrations/:id/payments', ['POST']);
  otherMethods(server, '/v1/threeDSecure', ['POST']);
  otherMethods(server, '/v1/threeDSecure/:id', ['GET']);
  otherMethods(server, '/v1/payments/:id/timeline', ['GET']);
  otherMethods(server, '/v1/payments/:id/chargeback', ['POST']);
  otherMethods(server, '/v1/payments/:id/chargebackReversal', ['POST']);
  otherMethods(server, '/v1/query/:id', ['GET']);
  otherMethods(server, '/v1/query', ['GET']);
  otherMethods(server, '/v3/query', ['GET']);
  otherMethods(server, '/v3/query/:id', ['GET']);
  otherMethods(server, '/reports/v1/reconciliations/aggregations', ['GET']);
  otherMethods(server, '/reports/v1/reconciliations/aggregations/:id', ['GET']);
  otherMethods(server, '/reports/v2/reconciliations/aggregations/:id', ['GET']);
  otherMethods(server, '/v1/reconciliation', ['GET']);
  otherMethods(server, '/v1/reconciliation/:name', ['GET']);
  otherMethods(server, '/v1/alerts', ['GET']);
  otherMethods(server, '/v1/alerts/:id/acknowledgement', ['POST']);
  otherMethods(server, '/v1/devices', ['GET']);
  otherMethods(server, '/v1/reviews', ['GET']);
  otherMethods(server, '/v1/risk', ['POST']);
  otherMethods(server, '/v1/giftCards/balance', ['POST']);
  otherMethods(server, '/v1/devices/:id', ['GET']);
  for (const path of SCHEDULE_PATHS) {
    otherMethods(server, path, ['POST']);
    otherMethods(server, `${path}/:id`, ['GET', 'DELETE']);
    for (const step of SCHEDULE_STEPS) otherMethods(server, `${path}/:id/${step}`, ['POST']);
  }
  if (deps.mode === 'test') otherMethods(server, SCHEDULE_RUN_PATH, ['POST']);
  otherMethods(server, '/v1/webhooks', ['GET', 'POST']);
  otherMethods(server, '/v1/webhooks/:id', ['GET']);
  otherMethods(server, '/v1/webhooks/:id/deliveries', ['GET']);
  otherMethods(server, '/v1/webhooks/:id/pending', ['GET']);
  for (const step of WEBHOOK_STEPS) otherMethods(server, `/v1/webhooks/:id/${step}`, ['POST']);
  otherMethods(server, '/v1/resultcodes', ['GET']);
  otherMethods(server, '/paybylink/v1', ['POST']);
  otherMethods(server, '/paybylink/v1/:id', ['GET', 'DELETE']);
  otherMethods(server, '/paybylink/v1/:id/sms', ['POST']);
  otherMethods(server, '/paybylink/v1/:id/checkouts/:checkoutId/payment', ['GET']);
  for (const path of [LINK_PAGE_PATH, `${LINK_PAGE_PATH}/result`]) otherMethods(server, path, ['GET']);
  for (const path of [...SCRIPT_PATHS, FRAME_PATH]) otherMethods(server, path, ['GET']);
  otherMethods(server, SHOPPER_PATH, ['GET']);
  otherMethods(server, `${SHOPPER_PATH}/return`, ['GET', 'POST']);
  docsRoutes(server, deps.buildNumber);
  return server;
}
