import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { rawRequest } from '@tillbridge/platform/http/raw-request.test.support.js';
import { peersOf } from '@tillbridge/platform/net/peers.js';
import { afterEach, describe, expect, it } from 'vitest';
import { overTime } from '../../core/payments/harness-clock.test.support.js';
import { MASTERCARD_DECLINED, type MakeStore } from '../../core/payments/payment-harness.test.support.js';
import { DEFAULT_HTTP_LIMITS } from '../../kernel/http/limits/http-limits.js';
import { DEFAULT_THROTTLE_RATES } from '../../kernel/http/throttle/throttle.js';
import { openDatabase } from '../../kernel/store/open-database.js';
import type { EntityRow } from '../../kernel/store/rows.js';
import { SqliteStore } from '../../kernel/store/sqlite-store.js';
import type { Store } from '../../kernel/store/store.js';
import {
  CARD,
  type HttpHarness,
  type HttpHarnessOptions,
  openHttpHarness,
  TOKEN,
} from './http-harness.test.support.js';

const ENTITY = 'a'.repeat(32);
const form = (more: Readonly<Record<string, string>> = {}): string =>
  new URLSearchParams({ entityId: ENTITY, ...CARD, ...more }).toString();

let harness: HttpHarness;
const open = async (options?: HttpHarnessOptions, makeStore?: MakeStore): Promise<void> => {
  harness = await openHttpHarness(makeStore, options);
};
afterEach(() => harness.dispose());

/** What every answer has, a redirect apart. */
const ENVELOPE = {
  result: { code: expect.stringMatching(/^\d{3}\.\d{3}\.\d{3}$/), description: expect.any(String) },
  buildNumber: 'test',
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+0000$/),
  ndc: expect.stringMatching(/^[A-Za-z0-9-]{1,69}$/),
};
const withCode = (code: string) => ({ ...ENVELOPE, result: expect.objectContaining({ code }) });

describe('every status of the specification (spec 7)', () => {
  it('200: a payment that went well, and its status', async () => {
    await open();
    const paid = await harness.send('POST', '/v1/payments', { body: form() });
    expect(paid).toMatchObject({ status: 200, body: withCode('000.100.110') });
    const read = await harness.get(`/v1/payments/${paid.body.id}?entityId=${ENTITY}`);
    expect(read).toMatchObject({ status: 200, body: withCode('000.100.110') });
  });

  it('307: plain HTTP where TLS is required', async () => {
    await open({ transport: { mode: 'live', proxies: peersOf([]), publicUrl: 'https://pay.example' } });
    const { status, headers } = await harness.send('POST', '/v1/payments', { body: form() });
    expect(status).toBe(307);
    expect(headers.get('location')).toBe('https://pay.example/v1/payments');
    const nowhere = await open({ transport: { mode: 'live', proxies: peersOf([]) } }).then(() =>
      rawRequest(harness.url, 'GET /v1/payments/1 HTTP/1.0\r\n\r\n'),
    );
    expect(nowhere.status).toBe(400);
    expect(JSON.parse(nowhere.body)).toMatchObject(withCode('200.300.404'));
  });

  it('400: parameters that are wrong', async () => {
    await open();
    const answer = await harness.send('POST', '/v1/payments', { body: form({ amount: 'x' }) });
    expect(answer).toMatchObject({ status: 400, body: withCode('200.300.404') });
  });

  it('400: a payment that the acquirer declined', async () => {
    await open();
    const declined = { paymentBrand: 'MASTER', 'card.number': MASTERCARD_DECLINED };
    const answer = await harness.send('POST', '/v1/payments', { body: form(declined) });
    expect(answer).toMatchObject({ status: 400, body: withCode('800.100.203') });
  });

  it('401: a header that is none', async () => {
    await open();
    const answer = await harness.send('POST', '/v1/payments', { body: form(), authorization: 'Basic YQ==' });
    expect(answer).toMatchObject({ status: 401, body: withCode('800.900.300') });
  });

  it('403: a token that is not ours', async () => {
    await open();
    const answer = await harness.send('POST', '/v1/payments', {
      body: form(),
      authorization: 'Bearer other',
    });
    expect(answer).toMatchObject({ status: 403, body: withCode('800.900.300') });
  });

  it.each([
    ['a path that there is not', '/v1/paymnets', '200.100.199'],
    ['an id with no payment', `/v1/payments/${'0'.repeat(32)}`, '700.400.580'],
  ])('404: %s', async (_what, path, code) => {
    await open();
    expect(await harness.get(path)).toMatchObject({ status: 404, body: withCode(code) });
  });
});

describe('statuses that the specification does not list', () => {
  it('405, 413 and 415: a request of the wrong kind', async () => {
    await open();
    expect(await harness.send('PUT', '/v1/payments')).toMatchObject({
      status: 405,
      body: withCode('200.300.403'),
    });
    const large = await harness.send('POST', '/v1/payments', {
      body: `a=${'1'.repeat(DEFAULT_HTTP_LIMITS.bodyBytes)}`,
    });
    expect(large).toMatchObject({ status: 413, body: withCode('200.300.404') });
    const json = await harness.send('POST', '/v1/payments', { body: '{}', type: 'application/json' });
    expect(json).toMatchObject({ status: 415, body: withCode('200.300.404') });
  });

  it('409: another request with the same Idempotency-Key runs', async () => {
    await open();
    let release = (): void => undefined;
    harness.line.gate = new Promise((resolve) => {
      release = resolve;
    });
    const send = () =>
      harness.send('POST', '/v1/payments', { body: form(), headers: { 'idempotency-key': 'order-1' } });
    const first = send();
    await expect.poll(() => harness.line.sent.length).toBe(1);
    expect(await send()).toMatchObject({ status: 409, body: withCode('800.600.100') });
    release();
    expect((await first).status).toBe(200);
  });

  it('429: more requests than the merchant may send', async () => {
    await open({ rates: { ...DEFAULT_THROTTLE_RATES, query: { perSecond: 1, burst: 1 } } });
    await harness.get('/v3/query?merchantTransactionId=order-0001');
    const answer = await overTime(harness.clock, harness.get('/v3/query?merchantTransactionId=order-0001'));
    expect(answer).toMatchObject({ status: 429, body: withCode('800.120.100') });
  });
});

describe('what is no HTTP', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const SLOW = `POST /v1/payments HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Length: 10\r\n\r\namount=1`;
  const LONG_HEADER = `GET /v1/resultcodes HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`;

  it.each([
    ['400: bytes that are none', '\u0000\u0001 what\r\n\r\n', 400],
    ['400: a method that there is not', 'PAY /v1/payments HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['400: two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['400: no host', 'GET /v1/resultcodes HTTP/1.1\r\n\r\n', 400],
    ['408: a request that does not end', SLOW, 408],
    ['431: headers that are too large', LONG_HEADER, 431],
  ])('%s, with the envelope and the headers of every answer', async (_what, request, expected) => {
    // On a busy machine other requests may take as long.
    const isLate = expected === 408;
    await open(
      isLate ? { limits: { headersTimeoutMs: 100, requestTimeoutMs: 100, timeoutCheckMs: 20 } } : {},
    );
    const { status, headers, body } = await rawRequest(harness.url, request);
    expect(status).toBe(expected);
    const answer = JSON.parse(body);
    expect(answer).toMatchObject({ result: { code: '200.100.103' } });
    const [fault] = answer.result.parameterErrors ?? [];
    expect(fault?.message).toBe(
      expected === 431 ? 'the head of a request must not exceed 16384 bytes' : undefined,
    );
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('strict-transport-security')).toContain('max-age=63072000');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('connection')).toBe('close');
    await expect.poll(async () => (await harness.get('/healthz')).status).toBe(200);
    expect(harness.log.join('')).not.toContain('amount=1');
  });
});

it('413: also to a client that reads nothing before it has written all', async () => {
  await open();
  const body = 'x'.repeat(8_000_000);
  const { status, body: text } = await rawRequest(
    harness.url,
    `POST /v1/payments HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(status).toBe(413);
  expect(text).toContain('the body must not exceed 2097152 bytes');
});

/** Pages in addition to the empty tables. */
const ROOM_PAGES = 40;

describe('503: the disk of the database', () => {
  const filler = (at: number, length: number): EntityRow => ({
    id: `filler-${at}`,
    kind: 'merchant',
    parentId: null,
    name: 'x'.repeat(length),
    compatibility: 'specification',
    createdAtMs: 1,
    version: 1,
  });
  const pay = () => harness.send('POST', '/v1/payments', { body: form() });
  const unready = (reason: unknown) => ({ status: 503, body: { status: 'not ready', reason } });

  it('is full: payments are refused, the reason is reported, and room makes all well again', async () => {
    let file = '';
    await open({}, async (home) => {
      file = join(home, 'gateway.db');
      await (await SqliteStore.open(file)).close();
      const { size: emptyBytes } = await stat(file);
      return SqliteStore.open(file, { maxBytes: emptyBytes + ROOM_PAGES * 4_096 });
    });
    expect((await harness.get('/readyz')).status).toBe(200);
    let at = 0;
    /** Inserts rows until one does not fit; gives the fault. */
    const fill = async (length: number): Promise<unknown> => {
      for (;;) {
        try {
          const row = filler(at, length);
          await harness.store.commit([{ op: 'insert', table: 'entities', row }]);
          at += 1;
        } catch (error) {
          return error;
        }
      }
    };
    await fill(3_000);
    // A long row may need two pages where one is left: a short one takes the last.
    const fault = await fill(10);
    expect(fault).toMatchObject({ code: 'disk-full' });
    const reason = expect.stringContaining('the disk of the database is full');
    expect(await harness.get('/readyz')).toMatchObject(unready(reason));
    // The pages that a table has already may have room for a few payments, or for an intent and not for its outcome.
    let [sent, last] = [0, await pay()];
    for (let tries = 0; harness.line.sent.length > sent && tries < 40; tries += 1) {
      sent = harness.line.sent.length;
      last = await pay();
    }
    expect(last).toMatchObject({ status: 503, body: withCode('999.999.888') });
    expect(harness.line.sent).toHaveLength(sent);
    expect((await harness.get('/healthz')).status).toBe(200);
    const connection = await openDatabase(file);
    await connection.run("DELETE FROM entities WHERE id LIKE 'filler-%'");
    await connection.close();
    expect((await harness.get('/readyz')).status).toBe(200);
    expect((await pay()).status).toBe(200);
  });

  it('may only be read: the reason is reported although no write was tried', async () => {
    const files: SqliteStore[] = [];
    let disk: Store | undefined;
    await open({}, async (home) => {
      const file = join(home, 'gateway.db');
      // The same file opened twice: a disk that is mounted again, for reading alone.
      for (const readOnly of [false, true]) files.push(await SqliteStore.open(file, { readOnly }));
      disk = files[0];
      return whicheverIs(() => disk);
    });
    expect((await harness.get('/readyz')).status).toBe(200);
    disk = files[1];
    expect(await harness.get('/readyz')).toMatchObject(unready(expect.stringContaining('cannot be written')));
    expect(await pay()).toMatchObject({ status: 503, body: withCode('999.999.888') });
    expect(harness.line.sent).toEqual([]);
    expect((await harness.get('/healthz')).status).toBe(200);
    disk = files[0];
    expect((await harness.get('/readyz')).status).toBe(200);
    expect((await pay()).status).toBe(200);
    await files[1]?.close();
  });
});

/** A store that is another one from time to time. */
function whicheverIs(current: () => Store | undefined): Store {
  return new Proxy({} as Store, {
    get: (_none, name) => {
      const store = current();
      const member: unknown = store && Reflect.get(store, name);
      return typeof member === 'function' ? member.bind(store) : undefined;
    },
  });
}
