import type { Server, Socket } from 'node:net';

/**
 * Ends each connection of a server whose peer takes nothing of what waits for it, whatever the connection has become: between one and two
 * times `stalledMs` after the last byte that it took.
 */
export function endStalled(server: Server, stalledMs: number): void {
  /** Bytes that each peer had taken at the last look. */
  const taken = new Map<Socket, number | undefined>();
  const watch = (socket: Socket): void => {
    taken.set(socket, undefined);
    socket.once('close', () => taken.delete(socket));
  };
  server.on('connection', watch);
  // Over TLS the answers wait above the connection.
  server.on('secureConnection', watch);
  const look = (): void => {
    for (const [socket, before] of taken) {
      const now = socket.writableLength > 0 ? takenBytes(socket) : undefined;
      if (now !== undefined && now === before) socket.destroy();
      taken.set(socket, now);
    }
  };
  server.on('listening', () => {
    const timer = setInterval(look, stalledMs).unref();
    server.once('close', () => clearInterval(timer));
  });
}

/** A socket with what Node does not show of it: how much of the write that is under way has left; over TLS the connection below knows. */
interface Inside {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
  readonly _parent?: Inside | null;
}

/** Grows with each byte that the peer takes, also within a long write. */
function takenBytes(socket: Socket): number {
  const { _handle, _parent }: Inside = socket as unknown as Inside;
  return socket.bytesWritten - socket.writableLength - ((_parent?._handle ?? _handle)?.writeQueueSize ?? 0);
}
