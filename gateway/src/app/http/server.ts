import { lacksHost } from '@tillbridge/protocol/http/malformed-request.js';
import { answerInTurn } from '@tillbridge/protocol/platform/net/answer-in-turn.js';
import { limitConnections } from '@tillbridge/protocol/platform/net/limit-connections.js';
import { MIN_TLS_VERSION, type TlsPair } from '@tillbridge/protocol/platform/net/tls-certificate.js';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { giftCardBalanceRoute } from '../../core/payment-api/gift-card-balance.js';
import { type IdempotencyDeps, keepIdempotent } from '../../core/payment-api/idempotency/hooks.js';
import { queryRoutes } from '../../core/payment-api/query/routes.js';
import { receiptRoute } from '../../core/payment-api/receipt-route.js';
import { paymentRoutes } from '../../core/payment-api/routes.js';
import { agentRoutes } from '../../features/agents/routes.js';
import { chargebackRoutes } from '../../features/chargebacks/routes.js';
import type { DemoShop } from '../../features/checkouts/demo/demo-shop.js';
import { demoRoutes } from '../../features/checkouts/demo/routes.js';
import { payByLinkPages } from '../../features/checkouts/pay-by-link/pages.js';
import { type PayByLinkDeps, payByLinkRoutes } from '../../features/checkouts/pay-by-link/routes.js';
import type { CheckoutRouteDeps } from '../../features/checkouts/routes/checkout-deps.js';
import { knowCheckouts } from '../../features/checkouts/routes/known-checkouts.js';
import { resultCallRoute } from '../../features/checkouts/routes/result-call-route.js';
import { checkoutRoutes } from '../../features/checkouts/routes/routes.js';
import { checkoutShopperRoutes } from '../../features/checkouts/routes/shopper-routes.js';
import { takeAppSchemes } from '../../features/checkouts/shopper/app-schemes.js';
import { shopperRoutes } from '../../features/checkouts/shopper/routes.js';
import { widgetRoutes } from '../../features/checkouts/widget/routes.js';
import { deviceRoutes } from '../../features/devices/routes.js';
import { registrationRoutes } from '../../features/registrations/routes.js';
import { type RiskRouteDeps, riskRoute } from '../../features/risk/routes/check.js';
import { type ReviewRouteDeps, reviewRoutes } from '../../features/risk/routes/reviews.js';
import { scheduleRoutes } from '../../features/schedules/routes.js';
import type { ScheduleRouteDeps } from '../../features/schedules/schedule-request.js';
import {
  type ReconciliationDeps,
  reconciliationRoutes,
} from '../../features/settlement/routes/reconciliation.js';
import { reportRoutes } from '../../features/settlement/routes/reports.js';
import { simulatorRoutes } from '../../features/settlement/routes/simulator.js';
import { standInRoutes } from '../../features/stand-ins/routes.js';
import { threeDSecureBrowserRoutes } from '../../features/three-d-secure/routes/browser-routes.js';
import {
  type ThreeDSecureRouteDeps,
  threeDSecureRoutes,
} from '../../features/three-d-secure/routes/routes.js';
import { type WebhookRouteDeps, webhookRoutes } from '../../features/webhooks/routes.js';
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
import { requireTls, type Transport } from '../../kernel/http/transport/redirect.js';
import { traceRequests } from '../../kernel/tracing/trace-requests.js';
import type { Tracing } from '../../kernel/tracing/tracing.js';
import { alertRoutes } from './alerts/routes.js';
import { docsRoutes } from './docs/routes.js';
import { healthRoutes } from './health/routes.js';
import { type MetricsDeps, metricsRoutes } from './metrics/routes.js';
import { resultCodeRoutes } from './result-codes/routes.js';

/** What the server is built with. */
export interface ServerDeps
  extends CheckoutRouteDeps,
    IdempotencyDeps,
    PayByLinkDeps,
    ReconciliationDeps,
    ReviewRouteDeps,
    RiskRouteDeps,
    ScheduleRouteDeps,
    ThreeDSecureRouteDeps,
    WebhookRouteDeps,
    ThrottleDeps,
    MetricsDeps {
  /** A shop to try the payment form in; absent: there is none. */
  readonly demo?: DemoShop;
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
  server.addHook('onSend', (_request, reply, _payload, done) => {
    // A route that says how long its answer may be kept knows why.
    for (const [name, value] of Object.entries(ANSWER_HEADERS))
      if (!reply.hasHeader(name)) reply.header(name, value);
    done();
  });
  if (deps.tracing) traceRequests(server, deps.tracing);
  logRequests(server, { ...deps, peerOf: (request) => peerOf(request, deps.transport.proxies) });
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
  authenticateRequests(server, deps, { maxFormBytes: limits.bodyBytesWithoutToken, admitStranger });
  knowCheckouts(server, deps, admitStranger);
  throttleRequests(server, deps);
  shareFairly(server, deps, limits.requestsAtWork);
  takeLegacyForms(server, deps);
  takeAppSchemes(server, deps);
  limitBodies(server, { proxies: deps.transport.proxies, limits });
  limitFailedTries(server, deps);
  keepIdempotent(server, deps);
}

function addRoutes(server: FastifyInstance, deps: ServerDeps): void {
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
  standInRoutes(server, deps);
  riskRoute(server, deps);
  giftCardBalanceRoute(server, deps);
  scheduleRoutes(server, deps);
  webhookRoutes(server, deps);
  resultCodeRoutes(server);
  simulatorRoutes(server, deps);
  chargebackRoutes(server, deps);
  receiptRoute(server, deps);
  resultCallRoute(server, deps);
  shopperRoutes(server, deps);
  widgetRoutes(server, deps);
  payByLinkRoutes(server, deps);
  payByLinkPages(server, deps);
  demoRoutes(server, deps.demo);
  healthRoutes(server, deps.store);
  metricsRoutes(server, deps);
}
