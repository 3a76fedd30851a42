import type { AddressInfo } from 'node:net';
import { securityEvent } from '@tillbridge/platform/log/security-events.js';
import { buildMetrics, certificateMetrics } from '@tillbridge/platform/metrics/build-metrics.js';
import { hostAndPort, listenOn } from '@tillbridge/platform/net/listening.js';
import type { TlsCertificate } from '@tillbridge/platform/net/tls-certificate.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import type { FastifyInstance } from 'fastify';
import { bridgeMetrics } from '../../core/bridge/bridge-metrics.js';
import { BRIDGE_PATH } from '../../core/bridge/endpoint.js';
import { openBridge, startBridgeWork } from '../../core/bridge/open-bridge.js';
import { STANDING_INTERVAL_MS, StandingAlerts } from '../../kernel/alerts/standing-alerts.js';
import { BUILD_NUMBER } from '../../kernel/configuration/build-number.js';
import { BUILD, STORE_SCHEMA } from '../../kernel/data-folder/version.js';
import { listenForPlain } from '../../kernel/http/transport/listen-for-plain.js';
import { SingleWork } from '../../kernel/nodes/single-work.js';
import { waitingMetrics } from '../../kernel/store/store-metrics.js';
import { Background } from '../../kernel/workers/background.js';
import { RESTORE_ROUND_MS } from '../../security/restored-database/restore-watch.js';
import type { ShopperAddresses } from '../../security/tokens/shopper-addresses.js';
import { MessageSeal } from '../../security/vault/message-seal.js';
import type { GatewayConfig } from '../configuration/config.js';
import { checkMetrics } from '../ledger-check/check-metrics.js';
import { CHECK_WORK, InvariantCheck } from '../ledger-check/invariant-check.js';
import { certificatesInUse } from './certificates-in-use.js';
import { type Closers, closeInOrder, type Foundation, openFoundation } from './foundation.js';
import { openKernel } from './open-kernel.js';
import { openServer } from './open-server.js';
import { standingCauses } from './standing-causes.js';
import { startWork } from './start-work.js';

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
  const { logger: log, strangers, certificate, metrics, store, node, signals, onFault } = foundation;
  const { identity, pins, transport, isSingleNode } = foundation;
  const open = await openKernel(foundation, closers);
  const { kernel, payments, dataKeys, acquirers } = open;
  const { alerts, shopper, service } = kernel;
  waitingMetrics(metrics, store);
  for (const feature of open.features) feature.metrics?.(metrics);
  buildMetrics(metrics, 'tillbridge_gateway', BUILD, String(STORE_SCHEMA));
  certificateMetrics(metrics, 'tillbridge_gateway', certificatesInUse(config, certificate));
  const single = new SingleWork({ store, node, clock });
  const check = new InvariantCheck({
    ...{ store, clock, log, alerts, records: acquirers.records },
    isMine: () => single.isMine(CHECK_WORK),
  });
  checkMetrics(metrics, check);
  const background = new Background({ clock, single, onFault, closers });
  await startWork(background, foundation, open, check);
  const server = openServer(foundation, open, background, closers);
  const seal = new MessageSeal(dataKeys.ring);
  const bridge = openBridge({
    ...{ store, service, node, signals, clock, random, alerts, log, strangers, seal },
    ...{ transport, identity, pins, isSingleNode, onFault },
    server: server.server,
    parkAfterMs: config.parkAfterMs,
    acquirers: acquirers.watched,
  });
  closers.push(() => bridge.close());
  bridgeMetrics(metrics, () => bridge.connected());
  startBridgeWork(background, bridge, { store, node, service, seal, clock, log });
  background.repeat({
    name: 'record of what was revoked',
    intervalMs: RESTORE_ROUND_MS,
    work: () => foundation.restore.round(),
    fault: 'what was revoked was not looked for',
  });
  const causes = standingCauses({ ...foundation, acquirers, payments, check, background });
  const standing = new StandingAlerts(alerts, causes);
  background.repeat({
    intervalMs: STANDING_INTERVAL_MS,
    work: () => standing.look(),
    fault: 'causes of alerts were not looked at',
  });
  return { server, certificate, shopper, strangers };
}
