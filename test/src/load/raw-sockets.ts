import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';

/** The baseline of sockets: `ws` over `node:http` as the gateway uses them, and nothing of ours. */
export const RAW_SOCKETS = fileURLToPath(import.meta.url);

if (process.argv[1] === RAW_SOCKETS) {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false });
  server.on('upgrade', (request, connection, head) =>
    sockets.handleUpgrade(request, connection, head, (socket) => {
      socket.on('message', (data) => socket.send(data));
      socket.on('error', () => undefined);
    }),
  );
  server.listen(0, '127.0.0.1', () => {
    console.log(`listening ${JSON.stringify({ port: (server.address() as AddressInfo).port })}`);
  });
}
