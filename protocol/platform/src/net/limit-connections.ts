import type { Server } from 'node:net';
import { type Peers, peerName } from './peers.js';

/** How many connections a server holds. */
interface ConnectionLimits {
  readonly connections: number;
  /** Of one peer ({@link peerName}). */
  readonly connectionsPerPeer: number;
}

/**
 * Hangs up on connections beyond the limits before a byte of them is read.
 * @param unlimited peers with as many as the server holds, such as proxies in front of it
 */
export function limitConnections(
  server: Server,
  { connections, connectionsPerPeer }: ConnectionLimits,
  unlimited?: Peers,
): void {
  const counts = new Map<string, number>();
  server.maxConnections = connections;
  server.on('connection', (socket) => {
    if (unlimited?.has(socket.remoteAddress)) return;
    const peer = peerName(socket.remoteAddress);
    const count = counts.get(peer) ?? 0;
    if (count >= connectionsPerPeer) {
      socket.destroy();
      return;
    }
    counts.set(peer, count + 1);
    socket.once('close', () => {
      const rest = (counts.get(peer) ?? 1) - 1;
      if (rest > 0) counts.set(peer, rest);
      else counts.delete(peer);
    });
  });
}
