import type { Server, Socket } from 'node:net';

/**
 * Ends each connection of a server whose peer takes nothing of what waits for it, whatever the connection has become: between one and two
 * times `stalledMs` after the last byte that it took.
 */
export function endStalled(server: Server, stalledMs: number): void {
  /** Bytes that each peer had taken at the last look. */
  const taken = new Map<Socket, number>();
  const watch = (socket: Socket): void => {
    taken.set(socket, -1);
    socket.once('close', () => taken.delete(socket));
  };
  server.on('connection', watch);
  // Over TLS the answers wait above the connection.
  server.on('secureConnection', watch);
  const look = (): void => {
    for (const [socket, before] of taken) {
      const now = socket.writableLength > 0 ? socket.bytesWritten - socket.writableLength : -1;
      if (now >= 0 && now === before) socket.destroy();
      taken.set(socket, now);
    }
  };
  server.on('listening', () => {
    const timer = setInterval(look, stalledMs).unref();
    server.once('close', () => clearInterval(timer));
  });
}
