import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { SocketPipe } from '@tillbridge/platform/socket-pipe.js';
import type { HostConnector } from '../link/link-deps.js';

/** After how long without bytes the system looks whether the other side is there, in milliseconds. */
const KEEP_ALIVE_MS = 30_000;

/** Where a host is, and how it is reached. */
interface HostConnectorOptions {
  readonly host: string;
  readonly port: number;
  readonly connectTimeoutMs: number;
  readonly tls?: {
    readonly authorityFile?: string | undefined;
    readonly certificateFile?: string | undefined;
    readonly keyFile?: string | undefined;
    readonly serverName?: string | undefined;
  };
}

/**
 * Connections to a host over TCP or TLS. Files are read with each connection, so that a new certificate needs no restart. A connection that cannot
 * be made in time, or whose certificate is not the host's, rejects.
 */
export function hostConnector(options: HostConnectorOptions): HostConnector {
  return async () => new SocketPipe(await connected(options), `acquirer ${options.host}:${options.port}`);
}

function connected(options: HostConnectorOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const { host, port, connectTimeoutMs, tls } = options;
    const socket = tls
      ? connectTls({ host, port, minVersion: 'TLSv1.2', ...secretsOf(options) })
      : connect({ host, port });
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    // All of it has to be done in that time: a host that sends a byte now and then does not hold up payments.
    const timer = setTimeout(
      () => fail(new Error('the host did not take the connection in time')),
      connectTimeoutMs,
    );
    socket.once('error', fail);
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      socket.setNoDelay(true);
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
      resolve(socket);
    });
  });
}

function secretsOf({ host, tls = {} }: HostConnectorOptions): ConnectionOptions {
  const { authorityFile, certificateFile, keyFile, serverName } = tls;
  const read = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file));
  const [ca, cert, key] = [read(authorityFile), read(certificateFile), read(keyFile)];
  const name = serverName ?? host;
  return {
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    // An address is no name that TLS may ask for (RFC 6066 §3); its certificate is compared with it all the same.
    ...(/^[\d.]+$|:/.test(name) ? {} : { servername: name }),
  };
}
