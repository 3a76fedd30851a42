import { connect } from 'node:net';
import { SocketPipe } from '@tillbridge/platform/socket-pipe.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { PortOpenError, portOpenError } from './port-open-error.js';

/** A terminal in the network. */
interface TcpSettings {
  /** `host:port`, such as `192.168.1.20:12000`; an IPv6 address stands in brackets. */
  readonly path: string;
}

/** First probe of an idle connection: a terminal that lost its power is noticed. */
const KEEP_ALIVE_MS = 10_000;

const ADDRESS = /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/;

/** Takes `host:port` apart; undefined when it is something else. */
export function parseTcpAddress(path: string): { readonly host: string; readonly port: number } | undefined {
  const match = ADDRESS.exec(path);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : undefined;
}

/**
 * Connects to a terminal in the network.
 * @throws PortOpenError when the path is no address, or nothing answers there
 */
export function openTcpPipe({ path }: TcpSettings): Promise<BytePipe> {
  const address = parseTcpAddress(path);
  if (!address) {
    return Promise.reject(new PortOpenError(path, 'other', `${path} is no address: expected host:port`));
  }
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...address,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
    });
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(new SocketPipe(socket, path));
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.destroy();
      reject(portOpenError(path, new Error(`${error.code ?? ''} ${error.message}`)));
    });
  });
}
