import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { peersOf } from '@tillbridge/platform/net/peers.js';
import {
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EGRESS_LIMITS, Egress, type EgressDeps } from './egress.js';

let clock: VirtualClock;
let servers: Server[];
beforeEach(() => {
  clock = new VirtualClock();
  servers = [];
});
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A receiver on this machine; returns its port. */
async function receiver(listener: RequestListener, tls?: ServerOptions): Promise<number> {
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const LOCAL = { address: '127.0.0.1', family: 4 };
const guard = (more: Partial<EgressDeps> = {}) =>
  new Egress({
    allowed: peersOf(['127.0.0.1']),
    plainHttp: true,
    clock,
    resolve: async () => [LOCAL],
    ...more,
  });
const post = (url: string) => ({ method: 'POST', url, body: Buffer.from('hello') }) as const;
const textOf = async (request: IncomingMessage) => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

describe('a request of the gateway’s own', () => {
  it('brings body and headers, and gives the answer back', async () => {
    const port = await receiver(async (request, response) => {
      response.statusCode = 202;
      response.end(`${request.method} ${request.headers['x-a']} ${await textOf(request)}`);
    });
    const answer = await guard().send({ ...post(`http://127.0.0.1:${port}/in`), headers: { 'x-a': '1' } });
    expect(answer.status).toBe(202);
    expect(answer.body.toString()).toBe('POST 1 hello');
  });

  it('names the length of its body, and none without one', async () => {
    const port = await receiver(({ headers }, response) =>
      response.end(`${headers['content-length']} ${headers['transfer-encoding']}`),
    );
    const url = `http://127.0.0.1:${port}/`;
    expect((await guard().send(post(url))).body.toString()).toBe('5 undefined');
    expect((await guard().send({ method: 'GET', url })).body.toString()).toBe('undefined undefined');
  });

  it('resolves a name as the system does, where nothing else is named', async () => {
    const port = await receiver((_request, response) => response.end('here'));
    const egress = new Egress({ allowed: peersOf(['127.0.0.1', '::1']), plainHttp: true, clock });
    const answer = await egress.send(post(`http://localhost:${port}/`));
    expect(answer.body.toString()).toBe('here');
  });

  it('goes to the address that was checked, whatever the name stands for a moment later', async () => {
    const port = await receiver((request, response) => response.end(request.headers.host));
    let looks = 0;
    const resolve = async () => {
      looks += 1;
      return looks === 1 ? [LOCAL] : [{ address: '10.0.0.1', family: 4 }];
    };
    const answer = await guard({ resolve }).send(post(`http://shop.example:${port}/`));
    expect(answer.body.toString()).toBe(`shop.example:${port}`);
    expect(looks).toBe(1);
  });

  it.each([
    ['a private address', 'http://10.0.0.1/'],
    ['the address of the cloud’s metadata', 'http://169.254.169.254/latest/'],
    ['an address written as a number', 'http://2130706433:1/'],
    ['IPv6 of this machine', 'http://[::1]:1/'],
    ['IPv4 within IPv6', 'http://[::ffff:127.0.0.1]:1/'],
  ])('is not sent to %s', async (_what, url) => {
    const egress = guard({ allowed: peersOf([]) });
    await expect(egress.send(post(url))).rejects.toMatchObject({ code: 'unusable-host' });
  });

  it('is not sent to a name of which one address is private', async () => {
    const resolve = async () => [{ address: '93.184.215.14', family: 4 }, LOCAL];
    await expect(
      guard({ allowed: peersOf([]), resolve }).send(post('http://shop.example/')),
    ).rejects.toMatchObject({ code: 'unusable-host' });
  });

  it('is not sent in clear where that is not taken, nor to anything but a web server', async () => {
    for (const url of ['http://shop.example/', 'ftp://shop.example/', 'file:///etc/passwd', 'shop', '/x'])
      await expect(guard({ plainHttp: false }).send(post(url))).rejects.toMatchObject({
        code: 'refused-url',
      });
    for (const url of [
      'http://a:b@shop.example/',
      'http://a@shop.example/',
      'http://:b@shop.example/',
      'ftp://shop.example/',
    ])
      await expect(guard().send(post(url))).rejects.toMatchObject({ code: 'refused-url' });
  });

  it('follows no redirect from https to http, which others could read', async () => {
    let calls = 0;
    const clear = await receiver((_request, response) => {
      calls += 1;
      response.end('in clear');
    });
    const tls = { cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY };
    const first = await receiver((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${clear}/` }).end();
    }, tls);
    const egress = guard({ authorities: [TEST_CERTIFICATE] });
    await expect(egress.send(post(`https://localhost:${first}/`))).rejects.toMatchObject({
      code: 'redirect-refused',
    });
    expect(calls).toBe(0);
  });

  it('follows a redirect that keeps the method, with the body', async () => {
    const second = await receiver(async (request, response) => response.end(await textOf(request)));
    const first = await receiver((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${second}/moved` }).end();
    });
    const answer = await guard().send(post(`http://127.0.0.1:${first}/`));
    expect([answer.status, answer.body.toString()]).toEqual([200, 'hello']);
  });

  it('checks the address of a redirect like the first', async () => {
    const port = await receiver((_request, response) => {
      response.writeHead(308, { location: 'http://10.0.0.1/inside' }).end();
    });
    await expect(guard().send(post(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
      code: 'unusable-host',
    });
  });

  it('gives a redirect back that would turn a POST into a GET, and follows it for a GET', async () => {
    const port = await receiver((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/moved' }).end();
      else response.end('here');
    });
    const url = `http://127.0.0.1:${port}/`;
    expect((await guard().send(post(url))).status).toBe(302);
    expect((await guard().send({ method: 'GET', url })).body.toString()).toBe('here');
  });

  it.each([301, 302, 303, 307, 308])('follows a redirect by %i for a GET', async (status) => {
    const port = await receiver((request, response) => {
      if (request.url === '/') response.writeHead(status, { location: '/moved' }).end();
      else response.end(request.method);
    });
    const answer = await guard().send({ method: 'GET', url: `http://127.0.0.1:${port}/` });
    expect([answer.status, answer.body.toString()]).toEqual([200, 'GET']);
  });

  it.each([
    [301, 1],
    [303, 1],
    [304, 1],
    [308, 2],
  ])('keeps the body of a POST to the address that was named: %i is %i calls', async (status, calls) => {
    const bodies: string[] = [];
    const port = await receiver(async (request, response) => {
      bodies.push(`${request.method} ${await textOf(request)}`);
      if (request.url === '/') response.writeHead(status, { location: '/moved' });
      response.end();
    });
    await guard().send(post(`http://127.0.0.1:${port}/`));
    expect(bodies).toEqual(Array.from({ length: calls }, () => 'POST hello'));
  });

  it.each(['http://', 'http://a:b@127.0.0.1/', 'ftp://127.0.0.1/', 'file:///etc/passwd'])(
    'follows no redirect to %s',
    async (location) => {
      const port = await receiver((_request, response) => response.writeHead(307, { location }).end());
      await expect(guard().send(post(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
        code: 'refused-url',
      });
    },
  );

  it('follows a redirect within https', async () => {
    const tls = { cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY };
    const port = await receiver((request, response) => {
      if (request.url === '/') response.writeHead(307, { location: '/moved' }).end();
      else response.end('here');
    }, tls);
    const egress = guard({ authorities: [TEST_CERTIFICATE], plainHttp: false });
    expect((await egress.send(post(`https://localhost:${port}/`))).body.toString()).toBe('here');
    await expect(guard().send(post(`https://localhost:${port}/`))).rejects.toMatchObject({
      code: 'unreachable',
    });
  });

  it('gives a redirect back that names no address', async () => {
    const port = await receiver((_request, response) => response.writeHead(307).end());
    expect((await guard().send(post(`http://127.0.0.1:${port}/`))).status).toBe(307);
  });

  it.each([
    ['ftp://shop.example/', 'ftp is not taken, https is'],
    ['http://[::1]/', '::1 is, or stands for, an address of a private network'],
  ])('names the rule that %s breaks', async (url, message) => {
    await expect(guard().send(post(url))).rejects.toMatchObject({ message });
  });

  it('follows as many redirects as are allowed', async () => {
    let calls = 0;
    const port = await receiver((_request, response) => {
      calls += 1;
      if (calls <= EGRESS_LIMITS.redirects) response.writeHead(307, { location: '/' });
      response.end();
    });
    expect((await guard().send(post(`http://127.0.0.1:${port}/`))).status).toBe(200);
  });

  it('ends when the time of the request is over, and holds no timer after an answer', async () => {
    const sent = guard({ resolve: () => new Promise(() => undefined) }).send({
      ...post('http://shop.example/'),
      timeoutMs: 5,
    });
    const refused = expect(sent).rejects.toMatchObject({ code: 'timed-out' });
    await clock.advance(5);
    await refused;
    const port = await receiver((_request, response) => response.end());
    await guard().send(post(`http://127.0.0.1:${port}/`));
    expect(clock.nextTimerInMs()).toBeUndefined();
  });

  it('reads an answer of the longest length', async () => {
    const port = await receiver((_request, response) =>
      response.end(Buffer.alloc(EGRESS_LIMITS.answerBytes)),
    );
    const answer = await guard().send(post(`http://127.0.0.1:${port}/`));
    expect(answer.body.length).toBe(EGRESS_LIMITS.answerBytes);
  });

  it('ends a chain of redirects', async () => {
    let calls = 0;
    const port = await receiver((_request, response) => {
      calls += 1;
      response.writeHead(307, { location: '/' }).end();
    });
    await expect(guard().send(post(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
      code: 'redirect-refused',
    });
    expect(calls).toBe(EGRESS_LIMITS.redirects + 1);
  });

  it('ends when the time is over: a receiver that takes the request and does not answer', async () => {
    let came: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      came = resolve;
    });
    const port = await receiver(() => came());
    const sent = guard().send(post(`http://127.0.0.1:${port}/`));
    const refused = expect(sent).rejects.toMatchObject({ code: 'timed-out' });
    await arrived;
    await clock.advance(EGRESS_LIMITS.timeoutMs);
    await refused;
  });

  it('ends when the time is over: a name server that does not answer', async () => {
    const sent = guard({ resolve: () => new Promise(() => undefined) }).send(post('http://shop.example/'));
    const refused = expect(sent).rejects.toMatchObject({ code: 'timed-out' });
    await clock.advance(EGRESS_LIMITS.timeoutMs);
    await refused;
  });

  it('reads no more of an answer than the limit, and nothing where the status is enough', async () => {
    const port = await receiver((_request, response) =>
      response.end(Buffer.alloc(EGRESS_LIMITS.answerBytes + 1)),
    );
    const request = post(`http://127.0.0.1:${port}/`);
    await expect(guard().send(request)).rejects.toMatchObject({ code: 'answer-too-long' });
    const answer = await guard().send({ ...request, ignoreAnswer: true });
    expect([answer.status, answer.body.length]).toEqual([200, 0]);
  });

  it('names host and cause of a fault, and nothing of the path', async () => {
    const port = await receiver((request) => request.socket.destroy());
    const sent = guard().send(post(`http://127.0.0.1:${port}/secret?token=1`));
    await expect(sent).rejects.toMatchObject({
      code: 'unreachable',
      message: '127.0.0.1 cannot be reached: ECONNRESET',
    });
  });

  it('refuses a name without an address', async () => {
    const resolve = async () => Promise.reject(new Error('ENOTFOUND'));
    await expect(guard({ resolve }).send(post('http://shop.example/'))).rejects.toMatchObject({
      code: 'unusable-host',
    });
  });
});
