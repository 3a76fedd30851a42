import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { rawRequest } from '@tillbridge/platform/http/raw-request.test.support.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { MemorySaleService } from './memory-sale-service.test.support.js';
import { createTillServer } from './server.js';

const TOKEN = 'a-token-of-the-tills-0123';
const HEAD = `POST /v1/sales HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n`;
let server: FastifyInstance;
let url: string;
const sockets: Socket[] = [];

/** @param requestTimeoutMs on a busy machine the request of an honest till may take as long as a short one */
async function open(requestTimeoutMs: number): Promise<void> {
  server = createTillServer({
    service: new MemorySaleService(),
    link: { detail: () => ({ state: 'up', attempt: 0, epoch: 1 }), nudge: () => {} },
    lineProblem: () => undefined,
    token: TOKEN,
    limits: { requestTimeoutMs, timeoutCheckMs: 20, connectionsPerPeer: 2 },
    clock: new VirtualClock(),
    log: pino({ level: 'silent' }),
  });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

it.each([
  ['headers', HEAD],
  ['body', `${HEAD}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`],
])('cuts a request whose %s do not end in time', async (_part, text) => {
  await open(100);
  const { status, body } = await rawRequest(url, text);
  expect(status).toBe(408);
  expect(JSON.parse(body)).toMatchObject({ error: { code: 'request-timeout' } });
});

it('hangs up on an address that has its connections, and on no other', async () => {
  await open(60_000);
  const { hostname, port } = new URL(url);
  const answered = async (localAddress: string): Promise<string> => {
    const socket = connect({ port: Number(port), host: hostname, localAddress });
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const answer = once(socket, 'data').then(([data]) => String(data).split('\r\n', 1)[0] ?? '');
    return Promise.race([answer, once(socket, 'close').then(() => 'hung up')]);
  };
  const served = 'HTTP/1.1 200 OK';
  expect([await answered('127.0.0.2'), await answered('127.0.0.2')]).toEqual([served, served]);
  expect([await answered('127.0.0.2'), await answered('127.0.0.3')]).toEqual(['hung up', served]);
});
