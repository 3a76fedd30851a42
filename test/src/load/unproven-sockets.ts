import { BRIDGE_SUBPROTOCOL } from '@tillbridge/wire/bridge/limits.js';
import { WebSocket } from 'ws';
import { loopbackAddress } from './loopback-address.js';

/** Sockets to the bridge that never prove themselves. */
export interface SocketLoad {
  readonly url: string;
  readonly count: number;
  /** Sockets from one loopback address at most: the gateway limits the sockets of a peer. */
  readonly perAddress: number;
}

/** Before a socket that was closed or refused is opened again. */
const AGAIN_MS = 100;

/** Opens the sockets; each that the gateway closes is opened again, for ever. Resolves once all have been open. */
export async function holdSockets({ url, count, perAddress }: SocketLoad): Promise<number> {
  await Promise.all(
    Array.from({ length: count }, (_none, at) => {
      const localAddress = loopbackAddress(Math.floor(at / perAddress));
      return new Promise<void>((resolve) => hold(url, localAddress, resolve));
    }),
  );
  return count;
}

function hold(url: string, localAddress: string, opened: () => void): void {
  const socket = new WebSocket(url, BRIDGE_SUBPROTOCOL, { localAddress });
  // The close reports it.
  socket.on('error', () => undefined);
  socket.on('open', opened);
  socket.on('close', () => setTimeout(() => hold(url, localAddress, opened), AGAIN_MS));
}
