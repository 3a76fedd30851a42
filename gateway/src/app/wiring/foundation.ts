import { lockHome } from '@tillbridge/platform/home-lock.js';
import { createLog } from '@tillbridge/platform/log/log.js';
import { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { commitMetrics } from '@tillbridge/platform/metrics/commit-metrics.js';
import { makeRegistry } from '@tillbridge/platform/metrics/registry.js';
import { peersOf } from '@tillbridge/platform/net/peers.js';
import { TlsCertificate } from '@tillbridge/platform/net/tls-certificate.js';
import { preflight } from '@tillbridge/platform/preflight/preflight.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { requireCodeKeys } from '../../core/acquirers/configuration/code-key-rule.js';
import { requirePinRoom } from '../../core/acquirers/configuration/pin-block-rule.js';
import { gatewayPins } from '../../core/bridge/enrolment/gateway-pins.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import { prepareHome } from '../../kernel/data-folder/home.js';
import { LOG_NAME, openHomeSignals, openHomeStore } from '../../kernel/data-folder/open-store.js';
import { NodeLease } from '../../kernel/nodes/node-lease.js';
import { fenceMetrics, leaseMetrics } from '../../kernel/nodes/node-metrics.js';
import { cachedStore } from '../../kernel/store/cached-store.js';
import type { StoreNumbers } from '../../kernel/store/commit-queue.js';
import { poolMetrics } from '../../kernel/store/store-metrics.js';
import { openTracing } from '../../kernel/tracing/open-tracing.js';
import { tracedStore } from '../../kernel/tracing/traced-store.js';
import { homeKeys } from '../../security/home-keys.js';
import { loadGatewayIdentity } from '../../security/keys/gateway-identity.js';
import { loadKeyFile } from '../../security/keys/key-file.js';
import { openSecurityModule } from '../../security/open-security-module.js';
import { recordKey } from '../../security/restored-database/record-file.js';
import { RestoreWatch } from '../../security/restored-database/restore-watch.js';
import { CommitActivity, watchedCommits } from '../../security/restored-database/watch-commits.js';
import { securityFiles } from '../../security/security-files.js';
import { claimKeys } from '../../security/shared-keys.js';
import type { GatewayConfig } from '../configuration/config.js';
import { homeChecks, serveChecks } from './gateway-preflight.js';

/** What ends each part, to be called in the opposite order. */
export type Closers = (() => Promise<void>)[];

/** Ends all parts, the last one first. */
export async function closeInOrder(closers: Closers): Promise<void> {
  for (const close of [...closers].reverse()) await close();
}

/** What everything else of a gateway stands on. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/**
 * Opens keys, security module and database of a home, and takes its lease; `closers` gets what ends each.
 * @throws ConfigError an acquirer's messages cannot hold the PIN blocks of its key
 */
export async function openFoundation(config: GatewayConfig, closers: Closers) {
  const files = gatewayFiles(config.home);
  const keyFiles = securityFiles(config.home);
  prepareHome(config.home);
  await preflight(homeChecks(config), warnOperator);
  const lock = await lockHome({ home: config.home, program: 'gateway', variable: 'GATEWAY_HOME' });
  closers.push(() => lock.release());
  await preflight(serveChecks(config), warnOperator);
  const logger = createLog(LOG_NAME, config.log);
  const strangers = new StrangerLog({ log: logger, clock });
  closers.push(async () => strangers.close());
  const tokenKey = loadKeyFile(files.tokenKey);
  const identity = loadGatewayIdentity(keyFiles);
  const certificate = config.transport.tls && new TlsCertificate('tls', config.transport.tls);
  const pins = gatewayPins(config.bridge, identity, certificate);
  const securityModule = openSecurityModule({
    files: keyFiles,
    mode: config.transport.mode,
    random,
    ...(config.token && { token: config.token }),
  });
  const { module: security } = securityModule;
  closers.push(async () => securityModule.close());
  if (config.acquirers.length > 0) {
    const keys = securityModule.keys.list();
    requirePinRoom(config.acquirers, keys);
    requireCodeKeys(config.acquirers, keys);
  }
  const metrics = makeRegistry();
  const onCommit = commitMetrics(metrics, 'tillbridge_gateway_store');
  const signals = await openHomeSignals(config);
  closers.push(() => signals.close());
  const onOpen = (numbers: () => StoreNumbers): void => poolMetrics(metrics, numbers);
  const base = await openHomeStore(config, { onCommit, onOpen, signals, log: logger });
  const tracing = await openTracing(process.env);
  if (tracing) closers.push(() => tracing.close());
  const activity = new CommitActivity();
  const watched = watchedCommits(base, activity);
  const store = tracedStore(fenceMetrics(metrics, cachedStore(watched, clock, signals)), tracing);
  closers.push(() => store.close());
  const onFault = (what: string, err: unknown): void => logger.warn({ err }, what);
  await claimKeys(store, homeKeys(config, { tokenKey, identity }));
  const [path, key] = [files.restoreRecord, recordKey(tokenKey)];
  const restore = await RestoreWatch.begin({
    ...{ store, signals, clock, random, path, key, activity, onFault },
  });
  closers.push(() => restore.end());
  const isSingleNode = config.databaseUrl === undefined;
  const node = await NodeLease.begin({ store, clock, random, isSingleNode, onFault });
  closers.push(() => node.end());
  leaseMetrics(metrics, node);
  return {
    config,
    files,
    keyFiles,
    logger,
    strangers,
    tokenKey,
    identity,
    certificate,
    pins,
    securityModule,
    security,
    metrics,
    signals,
    tracing,
    store,
    node,
    restore,
    isSingleNode,
    clock,
    random,
    mode: config.transport.mode,
    transport: { ...config.transport, proxies: peersOf(config.transport.trustedProxies) },
    onFault,
  };
}

/** Before there is a log: what does not stand in the way of a start. */
function warnOperator(text: string): void {
  process.stderr.write(`tillbridge-gateway: ${text}\n`);
}
