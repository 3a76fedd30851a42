import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Caller } from '../request/caller.js';
import { REFUSAL_LIMITS, throttleRequests } from './admission.js';

const WAIT_MS = 1_000;

let waitMs: number;
let server: FastifyInstance;
let clock: VirtualClock;
let taken: string[];
beforeEach(async () => {
  clock = new VirtualClock(0);
  taken = [];
  waitMs = WAIT_MS;
  server = Fastify();
  server.decorateRequest('caller', undefined);
  server.decorateRequest('login', undefined);
  server.decorateRequest('checkout', undefined);
  server.addHook('onRequest', async (request) => {
    const { merchant = 'm1', late } = request.headers;
    if (late === undefined) request.caller = { credential: { merchantId: merchant } } as Caller;
  });
  // Who names itself in the body, or a checkout, is known once that is read.
  server.addHook('preHandler', async (request) => {
    const { late } = request.headers;
    if (late === 'login') Object.assign(request, { login: { userId: 'u', password: 'p' } });
    if (late === 'checkout') Object.assign(request, { checkout: { id: 'c' } });
    if (late === 'login' || late === 'checkout') Object.assign(request, { merchantId: 'm2' });
  });
  const take = async (merchantId: string, operation: string): Promise<number> => {
    taken.push(`${merchantId} ${operation}`);
    return waitMs;
  };
  throttleRequests(server, { throttle: { take, wait: take }, clock });
  server.get('/counted', { config: { throttle: 'reads' } }, async () => 'ok');
  server.get('/free', async () => 'ok');
  await server.ready();
});
afterEach(() => server.close());

const get = async (url: string, headers: Record<string, string> = {}) =>
  (await server.inject({ url, headers })).statusCode;

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

it('sends what is refused while others are held back behind the last of them', async () => {
  const count = 1 + (2 * REFUSAL_LIMITS.delayMs) / REFUSAL_LIMITS.apartMs;
  const lastMs = REFUSAL_LIMITS.delayMs + (count - 1) * REFUSAL_LIMITS.apartMs;
  let answered = 0;
  const ask = () => get('/counted').then(() => (answered += 1));
  const held = Array.from({ length: count }, ask);
  await expect.poll(() => taken.length).toBe(count);
  await clock.advance(REFUSAL_LIMITS.delayMs);
  await expect.poll(() => answered).toBe(1);
  const next = ask();
  await expect.poll(() => taken.length).toBe(count + 1);
  await clock.advance(lastMs - REFUSAL_LIMITS.delayMs);
  await Promise.all(held);
  // One more round of the loop would show an answer that was sent too early.
  await server.inject('/free');
  expect(answered).toBe(count);
  await clock.advance(REFUSAL_LIMITS.apartMs);
  await next;
});

it('counts each request once, as soon as its merchant is known, and none of an unknown merchant', async () => {
  waitMs = 0;
  expect(await get('/counted')).toBe(200);
  expect(taken).toEqual(['m1 reads']);
  for (const late of ['login', 'checkout']) expect(await get('/counted', { late })).toBe(200);
  expect(taken).toEqual(['m1 reads', 'm2 reads', 'm2 reads']);
  expect(await get('/counted', { late: 'never' })).toBe(200);
  expect(taken).toHaveLength(3);
  // None of them waited.
  expect(clock.monotonicMs()).toBe(0);
});

it('sends the refusals of two merchants at the same time, and one after a quiet time like the first', async () => {
  const answered: string[] = [];
  const ask = (merchant: string) => get('/counted', { merchant }).then(() => answered.push(merchant));
  const held = ['m1', 'm2'].map(ask);
  await expect.poll(() => taken.length).toBe(2);
  await clock.advance(REFUSAL_LIMITS.delayMs - 1);
  expect(answered).toEqual([]);
  await clock.advance(1);
  await Promise.all(held);
  expect(answered.toSorted()).toEqual(['m1', 'm2']);
  await clock.advance(10 * REFUSAL_LIMITS.delayMs);
  const next = ask('m1');
  await expect.poll(() => taken.length).toBe(3);
  await clock.advance(REFUSAL_LIMITS.delayMs - 1);
  expect(answered).toHaveLength(2);
  await clock.advance(1);
  await next;
});
