import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FailingStore } from '../../core/payments/payment-harness.test.support.js';
import { DEFAULT_HTTP_LIMITS } from '../../kernel/http/limits/http-limits.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import {
  CARD,
  type HttpHarness,
  openHttpHarness,
  RECORD_TOKEN,
  REVOKED_TOKEN,
  TOKEN,
} from './http-harness.test.support.js';

let disk: FailingStore;
let harness: HttpHarness;
beforeEach(async () => {
  disk = new FailingStore(new MemoryStore());
  harness = await openHttpHarness(() => disk);
});
afterEach(() => harness.dispose());

const envelope = {
  result: { code: expect.stringMatching(/^\d{3}\.\d{3}\.\d{3}$/), description: expect.any(String) },
  buildNumber: 'test',
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+0000$/),
  ndc: expect.stringMatching(/^[A-Za-z0-9-]{1,69}$/),
};
const body = new URLSearchParams({ entityId: 'a'.repeat(32), ...CARD }).toString();
const path = '/v1/payments';

describe('authentication', () => {
  it.each([null, 'Basic abc', 'Bearer', 'Bearer two words', TOKEN, `Bearer ${TOKEN}, x`])(
    'answers the header %s with 401',
    async (authorization) => {
      const answer = await harness.send('POST', path, { body, authorization });
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ ...envelope, result: { code: '800.900.300' } });
      expect(answer.body.result.description).toBe('invalid authentication information');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  it.each(['tb_never-issued-token', 'short', REVOKED_TOKEN])(
    'answers the token %s with 403',
    async (token) => {
      const answer = await harness.send('POST', path, { body, authorization: `Bearer ${token}` });
      expect(answer).toMatchObject({ status: 403, body: { ...envelope, result: { code: '800.900.300' } } });
      expect(harness.line.sent).toEqual([]);
    },
  );

  it('holds a token to its rights', async () => {
    const payment = await harness.send('POST', path, { body, authorization: `Bearer ${RECORD_TOKEN}` });
    expect(payment).toMatchObject({ status: 403, body: { result: { code: '800.900.301' } } });
    expect((await harness.get('/v1/simulator/transactions')).status).toBe(403);
  });

  it('shows the acquirer’s record to the token for it', async () => {
    await harness.send('POST', path, { body });
    const { status, body: record } = await harness.send('GET', '/v1/simulator/transactions', {
      authorization: `Bearer ${RECORD_TOKEN}`,
    });
    expect(status).toBe(200);
    expect(record).toMatchObject([
      { kind: 'authorization', amount: '12.34', approved: true, last4Digits: '0000' },
    ]);
  });
});

describe('what is no request', () => {
  it.each([
    '/nothing',
    '/v1/paymnets',
    '/v1/payments/a/b',
    '/v1/payments/%zz',
    `/v1/payments/${'x'.repeat(500)}`,
  ])('answers the path %s with 404 and an envelope', async (url) => {
    expect(await harness.get(url)).toMatchObject({ status: 404, body: envelope });
  });

  it.each([
    ['GET', '/v1/checkouts', 'POST'],
    ['PUT', '/v1/payments', 'GET, POST, HEAD'],
    ['DELETE', `/v1/payments/${'0'.repeat(32)}`, 'GET, POST, HEAD'],
  ])('answers %s %s with 405', async (method, url, allow) => {
    const answer = await harness.send(method, url);
    expect(answer).toMatchObject({ status: 405, body: { ...envelope, result: { code: '200.300.403' } } });
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it('refuses JSON and names what to send', async () => {
    const answer = await harness.send('POST', path, { body: '{"amount":"1.00"}', type: 'application/json' });
    expect(answer).toMatchObject({ status: 415, body: envelope });
    const message = answer.body.result.parameterErrors[0]?.message;
    expect(message).toMatch(/application\/x-www-form-urlencoded.*, not as JSON$/);
  });

  it('refuses JSON under the name of a form alike, and names no missing parameter', async () => {
    const answer = await harness.send('POST', path, { body: '{"amount":"1.00"}' });
    expect(answer).toMatchObject({ status: 400, body: envelope });
    expect(answer.body.result.parameterErrors).toEqual([
      { name: '', value: null, message: expect.stringContaining('the body is JSON') },
    ]);
  });

  it.each(['application/x-www-form-urlencoded', 'Application/X-WWW-Form-Urlencoded;charset="utf8"'])(
    'takes a form named %s',
    async (type) => {
      expect((await harness.send('POST', path, { body, type })).status).toBe(200);
    },
  );

  it.each([
    ['a broken escape', 'amount=%E4%zz', /broken percent escape/],
    ['bytes that are not UTF-8', new Uint8Array([0x61, 0x3d, 0xff, 0xfe]), /UTF-8/],
    ['escaped bytes that are not UTF-8', 'descriptor=%FF', /is Latin-1 \(ISO 8859-1\)/],
    ['a broken escape', 'descriptor=%F', /broken percent escape/],
  ])('refuses %s', async (_, broken, message) => {
    const answer = await harness.send('POST', path, { body: broken });
    expect(answer).toMatchObject({ status: 400, body: envelope });
    expect(answer.body.result.parameterErrors[0]?.message).toMatch(message);
  });

  it('refuses another charset, parameters in the URL and a body that is too large', async () => {
    const type = 'application/x-www-form-urlencoded; charset=ISO-8859-1';
    expect((await harness.send('POST', path, { body, type })).status).toBe(400);
    const compressed = { body, headers: { 'content-encoding': 'gzip' } };
    expect((await harness.send('POST', path, compressed)).body.result.parameterErrors).toEqual([
      { name: 'Content-Encoding', value: 'gzip', message: 'the body must not be compressed' },
    ]);
    const misplaced = await harness.send('POST', `${path}?amount=1.00`, { body });
    expect(misplaced.body.result.parameterErrors).toMatchObject([{ name: 'amount', value: null }]);
    const large = await harness.send('POST', path, {
      body: `amount=${'1'.repeat(DEFAULT_HTTP_LIMITS.bodyBytes)}`,
    });
    expect(large).toMatchObject({ status: 413, body: envelope });
    expect((await harness.send('POST', path, { body })).status).toBe(200);
  });

  it('lives on after a request that is no HTTP', async () => {
    const { port, hostname } = new URL(harness.url);
    const socket = connect(Number(port), hostname);
    socket.end('\u0000\u0001 not http\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
    expect((await harness.get('/healthz')).status).toBe(200);
  });
});

describe('faults', () => {
  it('answers a full disk with 503 and a system code, sends nothing, and works again', async () => {
    disk.failWhen = () => true;
    const answer = await harness.send('POST', path, { body });
    expect(answer).toMatchObject({ status: 503, body: { ...envelope, result: { code: '999.999.888' } } });
    expect(harness.line.sent).toEqual([]);
    expect(await harness.get('/readyz')).toMatchObject({
      status: 503,
      body: { reason: expect.stringContaining('full') },
    });
    expect((await harness.get('/healthz')).status).toBe(200);
    disk.failWhen = () => false;
    expect((await harness.get('/readyz')).status).toBe(200);
    expect((await harness.send('POST', path, { body })).status).toBe(200);
  });

  it('logs every request by its route, and nothing of what it holds', async () => {
    await harness.send('POST', path, { body });
    await harness.get(`/v1/payments/${'0'.repeat(32)}?entityId=4200000000000000`);
    const log = harness.log.join('');
    expect(log).toContain('"route":"/v1/payments/:id"');
    expect(log).toMatch(/"resultCode":"000.100.110","outcome":"approved"/);
    expect(log).toMatch(/"resultCode":"200.300.404","outcome":"refused"/);
    expect(log).not.toMatch(/4200000000000000|Jane Jones|tb_test/);
  });

  it('logs the id of every answer, by which a client can ask about it', async () => {
    const paid = await harness.send('POST', path, { body });
    const missing = await harness.get(`/v1/payments/${'0'.repeat(32)}`);
    const log = harness.log.join('');
    for (const { ndc } of [paid.body, missing.body]) expect(log).toContain(`"ndc":"${ndc}"`);
  });

  it('sends the security headers with every answer', async () => {
    for (const url of ['/healthz', '/nothing', '/v1/payments']) {
      const { headers } = await harness.get(url);
      expect(headers.get('strict-transport-security')).toContain('max-age=63072000');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});
