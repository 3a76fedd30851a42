import type { KeyObject } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { lockHome } from '@tillbridge/protocol/platform/home-lock.js';
import { createLog } from '@tillbridge/protocol/platform/log/log.js';
import { commitMetrics } from '@tillbridge/protocol/platform/metrics/commit-metrics.js';
import { makeRegistry } from '@tillbridge/protocol/platform/metrics/registry.js';
import { hostAndPort, listenOn } from '@tillbridge/protocol/platform/net/listening.js';
import { peersOf } from '@tillbridge/protocol/platform/net/peers.js';
import { TlsCertificate } from '@tillbridge/protocol/platform/net/tls-certificate.js';
import { systemClock as clock } from '@tillbridge/protocol/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/protocol/platform/system-random.js';
import type { FastifyInstance } from 'fastify';
import { HttpBank } from '../acquirers/internal/http-bank.js';
import { linkRecords } from '../acquirers/open/link-records.js';
import { openAcquirer } from '../acquirers/open/open-acquirer.js';
import { WatchedAcquirer } from '../acquirers/watched-acquirer.js';
import type { RaiseTrustAlert } from '../agents/trust-alerts.js';
import { alertMetrics } from '../alerts/alert-metrics.js';
import { Alerts } from '../alerts/alerts.js';
import { STANDING_INTERVAL_MS, StandingAlerts } from '../alerts/standing-alerts.js';
import { bridgeMetrics } from '../bridge/bridge-metrics.js';
import { attachBridge, BRIDGE_PATH } from '../bridge/endpoint.js';
import { Checkouts } from '../checkouts/checkouts.js';
import { resultCallLoop } from '../checkouts/result-calls.js';
import { BUILD_NUMBER } from '../config/build-number.js';
import type { GatewayConfig } from '../config/config.js';
import { readDemoCredentials } from '../demo/demo-credentials.js';
import { DemoShop } from '../demo/demo-shop.js';
import { Egress } from '../egress/egress.js';
import { egressRules } from '../egress/egress-rules.js';
import { EntityEvents } from '../events/entity-events.js';
import { SnapshotEvents } from '../events/snapshot-events.js';
import { gatewayFiles, ledgerPlace } from '../home/gateway-files.js';
import { prepareHome } from '../home/home.js';
import { readHomeTables } from '../home/home-tables.js';
import { openHomeSignals, openHomeStore } from '../home/open-store.js';
import { claimKeys, type SharedKey, sharedIdentity, sharedKey } from '../home/shared-keys.js';
import { buildServer } from '../http/server.js';
import { meteredThrottle } from '../http/throttle/metered-throttle.js';
import { SharedThrottle, TELL_INTERVAL_MS } from '../http/throttle/shared-throttle.js';
import { LocalThrottle } from '../http/throttle/throttle.js';
import { checkMetrics } from '../invariants/check-metrics.js';
import { InvariantCheck } from '../invariants/invariant-check.js';
import { NodeLease } from '../nodes/node-lease.js';
import { fenceMetrics, leaseMetrics } from '../nodes/node-metrics.js';
import { SingleWork } from '../nodes/single-work.js';
import { PaymentLinks } from '../pay-by-link/payment-links.js';
import { Chargebacks } from '../payments/chargebacks/chargebacks.js';
import { findBin } from '../payments/decide/bin-table.js';
import type { FollowUpRequest } from '../payments/decide/requests.js';
import type { PaymentContext } from '../payments/flow/payment-context.js';
import { riskGate } from '../payments/gates/risk-gate.js';
import { standingGate } from '../payments/gates/standing-gate.js';
import { meteredService } from '../payments/metered-service.js';
import { GatewayPaymentService } from '../payments/service.js';
import { SHIPPED_BIN_TABLE } from '../payments/shipped-bin-table.js';
import { undoPayment } from '../payments/undo-payment.js';
import { APPROVED_CODES, Registrations } from '../registrations/registrations.js';
import type { ReviewWork } from '../risk/reviews.js';
import type { RiskCheckParts } from '../risk/risk-check.js';
import { HttpScreening } from '../risk/screening.js';
import { scheduleLoop } from '../schedules/schedule-runner.js';
import { Schedules } from '../schedules/schedules.js';
import { currentKeySets } from '../security/keys/device-key-sets.js';
import { type GatewayIdentity, loadGatewayIdentity } from '../security/keys/gateway-identity.js';
import { loadKeyFile } from '../security/keys/key-file.js';
import { openDataKeys } from '../security/open-data-keys.js';
import { openSecurityModule } from '../security/open-security-module.js';
import { securityFiles } from '../security/security-files.js';
import { keyedFingerprint } from '../security/tokens/fingerprint.js';
import { ShopperAddresses } from '../security/tokens/shopper-addresses.js';
import { MessageSeal } from '../security/vault/message-seal.js';
import { RowSeal } from '../security/vault/row-seal.js';
import { AesGcmVault } from '../security/vault/vault-aes-gcm.js';
import { WaitSeal } from '../security/vault/wait-seal.js';
import { StoredWalletTokens } from '../security/wallets/wallet-tokens.js';
import type { SettlementParts } from '../settlement/settlement-service.js';
import { cachedStore } from '../store/cached-store.js';
import type { StoreNumbers } from '../store/commit-queue.js';
import { poolMetrics, waitingMetrics } from '../store/store-metrics.js';
import { openTracing } from '../tracing/open-tracing.js';
import { tracedAcquirer, tracedService, tracedStore } from '../tracing/traced.js';
import { webhookParts } from '../webhooks/webhook-parts.js';
import { WidgetBuilds } from '../widget/builds.js';
import { FailingWork } from '../workers/failing-work.js';
import { Background } from './background.js';
import { bridgeArrival } from './bridge-arrival.js';
import { gatewayPins } from './gateway-pins.js';
import { listenForPlain } from './listen.js';
import { openAcquirerLinks } from './open-acquirer-links.js';
import { standingCauses, WORK } from './standing-causes.js';
import { startBridgeWork, startWorkers } from './start-workers.js';
import { buildThreeDSecure } from './three-d-secure.js';

/** How soon agents of a node that stops go to another one, in milliseconds. */
const OTHER_NODE_MS = 200;

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
  const closers: (() => Promise<void>)[] = [];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= closeInOrder(closers);
    return closing;
  };
  try {
    const { server, certificate, shopper } = await assemble(config, closers);
    // For "localhost" Fastify opens a second server, which has none of our limits.
    const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
    await listenOn(config.port, 'GATEWAY_PORT', () => server.listen({ host, port: config.port }));
    const { port } = server.server.address() as AddressInfo;
    const { tls, publicUrl } = config.transport;
    const secure = tls ? 's' : '';
    const place = hostAndPort(host, port);
    const url = `http${secure}://${place}`;
    shopper.origin ??= publicUrl ?? url;
    const faults = { clock, random, buildNumber: BUILD_NUMBER, logger: server.log };
    const plain = tls && (await listenForPlain(config, tls, publicUrl ?? url, faults));
    if (plain) closers.push(plain.close);
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
}

/** Builds all parts, innermost first; `closers` gets what ends each, to be called in the opposite order. */
async function assemble(config: GatewayConfig, closers: (() => Promise<void>)[]): Promise<Assembled> {
  const files = gatewayFiles(config.home);
  const keyFiles = securityFiles(config.home);
  prepareHome(config.home);
  const lock = await lockHome({ home: config.home, program: 'gateway', variable: 'GATEWAY_HOME' });
  closers.push(() => lock.release());
  const logger = createLog('tillbridge-gateway', config.log);
  const tokenKey = loadKeyFile(files.tokenKey);
  const identity = loadGatewayIdentity(keyFiles);
  const certificate = config.transport.tls && new TlsCertificate('tls', config.transport.tls);
  const pins = gatewayPins(config, identity, certificate);
  const securityModule = openSecurityModule({
    files: keyFiles,
    mode: config.transport.mode,
    random,
    ...(config.token && { token: config.token }),
  });
  const { module: security } = securityModule;
  closers.push(async () => securityModule.close());
  const metrics = makeRegistry();
  const onCommit = commitMetrics(metrics, 'tillbridge_gateway_store');
  const signals = await openHomeSignals(config);
  closers.push(() => signals.close());
  const onOpen = (numbers: () => StoreNumbers): void => poolMetrics(metrics, numbers);
  const base = await openHomeStore(config, { onCommit, onOpen, signals });
  const tracing = await openTracing(process.env);
  if (tracing) closers.push(() => tracing.close());
  const store = tracedStore(fenceMetrics(metrics, cachedStore(base, clock, signals)), tracing);
  closers.push(() => store.close());
  const onFault = (what: string, err: unknown): void => logger.warn({ err }, what);
  await claimKeys(store, sharedKeysOf(config, { tokenKey, identity }));
  const isAlone = config.databaseUrl === undefined;
  const node = await NodeLease.begin({ store, clock, random, isAlone, onFault });
  closers.push(() => node.end());
  leaseMetrics(metrics, node);
  const { mode } = config.transport;
  const { record, close, ...opened } = await openAcquirer(mode, () => ({
    ...ledgerPlace(config),
    hashKey: loadKeyFile(keyFiles.internalAcquirerKey),
    security,
    clock,
    random,
    ...(config.simulatedBankUrl !== undefined && { bank: new HttpBank(config.simulatedBankUrl) }),
  }));
  closers.push(close);
  const acquirer = new WatchedAcquirer(tracedAcquirer(opened.acquirer, tracing), clock);
  const { acquirers } = config;
  const { links, close: closeLinks } = await openAcquirerLinks({
    ...{ acquirers, store, node, clock, security, mode, metrics, tracing, log: logger },
  });
  closers.push(closeLinks);
  const watched = [acquirer, ...links.values()];
  const records = [...(record ? [record] : []), ...linkRecords(acquirers, store)];
  const dataKeys = await openDataKeys(securityModule, { store, random, clock });
  const vault = new AesGcmVault({ dataKeys: dataKeys.ring, store, random, clock });
  const alerts = new Alerts({ store, clock, log: logger });
  alertMetrics(metrics, store);
  const failing = new FailingWork();
  const seal = new MessageSeal(dataKeys.ring);
  const fingerprint = keyedFingerprint(dataKeys.fingerprintKey);
  const tables = readHomeTables(files);
  const bins = tables.binTable;
  const shopper = new ShopperAddresses(fingerprint);
  const waitSeal = new WaitSeal(dataKeys.ring);
  const rowSeal = new RowSeal(dataKeys.ring);
  const shopperPages = (paymentId: string) => shopper.pagesOf(paymentId);
  const threeDSecure = buildThreeDSecure({
    directoryServerUrl: config.directoryServerUrl,
    origin: () => shopper.origin,
    shopperPages,
    store,
    seal: waitSeal,
    fingerprint,
    clock,
    random,
    mode,
    onFault,
  });
  const egress = new Egress({ ...egressRules(config), clock });
  const risk: RiskCheckParts = {
    store,
    fingerprint,
    clock,
    countryOf: (bin) => findBin(bins ?? SHIPPED_BIN_TABLE, bin)?.country,
    countryOfIp: tables.ipCountries,
    ...(config.screening && {
      screening: {
        service: new HttpScreening({ ...config.screening, egress, onFault }),
        whenSilent: config.screening.whenSilent,
      },
    }),
  };
  const events = new EntityEvents(store, clock);
  const paymentContext: PaymentContext = {
    store,
    node,
    acquirer,
    links,
    security,
    deviceKeySets: currentKeySets(() => security.deviceKeySets()),
    vault,
    waitSeal,
    registrationSeal: rowSeal,
    shopperPages,
    wallets: new StoredWalletTokens({ store, dataKeys: dataKeys.ring, clock, mode }),
    fingerprint,
    // A person reviews what is left to decide once the shopper has done their part.
    gates: [standingGate({ store, fingerprint, clock }), threeDSecure.gate, riskGate(risk)],
    mode,
    clock,
    random,
    alerts,
    events: new SnapshotEvents({
      events,
      random,
      bins,
      buildNumber: BUILD_NUMBER,
      sendsMail: config.mail !== undefined,
    }),
    onFault,
  };
  const payments = new GatewayPaymentService(paymentContext);
  closers.push(() => payments.stop());
  payments.startResolver(config.resolverIntervalMs);
  const logMessage = (about: object, text: string): void => logger.info(about, text);
  const service = tracedService(meteredService(payments, metrics, clock), tracing, logMessage);
  const chargebacks = new Chargebacks({
    context: paymentContext,
    alerts,
    ...(opened.chargebacks && { feed: opened.chargebacks }),
  });
  const settlement: SettlementParts = {
    store,
    clock,
    random,
    folder: files.reconciliation,
    bookChargebacks: () => chargebacks.round(),
    ...(record && { record }),
  };
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
  const webhooks = webhookParts({ store, clock, random, tokenKey, rules: egressRules(config) });
  const scheduling = { store, clock, random, events, buildNumber: BUILD_NUMBER };
  const checkouts = new Checkouts({
    store,
    seal: rowSeal,
    clock,
    random,
    mode,
    limits: config.cardTesting,
    fingerprint,
  });
  const background = new Background({ clock, failing, single, onFault, closers });
  const undoWith = { store, fingerprint, followUp: (request: FollowUpRequest) => service.followUp(request) };
  const reviews: ReviewWork = {
    store,
    alerts,
    goOn: (paymentId) => service.continueWaiting(paymentId, 'news'),
    undo: (paymentId) => undoPayment(undoWith, paymentId),
    onFault,
  };
  const runner = scheduleLoop({
    ...scheduling,
    service,
    node,
    onFault: background.faultOf('a run of a schedule was not made'),
  });
  const resultCalls = resultCallLoop({
    ...{ store, service, checkouts, egress, clock, random, node },
    onFault: background.faultOf('a shop was not called with a result'),
  });
  await startWorkers(background, {
    config,
    store,
    clock,
    random,
    node,
    alerts,
    fingerprint,
    tokenKey,
    certificate,
    egress,
    dataKeys,
    failing,
    settlement,
    chargebacks,
    check,
    webhooks,
    runner,
    resultCalls,
    reviews,
    undoWith,
  });
  const transport = { ...config.transport, proxies: peersOf(config.transport.trustedProxies) };
  const demo = mode === 'test' ? readDemoCredentials(files.credentials) : undefined;
  const throttle = new SharedThrottle(new LocalThrottle(config.throttle, clock), signals, random);
  background.repeat({
    intervalMs: TELL_INTERVAL_MS,
    work: async () => throttle.tell(),
    fault: 'other nodes were not told of requests',
  });
  const server = buildServer({
    store,
    node,
    tokenKey,
    clock,
    random,
    service,
    fingerprint,
    registrations: new Registrations({
      ...paymentContext,
      events,
      buildNumber: BUILD_NUMBER,
      approvedCode: APPROVED_CODES[mode],
    }),
    checkouts,
    widget: new WidgetBuilds({ store, clock }),
    links: new PaymentLinks({ store, seal: rowSeal, clock, random, checkouts, service }),
    ...(demo && { demo: new DemoShop(demo, () => shopper.origin) }),
    webhooks,
    schedules: new Schedules(scheduling),
    scheduleLoop: runner,
    resultCallLoop: resultCalls,
    events,
    throttle: meteredThrottle(throttle, metrics),
    transport,
    ...(tracing && { tracing }),
    limits: config.limits,
    ...(certificate && { tls: certificate.pair }),
    logger,
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
  const alert: RaiseTrustAlert = (about) =>
    void alerts.raise(about).catch((error: unknown) => onFault('alert not stored', error));
  const bridge = attachBridge({
    arrivalOf: (request) => bridgeArrival(transport, request, pins().tlsPins),
    trust: { signingKey: identity.signingKey, pins, alert },
    server: server.server,
    service,
    store,
    node,
    signals,
    clock,
    random,
    alerts,
    log: logger,
    seal,
    limits: { streamBlockMs: config.parkAfterMs, ...(!isAlone && { leaveMs: OTHER_NODE_MS }) },
    isAcquirerSilent: () => watched.some(({ isSilent }) => isSilent),
  });
  closers.push(() => bridge.close());
  startBridgeWork(background, { store, node, service, seal, clock, log: logger, bridge });
  const causes = standingCauses({
    acquirers: watched,
    security,
    check,
    payments,
    failing,
    node,
    certificate,
  });
  const standing = new StandingAlerts(alerts, causes);
  background.repeat({
    intervalMs: STANDING_INTERVAL_MS,
    work: () => standing.look(),
    fault: 'causes of alerts were not looked at',
  });
  bridgeMetrics(metrics, () => bridge.connected());
  return { server, certificate, shopper };
}

/** The keys that all nodes on the database need. Of the key store and of a token the data keys of the database tell: they do not open without. */
function sharedKeysOf(
  { home, transport }: GatewayConfig,
  { tokenKey, identity }: { readonly tokenKey: KeyObject; readonly identity: GatewayIdentity },
): readonly SharedKey[] {
  const { internalAcquirerKey, gatewayIdentity } = securityFiles(home);
  const ofFile = (name: string, file: string) => sharedKey(name, file, loadKeyFile(file));
  return [
    sharedKey('token', gatewayFiles(home).tokenKey, tokenKey),
    sharedIdentity(gatewayIdentity, identity),
    ...(transport.mode === 'test' ? [ofFile('internal-acquirer', internalAcquirerKey)] : []),
  ];
}

async function closeInOrder(closers: readonly (() => Promise<void>)[]): Promise<void> {
  for (const close of [...closers].reverse()) await close();
}
