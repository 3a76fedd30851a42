import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { securityEvent } from '@tillbridge/platform/log/security-events.js';
import { buildMetrics, certificateMetrics } from '@tillbridge/platform/metrics/build-metrics.js';
import { commitMetrics } from '@tillbridge/platform/metrics/commit-metrics.js';
import { makeRegistry } from '@tillbridge/platform/metrics/registry.js';
import { expiryOf } from '@tillbridge/platform/net/certificate-facts.js';
import { hostAndPort, listenOn } from '@tillbridge/platform/net/listening.js';
import { TlsCertificate } from '@tillbridge/platform/net/tls-certificate.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { arrivalHeaders } from '@tillbridge/wire/bridge/arrival.js';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { TillRegistry } from '../access/till-registry.js';
import { ensureToken, readToken } from '../access/token.js';
import { CommandExecutor } from '../commands/command-executor.js';
import { reportSale } from '../commands/report-sale.js';
import type { AgentConfig } from '../config/config.js';
import type { NexoConfig } from '../config/nexo.js';
import type { ZvtConfig } from '../config/zvt.js';
import { DeviceRegistry } from '../drivers/device-registry.js';
import { type OpenTerminal, openTerminal } from '../drivers/open-terminal.js';
import type { ExposureChange } from '../history/exposure-change.js';
import { pastExposure } from '../history/past-exposure.js';
import { HISTORY_LIMITS, StoreHistory } from '../history/store-history.js';
import { HOME_FILES, lockAgentHome } from '../home/home-files.js';
import { BUILD, SOFTWARE } from '../home/version.js';
import { CountersignedHeads } from '../journal/digest/countersigned-heads.js';
import { loadOrCreateKey } from '../journal/key-file.js';
import { JOURNAL_SCHEMA } from '../journal/tables.js';
import type { AgentLog } from '../log/log.js';
import { agentMetrics } from '../metrics/agent-metrics.js';
import { standingMetrics } from '../metrics/journal-metrics.js';
import type { NexoServing } from '../nexo/server/serve-nexo.js';
import { type ReplicaService, serveReplicas } from '../replica/serve-replicas.js';
import { fingerprintKey } from '../sale/offline/card-fingerprint.js';
import type { TerminalProfile } from '../sale/records/bridge-messages.js';
import { SaleRunner } from '../sale/runner.js';
import { createTillServer } from '../till/server.js';
import { BridgeUplink } from '../uplink/bridge-uplink.js';
import { fileTrust, type GatewayTrust } from '../uplink/gateway-trust.js';
import { type AgentIdentity, IdentityError, loadIdentity } from '../uplink/identity.js';
import { filePolicy, StorePolicyKeeper } from '../uplink/store-policy-keeper.js';
import { StoreTodos } from '../uplink/store-todos.js';
import { tlsOptions } from '../uplink/tls-trust.js';
import { websocketConnector } from '../uplink/websocket-connector.js';
import type { ZvtServing } from '../zvt/server/serve-zvt.js';
import { type AgentJournal, openAgentJournal } from './agent-journal.js';

/** How long tills that wait for a sale are given to hear its state when the agent ends. */
const LAST_ANSWERS_MS = 2_000;

/** A running agent. */
export interface Agent {
  /** Where tills call. */
  readonly url: string;
  /** Where tills that speak nexo post to, and the files that they need; absent where they are not served. */
  readonly nexo?: Pick<NexoServing, 'url' | 'authorityFile' | 'keyFile'>;
  /** Where each till that speaks ZVT connects to; absent where there is none. */
  readonly zvt?: ZvtServing['tills'];
  /** Looks at the certificates of tills' server and replicas now; absent where there are none. */
  readonly checkCertificates?: () => void;
  /** Lets every sale come to a state that the next start continues from, and frees ports and sockets. */
  close(): Promise<void>;
}

/**
 * Starts the agent: journal, terminals, sales, tills' server, uplink, in this order. Tills are served when it resolves.
 * The home must exist.
 * @throws HomeInUseError, HomeUnusableError, IdentityError, TokenError, KeyFileError, CopyKeyError, InterruptedRestore, ConfigError for a certificate, PortInUseError, or the operating system's error for an address that is not its own or an unusable home
 */
export async function startAgent(config: AgentConfig, log: AgentLog): Promise<Agent> {
  const lock = await lockAgentHome(config.home);
  try {
    const identity = loadIdentity(config.home);
    const trust = loadTrust(config);
    const token = config.tokenFile === undefined ? ensureToken(config.home) : readToken(config.tokenFile);
    const metrics = makeRegistry();
    const onCommit = commitMetrics(metrics, 'tillbridge_agent_journal');
    const journal = await openAgentJournal(config, identity, log, onCommit);
    const release = async (): Promise<void> => {
      await journal.close();
      await lock.release();
    };
    return await startParts({ config, log, identity, trust, token, journal, metrics }, release).catch(
      async (error: unknown) => {
        await journal.close();
        throw error;
      },
    );
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** In live mode TLS keys are pinned: a home that was enrolled without TLS belongs to a test. */
function loadTrust({ home, mode, bridgeUrl }: AgentConfig): GatewayTrust {
  const trust = fileTrust(home);
  if (mode === 'test') return trust;
  if (!bridgeUrl.startsWith('wss:'))
    throw new IdentityError(
      `gateway.bridgeUrl must be a wss: address in live mode: without one the agent would call ${bridgeUrl}`,
    );
  if (trust.pins.tlsPins.length > 0) return trust;
  throw new IdentityError(
    `${home} was enrolled without TLS: in live mode the gateway's TLS keys are pinned; enrol a new home over wss:`,
  );
}

/** What stands before anything runs. */
interface Foundation {
  readonly config: AgentConfig;
  readonly log: AgentLog;
  readonly identity: AgentIdentity;
  readonly trust: GatewayTrust;
  readonly token: string;
  readonly journal: AgentJournal;
  readonly metrics: Registry;
}

async function startParts(foundation: Foundation, release: () => Promise<void>): Promise<Agent> {
  const { config, log, identity, trust, journal, metrics } = foundation;
  const terminals = await openTerminals(config, log);
  const { agentId } = identity;
  const storage = filePolicy(config.home);
  const storePolicy = new StorePolicyKeeper({ agentId, pins: () => trust.pins, storage, log });
  const todos = new StoreTodos();
  const runner = createRunner(config, journal, terminals, storePolicy, log);
  const uplink = createUplink(foundation, runner, terminals, { storePolicy, todos });
  uplink.onGatewayTime((timeMs) => journal.noteGatewayTime(timeMs));
  standingMetrics(metrics, () => journal.detail());
  agentMetrics(metrics, { service: runner.service, queue: runner.queue, clock: systemClock });
  const history = new StoreHistory({ service: runner.service, queue: runner.queue, clock: systemClock });
  const certificate = config.tls && new TlsCertificate('tls', config.tls);
  buildMetrics(metrics, 'tillbridge_agent', BUILD, String(JOURNAL_SCHEMA));
  certificateMetrics(
    metrics,
    'tillbridge_agent',
    certificate ? [{ name: 'tls', expiresAtMs: () => expiryOf(certificate.pair.cert) }] : [],
  );
  const server = createServer(foundation, { runner, uplink, terminals, certificate }, { history, todos });
  const parts: Parts = {
    server,
    runner,
    uplink,
    terminals,
    certificate,
    replicas: undefined,
    nexo: undefined,
    zvt: undefined,
  };
  try {
    if (config.replica) parts.replicas = await serveReplicas(config.replica, log.child({ part: 'replica' }));
    // A server that was built with a certificate is one of TLS.
    certificate?.follow(server.server, { clock: systemClock, log });
    // For "localhost" Fastify opens a second server, which has none of our limits.
    const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
    const { port } = config;
    await listenOn(port, 'AGENT_PORT', () => server.listen({ host, port }));
    if (config.nexo) parts.nexo = await openNexo(config.nexo, foundation, runner);
    if (config.zvt) parts.zvt = await openZvt(config.zvt, foundation, runner);
    await runner.start(uplink);
    history.restore(await exposureBefore(journal, log));
  } catch (error) {
    await closeParts(parts);
    throw error;
  }
  uplink.start();
  return startedAgent(foundation, parts, release);
}

function openTerminals(
  { terminals, merchant, home, capks }: AgentConfig,
  log: AgentLog,
): Promise<OpenTerminal[]> {
  const registry = new DeviceRegistry(join(home, HOME_FILES.devices));
  return Promise.all(
    terminals.map((terminal) =>
      openTerminal(terminal, merchant, { clock: systemClock, log, registry, ...(capks && { capks }) }),
    ),
  );
}

function createUplink(
  { config, log, identity, trust, journal }: Foundation,
  runner: SaleRunner,
  terminals: readonly OpenTerminal[],
  { storePolicy, todos }: { readonly storePolicy: StorePolicyKeeper; readonly todos: StoreTodos },
): BridgeUplink {
  const { generation } = journal;
  const uplink: BridgeUplink = new BridgeUplink({
    speaker: { identity, bootId: randomUUID(), generation, software: SOFTWARE },
    connect: websocketConnector(
      config.bridgeUrl,
      () => tlsOptions(trust.pins),
      arrivalHeaders(identity.agentId, identity.privateKey),
    ),
    trust,
    queue: runner.queue,
    policy: storePolicy,
    todos,
    commands: new CommandExecutor({
      service: runner.service,
      status: () => uplink.heartbeat(),
      report: (reference) =>
        reportSale({ journal: journal.journal, terminals: config.terminals, clock: systemClock }, reference),
      log,
    }),
    journal: journal.watch,
    heads: new CountersignedHeads({
      journal: journal.journal,
      agentId: identity.agentId,
      generation,
      identityKeys: () => trust.pins.identityKeys,
      clock: systemClock,
      onFault: (error) => log.error({ err: error }, 'head of the journal not countersigned'),
    }),
    terminals: () => terminals.map(terminalStatus),
    clock: systemClock,
    random: systemRandom,
    log: log.child({ part: 'uplink' }),
  });
  return uplink;
}

function createServer(
  { config, log, token, journal, metrics }: Foundation,
  { runner, uplink, terminals, certificate }: Pick<Parts, 'runner' | 'uplink' | 'terminals' | 'certificate'>,
  { history, todos }: { readonly history: StoreHistory; readonly todos: StoreTodos },
): FastifyInstance {
  return createTillServer({
    metrics,
    service: runner.service,
    link: uplink,
    todos: () => todos.list(),
    journal: () => journal.detail(),
    history: () => history.view(),
    lineProblem: (terminalId) => terminals.find(({ config: { id } }) => id === terminalId)?.lineFault(),
    terminalName: (terminalId) => terminals.find(({ config: { id } }) => id === terminalId)?.config.name,
    token,
    tills: new TillRegistry(join(config.home, HOME_FILES.tills), systemRandom),
    sessionsPath: join(config.home, HOME_FILES.sessions),
    store: config.store,
    origins: config.tillOrigins,
    hostNames: config.hostNames,
    ...(certificate && { tls: certificate.pair }),
    clock: systemClock,
    log: log.child({ part: 'till' }),
  });
}

function startedAgent(
  { config, log, identity: { agentId }, journal: { generation } }: Foundation,
  parts: Parts,
  release: () => Promise<void>,
): Agent {
  const { server, terminals, certificate, nexo, zvt } = parts;
  const { address, port } = server.server.address() as AddressInfo;
  const url = `${config.tls ? 'https' : 'http'}://${hostAndPort(address, port)}`;
  const hasCertificates = [config.tls, config.replica?.tls, config.zvt?.tls].some((tls) => tls !== undefined);
  log.info(
    { ...securityEvent('started'), url, agentId, generation, terminals: terminals.length },
    'agent started',
  );
  return {
    url,
    ...(nexo && { nexo }),
    ...(zvt && { zvt: zvt.tills }),
    ...(hasCertificates && {
      checkCertificates: () => {
        certificate?.check();
        parts.replicas?.checkCertificate();
        parts.zvt?.checkCertificate();
      },
    }),
    close: async () => {
      await closeParts(parts);
      await release();
    },
  };
}

/** What waited before the start; none of it where the journal cannot be read. */
async function exposureBefore({ journal }: AgentJournal, log: AgentLog): Promise<readonly ExposureChange[]> {
  try {
    return await pastExposure(journal, systemClock.nowMs() - HISTORY_LIMITS.maxAgeMs);
  } catch (error) {
    log.warn({ err: error }, 'the history begins at the start: the journal cannot be read');
    return [];
  }
}

/** The libraries of the nexo interface are loaded where it is served. */
async function openNexo(nexo: NexoConfig, foundation: Foundation, runner: SaleRunner): Promise<NexoServing> {
  const { serveNexo } = await import('../nexo/server/serve-nexo.js');
  return serveNexo(nexo, tillDeps('nexo', foundation, runner));
}

/** Its modules are loaded where it is served. */
async function openZvt(zvt: ZvtConfig, foundation: Foundation, runner: SaleRunner): Promise<ZvtServing> {
  const { serveZvt } = await import('../zvt/server/serve-zvt.js');
  return serveZvt(zvt, tillDeps('zvt', foundation, runner));
}

/** What a protocol of tills is served with. */
function tillDeps(
  part: 'nexo' | 'zvt',
  { config, journal: { journal }, log }: Foundation,
  { service: sales }: SaleRunner,
) {
  const { home, merchant, store } = config;
  return {
    home,
    sales,
    journal,
    merchantId: merchant.merchantId,
    currency: merchant.currency,
    store,
    clock: systemClock,
    random: systemRandom,
    log: log.child({ part }),
  };
}

interface Parts {
  readonly server: FastifyInstance;
  readonly runner: SaleRunner;
  readonly uplink: BridgeUplink;
  readonly terminals: readonly OpenTerminal[];
  readonly certificate: TlsCertificate | undefined;
  replicas: ReplicaService | undefined;
  nexo: NexoServing | undefined;
  zvt: ZvtServing | undefined;
}

function createRunner(
  config: AgentConfig,
  { journal, saleHold }: AgentJournal,
  terminals: readonly OpenTerminal[],
  storePolicy: StorePolicyKeeper,
  log: AgentLog,
): SaleRunner {
  return new SaleRunner({
    journal,
    clock: systemClock,
    random: systemRandom,
    policy: config.policy,
    store: config.store,
    storePolicy,
    saleHold,
    fingerprintKey: fingerprintKey(loadOrCreateKey(join(config.home, HOME_FILES.blobKey), systemRandom)),
    terminals: terminals.map((terminal) => ({ profile: profileOf(terminal), driver: terminal.driver })),
    onFault: (error) => log.error({ err: error }, 'fault'),
  });
}

/** The device's id is known once a device was there. */
function profileOf({ config: { id, deviceType }, deviceId }: OpenTerminal): TerminalProfile {
  return {
    id,
    deviceType,
    get deviceId() {
      return deviceId();
    },
    pinEntryAvailable: true,
  };
}

function terminalStatus({ config, driver }: OpenTerminal) {
  return { terminalId: config.id, deviceType: config.deviceType, state: driver.state };
}

/** Tills first, so that nothing new begins. The journal is closed behind all of it: everything can still be recorded. */
async function closeParts({
  server,
  runner,
  uplink,
  terminals,
  certificate,
  replicas,
  nexo,
  zvt,
}: Parts): Promise<void> {
  certificate?.stop();
  const served = Promise.all([server.close(), nexo?.close(), zvt?.close()]);
  await runner.close();
  const impatience = systemClock.setTimer(LAST_ANSWERS_MS, () => {
    server.server.closeAllConnections();
    nexo?.closeAllConnections();
  });
  await served;
  impatience.cancel();
  await uplink.close();
  await replicas?.close();
  await Promise.all(terminals.map(({ driver }) => driver.close()));
}
