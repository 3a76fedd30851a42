import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { call, json } from '../clients/http.js';
import { PART_NAMES } from '../stack/options.js';
import { stands, TourContext } from '../tour/tour-context.js';
import { startTestStack, type TestStack } from './test-stack.js';

const SETTLE_MS = 120_000;

let system: TestStack;
let tour: TourContext;

beforeAll(async () => {
  system = await startTestStack('bad-input');
  tour = new TourContext(system.stack, 'bad-input');
}, SETTLE_MS);
afterAll(() => system?.end(), SETTLE_MS);

/** After every case all processes run, nothing is half done, and the next sale is sold once. */
afterEach(async () => {
  for (const name of PART_NAMES) {
    const part = system.stack.part(name);
    expect(part?.running, `${name} has ended: ${part?.lastWords()}`).toBe(true);
  }
  await tour.agent.untilGateway('up', SETTLE_MS);
  await tour.agent.untilQueueEmpty(SETTLE_MS);
  await tour.begin();
  const sale = await tour.sell('visa-credit-online', tour.request('4.44'));
  expect(sale).toMatchObject({ state: 'done', outcome: 'approved' });
  expect((await tour.newRows()).filter(stands).map(({ amount }) => amount)).toEqual(['4.44']);
}, SETTLE_MS);

describe('the gateway’s REST', () => {
  const FORM = 'application/x-www-form-urlencoded';

  async function pay(body: string, headers: Record<string, string> = {}) {
    const { gateway, merchant } = system.stack.dev;
    const authorization = `Bearer ${merchant.accessToken}`;
    const all = { authorization, 'content-type': FORM, ...headers };
    return call<{ result: { code: string; parameterErrors?: unknown[] } }>(
      'POST',
      `${gateway.url}/v1/payments`,
      { body, headers: all },
    );
  }
  const valid = () =>
    `entityId=${system.stack.dev.merchant.entityId}&amount=5.55&currency=EUR&paymentBrand=VISA&paymentType=DB` +
    '&card.number=4200000000000000&card.holder=Jane+Jones&card.expiryMonth=05&card.expiryYear=2034&card.cvv=123';

  it.each([
    ['a broken percent escape', '&customer.givenName=%ZZ'],
    ['bytes that are no UTF-8', '&customer.givenName=%FF%FE'],
    ['a name given twice', '&amount=6.66'],
    ['an unknown name', '&__proto__=1'],
  ])('refuses %s with the envelope and moves no money', async (_what, more) => {
    await tour.begin();
    const { status, body } = await pay(valid() + more);
    expect(status).toBe(400);
    expect(body.result.code).toBe('200.300.404');
    expect(body.result.parameterErrors?.length).toBeGreaterThan(0);
    expect(await tour.newRows()).toEqual([]);
  });

  it('refuses JSON, bodies without end, wrong headers, tokens, paths and methods, each with the envelope', async () => {
    const { url } = system.stack.dev.gateway;
    const answers = await Promise.all([
      pay('{"amount":', { 'content-type': 'application/json' }),
      pay(`${valid()}&merchantMemo=${'x'.repeat(2 ** 21)}`),
      pay(valid(), { authorization: 'Basic abc' }),
      pay(valid(), { authorization: 'Bearer not-a-token-of-ours' }),
      call<{ result: { code: string } }>('GET', `${url}/v1/nothing`),
      call<{ result: { code: string } }>('DELETE', `${url}/v1/payments`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([415, 413, 401, 403, 404, 405]);
    for (const { body } of answers) expect(body.result.code).toMatch(/^\d{3}\.\d{3}\.\d{3}$/);
  });
});

describe('the bridge', () => {
  /** A WebSocket message of fewer than 126 bytes from a client (RFC 6455 §5.2), masked with zeros. */
  const frame = (opcode: number, payload: Buffer) =>
    Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
  const oversized = Buffer.concat([Buffer.from([0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])]);

  /** Opens a socket without proof, sends, and resolves when the gateway has closed it. */
  function sendUnproven(bytes: Buffer): Promise<string> {
    const { hostname, port, pathname } = new URL(system.stack.dev.gateway.bridgeUrl);
    const request =
      `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: tillbridge.v1\r\n\r\n';
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(Number(port), hostname, () => socket.write(request));
      socket.on('data', (piece) => {
        if (answer === '') socket.write(bytes);
        answer += piece.toString('latin1');
      });
      socket.on('end', () => socket.end());
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });
  }

  it.each([
    ['text', frame(1, Buffer.from('hello'))],
    ['an empty message', frame(2, Buffer.alloc(0))],
    ['no protobuf', frame(2, Buffer.alloc(20, 0xff))],
    ['a body that no version knows', frame(2, Buffer.from('fa7f03616263', 'hex'))],
    ['a message of four gigabytes', oversized],
    ['a frame that is none', Buffer.alloc(20, 0xff)],
  ])('closes a socket that sends %s', async (_what, bytes) => {
    expect(await sendUnproven(bytes)).toMatch(/^HTTP\/1.1 101 /);
  });
});

describe('the agent’s REST', () => {
  it.each([
    ['no JSON', '{"reference":', 'body'],
    ['a list', '[]', 'body'],
    ['a number as amount', { reference: 'bad', amount: 1.5, currency: 'EUR' }, 'amount'],
    ['an unknown currency', { reference: 'bad', amount: '1.00', currency: 'XXQ' }, 'currency'],
    [
      'a terminal that is not there',
      { reference: 'bad', amount: '1.00', currency: 'EUR', terminalId: '9' },
      '9',
    ],
    ['an unknown field', { reference: 'bad', amount: '1.00', currency: 'EUR', ammount: '2.00' }, 'amount'],
  ])('refuses %s and journals nothing', async (_what, sent, named) => {
    const { url, token } = system.stack.dev.agent;
    const { body, headers } = json(sent, { authorization: `Bearer ${token}` });
    const answer = await call<{ error: { message: string } }>('POST', `${url}/v1/sales`, {
      body: typeof sent === 'string' ? sent : (body ?? null),
      headers: headers ?? {},
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(named);
    expect((await tour.agent.get('bad')).status).toBe(404);
  });
});

describe('a terminal’s line', () => {
  const path = () => system.stack.dev.terminals[0]?.path ?? '';

  it.each([
    ['every byte there is', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['the beginning of a frame', Buffer.from('\x16GOX999', 'latin1')],
    ['a frame with a wrong checksum', Buffer.from('\x16OPN000\x17\x00\x00', 'latin1')],
  ])('takes %s from another process', (_what, bytes) => {
    writeFileSync(path(), bytes, { flag: 'r+' });
  });

  it('may be pulled while it waits for a card', async () => {
    await tour.begin();
    const request = tour.request('8.88');
    await tour.agent.startSale(request);
    await tour.simulator.unplug(tour.terminalId);
    const ended = ({ state }: { state: string }) => state === 'done';
    const sale = await tour.agent.untilSale(request.reference, 'ended', SETTLE_MS, ended);
    expect(sale.outcome).not.toBe('approved');
    expect((await tour.newRows()).filter(stands)).toEqual([]);
    await tour.simulator.plug(tour.terminalId);
  });
});
