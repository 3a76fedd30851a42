import type { AddressInfo } from 'node:net';
import { securityEvent } from '@tillbridge/protocol/platform/log/security-events.js';
import { hostAndPort, listenOn } from '@tillbridge/protocol/platform/net/listening.js';
import type { TlsCertificate } from '@tillbridge/protocol/platform/net/tls-certificate.js';
import { systemClock as clock } from '@tillbridge/protocol/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/protocol/platform/system-random.js';
import type { FastifyInstance } from 'fastify';
import { bridgeMetrics } from '../../core/bridge/bridge-metrics.js';
import { BRIDGE_PATH } from '../../core/bridge/endpoint.js';
import { openBridge } from '../../core/bridge/open-bridge.js';
import { reversePayment } from '../../core/payments/cart/reverse-payment.js';
import { Chargebacks } from '../../core/payments/chargebacks/chargebacks.js';
import type { FollowUpRequest } from '../../core/payments/rules/requests.js';
import { Checkouts } from '../../features/checkouts/service.js';
import { resultCallLoop } from '../../features/checkouts/worker.js';
import type { ReviewWork } from '../../features/risk/service.js';
import { scheduleLoop } from '../../features/schedules/worker.js';
import type { SettlementParts } from '../../features/settlement/service.js';
import { webhookParts } from '../../features/webhooks/webhook-parts.js';
import { STANDING_INTERVAL_MS, StandingAlerts } from '../../kernel/alerts/standing-alerts.js';
import { BUILD_NUMBER } from '../../kernel/configuration/build-number.js';
import { egressRules } from '../../kernel/egress/egress-rules.js';
import { SingleWork } from '../../kernel/nodes/single-work.js';
import { waitingMetrics } from '../../kernel/store/store-metrics.js';
import { Background } from '../../kernel/workers/background.js';
import { FailingWork } from '../../kernel/workers/failing-work.js';
import { RESTORE_ROUND_MS } from '../../security/restored-database/restore-watch.js';
import type { ShopperAddresses } from '../../security/tokens/shopper-addresses.js';
import type { GatewayConfig } from '../configuration/config.js';
import { checkMetrics } from '../ledger-check/check-metrics.js';
import { InvariantCheck } from '../ledger-check/invariant-check.js';
import { type Closers, type Foundation, openFoundation } from './foundation.js';
import { listenForPlain } from './listen.js';
import { buildPayments, type PaymentParts } from './open-kernel.js';
import { openServer } from './open-server.js';
import { standingCauses, WORK } from './standing-causes.js';
import { startWorkers } from './start-work.js';

/** A gateway that takes requests. */
export interface RunningGateway {
  readonly url: string;
  readonly bridgeUrl: string;
  /** Where plain HTTP is sent to https. */
  readonly redirectPort?: number;
  /** Looks at certificate and key now; absent without TLS of our own. */
  readonly checkCertificate?: () => void;
  /** Takes nothing new, finishes what runs, closes all files; idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the gateway on its home.
 * @throws PortInUseError, HomeInUseError, SecretFileError, KeyStoreError, StoreUnavailableError, SchemaTooNewError
 */
export async function startGateway(config: GatewayConfig): Promise<RunningGateway> {
  const closers: Closers = [];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= closeInOrder(closers);
    return closing;
  };
  try {
    const { server, certificate, shopper, strangers } = await assemble(config, closers);
    // For "localhost" Fastify opens a second server, which has none of our limits.
    const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
    await listenOn(config.port, 'GATEWAY_PORT', () => server.listen({ host, port: config.port }));
    const { port } = server.server.address() as AddressInfo;
    const { tls, publicUrl } = config.transport;
    const secure = tls ? 's' : '';
    const place = hostAndPort(host, port);
    const url = `http${secure}://${place}`;
    shopper.origin ??= publicUrl ?? url;
    const faults = { clock, random, buildNumber: BUILD_NUMBER, strangers };
    const plain = tls && (await listenForPlain(config, tls, publicUrl ?? url, faults));
    if (plain) closers.push(plain.close);
    const { mode } = config.transport;
    server.log.info({ ...securityEvent('started'), url, mode, version: BUILD_NUMBER }, 'gateway started');
    closers.push(async () => server.log.info(securityEvent('ended'), 'gateway ends'));
    return {
      url,
      bridgeUrl: `ws${secure}://${place}${BRIDGE_PATH}`,
      ...(plain && { redirectPort: plain.port }),
      ...(certificate && { checkCertificate: () => certificate.check() }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A server that does not listen yet. */
interface Assembled {
  readonly server: FastifyInstance;
  readonly certificate: TlsCertificate | undefined;
  readonly shopper: ShopperAddresses;
  readonly strangers: Foundation['strangers'];
}

/** Builds all parts, innermost first; `closers` gets what ends each, to be called in the opposite order. */
async function assemble(config: GatewayConfig, closers: Closers): Promise<Assembled> {
  const foundation = await openFoundation(config, closers);
  const { files, logger, strangers, tokenKey, certificate, metrics, store, node, onFault } = foundation;
  const parts = await buildPayments(foundation, closers);
  const { records, dataKeys, alerts, fingerprint, shopper, egress } = parts;
  const failing = new FailingWork();
  waitingMetrics(metrics, store);
  const single = new SingleWork({ store, node, clock });
  const check = new InvariantCheck({
    store,
    clock,
    log: logger,
    alerts,
    isMine: () => single.isMine(WORK.check),
    records,
  });
  checkMetrics(metrics, check);
  const background = new Background({ clock, failing, single, onFault, closers });
  const { reverseWith, ...work } = buildWork(foundation, parts, background);
  await startWorkers(background, {
    ...{ config, store, clock, random, node, alerts, fingerprint, tokenKey, certificate, egress, dataKeys },
    ...{ ...work, failing, check, reverseWith },
    compareTotals: parts.compareTotals,
    filesFolder: files.acquirerFiles,
  });
  const server = openServer(foundation, parts, { background, ...work }, closers);
  const bridge = openBridge(foundation, parts, { background, server }, closers);
  const causes = standingCauses({
    ...foundation,
    ...parts,
    acquirers: parts.watched,
    fileAcquirers: config.acquirers.flatMap(({ name, files: their }) => (their ? [name] : [])),
    check,
    failing,
  });
  const standing = new StandingAlerts(alerts, causes);
  background.repeat({
    intervalMs: STANDING_INTERVAL_MS,
    work: () => standing.look(),
    fault: 'causes of alerts were not looked at',
  });
  background.repeat({
    name: WORK.restore,
    intervalMs: RESTORE_ROUND_MS,
    work: () => foundation.restore.round(),
    fault: 'what was revoked was not looked for',
  });
  bridgeMetrics(metrics, () => bridge.connected());
  return { server, certificate, shopper, strangers };
}

/** What works beside the payments, for the server and the workers. */
function buildWork(foundation: Foundation, parts: PaymentParts, background: Background) {
  const { config, files, tokenKey, store, node, mode, onFault } = foundation;
  const {
    opened,
    record,
    alerts,
    fingerprint,
    rowSeal: seal,
    egress,
    events,
    paymentContext,
    service,
  } = parts;
  const chargebacks = new Chargebacks({
    context: paymentContext,
    alerts,
    ...(opened.chargebacks && { feed: opened.chargebacks }),
  });
  const settlement: SettlementParts = {
    ...{ store, clock, random, alerts },
    folder: files.reconciliation,
    bookChargebacks: () => chargebacks.round(),
    ...(record && { record }),
  };
  const scheduling = {
    ...{ store, clock, random, events, buildNumber: BUILD_NUMBER },
    times: config.schedules,
  };
  const limits = config.cardTesting;
  const checkouts = new Checkouts({ store, seal, clock, random, mode, limits, fingerprint });
  const reverseWith = {
    store,
    fingerprint,
    followUp: (request: FollowUpRequest) => service.followUp(request),
  };
  const reviews: ReviewWork = {
    ...{ store, alerts, onFault },
    goOn: (paymentId) => service.continueWaiting(paymentId, 'news'),
    reverse: (paymentId) => reversePayment(reverseWith, paymentId),
  };
  return {
    ...{ chargebacks, settlement, scheduling, checkouts, reverseWith, reviews },
    webhooks: webhookParts({ store, clock, random, tokenKey, rules: egressRules(config) }),
    runner: scheduleLoop({
      ...{ ...scheduling, service, node },
      onFault: background.faultOf('a run of a schedule was not made'),
    }),
    resultCalls: resultCallLoop({
      ...{ store, service, checkouts, egress, clock, random, node },
      onFault: background.faultOf('a shop was not called with a result'),
    }),
  };
}

async function closeInOrder(closers: readonly (() => Promise<void>)[]): Promise<void> {
  for (const close of [...closers].reverse()) await close();
}
