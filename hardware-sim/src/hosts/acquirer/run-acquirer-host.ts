import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { configuredDialect } from '@tillbridge/platform/config/dialect-section.js';
import { ConfigError } from '@tillbridge/platform/config/problems.js';
import type { LogConfig } from '@tillbridge/platform/config/program-settings.js';
import { lockHome } from '@tillbridge/platform/home-lock.js';
import { createLog } from '@tillbridge/platform/log/log.js';
import { hostAndPort, listenOn } from '@tillbridge/platform/net/listening.js';
import { MIN_TLS_VERSION, TlsCertificate } from '@tillbridge/platform/net/tls-certificate.js';
import { readSmallFile } from '@tillbridge/platform/read-file.js';
import { SocketPipe } from '@tillbridge/platform/socket-pipe.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { AcquirerHost } from './acquirer-host.js';
import type { AcquirerHostConfig } from './host-config.js';
import { buildHostControl } from './host-control.js';

/** Connections of gateways at once. */
const MAX_CONNECTIONS = 64;
/** Longest TLS handshake, in milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 10_000;
const MAX_AUTHORITY_BYTES = 65_536;

/** A running host. */
export interface RunningAcquirerHost {
  readonly listening: {
    /** `host:port` for ISO 8583. */
    readonly address: string;
    readonly dialect: string;
    readonly isTls: boolean;
    /** REST control. */
    readonly url: string;
  };
  readonly close: () => Promise<void>;
}

/** Starts the host and its REST control. @throws PortInUseError, HomeInUseError, HomeUnusableError, DatabaseError */
export async function startAcquirerHost(config: {
  /** Address of the line and of the control. */
  readonly host: string;
  /** Names of the control in addition to its address. */
  readonly hostNames: readonly string[];
  readonly acquirerHost: AcquirerHostConfig;
  readonly log: LogConfig;
}): Promise<RunningAcquirerHost> {
  const { host: address, hostNames, acquirerHost } = config;
  const { home, dialect, dialectChanges, port, controlPort, keyForm, macKeySet, macMethod, tls } =
    acquirerHost;
  const tlsOptions = tls && tlsOptionsOf(tls);
  const lock = await lockHome({ home, program: 'acquirer host', variable: 'SIM_ACQUIRER_HOME' });
  const log = createLog('tillbridge-sim-acquirer-host', config.log);
  const ends: (() => Promise<unknown>)[] = [() => lock.release()];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0)) await end();
  };
  try {
    const host = await AcquirerHost.open({
      home,
      dialect: configuredDialect(dialect, dialectChanges),
      keyForm,
      macMethod,
      ...(macKeySet !== undefined && { macKeySet }),
      clock: systemClock,
      random: systemRandom,
      onBad: (reason) => log.warn({ reason }, 'not a message of a gateway'),
      onFault: (err) => log.error({ err }, 'fault inside the host'),
    });
    ends.unshift(() => host.close());
    const line = new LineServer(host, tlsOptions);
    const linePort = await listenOn(port, 'HOST_PORT', () => line.listen(port, address));
    ends.unshift(() => line.close());
    const control = buildHostControl(host, { hostNames, log });
    await listenOn(controlPort, 'SIM_ACQUIRER_CONTROL_PORT', () =>
      control.listen({ host: address, port: controlPort }),
    );
    ends.unshift(() => control.close());
    const { port: at } = control.server.address() as AddressInfo;
    const listening = {
      address: hostAndPort(address, linePort),
      dialect,
      isTls: tls !== undefined,
      url: `http://${hostAndPort(address, at)}`,
    };
    log.info(listening, 'listening');
    return { listening, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws ConfigError the files cannot be used */
function tlsOptionsOf({ clientAuthorityFile, ...files }: NonNullable<AcquirerHostConfig['tls']>) {
  const { pair } = new TlsCertificate('acquirerHost.tls', files);
  const options = { ...pair, minVersion: MIN_TLS_VERSION, handshakeTimeout: HANDSHAKE_TIMEOUT_MS } as const;
  if (clientAuthorityFile === undefined) return options;
  const refuse = (reason: string) =>
    new ConfigError(`acquirerHost.tls.clientAuthorityFile ${clientAuthorityFile} ${reason}`);
  const ca = readSmallFile(clientAuthorityFile, MAX_AUTHORITY_BYTES, refuse);
  return { ...options, ca, requestCert: true, rejectUnauthorized: true };
}

/** The TCP or TLS server of a host. */
class LineServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(host: AcquirerHost, tls: ReturnType<typeof tlsOptionsOf> | undefined) {
    const talk = (socket: Socket): void =>
      host.talk(new SocketPipe(socket, `gateway at ${socket.remoteAddress}`));
    this.#server = tls ? createTlsServer(tls, talk) : createServer(talk);
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('tlsClientError', (error: Error) => host.refuse(`no TLS: ${systemCode(error)}`));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** Begins to listen; gives the port. Rejects with the system's error, such as EADDRINUSE. */
  async listen(port: number, address: string): Promise<number> {
    this.#server.listen(port, address);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts everything and stops listening. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
