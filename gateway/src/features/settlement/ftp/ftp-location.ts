import type { Server, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { MIN_TLS_VERSION, type TlsPair } from '@tillbridge/platform/net/tls-certificate.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import type { FileDeps } from '../reconciliation-files.js';
import { type ControlConnection, readControlLines } from './control-lines.js';
import { MerchantFiles } from './merchant-files.js';
import { SignIn, type SignInDeps } from './sign-in.js';

export const FTP_LIMITS = {
  /** Connections at once. */
  connections: 64,
  /** How long a connection may take to sign in, and after which time without a byte in either direction it is ended, in milliseconds. */
  idleMs: 60_000,
} as const;

/** Commands that are carried out: reading alone. PORT and EPRT, which make a server connect to others, are not among them. */
const COMMANDS: readonly string[] = [
  ...['AUTH', 'PBSZ', 'PROT', 'USER', 'PASS', 'QUIT', 'NOOP', 'FEAT', 'SYST', 'OPTS', 'TYPE', 'MODE', 'STRU'],
  ...['PWD', 'CWD', 'CDUP', 'PASV', 'EPSV', 'LIST', 'NLST', 'SIZE', 'MDTM', 'REST', 'RETR', 'ABOR'],
];

/** Where the location listens. */
export interface FtpSettings {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** First port of the connections that bring data; the next ones follow. 0: any free one. */
  readonly passivePort: number;
  readonly passivePorts: number;
  /** Address that clients receive for these; absent: that of `host`. */
  readonly publicAddress?: string;
}

/** What the location works with. */
interface FtpDeps extends FileDeps, SignInDeps {
  readonly store: FileDeps['store'];
  readonly clock: FileDeps['clock'] & SignInDeps['clock'];
  readonly settings: FtpSettings;
  /** Certificate and key as they are now. */
  readonly tls: () => TlsPair;
  readonly onFault: (error: unknown) => void;
}

/** The FTP location. */
export interface FtpLocation {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Opens the FTP location of the reconciliation files (docs/reconciliation.md): explicit TLS for commands and data, an account for each merchant, nothing
 * but reading. The library is loaded here and nowhere else; it is an optional package.
 * @throws OperatorError where it is not installed
 */
export async function openFtpLocation(
  deps: FtpDeps,
  importLibrary = () => import('ftp-srv'),
): Promise<FtpLocation> {
  const { settings, tls } = deps;
  const signals = ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const;
  const before = signals.map((signal) => process.listeners(signal));
  const { FtpSrv } = await importLibrary().catch(refuseAbsent);
  const { host, port, passivePort, passivePorts, publicAddress = host } = settings;
  const server = new FtpSrv({
    url: `ftp://${host.includes(':') ? `[${host}]` : host}:${port}`,
    pasv_url: publicAddress,
    pasv_min: passivePort,
    pasv_max: passivePort + passivePorts - 1,
    whitelist: [...COMMANDS],
    // With a time of its own it would hold the process for so long behind every client that went away.
    timeout: 0,
    log: QUIET,
    tls: currentPair(tls),
  });
  // It would end the process by itself, in the middle of payments.
  for (const [at, signal] of signals.entries())
    for (const listener of process.listeners(signal))
      if (!before[at]?.includes(listener)) process.removeListener(signal, listener);
  const net = (server as unknown as { readonly server: Server }).server;
  net.maxConnections = FTP_LIMITS.connections;
  server.on(
    'connect' as never,
    (({ connection }: { connection: unknown }) => {
      const { commandSocket } = connection as { readonly commandSocket: Socket };
      endWhenIdle(connection as WatchedConnection, deps.clock);
      readControlLines(commandSocket, connection as ControlConnection);
    }) as never,
  );
  server.on('client-error', ({ connection, context, error }) => {
    if (context === 'dataServer' && systemCode(error) === 'EADDRINUSE')
      void listenOnNextPort(server as never, connection as never);
  });
  const signIn = new SignIn(deps);
  server.on('login', ({ connection, username, password }, resolve, reject) => {
    const { commandSocket } = connection as unknown as { readonly commandSocket: Socket };
    // Control lines let none of them through before TLS.
    signIn.isGood(username, password, commandSocket.remoteAddress).then(
      (isKnown) =>
        isKnown
          ? // Its type demands what the server never calls here.
            resolve({ fs: new MerchantFiles({ ...deps, merchantId: username }) as never })
          : reject(new Error('Authentication failed')),
      (error: unknown) => {
        deps.onFault(error);
        reject(new Error('Authentication failed'));
      },
    );
  });
  await server.listen();
  const address = net.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: async () => {
      await server.close();
    },
  };
}

function refuseAbsent(error: unknown): never {
  if (systemCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw new OperatorError(
    'reconciliationFtp needs the optional package ftp-srv, which is not installed: run npm install ftp-srv, or take reconciliationFtp out of the configuration',
  );
}

/**
 * The library looks for a free port, then listens: where another program took it in between, its client would wait for an answer in vain.
 * The answer waits for `listening`, so that another port does as well.
 */
async function listenOnNextPort(
  { getNextPasvPort, url }: { getNextPasvPort(): Promise<number>; readonly url: URL },
  connection: Pick<ControlConnection, 'commandSocket'> & {
    readonly connector?: { readonly dataServer?: Server | null };
  },
): Promise<void> {
  try {
    connection.connector?.dataServer?.listen(await getNextPasvPort(), url.hostname);
  } catch {
    // No port is free, nor is there a way to say so: the command itself never ends.
    connection.commandSocket?.destroy();
  }
}

/** What shows whether a connection is in use. */
interface WatchedConnection {
  readonly commandSocket: Socket;
  readonly authenticated?: boolean;
  readonly connector?: { readonly dataSocket?: Socket | null };
}

/** Ends a connection that has not signed in when it is looked at first, and one that has moved no byte since the last look: a long file moves some. */
function endWhenIdle(connection: WatchedConnection, clock: Pick<Clock, 'setTimer'>): void {
  // With TLS the server puts another socket in its place, around this one.
  const { commandSocket } = connection;
  const moved = (): string =>
    [commandSocket, connection.connector?.dataSocket]
      .map((socket) => (socket ? `${socket.bytesRead} ${socket.bytesWritten}` : ''))
      .join();
  let before = '';
  let timer: Timer;
  const look = (): void => {
    const now = moved();
    if (connection.authenticated !== true || now === before) {
      commandSocket.destroy();
      return;
    }
    before = now;
    timer = clock.setTimer(FTP_LIMITS.idleMs, look);
  };
  timer = clock.setTimer(FTP_LIMITS.idleMs, look);
  commandSocket.once('close', () => timer.cancel());
}

/** Each connection reads the pair anew: a renewed certificate counts at once. */
function currentPair(tls: () => TlsPair): SecureContextOptions {
  return {
    minVersion: MIN_TLS_VERSION,
    get cert() {
      return tls().cert;
    },
    get key() {
      return tls().key;
    },
  };
}

const nothing = (): void => undefined;
/** The server logs commands and addresses; replies hold what matters. */
const QUIET = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => QUIET,
};
