import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { rawRequest } from '@tillbridge/platform/http/raw-request.test.support.js';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type HttpHarness,
  type HttpHarnessOptions,
  openHttpHarness,
  TOKEN,
} from '../../../app/http/http-harness.test.support.js';
import { ENTITY } from '../../../core/payments/payment-harness.test.support.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const MIB = 1_048_576;

let harness: HttpHarness;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await harness.dispose();
});
const open = async (options?: HttpHarnessOptions): Promise<void> => {
  harness = await openHttpHarness(undefined, options);
};

const FORM = 'application/x-www-form-urlencoded';
/** The head of a POST; what follows is its body. */
const head = (bytes: number | 'chunked', more = '', path = '/v1/payments'): string => {
  const length = bytes === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\n${more}${length}\r\n\r\n`;
};

/** A connection that has sent this and sends no more. It may be answered or cut. */
function dribble(text: string | Buffer, taken?: () => void): Socket {
  const { port, hostname } = new URL(harness.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(text, taken);
  return socket;
}

/** What the server sent before it closed the connection, or the status line as soon as there is one. */
const answerOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('\r\n\r\n')) resolve(text);
    });
    socket.on('close', () => resolve(text));
  });

function heldBytes(): number {
  collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

/** Opens connections that have sent all of a body but its end; returns how many bytes this process then holds more than before. */
async function attack(
  count: number,
  text: Buffer,
): Promise<{ bytes: () => number; answers: readonly string[] }> {
  // What is made at the first request stays.
  expect((await harness.get('/healthz')).status).toBe(200);
  const before = heldBytes();
  const answers: string[] = [];
  const all = Array.from({ length: count }, () => {
    return new Promise<void>((resolve) => {
      // A server that reads the body takes all of it; one that does not answers, or hangs up.
      const socket = dribble(text, resolve);
      void answerOf(socket).then((answer) => {
        answers.push(answer);
        resolve();
      });
    });
  });
  await Promise.all(all);
  // Behind all others: what was sent before has been looked at.
  expect((await harness.get('/healthz')).status).toBe(200);
  return { bytes: () => heldBytes() - before, answers };
}

describe('connections without a token', () => {
  const body = Buffer.alloc(1_900_000, 'a');
  const almostAll = (more?: string) => Buffer.concat([Buffer.from(head(2_000_000, more)), body]);

  it('60 of them, each with a large body that does not end, are refused before it is read', async () => {
    await open();
    const { bytes, answers } = await attack(60, almostAll());
    await expect.poll(bytes).toBeLessThan(4 * MIB);
    // The rest of the body is on its way when the server hangs up: that may overtake the answer.
    for (const answer of answers) expect(answer).toMatch(/^$|^HTTP\/1.1 401 .*800\.900\.300/s);
  });

  it('1,000 of them hold little memory, too', async () => {
    await open({ limits: { connectionsPerPeer: 2_000 } });
    const { bytes } = await attack(
      1_000,
      Buffer.concat([Buffer.from(head(2_000_000)), body.subarray(0, 65_536)]),
    );
    await expect.poll(bytes).toBeLessThan(16 * MIB);
  });

  it('60 with a token that is not ours are refused before the body is read', async () => {
    await open();
    const { bytes } = await attack(60, almostAll('Authorization: Bearer tb_never-issued\r\n'));
    await expect.poll(bytes).toBeLessThan(4 * MIB);
  });

  it('1,000 with a body as small as user id and password take hold little memory', async () => {
    await open();
    const text = Buffer.concat([Buffer.from(head(16_000)), Buffer.alloc(15_900, 'a')]);
    const { bytes, answers } = await attack(1_000, text);
    // The sockets of 1,000 clients are in this process, too.
    await expect.poll(bytes).toBeLessThan(16 * MIB);
    await expect.poll(() => answers.length).toBeGreaterThan(900);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 429 /);
  });

  it.each([
    ['a path that there is not', head(2_000_000, '', '/v1/nothing'), 404],
    ['a path that takes no body', head(2_000_000, '', '/v1/resultcodes'), 405],
    ['a body of unknown length', head('chunked'), 401],
    ['a body beyond what user id and password take', head(20_000), 401],
    ['a length that is never taken', head(20_000_000), 401],
  ])('with %s are answered before the body has come', async (_what, text, status) => {
    await open();
    const answer = await answerOf(dribble(text));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.toLowerCase()).toContain('connection: close');
  });

  it('keep their connection where the refused body is small', async () => {
    await open();
    const wrong = `${head(3, 'Authorization: Bearer tb_never-issued\r\n')}a=b`;
    const { status, body } = await rawRequest(
      harness.url,
      `${wrong}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(status).toBe(403);
    expect(body).toContain('800.900.300');
  });
});

describe('a slow client', () => {
  it('is cut when its headers do not end in time, though its body might take longer', async () => {
    await open({ limits: { headersTimeoutMs: 100, requestTimeoutMs: 60_000, timeoutCheckMs: 20 } });
    const answer = await rawRequest(harness.url, 'GET /v1/resultcodes HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body)).toMatchObject({ result: { code: '200.100.103' } });
  });

  it('is cut when its body does not end in time', async () => {
    await open({ limits: { headersTimeoutMs: 100, requestTimeoutMs: 200, timeoutCheckMs: 20 } });
    const text = `${head(1_000, `Authorization: Bearer ${TOKEN}\r\n`)}amount=1`;
    expect((await rawRequest(harness.url, text)).status).toBe(408);
  });
});

describe('one peer', () => {
  it('has so many connections and no more; others have theirs', async () => {
    await open({ limits: { connectionsPerPeer: 3 } });
    const held = await Promise.all(Array.from({ length: 3 }, async () => dribble('GET / HTTP/1.1\r\n')));
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    const beyond = dribble('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await answerOf(beyond)).toBe('');
    const { port } = new URL(harness.url);
    const other = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' });
    sockets.push(other);
    other.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await answerOf(other)).toMatch(/^HTTP\/1.1 200 /);
    held[0]?.destroy();
    await expect.poll(async () => (await dribbleFor('/healthz')).startsWith('HTTP/1.1 200 ')).toBe(true);
  });

  const dribbleFor = async (path: string): Promise<string> =>
    answerOf(dribble(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`));

  it('is one merchant where there is a token: its bodies on the way have a sum', async () => {
    await open({ limits: { bodyBytesPerMerchant: 3_000_000 } });
    const authorized = `Authorization: Bearer ${TOKEN}\r\n`;
    const first = dribble(`${head(2_000_000, authorized)}a=`);
    const answers = ['Content-Length: 1500000', 'Transfer-Encoding: chunked'].map(async (length) => {
      const text = `POST /v1/payments HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\n${authorized}${length}\r\n\r\n`;
      const chunk = Buffer.alloc(1_500_000, 'a');
      const size = chunk.length.toString(16);
      const rest = length.startsWith('T') ? [`${size}\r\n`, chunk] : [];
      return answerOf(dribble(Buffer.concat([text, ...rest].map((part) => Buffer.from(part)))));
    });
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1.1 429 .*800\.120\.100/s);
      expect(answer.toLowerCase()).toContain('retry-after: 1');
    }
    first.destroy();
    await expect
      .poll(async () => (await harness.send('POST', '/v1/payments', { body: `entityId=${ENTITY}` })).status)
      .toBe(400);
  });
});
