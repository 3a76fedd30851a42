import type { AddressInfo, Server } from 'node:net';
import { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { hostAndPort, listenOn } from '@tillbridge/platform/net/listening.js';
import { TlsCertificate } from '@tillbridge/platform/net/tls-certificate.js';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import type { ZvtConfig, ZvtTillConfig } from '../../config/zvt.js';
import { VERSION } from '../../home/version.js';
import type { Journal } from '../../journal/journal.js';
import { LimitedLog } from '../../log/limited-log.js';
import type { AgentLog } from '../../log/log.js';
import { type PortSupervisor, supervisePort } from '../../ports/port-supervisor.js';
import { openSerialPipe } from '../../ports/serial-pipe.js';
import type { StoreConfig } from '../../sale/receipts/store.js';
import type { SaleService } from '../../sale/service/sale-service.js';
import { ZvtRequests } from '../requests/zvt-requests.js';
import { PasswordGuard } from '../service/password-guard.js';
import { isOpen } from '../service/sale-reports.js';
import { ZvtService } from '../service/zvt-service.js';
import type { ConversationDeps } from './conversation.js';
import { ensurePassword, readPassword } from './password-file.js';
import { RegistrationMemory } from './registration-memory.js';
import { serveSerialTill } from './serial-till.js';
import { createTcpTill } from './tcp-till.js';

/** What serving needs of the agent. */
interface ServeZvtDeps extends Seams {
  readonly home: string;
  readonly sales: SaleService;
  readonly journal: Journal;
  readonly store: StoreConfig;
  /** Tag 9F16. */
  readonly merchantId: string;
  /** Of the store. */
  readonly currency: string;
  readonly log: AgentLog;
}

/** The part of an agent that serves tills by ZVT. */
export interface ZvtServing {
  /** Each till, and where it connects to: `host:port`, or its serial port. */
  readonly tills: readonly { readonly till: string; readonly address: string }[];
  /** Looks at the certificate now. */
  checkCertificate(): void;
  /** Takes no more requests. */
  close(): Promise<void>;
}

/** What the places of all tills have in common. */
interface Common {
  readonly config: ZvtConfig;
  readonly deps: ServeZvtDeps;
  readonly service: ZvtService;
  readonly password: string;
  readonly certificate: TlsCertificate | undefined;
  readonly log: LimitedLog;
  readonly strangers: StrangerLog;
}

/** What all connections of one till have in common. */
interface TillDeps {
  readonly till: ZvtTillConfig;
  readonly password: PasswordGuard;
  readonly registrations: RegistrationMemory;
}

interface Place {
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Begins to serve tills that speak ZVT.
 * @throws TokenError for the password, ConfigError for a certificate, PortInUseError, or the operating system's error for an address that is not its own
 */
export async function serveZvt(config: ZvtConfig, deps: ServeZvtDeps): Promise<ZvtServing> {
  const { home, clock, random } = deps;
  const password =
    config.passwordFile === undefined ? ensurePassword(home, random) : readPassword(config.passwordFile);
  const log = new LimitedLog(deps.log, clock);
  const strangers = new StrangerLog({ log: deps.log, clock });
  const certificate = config.tls && new TlsCertificate('zvt.tls', config.tls);
  const common = {
    config,
    deps,
    password,
    certificate,
    log,
    strangers,
    service: createService(config, deps, log),
  };
  const tills: { till: string; place: Place }[] = [];
  const close = async () => {
    certificate?.stop();
    await Promise.all(tills.map(({ place }) => place.close()));
    log.close();
    strangers.close();
  };
  try {
    for (const till of config.tills) tills.push({ till: till.till, place: await open(till, common) });
  } catch (error) {
    await close();
    throw error;
  }
  const addresses = tills.map(({ till, place: { address } }) => ({ till, address }));
  deps.log.info({ tills: addresses }, 'tills that speak ZVT are served');
  return { tills: addresses, checkCertificate: () => certificate?.check(), close };
}

function createService({ repeatSeconds }: ZvtConfig, deps: ServeZvtDeps, log: LimitedLog): ZvtService {
  const { sales, journal, clock, store, currency, merchantId } = deps;
  const requests = new ZvtRequests({
    journal,
    clock,
    repeatMs: repeatSeconds * 1_000,
    isOpen: async (reference) => {
      const answer = await sales.get(reference).catch(() => undefined);
      return answer !== undefined && isOpen(answer);
    },
  });
  return new ZvtService({ sales, requests, store, currency, merchantId, version: VERSION, clock, log });
}

function open(till: ZvtTillConfig, common: Common): Promise<Place> {
  return till.path === undefined ? openTcp(till, common) : openSerial(till, till.path, common);
}

async function openTcp(till: ZvtTillConfig, common: Common): Promise<Place> {
  const { config, deps, certificate, strangers } = common;
  const { host } = config;
  const tillDeps = depsOf(till, common);
  const server: Server = createTcpTill({
    ...(certificate && { tls: certificate.pair }),
    ...(till.from && { from: till.from }),
    clock: deps.clock,
    conversation: (peer) => conversation(tillDeps, peer, common),
    unknownPeer: (peer) =>
      strangers.take({ kind: 'zvt unknown-peer', peer }, { till: till.till }, 'an address may not connect'),
  });
  const sockets = new Set<{ destroy(): unknown }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await listenOn(till.port, 'zvt.tills.port', () => listening(server, host, till.port ?? 0));
  certificate?.follow(server, { clock: deps.clock, log: deps.log });
  const { address, port } = server.address() as AddressInfo;
  return {
    address: hostAndPort(address, port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function openSerial(till: ZvtTillConfig, path: string, common: Common): Promise<Place> {
  const { clock, log } = common.deps;
  const tillDeps = depsOf(till, common);
  const { baudRate } = till;
  const settings = { path, stopBits: 2, ...(baudRate !== undefined && { baudRate }) } as const;
  const supervisor: PortSupervisor = supervisePort({ clock, open: () => openSerialPipe(settings, clock) });
  supervisor.onState((state) => {
    if (state.kind === 'open') serveSerialTill(state.pipe, clock, conversation(tillDeps, path, common));
    if (state.kind === 'waiting')
      log.warn({ till: till.till, reason: state.reason }, 'the line of a till is not open');
  });
  return { address: path, close: () => supervisor.close() };
}

function depsOf(till: ZvtTillConfig, { config, deps: { clock }, password }: Common): TillDeps {
  return {
    till,
    password: new PasswordGuard(password, clock),
    registrations: new RegistrationMemory(clock, config.registrationMinutes * 60_000),
  };
}

function conversation(
  { till, password, registrations }: TillDeps,
  peer: string,
  { deps: { sales }, service, strangers, log }: Common,
): Omit<ConversationDeps, 'send' | 'hangUp' | 'clock'> {
  return {
    till,
    service,
    password,
    recallRegistration: () => registrations.recall(peer),
    keepRegistration: (registration) => registrations.keep(peer, registration),
    onEvent: (listener) => sales.onEvent(listener),
    refused: (code) =>
      strangers.take(
        { kind: `zvt ${code}`, peer },
        { code, till: till.till },
        'a message of a till is not taken',
      ),
    fault: (error) => log.error({ err: error }, 'a request of a till failed'),
  };
}
