import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limitConnections } from './limit-connections.js';
import { peersOf } from './peers.js';

let server: Server;
const sockets: Socket[] = [];
beforeEach(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  await once(server, 'close');
});

function limit(
  ...limits: Parameters<typeof limitConnections> extends [Server, ...infer Rest] ? Rest : never
): void {
  limitConnections(server, ...limits);
  server.on('connection', (socket) => socket.on('error', () => undefined).write('hello'));
}

/** Whether a connection from an address is held. */
async function isHeld(localAddress: string): Promise<boolean> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
}

test('a peer has its connections and no more, and room again when one is gone', async () => {
  limit({ connections: 100, connectionsPerPeer: 2 });
  expect([await isHeld('127.0.0.2'), await isHeld('127.0.0.2')]).toEqual([true, true]);
  expect([await isHeld('127.0.0.2'), await isHeld('127.0.0.3')]).toEqual([false, true]);
  sockets[0]?.destroy();
  await expect.poll(() => isHeld('127.0.0.2')).toBe(true);
});

test('a peer without its own limit has that of the server', async () => {
  limit({ connections: 3, connectionsPerPeer: 1 }, peersOf(['127.0.0.2']));
  const held = [await isHeld('127.0.0.2'), await isHeld('127.0.0.2'), await isHeld('127.0.0.2')];
  expect(held).toEqual([true, true, true]);
  expect(await isHeld('127.0.0.2')).toBe(false);
});
