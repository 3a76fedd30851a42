import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Caller } from '../request/caller.js';
import { REFUSAL_LIMITS, throttleRequests } from './admission.js';

const WAIT_MS = 1_000;

let server: FastifyInstance;
let clock: VirtualClock;
let taken: string[];
beforeEach(async () => {
  clock = new VirtualClock(0);
  taken = [];
  server = Fastify();
  server.decorateRequest('caller', undefined);
  server.decorateRequest('login', undefined);
  server.addHook('onRequest', async (request) => {
    request.caller = { token: { merchantId: 'm1' } } as Caller;
  });
  const take = async (merchantId: string, operation: string): Promise<number> => {
    taken.push(`${merchantId} ${operation}`);
    return WAIT_MS;
  };
  throttleRequests(server, { throttle: { take, wait: take }, clock });
  server.get('/counted', { config: { throttle: 'reads' } }, async () => 'ok');
  server.get('/free', async () => 'ok');
  await server.ready();
});
afterEach(() => server.close());

const get = async (url: string) => (await server.inject(url)).statusCode;

it('counts the requests of the routes that name a class, and no other', async () => {
  expect(await get('/free')).toBe(200);
  expect(taken).toEqual([]);
  const refused = get('/counted');
  await expect.poll(() => taken).toEqual(['m1 reads']);
  await clock.advance(REFUSAL_LIMITS.delayMs);
  expect(await refused).not.toBe(200);
});

it(`holds back ${REFUSAL_LIMITS.maxHeld} refusals at once; one more is sent at once, and none again once they are sent`, async () => {
  let answered = 0;
  const ask = () => get('/counted').then(() => (answered += 1));
  const held = Array.from({ length: REFUSAL_LIMITS.maxHeld }, ask);
  await expect.poll(() => taken.length).toBe(REFUSAL_LIMITS.maxHeld);
  await ask();
  expect(answered).toBe(1);
  await clock.advance(REFUSAL_LIMITS.delayMs + REFUSAL_LIMITS.maxHeld * REFUSAL_LIMITS.apartMs);
  await Promise.all(held);
  const next = ask();
  await expect.poll(() => taken.length).toBe(REFUSAL_LIMITS.maxHeld + 2);
  expect(answered).toBe(REFUSAL_LIMITS.maxHeld + 1);
  await clock.advance(REFUSAL_LIMITS.delayMs);
  await next;
});

it('sends refusals one after the other, so that the next requests do not come together', async () => {
  let answered = 0;
  const held = Array.from({ length: 3 }, () => get('/counted').then(() => (answered += 1)));
  await expect.poll(() => taken.length).toBe(3);
  await clock.advance(REFUSAL_LIMITS.delayMs);
  await expect.poll(() => answered).toBe(1);
  await clock.advance(REFUSAL_LIMITS.apartMs);
  await expect.poll(() => answered).toBe(2);
  await clock.advance(REFUSAL_LIMITS.apartMs);
  await Promise.all(held);
});
