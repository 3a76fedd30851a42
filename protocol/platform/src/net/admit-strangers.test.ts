import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { type AdmitStranger, admitStrangers } from './admit-strangers.js';
import { type StrangerLimits, Strangers } from './strangers.js';

const LIMITS = { perSecond: 1, burst: 0, maxWaitMs: 3_000, maxHeld: 2 };
/** Three pieces of 64 KiB. */
const LONG = 'a'.repeat(3 * 65_536);

let server: FastifyInstance;
let clock: VirtualClock;
let worked: string[];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

async function open(limits: Partial<StrangerLimits> = {}): Promise<void> {
  clock = new VirtualClock();
  worked = [];
  server = fastify({ forceCloseConnections: true }) as unknown as FastifyInstance;
  const admit: AdmitStranger = admitStrangers(server, new Strangers({ ...LIMITS, ...limits }, clock), {
    isFor: ({ url }) => (url === '/probe' ? 'probe' : url.startsWith('/call') ? 'callers' : 'everybody'),
    peerOf: ({ headers }) => String(headers.peer),
    refusal: (reply, waitMs) => {
      reply.header('retry-after', String(waitMs));
      return Object.assign(new Error('too many'), { statusCode: 429 });
    },
  });
  const work = (url: string, answer = 'ok') =>
    server.get(url, async (_request, reply) => {
      worked.push(url);
      return reply.header('content-length', answer.length).send(answer);
    });
  for (const url of ['/page', '/probe', '/call']) work(url);
  work('/long', LONG);
  work('/call-long', LONG);
  server.get('/call-wrong', async (request, reply) => {
    if (!(await admit(request, reply))) {
      worked.push('given up');
      return reply;
    }
    worked.push('wrong');
    return reply.code(403).send('no');
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
}

interface Sent {
  readonly socket: Socket;
  /** The status; 0 where the connection was ended without one. */
  readonly status: Promise<number>;
  readonly text: () => string;
}

function send(url: string, peer = 'a'): Sent {
  const { port } = server.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      text += String(chunk);
    });
  socket.write(`GET ${url} HTTP/1.1\r\nHost: x\r\nPeer: ${peer}\r\nConnection: close\r\n\r\n`);
  const status = once(socket, 'close').then(() => Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? 0));
  return { socket, status, text: () => text };
}

/** What has arrived is with the server by the answer to a call that came later. */
async function arrived(): Promise<void> {
  for (let at = 0; at < 3; at += 1) expect(await send('/call').status).toBe(200);
}

it('lets a peer in at its rate, and other peers independently', async () => {
  await open();
  expect(await send('/page').status).toBe(200);
  const late = send('/page');
  expect(await send('/page', 'b').status).toBe(200);
  await arrived();
  expect(worked.filter((url) => url === '/page')).toHaveLength(2);
  await clock.advance(1_000);
  expect(await late.status).toBe(200);
});

it('holds up neither callers nor probes, and counts none of them', async () => {
  await open();
  for (let at = 0; at < 4; at += 1)
    for (const url of ['/call', '/probe']) expect(await send(url).status).toBe(200);
  expect(await send('/page').status).toBe(200);
});

it('counts what callers ask for whose credentials are none', async () => {
  await open();
  expect(await send('/call-wrong').status).toBe(403);
  const late = send('/call-wrong');
  await arrived();
  expect(worked.filter((url) => url === 'wrong')).toHaveLength(1);
  await clock.advance(1_000);
  expect(await late.status).toBe(403);
});

it('refuses who would wait too long, with the time', async () => {
  await open({ maxWaitMs: 500 });
  expect(await send('/page').status).toBe(200);
  const refused = send('/page');
  await arrived();
  await clock.advance(500);
  expect(await refused.status).toBe(429);
  expect(refused.text()).toMatch(/retry-after: 1000/);
  expect(worked.filter((url) => url === '/page')).toHaveLength(1);
});

it('ends a connection without an answer where too many wait', async () => {
  await open();
  expect(await send('/page').status).toBe(200);
  const held = [send('/page'), send('/page')];
  await arrived();
  const crowded = send('/page');
  expect(await crowded.status).toBe(0);
  await clock.advance(3_000);
  for (const { status } of held) expect(await status).toBe(200);
  expect(worked.filter((url) => url === '/page')).toHaveLength(3);
});

it('works on nothing of who has hung up', async () => {
  await open();
  expect(await send('/page').status).toBe(200);
  const gone = send('/page');
  await arrived();
  gone.socket.destroy();
  await gone.status;
  await arrived();
  await clock.advance(2_000);
  await arrived();
  expect(worked.filter((url) => url === '/page')).toHaveLength(1);
});

it('gives up a request that waits for its rate as soon as its sender hangs up', async () => {
  await open();
  expect(await send('/call-wrong').status).toBe(403);
  const gone = send('/call-wrong');
  await arrived();
  expect(worked).not.toContain('given up');
  gone.socket.destroy();
  // The rate has not come to it: no time passes.
  await expect.poll(() => worked).toContain('given up');
});

it('counts the pieces of long answers to everybody, and of no others', async () => {
  await open();
  expect(await send('/call-long').status).toBe(200);
  expect(await send('/long').status).toBe(200);
  const late = send('/page');
  await arrived();
  await clock.advance(2_000);
  await arrived();
  expect(worked).not.toContain('/page');
  await clock.advance(1_000);
  expect(await late.status).toBe(200);
});
