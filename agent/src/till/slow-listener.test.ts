import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MemorySaleService } from './memory-sale-service.test.support.js';
import { createTillServer } from './server.js';

const TOKEN = 'a-token-of-the-tills-0123';
let service: MemorySaleService;
let server: FastifyInstance;
let listener: Socket;

beforeEach(async () => {
  service = new MemorySaleService();
  server = createTillServer({
    service,
    link: { detail: () => ({ state: 'up', attempt: 0, epoch: 1 }), nudge: () => {} },
    lineProblem: () => undefined,
    token: TOKEN,
    clock: new VirtualClock(),
    log: pino({ level: 'silent' }),
  });
  const { hostname, port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  listener = connect(Number(port), hostname);
  listener.on('error', () => undefined);
  listener.write(`GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
  await once(listener, 'data');
});
afterEach(async () => {
  listener.destroy();
  await server.close();
});

it('cuts a listener over HTTP that does not read, before much waits for it', async () => {
  expect(service.listenerCount).toBe(2);
  listener.pause();
  await service.request(
    { reference: 'r', type: 'sale', amount: { minor: 1, currency: 'EUR' } },
    { wait: false },
  );
  const sale = { ...(await service.get('r')), cashierText: 'x'.repeat(50_000) };
  // 50 MB, more than any system buffers; all of it at once, so that no client can read in between.
  let sent = 0;
  while (sent < 1_000 && service.listenerCount > 1) {
    service.tell({ type: 'sale', id: service.past.length + 1, atMs: 0, step: 'done', sale });
    sent += 1;
  }
  expect(service.listenerCount).toBe(1);
});
