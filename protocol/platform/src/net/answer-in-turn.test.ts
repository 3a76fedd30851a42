import { once } from 'node:events';
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import {
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { afterEach, describe, expect, it } from 'vitest';
import { ANSWER_LIMITS, type AnswerLimits, answerInTurn } from './answer-in-turn.js';

const tls = { cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY };
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

interface OpenOptions {
  readonly answer?: RequestListener;
  readonly isTls?: boolean;
  readonly options?: ServerOptions;
}

interface Opened {
  readonly server: Server;
  /** What was sent before the request was begun, by path. */
  readonly begun: string[];
  connect(text?: string): Socket;
}

/** A server that answers each request with its path, or with as much as no connection takes at once. */
async function open(
  limits: Partial<AnswerLimits> = {},
  { answer, isTls = false, options = {} }: OpenOptions = {},
): Promise<Opened> {
  const begun: string[] = [];
  const listener: RequestListener = (request, response) => {
    begun.push(request.url ?? '');
    if (answer) answer(request, response);
    else response.end(request.url);
  };
  const server = isTls ? createTlsServer(tls, listener) : createServer(options, listener);
  answerInTurn(server, limits);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    server,
    begun,
    connect(text) {
      const socket = isTls ? connectTls({ port, rejectUnauthorized: false }) : connect(port, '127.0.0.1');
      ends.push(() => socket.destroy());
      socket.on('error', () => undefined);
      if (text !== undefined) socket.write(text);
      return socket;
    },
  };
}

const gets = (count: number, more = ''): string =>
  Array.from({ length: count }, (_each, at) => `GET /${at} HTTP/1.1\r\nHost: x\r\n${more}\r\n`).join('');

/** Resolves with all that came once it holds so many answers. */
function answers(socket: Socket, count: number): Promise<string[]> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
      const bodies = [...text.matchAll(/\r\n\r\n(?:[0-9a-f]+\r\n)?(\/\d+)/g)].map(([, body = '']) => body);
      if (bodies.length === count) resolve(bodies);
    });
  });
}

/** Resolves with the number of bytes that came before the server hung up. */
async function hungUp(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await once(socket, 'close');
  return bytes;
}

const paths = (count: number) => Array.from({ length: count }, (_each, at) => `/${at}`);
/** More than the buffers of a connection hold. */
const LARGE = Buffer.alloc(16 * 1_048_576, 'a');
const large: RequestListener = (_request, response) => response.end(LARGE);

describe('requests of one connection', () => {
  it('are worked on one after the other, and all answered in their order', async () => {
    let atWork = 0;
    let most = 0;
    const { begun, connect } = await open(
      {},
      {
        answer: (request, response) => {
          atWork += 1;
          most = Math.max(most, atWork);
          setImmediate(() => {
            atWork -= 1;
            response.end(request.url);
          });
        },
      },
    );
    const socket = connect(gets(16));
    expect(await answers(socket, 16)).toEqual(paths(16));
    expect(begun).toEqual(paths(16));
    expect(most).toBe(1);
  });

  it.each([false, true])(
    'are not begun before the answer to the first has left (over TLS: %s)',
    async (isTls) => {
      const { begun, connect } = await open({}, { answer: large, isTls });
      const socket = connect(gets(16));
      await expect.poll(() => begun.length).toBe(1);
      // Another connection is served meanwhile; by then all that the first one sent was read.
      await once(connect(gets(1)), 'data');
      expect(begun).toEqual(['/0', '/0']);
      let bytes = 0;
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      await expect.poll(() => begun.length).toBeGreaterThan(3);
      expect(bytes).toBeGreaterThan(LARGE.length);
    },
  );

  it('are read no further while many wait, whatever the one at work reads', async () => {
    const held: (() => void)[] = [];
    const { server, connect } = await open(
      { readAhead: 2 },
      {
        answer: (request, response) => {
          request.resume();
          held.push(() => response.end(request.url));
        },
      },
    );
    const connected = once(server, 'connection');
    const client = connect(`POST /0 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc${gets(2)}`);
    const [socket] = (await connected) as [Socket];
    await expect.poll(() => socket.isPaused()).toBe(true);
    const before = socket.bytesRead;
    client.write(gets(8));
    await once(connect(gets(1)), 'connect');
    await expect.poll(() => held.length).toBe(2);
    expect(socket.bytesRead).toBe(before);
    const came = answers(client, 11);
    const timer = setInterval(() => held.shift()?.());
    ends.push(() => clearInterval(timer));
    expect(await came).toEqual(['/0', '/0', '/1', ...paths(8)]);
  });

  it('are read on while few wait', async () => {
    const { server, connect } = await open({ readAhead: 2 }, { answer: () => undefined });
    const connected = once(server, 'connection');
    const client = connect(gets(2));
    const [socket] = (await connected) as [Socket];
    await expect.poll(() => socket.bytesRead).toBe(gets(2).length);
    expect(socket.isPaused()).toBe(false);
    client.write(gets(1));
    await expect.poll(() => socket.bytesRead).toBe(gets(2).length + gets(1).length);
  });

  it('are worked on after a quiet time, too', async () => {
    const { connect } = await open();
    const socket = connect();
    for (let at = 0; at < 3; at += 1) {
      socket.write(gets(1));
      expect(await answers(socket, 1)).toEqual(['/0']);
    }
  });

  it('end it when there are too many', async () => {
    const { begun, connect } = await open();
    const socket = connect(gets(ANSWER_LIMITS.waiting + 2));
    await hungUp(socket);
    expect(begun).toEqual(['/0']);
  });

  it('are not even parsed behind that', async () => {
    let parsed = 0;
    class Counted extends IncomingMessage {
      constructor(socket: Socket) {
        super(socket);
        parsed += 1;
      }
    }
    const { connect } = await open({}, { options: { IncomingMessage: Counted } });
    await hungUp(connect(gets(1_500)));
    expect(parsed).toBe(ANSWER_LIMITS.waiting + 3);
  });

  it('end it when all connections together have too many; places of those that end are free again', async () => {
    const { begun, connect } = await open({ waitingOfAll: 3 }, { answer: large });
    const first = connect(gets(4));
    await expect.poll(() => begun.length).toBe(1);
    expect(await hungUp(connect(gets(2)))).toBeLessThan(2 * LARGE.length);
    first.destroy();
    await expect
      .poll(async () => {
        const bytes = await hungUp(connect(gets(3).replace('/2 HTTP/1.1', '/2 HTTP/1.0')));
        return bytes > 3 * LARGE.length;
      })
      .toBe(true);
  });

  it('give their places among those of all connections back', async () => {
    const { connect } = await open(
      { waitingOfAll: 3 },
      { answer: (request, response) => setImmediate(() => response.end(request.url)) },
    );
    for (let round = 0; round < 4; round += 1) {
      const socket = connect(gets(4));
      expect(await answers(socket, 4)).toEqual(paths(4));
      socket.destroy();
    }
  });

  it('wait for their turn, too, when they expect what there is not', async () => {
    const { begun, connect } = await open({}, { answer: large });
    connect(gets(16, 'Expect: nothing\r\n'));
    await once(connect(gets(1)), 'data');
    expect(begun).toEqual(['/0', '/0']);
  });
});

describe('a peer that reads nothing', () => {
  it.each([false, true])('is ended (over TLS: %s)', async (isTls) => {
    const { server, connect } = await open({ stalledMs: 50 }, { answer: large, isTls });
    const connected = once(server, isTls ? 'secureConnection' : 'connection');
    connect(gets(1));
    const [socket] = (await connected) as [Socket];
    await once(socket, 'close');
  });

  it('is ended though it sends on', async () => {
    const { server, connect } = await open({ stalledMs: 50 }, { answer: large });
    const connected = once(server, 'connection');
    const client = connect(`${gets(1)}GET /1 HTTP/1.1\r\nX-More: `);
    const timer = setInterval(() => client.write('a'), 10);
    ends.push(() => clearInterval(timer));
    const [socket] = (await connected) as [Socket];
    await once(socket, 'close');
  });
});
