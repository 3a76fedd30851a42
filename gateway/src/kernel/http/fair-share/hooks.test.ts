import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type Answer,
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../../app/http/http-harness.test.support.js';
import { ENTITY, OTHER_ENTITY } from '../../../core/payments/payment-harness.test.support.js';
import { SHARE_LIMITS } from './fair-share.js';

const PLACES = 8;

let harness: HttpHarness;
let release: () => void;
beforeEach(async () => {
  harness = await openHttpHarness(undefined, { limits: { requestsAtWork: PLACES } });
  harness.line.gate = new Promise((resolve) => {
    release = resolve;
  });
});
afterEach(async () => {
  release();
  await harness.dispose();
});

const pay = (): Promise<Answer> => harness.post('/v1/payments', CARD);
const sent = () => harness.line.sent.length;

/** Payments to an acquirer that does not answer; the places are all held by them. */
async function silent(count: number): Promise<Promise<Answer>[]> {
  const answers = Array.from({ length: count }, pay);
  await expect.poll(sent).toBe(Math.min(count, PLACES));
  return answers;
}

it('lets requests wait for a place, and gives them that of a request whose acquirer is silent', async () => {
  const answers = await silent(PLACES + 2);
  await expect
    .poll(async () => {
      await harness.clock.advance(SHARE_LIMITS.placeMs + SHARE_LIMITS.checkMs);
      return sent();
    })
    .toBe(PLACES + 2);
  release();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(PLACES + 2).fill(200));
});

it('answers 429 with Retry-After to a merchant whose own requests have waited too long, and sends nothing for it', async () => {
  const answers = await silent(PLACES * 5);
  const first = Promise.race(answers);
  await expect
    .poll(async () => {
      await harness.clock.advance(SHARE_LIMITS.waitMs + SHARE_LIMITS.checkMs);
      return (await Promise.race([first, undefined]))?.status;
    })
    .toBe(429);
  const { headers, body } = await first;
  expect(headers.get('retry-after')).toBe('1');
  expect(body).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    result: { code: '800.120.100' },
  });
  release();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(sent()).toBe(statuses.filter((status) => status === 200).length);
});

it('answers 503 to a merchant that waits for the places of others', async () => {
  const merchants = Array.from({ length: PLACES * 4 }, (_, at) => `merchant${at}`);
  for (const merchantId of merchants) await addToken(harness.store, merchantId, ['pay'], { merchantId });
  const body = new URLSearchParams({ entityId: ENTITY, ...CARD }).toString();
  const answers = merchants.map((token) =>
    harness.send('POST', '/v1/payments', { body, authorization: `Bearer ${token}` }),
  );
  await expect.poll(sent).toBe(PLACES);
  const first = Promise.race(answers);
  await expect
    .poll(async () => {
      await harness.clock.advance(SHARE_LIMITS.placeMs);
      return (await Promise.race([first, undefined]))?.status;
    })
    .toBe(503);
  const { headers, body: refusal } = await first;
  expect(headers.get('retry-after')).toBe('1');
  expect(refusal).toMatchObject({ result: { code: '800.800.800' } });
  release();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
});

it('answers another merchant at once, however many requests of the first one wait', async () => {
  await addToken(harness.store, 'tb_other', ['read'], { entityId: OTHER_ENTITY, merchantId: OTHER_ENTITY });
  const read = () =>
    harness.send('GET', `/v1/payments/${'1'.repeat(32)}`, { authorization: 'Bearer tb_other' });
  const answers = await silent(PLACES * 5);
  const others = Promise.all([read(), read(), read()]);
  // The places of those that wait for their acquirer are taken back once.
  await expect
    .poll(async () => {
      await harness.clock.advance(SHARE_LIMITS.placeMs);
      return (await Promise.race([others, undefined]))?.map(({ status }) => status);
    })
    .toEqual([404, 404, 404]);
  release();
  await Promise.all(answers);
});
