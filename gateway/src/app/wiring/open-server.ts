import { systemClock as clock } from '@tillbridge/protocol/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/protocol/platform/system-random.js';
import type { FastifyInstance } from 'fastify';
import type { Chargebacks } from '../../core/payments/chargebacks/chargebacks.js';
import { APPROVED_CODES, Registrations } from '../../core/registrations/registrations.js';
import { readDemoCredentials } from '../../features/checkouts/demo/demo-credentials.js';
import { DemoShop } from '../../features/checkouts/demo/demo-shop.js';
import { PaymentLinks } from '../../features/checkouts/pay-by-link/payment-links.js';
import type { Checkouts } from '../../features/checkouts/service.js';
import { WidgetBuilds } from '../../features/checkouts/widget/builds.js';
import type { resultCallLoop } from '../../features/checkouts/worker.js';
import type { ReviewWork } from '../../features/risk/service.js';
import { Schedules } from '../../features/schedules/service.js';
import type { scheduleLoop } from '../../features/schedules/worker.js';
import type { SettlementParts } from '../../features/settlement/service.js';
import type { WebhookParts } from '../../features/webhooks/webhook-parts.js';
import { BUILD_NUMBER } from '../../kernel/configuration/build-number.js';
import { meteredThrottle } from '../../kernel/http/throttle/metered-throttle.js';
import { SharedThrottle, TELL_INTERVAL_MS } from '../../kernel/http/throttle/shared-throttle.js';
import { LocalThrottle } from '../../kernel/http/throttle/throttle.js';
import type { Background } from '../../kernel/workers/background.js';
import { buildServer } from '../http/server.js';
import type { Closers, Foundation } from './foundation.js';
import type { PaymentParts } from './open-kernel.js';
import { transportOf } from './transport.js';

/** What the server works with beside foundation and payments. */
interface ServerWork {
  readonly background: Background;
  readonly chargebacks: Chargebacks;
  readonly settlement: SettlementParts;
  readonly webhooks: WebhookParts;
  readonly scheduling: ConstructorParameters<typeof Schedules>[0];
  readonly checkouts: Checkouts;
  readonly reviews: ReviewWork;
  readonly runner: ReturnType<typeof scheduleLoop>;
  readonly resultCalls: ReturnType<typeof resultCallLoop>;
}

/** Builds the server of REST and pages; it does not listen yet. */
export function openServer(
  foundation: Foundation,
  parts: PaymentParts,
  work: ServerWork,
  closers: Closers,
): FastifyInstance {
  const { config, logger, strangers, tokenKey, certificate, metrics, signals, tracing } = foundation;
  const { store, node, mode } = foundation;
  const { alerts, opened, record, fingerprint, tables, shopper, threeDSecure, risk } = parts;
  const { events, payments, service } = parts;
  const { background, chargebacks, settlement, webhooks, checkouts, reviews } = work;
  const throttle = new SharedThrottle(new LocalThrottle(config.throttle, clock), signals, random);
  background.repeat({
    intervalMs: TELL_INTERVAL_MS,
    work: async () => throttle.tell(),
    fault: 'other nodes were not told of requests',
  });
  const server = buildServer({
    ...{ store, node, tokenKey, clock, random, service, fingerprint, checkouts, webhooks },
    ...serviceParts(foundation, parts, work),
    scheduleLoop: work.runner,
    resultCallLoop: work.resultCalls,
    events,
    throttle: meteredThrottle(throttle, metrics),
    transport: transportOf(config),
    ...(tracing && { tracing }),
    limits: config.limits,
    ...(certificate && { tls: certificate.pair }),
    alerts,
    logger,
    strangers,
    metrics,
    mode,
    ...(config.simulatedBankUrl !== undefined && { simulatedBankUrl: config.simulatedBankUrl }),
    shopper,
    threeDSecure: threeDSecure.service(payments),
    threeDSecureActive: threeDSecure.isActive,
    ...(record && { record }),
    ...(opened.balances && { balances: opened.balances }),
    settlement,
    ...(opened.simulator && {
      chargebacks: { simulator: opened.simulator, book: () => chargebacks.round() },
    }),
    ...tables,
    risk,
    reviews,
    buildNumber: BUILD_NUMBER,
  });
  closers.push(() => server.close());
  certificate?.follow(server.server, { clock, log: logger });
  closers.push(async () => certificate?.stop());
  return server;
}

/** The services of the API that the server alone works with. */
function serviceParts({ files, store, mode }: Foundation, parts: PaymentParts, work: ServerWork) {
  const { shopper, rowSeal, events, paymentContext, service } = parts;
  const { checkouts, scheduling } = work;
  const demo = mode === 'test' ? readDemoCredentials(files.credentials) : undefined;
  return {
    registrations: new Registrations({
      ...paymentContext,
      events,
      buildNumber: BUILD_NUMBER,
      approvedCode: APPROVED_CODES[mode],
    }),
    widget: new WidgetBuilds({ store, clock }),
    links: new PaymentLinks({ store, seal: rowSeal, clock, random, checkouts, service }),
    ...(demo && { demo: new DemoShop(demo, () => shopper.origin) }),
    schedules: new Schedules(scheduling),
  };
}
