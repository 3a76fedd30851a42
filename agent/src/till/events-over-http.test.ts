import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MemorySaleService } from './memory-sale-service.test.support.js';
import { createTillServer } from './server.js';

const TOKEN = 'a-token-of-the-tills-0123';
let service: MemorySaleService;
let server: FastifyInstance;
let url: string;

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
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

async function listen(lastEventId?: string): Promise<IncomingMessage> {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  const call = request(`${url}/v1/events`, { headers });
  call.end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return response.setEncoding('utf8');
}

/** Reads until `pattern` has come. */
async function readUntil(response: IncomingMessage, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const piece of response.iterator({ destroyOnReturn: false })) {
    text += piece;
    if (pattern.test(text)) return text;
  }
  throw new Error(`stream ended after: ${text}`);
}

const sale = (reference: string) => ({
  reference,
  type: 'sale' as const,
  amount: { minor: 100, currency: 'EUR' },
});

it('streams what happens, and a client comes back by its last id without a gap', async () => {
  const first = await listen();
  expect(first.headers['content-type']).toMatch(/^text\/event-stream/);
  await service.request(sale('a'), { wait: false });
  expect(await readUntil(first, /id: 1\n/)).toMatch(/"reference":"a".*"state":"accepted"/);
  const gone = once(first, 'close');
  first.destroy();
  await gone;

  service.finish('a');
  await service.request(sale('b'), { wait: false });

  const second = await listen('1');
  const text = await readUntil(second, /id: 3\n.*\n.*\n\n/);
  expect([...text.matchAll(/^id: (\d+)$/gm)].map((match) => match[1])).toEqual(['2', '3']);
  expect(text).toMatch(/"outcome":"approved"[\s\S]*"reference":"b"/);
  second.destroy();
});

it('forgets a client that left', async () => {
  const response = await listen();
  expect(service.listenerCount).toBe(2);
  response.destroy();
  await expect.poll(() => service.listenerCount).toBe(1);
});

it.each(['abc', '-1', '1.5', '9'.repeat(30)])('refuses the id %s', async (id) => {
  const response = await listen(id);
  expect(response.statusCode).toBe(400);
  expect(await readUntil(response, /}$/)).toContain('Last-Event-ID');
});
