import { request as httpRequest } from 'node:http';
import { rawRequest } from '@tillbridge/platform/http/raw-request.test.support.js';
import { sendRequest } from '@tillbridge/platform/http/send-request.test.support.js';
import { MASKING_LOG_OPTIONS } from '@tillbridge/platform/log/log-options.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LineFault } from '../drivers/open-terminal.js';
import { Documented } from './documented.test.support.js';
import { MemorySaleService } from './memory-sale-service.test.support.js';
import { createTillServer } from './server.js';

const TOKEN = 'a-token-of-the-tills-0123';
const SALE = { reference: 'r-1', amount: '12.34', currency: 'EUR' };

let documented: Documented | undefined;
let service: MemorySaleService;
let server: FastifyInstance;
let url: string;
let nudges: string[];
let lineProblems: Map<string, LineFault>;

let logged: Record<string, unknown>[];

beforeEach(async () => {
  logged = [];
  service = new MemorySaleService();
  nudges = [];
  lineProblems = new Map();
  server = createTillServer({
    service,
    link: {
      detail: () => ({ state: 'down', attempt: 3, reason: 'unreachable', detail: 'ECONNREFUSED' }),
      nudge: () => nudges.push('nudge'),
    },
    todos: () => [{ terminalId: '1', sinceMs: 0, reason: 'no device; tillbridge-gateway devices add' }],
    lineProblem: (terminalId) => lineProblems.get(terminalId),
    terminalName: () => 'Counter 2',
    token: TOKEN,
    hostNames: ['localhost', 'agent.shop.example'],
    clock: new VirtualClock(),
    log: pino(MASKING_LOG_OPTIONS, { write: (line) => logged.push(JSON.parse(line)) }),
  });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

interface Call {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function call(method: string, path: string, { body, headers }: Call = {}) {
  const response = await sendRequest(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const answer = JSON.parse(response.body);
  documented ??= new Documented(JSON.parse((await server.inject('/docs/openapi.json')).body));
  expect(documented.faults(method, path, response.status, answer)).toEqual([]);
  return { status: response.status, headers: response.headers, body: answer };
}

const ASYNC = { prefer: 'wait=5, respond-async' };

/** Resolves when a till waits for a sale to end. */
function waitedFor(): Promise<void> {
  return new Promise((resolve) => {
    const stop = service.onEvent((event) => {
      if (event.type !== 'progress') return;
      stop();
      resolve();
    });
  });
}

describe('authorization', () => {
  it.each<[string, Record<string, string>, number, string]>([
    ['no header', { authorization: '' }, 401, 'not-authenticated'],
    ['another scheme', { authorization: `Basic ${TOKEN}` }, 401, 'not-authenticated'],
    ['a wrong token', { authorization: 'Bearer a-token-of-the-tills-0124' }, 403, 'not-authorized'],
    ['a prefix of the token', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }, 403, 'not-authorized'],
  ])('refuses %s', async (_name, headers, status, code) => {
    for (const path of ['/v1/status', '/v1/events', '/v1/sales/r-1']) {
      const answer = await call('GET', path, { headers });
      expect(answer.status).toBe(status);
      expect(answer.body.error.code).toBe(code);
    }
    const sale = await call('POST', '/v1/sales', { body: SALE, headers });
    expect(sale.status).toBe(status);
    expect(service.requests).toEqual([]);
  });

  it('lets anybody ask for health', async () => {
    expect(await call('GET', '/healthz', { headers: { authorization: '' } })).toMatchObject({ status: 200 });
  });
});

describe('POST /v1/sales', () => {
  it('answers with the outcome when the sale ends', async () => {
    const taken = waitedFor();
    const pending = call('POST', '/v1/sales', { body: SALE });
    await taken;
    service.finish('r-1');
    expect(await pending).toMatchObject({
      status: 200,
      body: { reference: 'r-1', state: 'done', outcome: 'approved', amount: '12.34', currency: 'EUR' },
    });
    expect(service.requests).toEqual([
      { reference: 'r-1', type: 'sale', amount: { minor: 1234, currency: 'EUR' } },
    ]);
  });

  it('answers at once when the till prefers that, with the address of the sale', async () => {
    const answer = await call('POST', '/v1/sales', { body: { ...SALE, reference: 'r 1/%' }, headers: ASYNC });
    expect(answer).toMatchObject({ status: 202, body: { state: 'accepted', outcome: null } });
    expect(answer.headers.get('location')).toBe('/v1/sales/r%201%2F%25');
    expect(answer.headers.get('preference-applied')).toBe('respond-async');
    expect(await call('GET', '/v1/sales/r%201%2F%25')).toMatchObject({
      status: 200,
      body: { reference: 'r 1/%' },
    });
  });

  it('joins a running sale of the same reference', async () => {
    await call('POST', '/v1/sales', { body: SALE, headers: ASYNC });
    const joining = waitedFor();
    const joined = call('POST', '/v1/sales', {
      body: { currency: 'EUR', amount: '12.34', reference: 'r-1' },
    });
    await joining;
    service.finish('r-1');
    expect(await joined).toMatchObject({ status: 200, body: { outcome: 'approved' } });
    expect(service.requests).toHaveLength(1);
  });

  it('names each kind of conflict', async () => {
    await call('POST', '/v1/sales', { body: SALE, headers: ASYNC });
    expect(await call('POST', '/v1/sales', { body: { ...SALE, amount: '12.35' } })).toMatchObject({
      status: 409,
      body: { error: { code: 'reference-conflict' } },
    });
    expect(await call('POST', '/v1/sales', { body: { ...SALE, reference: 'r-2' } })).toMatchObject({
      status: 409,
      body: { error: { code: 'terminal-busy', runningReference: 'r-1' } },
    });
  });

  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ['amount as number', { amount: 12.34 }, 'amount', /text such as "12.34"/],
    ['amount with comma', { amount: '12,34' }, 'amount', /"12.34"/],
    ['amount with one decimal', { amount: '12.3' }, 'amount', /exactly 2 decimals/],
    ['negative amount', { amount: '-1.00' }, 'amount', /cannot be read/],
    ['no money', { amount: '0.00' }, 'amount', /more than zero/],
    ['cents of yen', { currency: 'JPY' }, 'amount', /no minor unit/],
    ['lower-case currency', { currency: 'eur' }, 'currency', /did you mean "EUR"/],
    ['a currency that no country has', { currency: 'XXQ' }, 'currency', /ISO 4217/],
    ['no currency', { currency: undefined }, 'currency', /is missing/],
    ['no reference', { reference: undefined }, 'reference', /is missing/],
    ['empty reference', { reference: '' }, 'reference', /1 to 64/],
    ['long reference', { reference: 'x'.repeat(65) }, 'reference', /65 characters/],
    ['reference with line break', { reference: 'a\nb' }, 'reference', /printable/],
    ['type nearly right', { type: 'preauthorisation' }, 'type', /did you mean preauthorization/],
    ['field nearly right', { terminal_id: '1' }, 'terminal_id', /did you mean terminalId/],
    [
      'field of another system',
      { merchantTransactionId: '1' },
      'merchantTransactionId',
      /did you mean reference/,
    ],
    ['an unknown field', { xyzzy: '1' }, 'xyzzy', /is no known field; expected reference, amount/],
    ['inherited name', { constructor: '1' }, 'constructor', /is no known field/],
    ['terminal as number', { terminalId: 10001 }, 'terminalId', /in quotes/],
    ['unknown terminal', { terminalId: '7' }, 'terminalId', /no terminal/],
    ['onlineOnly as text', { onlineOnly: 'true' }, 'onlineOnly', /true or false/],
    ['original of a sale', { originalReference: 'r-0' }, 'originalReference', /belongs to a refund/],
  ])('refuses %s, naming field and rule', async (_name, change, field, message) => {
    const answer = await call('POST', '/v1/sales', { body: { ...SALE, ...change } });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ field, message: expect.stringMatching(message) });
    expect(service.requests).toEqual([]);
  });

  it.each<[string, Call, number, string]>([
    ['a broken body', { body: '{"reference":' }, 400, 'bad-json'],
    ['a list', { body: [SALE] }, 400, 'bad-request'],
    ['no body', {}, 400, 'bad-request'],
    [
      'a form',
      { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'not-json',
    ],
    ['a huge body', { body: { ...SALE, reference: 'x'.repeat(20_000) } }, 413, 'body-too-large'],
  ])('refuses %s', async (_name, options, status, code) => {
    const answer = await call('POST', '/v1/sales', options);
    expect(answer).toMatchObject({ status, body: { error: { code, message: expect.any(String) } } });
  });

  it.each([
    ['bytes that are no HTTP', '\u0000\u0001 what\r\n\r\n', 400, 'bad-request'],
    ['a method that there is not', 'SELL /v1/sales HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'bad-request'],
    ['a request without a host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'bad-request'],
    [
      'headers that are too large',
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers-too-large',
    ],
  ])('answers %s as any other error, and hangs up', async (_name, request, status, code) => {
    const answer = await rawRequest(url, request);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ error: { code, message: expect.any(String) } });
    expect(answer.headers.get('connection')).toBe('close');
    expect((await call('GET', '/healthz')).status).toBe(200);
  });

  it.each([
    ['a name that a foreign site points here', 'Host: evil.example:8090', 421, 'wrong-host'],
    ['the page of a foreign site', 'Host: localhost\r\nOrigin: https://evil.example', 403, 'wrong-origin'],
    ['a page without an origin', 'Host: localhost\r\nOrigin: null', 403, 'wrong-origin'],
  ])('refuses %s before the token, the metrics and the docs', async (_name, headers, status, code) => {
    for (const path of ['/v1/status', '/healthz', '/metrics', '/docs', '/v1/nothing']) {
      const authorization = `Authorization: Bearer ${TOKEN}`;
      const answer = await rawRequest(url, `GET ${path} HTTP/1.1\r\n${headers}\r\n${authorization}\r\n\r\n`);
      expect([path, answer.status]).toEqual([path, status]);
      expect(JSON.parse(answer.body)).toEqual({ error: { code, message: expect.any(String) } });
    }
    expect(service.listenerCount).toBe(1);
  });

  it('takes a configured name, and its own pages', async () => {
    for (const host of ['agent.shop.example:8443', 'localhost:8090']) {
      const headers = `Host: ${host}\r\nOrigin: http://${host}\r\nConnection: close`;
      expect((await rawRequest(url, `GET /healthz HTTP/1.1\r\n${headers}\r\n\r\n`)).status).toBe(200);
    }
  });

  it('never repeats a wrong value', async () => {
    const pan = '4111111111111111';
    const answer = await call('POST', '/v1/sales', { body: { ...SALE, amount: pan, [pan]: 'x' } });
    expect(JSON.stringify(answer.body)).not.toContain(pan);
  });
});

describe('the condition of a terminal', () => {
  it('is restarted where its maker lets it', async () => {
    const answer = await call('POST', '/v1/terminals/10001/reset');
    expect(answer).toMatchObject({ status: 200, body: { kind: 'unavailable' } });
    expect((await call('POST', '/v1/terminals/9/reset')).status).toBe(400);
  });

  it('is answered, and while a sale runs on it the reason why it is not', async () => {
    expect(await call('GET', '/v1/terminals/10001/condition')).toMatchObject({
      status: 200,
      body: { id: '10001', state: 'ready', condition: { kind: 'condition', keys: { pin: 'missing' } } },
    });
    await call('POST', '/v1/sales', { body: SALE, headers: ASYNC });
    expect((await call('GET', '/v1/terminals/10001/condition')).body).toMatchObject({
      runningReference: 'r-1',
      condition: { kind: 'failed', failure: 'terminal-busy' },
    });
    expect(await call('GET', '/v1/terminals/9/condition')).toMatchObject({
      status: 400,
      body: { error: { code: 'unknown-terminal' } },
    });
  });
});

describe('follow-ups', () => {
  beforeEach(async () => {
    await call('POST', '/v1/sales', { body: SALE, headers: ASYNC });
  });

  it('cancels', async () => {
    expect(await call('POST', '/v1/sales/r-1/cancel')).toMatchObject({
      status: 200,
      body: { outcome: 'cancelled' },
    });
  });

  it('reverses what is approved, and nothing else', async () => {
    expect(await call('POST', '/v1/sales/r-1/reversal')).toMatchObject({
      status: 409,
      body: { error: { code: 'not-allowed' } },
    });
    service.finish('r-1');
    expect(await call('POST', '/v1/sales/r-1/reversal', { body: {} })).toMatchObject({
      status: 200,
      body: { outcome: 'reversed' },
    });
  });

  it('does not take a reversal of a part for a whole one', async () => {
    service.finish('r-1');
    const answer = await call('POST', '/v1/sales/r-1/reversal', { body: { amount: '1.00' } });
    expect(answer).toMatchObject({ status: 400, body: { error: { field: 'amount' } } });
    expect((await service.get('r-1')).outcome).toBe('approved');
  });

  it('captures in the currency of the sale', async () => {
    const answer = await call('POST', '/v1/sales/r-1/capture', { body: { amount: '10.00' } });
    expect(answer.status).toBe(200);
    expect(service.captures).toEqual([{ minor: 1000, currency: 'EUR' }]);
    const wrong = await call('POST', '/v1/sales/r-1/capture', { body: { amount: '10.00', currency: 'EUR' } });
    expect(wrong).toMatchObject({ status: 400, body: { error: { field: 'currency' } } });
  });

  it('captures one of several parts by its own reference', async () => {
    const body = { amount: '10.00', captureReference: 'C-1', final: true };
    expect((await call('POST', '/v1/sales/r-1/capture', { body })).status).toBe(200);
    expect(service.captures).toEqual([
      { minor: 1000, currency: 'EUR', captureReference: 'C-1', final: true },
    ]);
    const wrong = await call('POST', '/v1/sales/r-1/capture', { body: { ...body, final: 'yes' } });
    expect(wrong).toMatchObject({ status: 400, body: { error: { field: 'final' } } });
  });

  it('takes the approval code of a call', async () => {
    const path = '/v1/sales/r-1/voice-authorization';
    expect((await call('POST', path, { body: { approvalCode: 'AB12' } })).status).toBe(200);
    expect(service.codes).toEqual(['AB12']);
    const wrong = await call('POST', path, { body: { code: 'AB12' } });
    expect(wrong).toMatchObject({ status: 400, body: { error: { field: 'code' } } });
  });

  it('resolves a parked sale, with a note', async () => {
    const path = '/v1/sales/r-1/resolution';
    const body = { outcome: 'reversed', note: 'by the record of the acquirer' };
    expect((await call('POST', path, { body })).status).toBe(200);
    expect(service.resolutions).toEqual(['reversed by the record of the acquirer']);
    for (const [field, bad] of [
      ['outcome', { ...body, outcome: 'reversd' }],
      ['note', { ...body, note: ' ' }],
    ] as const) {
      expect(await call('POST', path, { body: bad })).toMatchObject({
        status: 400,
        body: { error: { field } },
      });
    }
  });

  it.each([
    ['GET', '/v1/sales/absent'],
    ['POST', '/v1/sales/absent/cancel'],
    ['POST', '/v1/sales/absent/reversal'],
    ['POST', '/v1/sales/absent/capture', { amount: '1.00' }],
  ])('%s %s is not found', async (method, path, body?: object) => {
    const answer = await call(method, path, { body });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'unknown-reference' } } });
  });

  it('answers a path that cannot be decoded with the envelope', async () => {
    expect(await call('GET', '/v1/sales/%ZZ')).toMatchObject({
      status: 400,
      body: { error: { code: 'bad-request' } },
    });
  });

  it('answers an unknown path with the envelope', async () => {
    expect(await call('GET', '/v1/nothing')).toMatchObject({
      status: 404,
      body: { error: { code: 'not-found' } },
    });
  });
});

describe('what a store shows', () => {
  it('lists terminals with their readiness', async () => {
    expect((await call('GET', '/v1/terminals')).body).toEqual([
      {
        id: '10001',
        name: 'Counter 2',
        deviceType: 'PPC930',
        state: 'ready',
        offline: {
          ready: false,
          reasons: ['switched-off'],
          because: 'offline sales are switched off',
        },
      },
    ]);
  });

  it('gives the reason why a line is not open', async () => {
    lineProblems.set('10001', { code: 'missing', text: '/dev/ttyACM0 does not exist' });
    const terminal = {
      id: '10001',
      name: 'Counter 2',
      fault: 'missing',
      reason: '/dev/ttyACM0 does not exist',
    };
    expect((await call('GET', '/v1/terminals')).body).toEqual([expect.objectContaining(terminal)]);
    expect((await call('GET', '/v1/status')).body.terminals).toEqual([expect.objectContaining(terminal)]);
  });

  it('gives what a person has to do at the gateway', async () => {
    expect((await call('GET', '/v1/status')).body.todos).toEqual([
      {
        terminalId: '1',
        since: '1970-01-01T00:00:00.000Z',
        reason: 'no device; tillbridge-gateway devices add',
      },
    ]);
  });

  it('gives the reason why the gateway is away', async () => {
    expect((await call('GET', '/v1/status')).body.gateway).toEqual({
      state: 'down',
      attempt: 3,
      reason: 'unreachable',
      detail: 'ECONNREFUSED',
    });
  });

  it('shows the queue, also as the answer to a flush', async () => {
    const { body } = await call('GET', '/v1/queue');
    expect(body).toMatchObject({ depth: 1, parked: 1, sums: { EUR: '12.34' }, oldestAgeSeconds: 5 });
    expect(body.items).toEqual([
      expect.objectContaining({ kind: 'offline-record', state: 'waiting', amount: '12.34', currency: 'EUR' }),
      expect.objectContaining({ kind: 'reversal', state: 'parked', reason: 'refused' }),
    ]);
    expect(body.lateDeclines).toEqual([
      expect.objectContaining({ reference: 'r-9', reason: 'declined-later', at: '1970-01-01T00:00:00.000Z' }),
    ]);
    expect(nudges).toEqual([]);
    expect((await call('POST', '/v1/queue/flush')).body).toEqual(body);
    expect(nudges).toEqual(['nudge']);
  });

  it('takes note of a loss, and of who did', async () => {
    await call('POST', '/v1/sales', { body: SALE, headers: { prefer: 'respond-async' } });
    const path = `/v1/queue/${SALE.reference}/acknowledgement`;
    expect((await call('POST', path, { body: { by: 'Tessa, till 4' } })).status).toBe(200);
    expect((await call('POST', path)).status).toBe(200);
    const card = await call('POST', path, { body: { by: '4200000000000000' } });
    expect(card.status).toBe(200);
    expect(service.acknowledged.map((each) => each.slice(SALE.reference.length + 1))).toEqual([
      'Tessa, till 4',
      'unnamed',
      expect.not.stringContaining('4200000000000000'),
    ]);
    for (const body of [{ by: '' }, { by: 'a\u0007' }, { by: 7 }, { who: 'Tessa' }]) {
      const refused = await call('POST', path, { body });
      expect([refused.status, refused.body.error.code]).toEqual([400, 'bad-request']);
    }
    expect((await call('POST', '/v1/queue/unknown-1/acknowledgement')).status).toBe(404);
  });
});

it('answers a till that waits before it closes, and closes at once behind that', async () => {
  const waiting = waitedFor();
  const pending = call('POST', '/v1/sales', { body: SALE });
  await waiting;
  const closed = server.close();
  await expect.poll(() => server.server.listening).toBe(false);
  service.finish('r-1');
  const answer = await pending;
  expect(answer).toMatchObject({ status: 200, body: { outcome: 'approved' } });
  expect(answer.headers.get('connection')).toBe('close');
  await closed;
});

it('closes while clients listen', async () => {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve) => {
    httpRequest(`${url}/v1/events`, { headers: { authorization: `Bearer ${TOKEN}` } }, resolve).end();
  });
  const ended = new Promise((resolve) => response.resume().once('close', resolve));
  await server.close();
  await ended;
  expect(service.listenerCount).toBe(0);
});

it('logs one line for each refused token, without a stack and without the token', async () => {
  const wrong = 'a-token-of-another-store';
  const statuses: number[] = [];
  for (const authorization of [`Bearer ${wrong}`, 'Basic x'])
    statuses.push((await call('GET', '/v1/status', { headers: { authorization } })).status);
  expect(logged.map(({ msg, method, route, status }) => ({ msg, method, route, status }))).toEqual(
    statuses.map((status) => ({ msg: 'token refused', method: 'GET', route: '/v1/status', status })),
  );
  expect(new Set([...statuses, 401, 403]).size).toBe(2);
  expect(JSON.stringify(logged)).not.toMatch(new RegExp(`stack|${wrong}`));
});
