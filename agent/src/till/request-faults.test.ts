import { MASKING_LOG_OPTIONS } from '@tillbridge/platform/log/log-options.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemorySaleService } from './memory-sale-service.test.support.js';
import { createTillServer } from './server.js';

const TOKEN = 'a-token-of-the-tills-0123';
let server: FastifyInstance;
let url: string;
let lines: string[];

beforeEach(async () => {
  lines = [];
  server = createTillServer({
    service: new MemorySaleService(),
    link: { detail: () => ({ state: 'up', attempt: 0 }), nudge: () => undefined },
    lineProblem: () => undefined,
    history: () => {
      throw new Error('the history is gone');
    },
    token: TOKEN,
    metrics: new Registry(),
    clock: new VirtualClock(),
    log: pino(MASKING_LOG_OPTIONS, { write: (line: string) => void lines.push(line) }),
  });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

const get = async (path: string) => {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await answer.text();
  return { status: answer.status, text, body: path === '/metrics' ? undefined : JSON.parse(text) };
};

test('a fault has a correlation id in answer, log and status, its cause only in the log, and is counted', async () => {
  expect((await get('/v1/status')).body.requestFaults).toEqual({ count: 0 });
  const { status, body, text } = await get('/v1/history');
  expect(status).toBe(500);
  const { correlationId } = body.error;
  expect(correlationId).toMatch(/^[0-9a-f]{32}$/);
  expect(text).not.toContain('the history is gone');
  const logged = lines.map((line) => JSON.parse(line)).filter((line) => line.correlationId === correlationId);
  expect(logged).toMatchObject([{ route: '/v1/history', err: { message: 'the history is gone' } }]);
  expect((await get('/v1/status')).body.requestFaults).toMatchObject({
    count: 1,
    last: { method: 'GET', route: '/v1/history', correlationId },
  });
  expect((await get('/metrics')).text).toContain('tillbridge_agent_request_faults_total 1');
});

test('a request that is refused is no fault', async () => {
  expect((await get('/v1/nothing')).status).toBe(404);
  expect((await get('/v1/status')).body.requestFaults).toEqual({ count: 0 });
});
