import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hostConnector } from './host-connector.js';

/** Head of a TLS record of 16 KiB, of which bytes come one by one. */
const RECORD_HEAD = Buffer.from('1603034000', 'hex');
const CONNECT_TIMEOUT_MS = 300;
const BYTE_EVERY_MS = 50;

let server: Server;
let dripping: NodeJS.Timeout | undefined;
beforeEach(async () => {
  server = createServer((socket: Socket) => {
    socket.on('error', () => undefined).resume();
    socket.write(RECORD_HEAD);
    dripping = setInterval(() => socket.write('x'), BYTE_EVERY_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  clearInterval(dripping);
  await new Promise((resolve) => server.close(resolve));
});

it('gives up a host that never ends its part of TLS, however busy it looks', async () => {
  const { port } = server.address() as AddressInfo;
  const connect = hostConnector({ host: '127.0.0.1', port, connectTimeoutMs: CONNECT_TIMEOUT_MS, tls: {} });
  await expect(connect()).rejects.toThrow('the host did not take the connection in time');
});
