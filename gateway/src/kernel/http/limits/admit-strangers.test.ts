import { connect, type Socket } from 'node:net';
import { peersOf } from '@tillbridge/platform/net/peers.js';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type HttpHarness,
  type HttpHarnessOptions,
  openHttpHarness,
  TOKEN,
} from '../../../app/http/http-harness.test.support.js';
import { FailingStore } from '../../../core/payments/payment-harness.test.support.js';
import { type Store, StoreUnavailableError } from '../../store/store.js';
import { MemoryStore } from '../../store/testing/memory-store.js';

const BURST = 3;
let harness: HttpHarness;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await harness.dispose();
});
const open = async (options: HttpHarnessOptions = {}, store?: Store): Promise<void> => {
  harness = await openHttpHarness(store && (() => store), {
    ...options,
    limits: { strangersPerSecond: 1, strangersBurst: BURST - 1, ...options.limits },
  });
};

/** The status of a request's answer, as soon as it comes. */
function statusOf(path: string, { headers = '', localAddress = '127.0.0.1' } = {}): Promise<number> {
  const { port } = new URL(harness.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  return new Promise((resolve) => {
    socket.once('data', (chunk) => resolve(Number(String(chunk).split(' ')[1])));
    socket.once('close', () => resolve(0));
  });
}

/** Uses up what this address may ask for at once. */
async function useUp(): Promise<void> {
  for (let at = 0; at < BURST; at += 1) expect(await statusOf('/v1/nothing')).toBe(404);
}

/** Whether a request waits: another one that was sent later is answered before. */
async function waits(status: Promise<number>): Promise<boolean> {
  let isAnswered = false;
  void status.then(() => {
    isAnswered = true;
  });
  for (let at = 0; at < 3; at += 1)
    expect(await statusOf('/v1/payments/none', { headers: `Authorization: Bearer ${TOKEN}\r\n` })).toBe(404);
  return !isAnswered;
}

describe('an address that has used up its rate', () => {
  const WRONG = 'Authorization: Bearer tb_never-issued\r\n';
  it.each([
    ['a public document', '/v1/resultcodes', '', 200],
    ['the landing page', '/', '', 200],
    ['the document of the API', '/docs/openapi.json', '', 200],
    ['a path that there is not', '/v1/nothing', '', 404],
    ['a path with another method', '/v1/checkouts', '', 405],
    ['no token', '/v1/payments/none', '', 401],
    ['a token that is none', '/v1/payments/none', WRONG, 403],
    ['a checkout that there is not', `/v1/checkouts/${'0'.repeat(32)}/widget`, '', 404],
  ])('waits with %s', async (_what, path, headers, status) => {
    await open();
    await useUp();
    const answer = statusOf(path, { headers });
    expect(await waits(answer)).toBe(true);
    await harness.clock.advance(1_000);
    expect(await answer).toBe(status);
  });

  it('waits with what is redirected to https, and is the client of a trusted proxy', async () => {
    await open({
      transport: { mode: 'live', proxies: peersOf(['127.0.0.1']), publicUrl: 'https://pay.example' },
    });
    const plain = (client: string) =>
      statusOf('/v1/payments/none', { headers: `X-Forwarded-Proto: http\r\nX-Forwarded-For: ${client}\r\n` });
    for (let at = 0; at < BURST; at += 1) expect(await plain('10.0.0.9')).toBe(307);
    const late = plain('10.0.0.9');
    let isAnswered = false;
    void late.then(() => {
      isAnswered = true;
    });
    expect(await plain('10.0.0.8')).toBe(307);
    expect(isAnswered).toBe(false);
    await harness.clock.advance(1_000);
    expect(await late).toBe(307);
  });

  it('is refused where it would wait too long', async () => {
    await open();
    await useUp();
    const answers = Array.from({ length: 8 }, () => statusOf('/v1/resultcodes'));
    expect(await waits(answers[7] ?? Promise.resolve(0))).toBe(true);
    await harness.clock.advance(5_000);
    expect((await Promise.all(answers)).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  });

  it('keeps no other one waiting, no probe, and no request with a token', async () => {
    await open();
    await useUp();
    expect(await statusOf('/v1/resultcodes', { localAddress: '127.0.0.2' })).toBe(200);
    expect(await statusOf('/healthz')).toBe(200);
    expect(await statusOf('/readyz')).toBe(200);
    expect(await waits(statusOf('/v1/resultcodes'))).toBe(true);
  });

  it('does not wait where the token cannot be looked up', async () => {
    const disk = new FailingStore(new MemoryStore());
    await open({}, disk);
    await useUp();
    disk.beforeFind = async (table) => {
      if (table !== 'tokens') return;
      throw new StoreUnavailableError('disk-full', 'the disk of the database is full');
    };
    expect(await statusOf('/v1/payments/none', { headers: WRONG })).toBe(503);
  });
});
