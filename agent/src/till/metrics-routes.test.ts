import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Gauge, Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemorySaleService } from './memory-sale-service.test.support.js';
import { createTillServer } from './server.js';

const TOKEN = 'a-token-of-the-tills-0123';
let server: FastifyInstance;
let url: string;

beforeEach(async () => {
  const metrics = new Registry();
  new Gauge({ name: 'tillbridge_agent_queue_messages', help: 'Waiting', registers: [metrics] }).set(7);
  server = createTillServer({
    service: new MemorySaleService(),
    link: { detail: () => ({ state: 'up', attempt: 0 }), nudge: () => undefined },
    lineProblem: () => undefined,
    token: TOKEN,
    metrics,
    clock: new VirtualClock(),
    log: pino({ level: 'silent' }),
  });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

const scrape = (headers: Record<string, string> = {}) => fetch(`${url}/metrics`, { headers });

test('the numbers are shown to this machine', async () => {
  const answer = await scrape();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  expect(await answer.text()).toContain('tillbridge_agent_queue_messages 7');
});

test('what a proxy passes on needs the tills’ token', async () => {
  const passedOn = { 'x-forwarded-for': '203.0.113.9' };
  expect((await scrape(passedOn)).status).toBe(401);
  expect((await scrape({ ...passedOn, authorization: 'Bearer another-token-0123456' })).status).toBe(401);
  expect((await scrape({ ...passedOn, authorization: `Bearer ${TOKEN}` })).status).toBe(200);
});
