import { type FastifyInstance, fastify } from 'fastify';
import { beforeEach, expect, it } from 'vitest';
import { logRequests } from './request-log.js';

const STRANGER = '203.0.113.9';
const PAN = '4200000000000000';

let server: FastifyInstance;
let lines: object[];
let strangers: object[];
beforeEach(() => {
  lines = [];
  strangers = [];
  server = fastify();
  server.decorateRequest('caller', undefined);
  server.decorateRequest('checkout', undefined);
  server.addHook('onRequest', async (request) => {
    const { by } = request.headers;
    if (by === 'token') request.caller = { token: 'x' } as never;
    if (by === 'checkout') request.checkout = { id: 'x' } as never;
  });
  logRequests(server, {
    logger: { info: (line: object, text: string) => lines.push({ ...line, text }) } as never,
    strangers: { take: (act, line, text) => strangers.push({ ...act, line, text }) },
    peerOf: () => STRANGER,
  });
  const answer = { result: { code: '000.100.110' }, ndc: 'a'.repeat(32) };
  server.get('/things/:id', async (request, reply) => {
    if (request.headers.refused) return reply.code(403).send({ ...answer, result: { code: '800.900.300' } });
    return answer;
  });
  server.get('/page', async () => 'text');
});

const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });
const RESULT = { resultCode: '000.100.110', outcome: 'approved', ndc: 'a'.repeat(32) };
const THING = { method: 'GET', route: '/things/:id', status: 200, ms: expect.any(Number) };

it.each(['token', 'checkout'])('writes a line of each request with a %s', async (by) => {
  await get(`/things/${PAN}?q=${PAN}`, { by });
  await get('/things/1', { by, refused: 'yes' });
  expect(lines[0]).toEqual({ ...THING, ...RESULT, text: 'request' });
  expect(lines[1]).toMatchObject({ status: 403, resultCode: '800.900.300' });
  expect(strangers).toEqual([]);
});

it('leaves all others to the log of strangers, by status and result code', async () => {
  await get(`/things/${PAN}`);
  await get('/things/1', { refused: 'yes' });
  await get('/page');
  await get(`/${PAN}`);
  expect(lines).toEqual([]);
  const act = { peer: STRANGER, text: 'request' };
  expect(strangers).toEqual([
    { ...act, kind: '200 000.100.110', isAnswered: true, line: { ...THING, ...RESULT } },
    { ...act, kind: '403 800.900.300', isAnswered: false, line: expect.objectContaining({ status: 403 }) },
    { ...act, kind: '200', isAnswered: true, line: { ...THING, route: '/page' } },
    { ...act, kind: '404', isAnswered: false, line: { ...THING, route: 'none', status: 404 } },
  ]);
});

it('counts an answer to a wrong request as a refusal', async () => {
  server.get('/wrong', async (_request, reply) => reply.code(400).send('wrong'));
  await get('/wrong');
  expect(strangers).toMatchObject([{ kind: '400', isAnswered: false }]);
});

it('logs only the first digits of the id of a checkout', async () => {
  const id = `${'0123456789ABCDEF'.repeat(2)}-test`;
  server.get('/checkout', async () => ({ result: { code: '000.200.100' }, ndc: id }));
  await get('/checkout', { by: 'token' });
  expect(lines).toMatchObject([{ ndc: '01234567…' }]);
});

it.each([
  ['without a result', { status: 'ok' }],
  ['with the result of something else', { result: 'all of it', ndc: 'x' }],
  ['with a code that is no text', { result: { code: 7 }, ndc: 'x' }],
  ['without an id for its client', { result: { code: '000.100.110' } }],
])('writes the line of an answer %s without one', async (_what, answer) => {
  server.get('/other', async () => answer);
  expect((await get('/other', { by: 'token' })).json()).toEqual(answer);
  expect(lines).toEqual([{ ...THING, route: '/other', text: 'request' }]);
});
