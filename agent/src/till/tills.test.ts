import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendRequest } from '@tillbridge/platform/http/send-request.test.support.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { STREAM_TOKEN_LIMITS } from '../access/stream-tokens.js';
import { TillRegistry, TillRegistryError } from '../access/till-registry.js';
import { DAY_CLOSE_PAGE } from './day-close-routes.js';
import { Documented } from './documented.test.support.js';
import { MemorySaleService } from './memory-sale-service.test.support.js';
import { createTillServer } from './server.js';

const STORE_TOKEN = 'a-token-of-the-store-0123';
const ORIGIN = 'https://till.example';

let home: string;
let clock: VirtualClock;
let service: MemorySaleService;
let server: FastifyInstance;
let url: string;
let documented: Documented | undefined;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'tills-'));
  clock = new VirtualClock(Date.parse('2026-11-23T10:00:00Z'));
  service = new MemorySaleService();
  server = createTillServer({
    service,
    link: { detail: () => ({ state: 'up', attempt: 0, epoch: 1 }), nudge: () => undefined },
    lineProblem: () => undefined,
    token: STORE_TOKEN,
    tills: new TillRegistry(join(home, 'tills.json'), systemRandom),
    origins: [ORIGIN],
    history: () => ({
      sinceMs: clock.nowMs() - 60_000,
      untilMs: clock.nowMs(),
      link: [{ atMs: clock.nowMs() - 60_000, state: 'up' }],
      exposure: [{ atMs: clock.nowMs() - 60_000, depth: 1, sums: { EUR: '9.50' } }],
    }),
    clock,
    log: pino({ level: 'silent' }),
  });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
  documented ??= new Documented(JSON.parse((await sendRequest(`${url}/docs/openapi.json`)).body) as object);
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

async function call(token: string, method: string, path: string, body?: object) {
  const response = await sendRequest(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = JSON.parse(response.body);
  expect(documented?.faults(method, path.split('?')[0] ?? '', response.status, answer)).toEqual([]);
  return { status: response.status, body: answer };
}

async function newTill(id: string, ...rights: readonly string[]): Promise<string> {
  const { status, body } = await call(STORE_TOKEN, 'POST', '/v1/tills', { id, rights });
  expect(status).toBe(200);
  return body.token;
}

const sale = (reference: string, more: object = {}) => ({
  reference,
  amount: '12.34',
  currency: 'EUR',
  ...more,
});

/** What a call answers that is not JSON. */
async function body(token: string, path: string) {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

/** Sells and lets the sale end. */
async function sell(token: string, reference: string) {
  const taken = untilWaitedFor();
  const pending = call(token, 'POST', '/v1/sales', sale(reference));
  await taken;
  service.finish(reference);
  return pending;
}

/** Resolves when a till waits for its sale. */
function untilWaitedFor(): Promise<void> {
  return new Promise((resolve) => {
    const stop = service.onEvent((event) => {
      if (event.type !== 'progress') return;
      stop();
      resolve();
    });
  });
}

describe('the tills of a store', () => {
  it('get a token once, of which the home keeps only the digest, and are listed without it', async () => {
    const token = await newTill('front-1', 'sell', 'refund');
    expect(token).toMatch(/^[\w-]{43}$/);
    const file = join(home, 'tills.json');
    expect(readFileSync(file, 'utf8')).not.toContain(token);
    expect(statSync(file).mode & 0o077).toBe(0);
    const list = await call(STORE_TOKEN, 'GET', '/v1/tills');
    expect(list.body).toEqual([
      { id: 'front-1', rights: ['sell', 'refund'], createdAt: '2026-11-23T10:00:00.000Z' },
    ]);
    const again = await call(STORE_TOKEN, 'POST', '/v1/tills', { id: 'front-1', rights: ['sell'] });
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'not-allowed' } } });
  });

  it('outlive a restart', async () => {
    const token = await newTill('front-1', 'sell');
    const again = new TillRegistry(join(home, 'tills.json'), systemRandom);
    expect(again.find(token)).toMatchObject({ id: 'front-1' });
    expect(again.find(`${token}x`)).toBeUndefined();
  });

  it('are not guessed from a damaged file', () => {
    const wrongRight = '[{"id":"a","rights":["all"],"createdAtMs":1,"tokenHash":"00"}]';
    for (const text of ['{}', '[{}]', wrongRight, 'nothing']) {
      const file = join(home, 'damaged.json');
      writeFileSync(file, text);
      expect(() => new TillRegistry(file, systemRandom)).toThrow(TillRegistryError);
    }
  });

  it('are refused with a wrong name, and with rights that are none', async () => {
    for (const [body, field] of [
      [{ id: '', rights: ['sell'] }, 'id'],
      [{ id: '../x', rights: ['sell'] }, 'id'],
      [{ id: 'a', rights: [] }, 'rights'],
      [{ id: 'a', rights: ['administer'] }, 'rights'],
    ] as const) {
      const answer = await call(STORE_TOKEN, 'POST', '/v1/tills', body);
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { field: expect.stringContaining(field) } },
      });
    }
  });

  it('get the name of the till whose token they have', async () => {
    const token = await newTill('front-1', 'sell', 'report');
    expect((await call(token, 'GET', '/v1/caller')).body).toEqual({
      till: 'front-1',
      rights: ['sell', 'report'],
    });
    const { body } = await call(STORE_TOKEN, 'GET', '/v1/caller');
    expect(body).toEqual({ rights: ['sell', 'refund', 'resolve', 'report', 'tip', 'cash-back'] });
    expect((await call('a-token-of-no-till-0123456', 'GET', '/v1/caller')).status).toBe(403);
  });

  it('lose their token at once', async () => {
    const token = await newTill('front-1', 'sell');
    expect((await call(token, 'GET', '/v1/terminals')).status).toBe(200);
    expect((await call(STORE_TOKEN, 'DELETE', '/v1/tills/front-1')).body).toEqual([]);
    expect((await call(token, 'GET', '/v1/terminals')).status).toBe(403);
    expect((await call(STORE_TOKEN, 'DELETE', '/v1/tills/front-1')).status).toBe(404);
  });

  it('do not manage tills', async () => {
    const token = await newTill('front-1', 'sell', 'refund', 'resolve', 'report');
    for (const [method, path, body] of [
      ['GET', '/v1/tills'],
      ['POST', '/v1/tills', { id: 'x', rights: ['sell'] }],
      ['DELETE', '/v1/tills/front-1'],
    ] as const)
      expect((await call(token, method, path, body)).body.error.code).toBe('not-authorized');
  });
});

describe('a till', () => {
  it('is named with its sale, and its reference is no other till’s', async () => {
    const [one, two] = [await newTill('one', 'sell'), await newTill('two', 'sell')];
    expect((await sell(one, 'r-1')).body).toMatchObject({ till: 'one', outcome: 'approved' });
    expect(service.requests[0]).toMatchObject({ till: 'one' });
    expect((await call(two, 'POST', '/v1/sales', sale('r-1'))).status).toBe(409);
  });

  it('that disappears gets its answer when it is back, and another waits for the terminal', async () => {
    const [one, two] = [await newTill('one', 'sell'), await newTill('two', 'sell')];
    const gone = new AbortController();
    const lost = fetch(`${url}/v1/sales`, {
      method: 'POST',
      headers: { authorization: `Bearer ${one}`, 'content-type': 'application/json' },
      body: JSON.stringify(sale('r-1')),
      signal: gone.signal,
    });
    await untilWaitedFor();
    gone.abort();
    await expect(lost).rejects.toThrow();
    const busy = await call(two, 'POST', '/v1/sales', sale('r-2'));
    expect(busy).toMatchObject({
      status: 409,
      body: { error: { code: 'terminal-busy', runningReference: 'r-1' } },
    });
    expect((await call(two, 'GET', '/v1/sales/r-1')).status).toBe(404);
    service.finish('r-1');
    expect((await call(one, 'POST', '/v1/sales', sale('r-1'))).body).toMatchObject({ outcome: 'approved' });
    expect((await sell(two, 'r-2')).body).toMatchObject({ outcome: 'approved', till: 'two' });
  });

  it('sells with a tip and cash back by their rights alone, each a part of the amount', async () => {
    const parts = { ...sale('r-1'), amount: '20.00', tip: '2.00', cashBack: '5.00' };
    const tokens = [await newTill('one', 'sell'), await newTill('two', 'sell', 'tip')];
    const refused = await Promise.all(tokens.map((token) => call(token, 'POST', '/v1/sales', parts)));
    expect(refused.map(({ status, body }) => [status, body.error.message])).toEqual([
      [403, 'this till has not the right to tip'],
      [403, 'this till has not the right to cash-back'],
    ]);
    const three = await newTill('three', 'sell', 'refund', 'tip', 'cash-back');
    for (const [more, field, message] of [
      [{ tip: '2,00' }, 'tip', 'must have a dot, not a comma: "2.00"'],
      [{ tip: 2 }, 'tip', 'not a number'],
      [{ cashBack: '0.00' }, 'cashBack', 'must be more than zero'],
      [{ tip: '15.00' }, 'cashBack', 'send the sum of purchase, tip and cash back as amount'],
      [{ type: 'preauthorization' }, 'tip', 'belongs to a sale; this is a preauthorization'],
      [{ cashBack: undefined, cashBackAmount: '5.00' }, 'cashBackAmount', 'cashBack'],
    ] as const) {
      const { status, body } = await call(three, 'POST', '/v1/sales', { ...parts, ...more });
      expect({ status, field: body.error.field }).toEqual({ status: 400, field });
      expect(body.error.message).toContain(message);
    }
    expect(service.requests).toEqual([]);
    const answered = call(three, 'POST', '/v1/sales', { ...parts, reference: 'r-2' });
    await untilWaitedFor();
    service.finish('r-2');
    expect((await answered).status).toBe(200);
    expect(service.requests).toMatchObject([
      { amount: { minor: 2_000 }, tip: { minor: 200, currency: 'EUR' }, cashBack: { minor: 500 } },
    ]);
  });

  it('sees its own sales, and no other', async () => {
    const [one, two] = [await newTill('one', 'sell'), await newTill('two', 'sell')];
    await sell(one, 'r-1');
    await sell(two, 'r-2');
    const list = async (token: string) =>
      (await call(token, 'GET', '/v1/sales')).body.sales.map((each: { reference: string }) => each.reference);
    expect(await list(one)).toEqual(['r-1']);
    expect(await list(two)).toEqual(['r-2']);
    expect(await list(STORE_TOKEN)).toEqual(['r-1', 'r-2']);
    expect(await list(await newTill('office', 'report'))).toEqual(['r-1', 'r-2']);
    expect((await call(two, 'GET', '/v1/sales/r-1')).body.error.code).toBe('unknown-reference');
    expect((await call(two, 'POST', '/v1/sales/r-1/cancel')).body.error.code).toBe('unknown-reference');
    expect((await call(two, 'GET', '/v1/sales/r-2')).status).toBe(200);
  });

  it('calls nothing that it has no right to', async () => {
    const calls = [
      ['POST', '/v1/sales', sale('r-9'), ['refund', 'resolve', 'report']],
      ['POST', '/v1/sales', sale('r-9', { type: 'refund' }), ['sell', 'resolve', 'report']],
      ['POST', '/v1/sales/r-1/reversal', undefined, ['sell', 'resolve', 'report']],
      ['POST', '/v1/sales/r-1/capture', { amount: '1.00' }, ['refund', 'resolve', 'report']],
      ['POST', '/v1/sales/r-1/voice-authorization', { approvalCode: '12' }, ['refund', 'resolve', 'report']],
      ['POST', '/v1/sales/r-1/cancel', undefined, ['resolve', 'report']],
      ['POST', '/v1/sales/r-1/resolution', { outcome: 'failed', note: 'x' }, ['sell', 'refund', 'report']],
      ['GET', '/v1/sales/r-1/refunds', undefined, ['sell', 'resolve', 'report']],
      ['POST', '/v1/queue/r-1/acknowledgement', {}, ['sell', 'refund', 'report']],
      ['GET', '/v1/queue', undefined, ['sell', 'refund', 'resolve']],
      ['GET', '/v1/totals', undefined, ['sell', 'refund', 'resolve']],
      ['POST', '/v1/queue/flush', undefined, ['sell', 'refund', 'resolve']],
      ['POST', '/v1/day-closes', { reference: 'c-1' }, ['sell', 'refund', 'resolve']],
      ['GET', '/v1/day-closes', undefined, ['sell', 'refund', 'resolve']],
      ['GET', '/v1/day-closes/1', undefined, ['sell', 'refund', 'resolve']],
      ['GET', '/v1/history', undefined, ['sell', 'refund', 'resolve']],
    ] as const;
    for (const [at, [method, path, body, rights]] of calls.entries()) {
      const answer = await call(await newTill(`till-${at}`, ...rights), method, path, body);
      expect(answer, path).toMatchObject({ status: 403, body: { error: { code: 'not-authorized' } } });
    }
    expect(service.requests).toEqual([]);
  });

  it('reads the list in pages, and gets the fault of a wrong period', async () => {
    for (const reference of ['r-1', 'r-2', 'r-3']) await sell(STORE_TOKEN, reference);
    const first = (await call(STORE_TOKEN, 'GET', '/v1/sales?limit=2&since=2026-11-23')).body;
    expect(first.sales).toHaveLength(2);
    const second = (await call(STORE_TOKEN, 'GET', `/v1/sales?limit=2&after=${first.next}`)).body;
    expect(second.sales.map((each: { reference: string }) => each.reference)).toEqual(['r-3']);
    expect(second.next).toBeUndefined();
    const newest = (await call(STORE_TOKEN, 'GET', '/v1/sales?order=newest&limit=2')).body;
    expect(newest.sales.map((each: { reference: string }) => each.reference)).toEqual(['r-3', 'r-2']);
    for (const [query, field] of [
      ['since=monday', 'since'],
      ['since=2026-11-24&until=2026-11-23', 'until'],
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['limit=x', 'limit'],
      ['after=-1', 'after'],
      ['order=best', 'order'],
    ])
      expect((await call(STORE_TOKEN, 'GET', `/v1/sales?${query}`)).body.error.field).toBe(field);
  });

  it('with the right to report reads the history of link and exposure', async () => {
    const { body } = await call(await newTill('office', 'report'), 'GET', '/v1/history');
    expect(body).toEqual({
      since: '2026-11-23T09:59:00.000Z',
      until: '2026-11-23T10:00:00.000Z',
      link: [{ at: '2026-11-23T09:59:00.000Z', state: 'up' }],
      exposure: [{ at: '2026-11-23T09:59:00.000Z', depth: 1, sums: { EUR: '9.50' } }],
    });
  });

  it('is named where it reverses, resolves and acknowledges', async () => {
    const token = await newTill('office', 'sell', 'refund', 'resolve');
    await sell(token, 'r-1');
    await call(token, 'POST', '/v1/sales/r-1/reversal');
    await call(token, 'POST', '/v1/sales/r-1/resolution', { outcome: 'failed', note: 'paid in cash' });
    await call(token, 'POST', '/v1/queue/r-1/acknowledgement');
    await call(token, 'POST', '/v1/queue/r-1/acknowledgement', { by: 'Anna' });
    expect(service.reversals).toEqual(['r-1 office']);
    expect(service.resolutions).toEqual(['failed paid in cash office']);
    expect(service.acknowledged).toEqual(['r-1 office', 'r-1 Anna']);
  });

  it('prints its receipts in every form, and no other till’s', async () => {
    const [one, two] = [await newTill('one', 'sell'), await newTill('two', 'sell')];
    await sell(one, 'r-1');
    const path = '/v1/sales/r-1/receipt';
    expect(await body(one, path)).toMatchObject({
      status: 200,
      type: 'text/plain; charset=utf-8',
      text: expect.stringMatching(/CUSTOMER COPY[\s\S]*EUR 12\.34[\s\S]*APPROVED/),
    });
    const again = await body(one, `${path}?copy=merchant&columns=48&language=es&reprint=true`);
    expect(again.text).toMatch(/DUPLICADO[\s\S]*COPIA COMERCIO[\s\S]*APROBADA/);
    expect(await body(one, `${path}?format=html`)).toMatchObject({
      type: 'text/html; charset=utf-8',
      text: expect.stringContaining('<!doctype html>'),
    });
    expect((await body(one, `${path}?format=escpos`)).type).toBe('application/octet-stream');
    expect((await body(two, path)).status).toBe(404);
    for (const query of ['columns=33', 'copy=all', 'language=xx', 'format=pdf', 'reprint=yes'])
      expect((await body(one, `${path}?${query}`)).status, query).toBe(400);
  });

  it('with the right to report gets totals and their page', async () => {
    const [one, office] = [await newTill('one', 'sell'), await newTill('office', 'report')];
    await sell(one, 'r-1');
    expect((await call(one, 'GET', '/v1/totals')).body.error.code).toBe('not-authorized');
    const totals = (await call(office, 'GET', '/v1/totals?by=till&since=2026-11-23')).body;
    expect(totals).toMatchObject({
      since: '2026-11-23T00:00:00.000Z',
      by: 'till',
      groups: [{ key: 'one', net: '12.34' }],
    });
    const page = await body(office, '/v1/totals?format=html');
    expect(page).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
    expect((await call(office, 'GET', '/v1/totals?by=cashier')).status).toBe(400);
  });

  it('with the right to report closes the day once, lists and prints the closes', async () => {
    const office = await newTill('office', 'sell', 'report');
    await sell(office, 'r-1');
    const closed = await call(office, 'POST', '/v1/day-closes', { reference: 'c-1' });
    expect(closed).toMatchObject({
      status: 200,
      body: {
        ...{ number: 1, reference: 'c-1', till: 'office', carriedOver: { waiting: 1 } },
        terminals: [{ key: '10001', net: '12.34', approved: { count: 1, amount: '12.34' } }],
        brands: [{ key: 'VISA' }],
      },
    });
    expect((await call(office, 'POST', '/v1/day-closes', { reference: 'c-1' })).body).toEqual(closed.body);
    expect((await call(office, 'GET', '/v1/day-closes')).body).toEqual({ dayCloses: [closed.body] });
    expect((await call(office, 'GET', '/v1/day-closes?before=1')).body).toEqual({ dayCloses: [] });
    expect((await call(office, 'GET', '/v1/day-closes/1')).body).toEqual(closed.body);
    expect((await call(office, 'GET', '/v1/day-closes/2')).status).toBe(404);
    const page = await body(office, '/v1/day-closes/1?format=html');
    expect(page).toMatchObject({ type: 'text/html; charset=utf-8' });
    expect(page.text).toMatch(/<h1>Day close 1<\/h1>[\s\S]*12\.34[\s\S]*Waiting \(offline\): 1/);
    for (let at = 2; at <= DAY_CLOSE_PAGE + 1; at += 1)
      await call(office, 'POST', '/v1/day-closes', { reference: `c-${at}` });
    const first = (await call(office, 'GET', '/v1/day-closes')).body;
    expect([first.dayCloses.length, first.next]).toEqual([DAY_CLOSE_PAGE, '2']);
    const { body: rest } = await call(office, 'GET', `/v1/day-closes?before=${first.next}`);
    expect(rest.dayCloses).toEqual([closed.body]);
  });

  it('does not see open and parked sales of others', async () => {
    const token = await newTill('one', 'sell');
    expect((await call(token, 'GET', '/v1/status')).body).toMatchObject({ open: [], parked: [] });
    const all = (await call(STORE_TOKEN, 'GET', '/v1/status')).body;
    expect(all.parked).toHaveLength(1);
  });
});

async function listen(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const request = httpRequest(`${url}${path}`, { headers });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response.setEncoding('utf8');
}

async function readUntil(stream: IncomingMessage, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk;
    if (pattern.test(text)) return text;
  }
  return text;
}

describe('events', () => {
  it('show a till only its own sales', async () => {
    const [one, two] = [await newTill('one', 'sell'), await newTill('two', 'sell')];
    const stream = await listen('/v1/events', { authorization: `Bearer ${two}` });
    await sell(one, 'of-one');
    await sell(two, 'of-two');
    const text = await readUntil(stream, /"state":"done"/);
    expect(text).toContain('of-two');
    expect(text).not.toContain('of-one');
    stream.destroy();
  });

  it('are opened once by a token that a browser fetched, for the same till', async () => {
    const one = await newTill('one', 'sell');
    const { token } = (await call(one, 'POST', '/v1/events/token')).body;
    const stream = await listen(`/v1/events?token=${token}&lastEventId=0`);
    expect(stream.statusCode).toBe(200);
    await sell(STORE_TOKEN, 'of-the-store');
    await sell(one, 'of-one');
    expect(await readUntil(stream, /"state":"done"/)).not.toContain('of-the-store');
    expect((await listen(`/v1/events?token=${token}`)).statusCode).toBe(403);
    stream.destroy();
  });

  it('refuse a stream token that is too old, of a revoked till, or on another path', async () => {
    const one = await newTill('one', 'sell');
    const fetched = async () => (await call(one, 'POST', '/v1/events/token')).body.token as string;
    const old = await fetched();
    await clock.advance(STREAM_TOKEN_LIMITS.lifetimeMs);
    expect((await listen(`/v1/events?token=${old}`)).statusCode).toBe(403);
    expect((await listen(`/v1/status?token=${await fetched()}`)).statusCode).toBe(401);
    const left = await fetched();
    await call(STORE_TOKEN, 'DELETE', '/v1/tills/one');
    expect((await listen(`/v1/events?token=${left}`)).statusCode).toBe(403);
  });

  it('end when the till is revoked', async () => {
    const one = await newTill('one', 'sell');
    const stream = await listen('/v1/events', { authorization: `Bearer ${one}` });
    const ended = once(stream, 'end');
    stream.resume();
    await call(STORE_TOKEN, 'DELETE', '/v1/tills/one');
    await ended;
  });
});

describe('pages of a configured origin', () => {
  it('may call, also into a private network where the browser requests it', async () => {
    const plain = await fetch(`${url}/v1/sales`, {
      method: 'OPTIONS',
      headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
    });
    expect(plain.status).toBe(204);
    expect(plain.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(plain.headers.get('access-control-allow-headers')).toContain('authorization');
    expect(plain.headers.get('access-control-allow-private-network')).toBeNull();
    expect(plain.headers.get('access-control-allow-credentials')).toBeNull();
    const fromOutside = await fetch(`${url}/v1/sales`, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-private-network': 'true',
      },
    });
    expect(fromOutside.headers.get('access-control-allow-private-network')).toBe('true');
  });

  it('read answers and refusals with only the token', async () => {
    const answer = await fetch(`${url}/v1/status`, { headers: { origin: ORIGIN } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(answer.headers.get('vary')).toContain('origin');
    const stream = await listen('/v1/events', { origin: ORIGIN, authorization: `Bearer ${STORE_TOKEN}` });
    expect(stream.headers['access-control-allow-origin']).toBe(ORIGIN);
    stream.destroy();
  });

  it('are those of no other', async () => {
    for (const origin of ['https://evil.example', 'http://till.example', 'null']) {
      const answer = await fetch(`${url}/v1/sales`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});
