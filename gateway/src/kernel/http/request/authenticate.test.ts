import { rawRequest } from '@tillbridge/platform/http/raw-request.test.support.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CARD,
  type HttpHarness,
  openHttpHarness,
  TOKEN,
} from '../../../app/http/http-harness.test.support.js';
import { ENTITY } from '../../../core/payments/payment-harness.test.support.js';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

/** How often a token is looked up in the store while the work goes on. */
async function tokenLookUps(work: () => Promise<{ readonly status: number }>): Promise<[number, number]> {
  const find = vi.spyOn(harness.store, 'find');
  const { status } = await work();
  const count = find.mock.calls.filter(([table]) => table === 'tokens').length;
  find.mockRestore();
  return [status, count];
}

describe('the last use of a token', () => {
  const lastUse = async () => (await harness.store.get('tokens', [TOKEN]))?.lastUsedAtMs;
  const use = () => harness.get('/v1/payments/0'.padEnd(45, '0'));
  const HOUR_MS = 3_600_000;

  it('is recorded once an hour, and a request does not depend on it', async () => {
    const firstMs = harness.clock.nowMs();
    await use();
    expect(await lastUse()).toBe(firstMs);
    await harness.clock.advance(HOUR_MS - 1);
    await use();
    expect(await lastUse()).toBe(firstMs);
    await harness.clock.advance(1);
    const commit = vi.spyOn(harness.store, 'commit').mockRejectedValueOnce(new Error('disk full'));
    expect((await use()).status).toBe(404);
    expect(await lastUse()).toBe(firstMs);
    commit.mockRestore();
    await use();
    expect(await lastUse()).toBe(firstMs + HOUR_MS);
  });
});

describe('before its body has come', () => {
  const answer = (request: string, ...lines: readonly string[]) => {
    const head = [`${request} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines];
    return rawRequest(harness.url, `${head.join('\r\n')}\r\n\r\n`);
  };
  const answered = async (...lines: readonly string[]): Promise<number> =>
    (await answer('POST /v1/payments', ...lines)).status;

  it('a request is refused for its token, also where the body is short', async () => {
    for (const length of ['Content-Length: 10', 'Content-Length: 1000000', 'Transfer-Encoding: chunked'])
      expect(await answered('Authorization: Bearer tb_never-issued', length)).toBe(403);
    expect(await answered('Authorization: Basic eDp5', 'Content-Length: 10')).toBe(401);
  });

  it('a request without a token is refused where user id and password take less, or the length is unknown', async () => {
    for (const length of ['Content-Length: 1000000', 'Transfer-Encoding: chunked'])
      expect(await answered(length)).toBe(401);
  });

  it('a read is not refused for the length of a body, which is never read', async () => {
    const path = `/v1/payments/${'0'.repeat(32)}`;
    for (const length of ['Content-Length: 0', 'Content-Length: 1000000']) {
      const { status, body } = await answer(`GET ${path}`, length);
      expect([status, body.includes('may not be empty'), body.includes('at most')]).toEqual([
        401,
        true,
        false,
      ]);
    }
  });
});

describe('the token of a request is looked up', () => {
  it.each<[string, string, string | undefined, Record<string, string>, number]>([
    ['POST', '/v1/payments', new URLSearchParams({ entityId: ENTITY, ...CARD }).toString(), {}, 200],
    [
      'POST',
      '/v1/payments',
      new URLSearchParams({ entityId: ENTITY, ...CARD }).toString(),
      { 'idempotency-key': 'k-1' },
      200,
    ],
    ['POST', '/v1/payments', 'amount=1.00', {}, 400],
    ['POST', `/v1/payments/${'0'.repeat(32)}`, `entityId=${ENTITY}&paymentType=RV`, {}, 400],
    ['GET', `/v1/payments/${'0'.repeat(32)}`, undefined, {}, 404],
    ['GET', `/v3/query?entityId=${ENTITY}&merchantTransactionId=x`, undefined, {}, 404],
    ['GET', '/v1/simulator/transactions', undefined, {}, 403],
  ])('once by %s %s', async (method, path, body, headers, status) => {
    const work = () => harness.send(method, path, { headers, ...(body !== undefined && { body }) });
    expect(await tokenLookUps(work)).toEqual([status, 1]);
  });

  it('once for an older client with user id and password', async () => {
    const entity = await harness.store.get('entities', [ENTITY]);
    if (!entity) throw new Error('no entity');
    await harness.store.commit([
      { op: 'update', table: 'entities', row: { ...entity, compatibility: 'legacy' } },
    ]);
    const login = (userId: string, password: string) => () =>
      harness.send('POST', '/v1/payments', {
        authorization: null,
        body: new URLSearchParams({
          'authentication.entityId': ENTITY,
          'authentication.userId': userId,
          'authentication.password': password,
          ...CARD,
        }).toString(),
      });
    expect(await tokenLookUps(login(TOKEN, TOKEN))).toEqual([200, 1]);
    expect(await tokenLookUps(login('stranger', TOKEN))).toEqual([403, 1]);
    expect(await tokenLookUps(login(TOKEN, 'ä no token'))).toEqual([403, 1]);
  });

  it.each<[string, string, number]>([
    ['GET', '/v1/resultcodes', 200],
    ['GET', '/healthz', 200],
    ['GET', '/docs/openapi.json', 200],
    ['DELETE', '/v1/payments', 405],
    ['GET', '/v1/nothing', 404],
  ])('never by %s %s, which is for everybody', async (method, path, status) => {
    expect(await tokenLookUps(() => harness.send(method, path))).toEqual([status, 0]);
  });

  it('never where there is none', async () => {
    const work = () => harness.send('POST', '/v1/payments', { authorization: null, body: 'a=b' });
    expect(await tokenLookUps(work)).toEqual([401, 0]);
  });
});
