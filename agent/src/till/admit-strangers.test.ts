import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MemorySaleService } from './memory-sale-service.test.support.js';
import { createTillServer } from './server.js';

const TOKEN = 'a-token-of-the-tills-0123';
let server: FastifyInstance;
let clock: VirtualClock;
beforeEach(async () => {
  clock = new VirtualClock();
  server = createTillServer({
    service: new MemorySaleService(),
    link: { detail: () => ({ state: 'up', attempt: 0, epoch: 1 }), nudge: () => {} },
    lineProblem: () => undefined,
    token: TOKEN,
    // An injected request has no address.
    hostNames: ['localhost'],
    strangers: { perSecond: 1, burst: 1, maxWaitMs: 1_000 },
    clock,
    log: pino({ level: 'silent' }),
  });
  for (let at = 0; at < 2; at += 1) expect((await load('/nothing')).statusCode).toBe(404);
});
afterEach(() => server.close());

const load = (url: string, token?: string) =>
  server.inject({ url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

it.each([
  ['the panel', '/panel/none.js', undefined, 404],
  ['the document', '/docs/openapi.json', undefined, 200],
  ['no token', '/v1/status', undefined, 401],
  ['a token that is none', '/v1/status', 'a-token-of-no-till-at-all', 403],
])('an address that has used up its rate waits with %s', async (_what, url, token, status) => {
  let isAnswered = false;
  const answer = load(url, token).then((response) => {
    isAnswered = true;
    return response;
  });
  expect((await load('/v1/status', TOKEN)).statusCode).toBe(200);
  expect((await load('/healthz')).statusCode).toBe(200);
  expect(isAnswered).toBe(false);
  await clock.advance(1_000);
  expect((await answer).statusCode).toBe(status);
});

it('gets Retry-After where it would wait too long', async () => {
  const answers = Array.from({ length: 3 }, () => load('/docs/openapi.json'));
  expect((await load('/v1/status', TOKEN)).statusCode).toBe(200);
  await clock.advance(1_000);
  const refused = (await Promise.all(answers)).find(({ statusCode }) => statusCode === 429);
  expect(refused?.headers['retry-after']).toBe('2');
  expect(refused?.json()).toMatchObject({ error: { code: 'too-many-requests' } });
});
