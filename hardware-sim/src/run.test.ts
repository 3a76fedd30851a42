import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HomeInUseError } from '@tillbridge/platform/home-lock.js';
import { rawRequest } from '@tillbridge/platform/http/raw-request.test.support.js';
import { PortInUseError } from '@tillbridge/platform/net/listening.js';
import { encodePacket } from '@tillbridge/wire/terminals/abecs/framing.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig, type SimulatorConfig } from './config/config.js';
import { startAcquirerHost } from './hosts/acquirer/run-acquirer-host.js';
import { type RunningSimulator, startSimulator } from './run.js';

let home: string;
let simulator: RunningSimulator;
let gateway: Server;
let seenAuthorization: string | undefined;

function config(changes: Partial<SimulatorConfig> = {}): SimulatorConfig {
  const base = loadConfig(undefined, { SIM_HOME: home, SIM_PORT: '0', SIM_LOG: join(home, 'sim.log') });
  const { port } = gateway.address() as AddressInfo;
  return {
    ...base,
    proxy: { port: 0, targetHost: '127.0.0.1', targetPort: port },
    gateway: { url: `http://127.0.0.1:${port}`, token: 'record-token' },
    ...changes,
  };
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'sim-'));
  gateway = createServer((request, response) => {
    seenAuthorization = request.headers.authorization;
    const known = request.url === '/v1/simulator/transactions';
    response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' }).end('[]');
  });
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  simulator = await startSimulator(config());
});

afterEach(async () => {
  await simulator.close();
  gateway.closeAllConnections();
  gateway.close();
  rmSync(home, { recursive: true });
});

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(new URL(path, simulator.listening.url), {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** The simulator's events from now on, as they come. */
async function openEvents() {
  const stream = await fetch(new URL('/events', simulator.listening.url));
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    until: async (word: string): Promise<void> => {
      while (!text.includes(word)) text += (await reader?.read())?.value ?? '';
    },
    end: () => reader?.cancel(),
  };
}

describe.skipIf(process.platform === 'win32')('a running simulator', () => {
  test('lists terminals and cards', async () => {
    const terminals = await call('GET', '/terminals');
    expect(terminals.body).toMatchObject([
      { id: '1001', deviceType: 'GERTEC_PPC930', state: 'idle', plugged: true },
    ]);
    const cards = (await call('GET', '/cards')).body as unknown as { name: string; maskedPan: string }[];
    expect(cards.map(({ name }) => name)).toContain('visa-bad-arpc');
    expect(JSON.stringify(cards)).not.toMatch(/\d{13}/);
  });

  test('lists the frames of a line from a number on, and one with its bytes and objects', async () => {
    const [{ path = '' } = {}] = simulator.listening.terminals;
    const host = await open(path, 'r+');
    // GIX, as a host sends it.
    await host.write(encodePacket(Buffer.from('GIX', 'latin1')));
    await host.read(Buffer.alloc(64));
    await host.close();
    const { body } = await call('GET', '/terminals/1001/frames');
    const frames = body as unknown as { number: number; text: string; hex: string }[];
    expect(frames[0]).toMatchObject({
      number: 1,
      direction: 'in',
      text: 'GIX',
      hex: expect.stringMatching(/^16474958/),
    });
    const after = (await call('GET', '/terminals/1001/frames?after=1')).body as unknown as {
      number: number;
    }[];
    expect(after.map(({ number }) => number)).toEqual(frames.slice(1).map(({ number }) => number));
    expect((await call('GET', '/terminals/1001/frames/1')).body).toMatchObject({ text: 'GIX', objects: [] });
    expect((await call('GET', '/terminals/1001/frames/999')).status).toBe(404);
    expect((await call('GET', '/terminals/1001/frames?after=x')).status).toBe(400);
  });

  test('reports what happens as events, the state first', async () => {
    const events = await openEvents();
    await events.until('event: hello');
    await call('POST', '/terminals/1001/unplug');
    await events.until('"plugged":false');
    await call('PUT', '/network', { state: 'slow' });
    await events.until('event: network');
    await events.end();
  });

  test('keeps, gives and takes recordings; what is none is refused', async () => {
    expect((await call('POST', '/terminals/1001/recordings')).status).toBe(409);
    await call('POST', '/terminals/1001/recording');
    const { body } = await call('DELETE', '/terminals/1001/recording');
    const name = String(body.name);
    const url = new URL(`/recordings/${name}`, simulator.listening.url);
    const text = await (await fetch(url)).text();
    expect(text).toContain('"deviceType":"GERTEC_PPC930"');
    const headers = { 'content-type': 'application/x-ndjson' };
    const take = (content: string) =>
      fetch(new URL('/recordings', simulator.listening.url), { method: 'POST', body: content, headers });
    expect((await take(text)).status).toBe(200);
    expect((await take('{"format":"x"}')).status).toBe(400);
    expect((await take(text.replace('GERTEC_PPC930', '../../x'))).status).toBe(400);
    for (const path of ['/recordings/..%2fcards', '/recordings/%2e%2e%2fsim.log', '/recordings/none.jsonl'])
      expect((await call('GET', path)).status, path).toBe(404);
    expect(await call('POST', '/terminals/1001/replay', { recording: 'none.jsonl' })).toMatchObject({
      status: 404,
    });
    const playing = (await call('POST', '/terminals/1001/replay', { recording: name })).body;
    expect(playing.replay).toMatchObject({ recording: name });
    expect((await call('DELETE', `/recordings/${name}`)).status).toBe(200);
  });

  test('keeps scenarios, and refuses names and faults that are none', async () => {
    const scenario = {
      seed: 7,
      faults: [{ name: 'delay', ratePercent: 50, times: 10 }],
      network: { state: 'slow' },
    };
    expect((await call('PUT', '/scenarios/late', scenario)).status).toBe(200);
    expect((await call('PUT', '/scenarios/..%2fx', scenario)).status).toBe(400);
    expect((await call('PUT', '/scenarios/late', { ...scenario, terminals: ['9'] })).status).toBe(404);
    expect((await call('PUT', '/scenarios/late', { ...scenario, faults: [{ name: 'fire' }] })).status).toBe(
      400,
    );
    const run = await call('POST', '/scenarios/late/run', { seed: 8 });
    expect(run.body).toMatchObject({
      seed: 8,
      terminals: [{ faults: [{ name: 'delay', seed: 8, ratePercent: 50 }] }],
    });
    expect((await call('GET', '/network')).body).toMatchObject({ state: 'slow' });
    expect((await call('DELETE', '/scenarios/late')).status).toBe(200);
    expect((await call('POST', '/scenarios/late/run')).status).toBe(404);
  });

  test('keeps a scenario of a sale, gives it as the file that it takes, and refuses sales that are none', async () => {
    const cardholder = [{ act: 'present', card: 'visa-credit-online', how: 'insert' }];
    const sale = { amount: '12.34', cardholder, expected: { cryptograms: ['TC'], cvm: [], issuer: [] } };
    const scenario = { seed: 1, terminals: ['1001'], faults: [], sale };
    expect((await call('PUT', '/scenarios/one sale', scenario)).status).toBe(200);
    expect((await call('GET', '/scenarios/one sale')).body).toEqual(scenario);
    expect((await call('POST', '/scenarios/one sale/run')).status).toBe(200);
    const unknown = { ...sale, cardholder: [{ act: 'present', card: 'gold' }] };
    expect((await call('PUT', '/scenarios/no card', { ...scenario, sale: unknown })).status).toBe(400);
    expect((await call('GET', '/scenarios/none')).status).toBe(404);
    expect((await call('GET', '/terminals/1001/sales')).body).toEqual([]);
    const body = { name: 'none' };
    expect((await call('POST', '/terminals/1001/sales/1/scenario', body)).status).toBe(404);
    expect((await call('POST', '/terminals/1001/sales/x/scenario', body)).status).toBe(400);
    expect((await call('GET', '/terminals/1001/entries?tag=9f26')).body).toEqual({ frames: [], apdus: [] });
    expect((await call('GET', '/terminals/1001/entries')).status).toBe(400);
  });

  test('prints receipts, over REST and as a printer over TCP; card numbers are masked', async () => {
    const print = Buffer.from('\x1b@SHOP 5454545454545454\n\x1dV\x00', 'latin1');
    const headers = { 'content-type': 'application/octet-stream' };
    await fetch(new URL('/receipts', simulator.listening.url), { method: 'POST', body: print, headers });
    const receipts = (await call('GET', '/receipts')).body as unknown as { lines: { text: string }[] }[];
    expect(receipts[0]?.lines).toEqual([{ text: 'SHOP 545454******5454', bold: false }]);
  });

  test('shows the state of a card, and renews it without its counters', async () => {
    expect((await call('GET', '/cards/visa-blocked')).body).toMatchObject({
      state: { applicationBlocked: true },
    });
    expect((await call('POST', '/cards/maestro-offline-approved/renew')).body).toMatchObject({
      state: { pinTryCounter: 3 },
    });
    expect((await call('GET', '/cards/gold')).status).toBe(404);
    expect((await call('GET', '/cards/magstripe-only')).body).not.toHaveProperty('state');
  });

  test('keys in numbers of its cards alone', async () => {
    const known = await call('POST', '/terminals/1001/present', { number: '5454545454545454' });
    expect(known.body).toMatchObject({ held: true });
    expect((await call('POST', '/terminals/1001/present', { number: '4111111111111111' })).status).toBe(404);
    expect((await call('POST', '/terminals/1001/present', {})).status).toBe(400);
  });

  test('relays rules of the acquirer host, and refuses where it does not run', async () => {
    expect((await call('GET', '/host')).body).toMatchObject({ running: false });
    expect((await call('PUT', '/host/rules', [])).status).toBe(503);
    const base = config();
    const settings = { ...base.acquirerHost, home: join(home, 'host'), port: 0, controlPort: 0 };
    const host = await startAcquirerHost({ ...base, acquirerHost: settings });
    await simulator.close();
    const controlPort = Number(new URL(host.listening.url).port);
    simulator = await startSimulator(config({ acquirerHost: { ...settings, controlPort } }));
    const events = await openEvents();
    expect((await call('PUT', '/host/rules', [{ responseCode: '51', last4Digits: '5454' }])).status).toBe(
      200,
    );
    await events.until('{"list":"rules"}');
    await events.end();
    expect((await call('GET', '/host')).body).toMatchObject({
      running: true,
      rules: [{ responseCode: '51' }],
    });
    expect((await call('PUT', '/host/rules', [{ responseCode: 'no' }])).status).toBe(400);
    await host.close();
  });

  test('a card is held ready; unknown ones and faces that it has not are refused by name', async () => {
    expect(
      (await call('POST', '/terminals/1001/present', { card: 'visa-contactless', how: 'tap' })).body,
    ).toMatchObject({
      held: true,
    });
    expect(await call('POST', '/terminals/1001/present', { card: 'gold' })).toMatchObject({
      status: 404,
      body: { error: { code: 'unknown-card' } },
    });
    expect(
      await call('POST', '/terminals/1001/present', { card: 'magstripe-only', how: 'tap' }),
    ).toMatchObject({
      status: 409,
      body: { error: { code: 'not-now' } },
    });
    expect((await call('POST', '/terminals/9/remove')).status).toBe(404);
    expect(await call('POST', '/terminals/1001/present', { card: 'visa-bad-arp' })).toMatchObject({
      body: { error: { message: 'there is no card visa-bad-arp; did you mean visa-bad-arpc?' } },
    });
    expect(await call('POST', '/terminals/1001/pin', { pin: '12' })).toMatchObject({
      status: 400,
      body: { error: { message: 'pin must be 4 to 12 digits, bypass or cancel' } },
    });
    expect((await call('POST', '/terminals/1001/pin', { pin: 'bypass' })).status).toBe(200);
    expect((await call('POST', '/terminals/1001/remove')).status).toBe(200);
  });

  test('a path that cannot be decoded is refused like any other', async () => {
    const answer = await call('GET', '/terminals/%ZZ');
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad-request' } } });
  });

  test.each([
    ['bytes that are no HTTP', '\u0000\u0001 what\r\n\r\n', 400],
    ['a request without a host', 'GET /cards HTTP/1.1\r\n\r\n', 400],
    ['headers that are too large', `GET /cards HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('answers %s as any other error, and hangs up', async (_name, request, status) => {
    const answer = await rawRequest(simulator.listening.url, request);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ error: { code: 'bad-request', message: expect.any(String) } });
    expect(answer.headers.get('connection')).toBe('close');
  });

  test.each([
    ['a name that a foreign site points here', 'Host: evil.example:8095', 421, 'wrong-host'],
    ['the page of a foreign site', 'Host: localhost\r\nOrigin: https://evil.example', 403, 'wrong-origin'],
  ])('refuses %s, and does nothing', async (_name, headers, status, code) => {
    const { url } = simulator.listening;
    const card = '{"card":"visa-credit-online"}';
    const body = `Content-Type: application/json\r\nContent-Length: ${card.length}\r\n\r\n${card}`;
    for (const call of ['GET /cards', 'GET /nothing', 'POST /terminals/1001/present']) {
      const answer = await rawRequest(url, `${call} HTTP/1.1\r\n${headers}\r\n${body}`);
      expect([call, answer.status]).toEqual([call, status]);
      expect(JSON.parse(answer.body)).toEqual({ error: { code, message: expect.any(String) } });
    }
    expect((await call('GET', '/terminals/1001')).body).toMatchObject({ state: 'idle' });
  });

  test('unplugging removes the path, plugging in brings it back', async () => {
    const path = simulator.listening.terminals[0]?.path ?? '';
    expect(existsSync(path)).toBe(true);
    expect((await call('POST', '/terminals/1001/unplug', {})).body).toMatchObject({ plugged: false });
    expect(existsSync(path)).toBe(false);
    expect((await call('POST', '/terminals/1001/plug')).body).toMatchObject({ plugged: true });
    expect(existsSync(path)).toBe(true);
    rmSync(path);
    expect((await call('GET', '/terminals/1001')).body).toMatchObject({ plugged: false });
    expect((await call('POST', '/terminals/1001/plug')).body).toMatchObject({ plugged: true });
    expect(existsSync(path)).toBe(true);
  });

  test('faults are checked and kept until they have struck', async () => {
    expect(await call('PUT', '/terminals/1001/faults', [{ name: 'drop-akc' }])).toMatchObject({
      status: 400,
      body: {
        error: { message: expect.stringMatching(/^\[0\]\.name must be one of .*did you mean drop-ack\?$/) },
      },
    });
    const laid = await call('PUT', '/terminals/1001/faults', [{ name: 'corrupt-crc', times: 2 }]);
    expect(laid.body.faults).toMatchObject([{ name: 'corrupt-crc', times: 2, skip: 0 }]);
    expect((await call('GET', '/terminals/1001')).body.faults).toEqual(laid.body.faults);
  });

  test('the network can be cut and restored; the proxy leads to the gateway', async () => {
    const proxied = () => fetch(new URL('/v1/simulator/transactions', simulator.listening.proxyUrl));
    expect((await proxied()).status).toBe(200);
    expect((await call('PUT', '/network', { state: 'down' })).body).toEqual({
      state: 'down',
      latencyMs: 0,
      dropAnswers: false,
    });
    await expect(proxied()).rejects.toThrow();
    await call('PUT', '/network', { state: 'up' });
    expect((await proxied()).status).toBe(200);
  });

  test('the acquirer’s record is relayed with the token; a gateway that refuses is named', async () => {
    expect(await call('GET', '/host/transactions')).toEqual({ status: 200, body: [] });
    expect(seenAuthorization).toBe('Bearer record-token');
    gateway.removeAllListeners('request');
    gateway.on('request', (_request, response) => response.writeHead(403).end());
    expect(await call('GET', '/host/transactions')).toMatchObject({
      status: 502,
      body: { error: { code: 'gateway-refused' } },
    });
  });

  test('a taken port and a taken home are refused and leave the running one alone', async () => {
    const path = simulator.listening.terminals[0]?.path ?? '';
    await expect(startSimulator(config())).rejects.toBeInstanceOf(HomeInUseError);
    const other = join(home, 'other');
    const port = Number(new URL(simulator.listening.url).port);
    await expect(startSimulator(config({ home: other, port }))).rejects.toThrow(PortInUseError);
    await expect(startSimulator(config({ home: other, port }))).rejects.toThrow('SIM_PORT');
    expect(existsSync(path)).toBe(true);
  });

  test('closing frees port, path and home; the log has neither PIN nor PAN', async () => {
    await call('POST', '/terminals/1001/pin', { pin: '987654' });
    await simulator.close();
    expect(existsSync(simulator.listening.terminals[0]?.path ?? '')).toBe(false);
    await expect(fetch(simulator.listening.url)).rejects.toThrow();
    const again = await startSimulator(config());
    await again.close();
    expect(readFileSync(join(home, 'sim.log'), 'utf8')).not.toMatch(/987654|4200000000000000/);
  });
});
