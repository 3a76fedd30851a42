import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TillRegistry, TillRegistryError } from '../access/till-registry.js';
import { SESSION_LIMITS } from '../access/till-sessions.js';
import { MemorySaleService } from './memory-sale-service.test.support.js';
import { createTillServer } from './server.js';

const STORE_TOKEN = 'a-token-of-the-store-0123';
const PAGE = { 'x-tillbridge-page': '1' };

let home: string;
let clock: VirtualClock;
let server: FastifyInstance;
let service: MemorySaleService;
let url: string;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'sessions-'));
  clock = new VirtualClock(Date.parse('2026-11-23T10:00:00Z'));
  await start();
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

/** Starts the agent's server on the home, as after a restart. */
async function start(token = STORE_TOKEN): Promise<void> {
  await server?.close();
  service = new MemorySaleService();
  server = createTillServer({
    service,
    link: { detail: () => ({ state: 'up', attempt: 0, epoch: 1 }), nudge: () => undefined },
    lineProblem: () => undefined,
    token,
    tills: new TillRegistry(join(home, 'tills.json'), systemRandom),
    sessionsPath: join(home, 'till-sessions.json'),
    origins: ['https://till.example'],
    clock,
    log: pino({ level: 'silent' }),
  });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
}

async function send(method: string, path: string, headers: Record<string, string>, body?: object) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    cookie: response.headers.get('set-cookie') ?? '',
  };
}

const store = (method: string, path: string, body?: object) =>
  send(method, path, { authorization: `Bearer ${STORE_TOKEN}` }, body);

/** Makes a till and signs a browser in by its code; the headers of that browser's page. */
async function signedIn(id: string, more: object = {}): Promise<Record<string, string>> {
  await store('POST', '/v1/tills', { id, rights: ['sell'], ...more });
  const { body } = await store('POST', `/v1/tills/${id}/code`);
  const { cookie } = await send('POST', '/v1/sign-in', PAGE, { code: body.code });
  return { ...PAGE, cookie: cookie.split(';')[0] ?? '' };
}

describe('a browser that is signed in', () => {
  it('has a cookie that no script and no other site gets, of which the home keeps the digest', async () => {
    await store('POST', '/v1/tills', { id: 'front-1', rights: ['sell', 'report'] });
    const { body, status } = await store('POST', '/v1/tills/front-1/code');
    expect({ status, ...body }).toMatchObject({ status: 200, expiresInSeconds: 600 });
    const made = await send('POST', '/v1/sign-in', PAGE, { code: body.code });
    expect(made).toMatchObject({
      status: 200,
      body: { till: 'front-1', rights: ['sell', 'report'], locked: false },
    });
    expect(made.cookie).toMatch(
      /^tillbridge-till=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    const [, value = ''] = /=([\w-]+);/.exec(made.cookie) ?? [];
    expect(readFileSync(join(home, 'till-sessions.json'), 'utf8')).not.toContain(value);
    const page = { ...PAGE, cookie: `tillbridge-till=${value}` };
    expect((await send('GET', '/v1/caller', page)).body).toMatchObject({ till: 'front-1' });
    expect((await send('POST', '/v1/sign-in', PAGE, { code: body.code })).status).toBe(403);
  });

  it('stays so after a restart of the agent, until it signs out, or for ninety days', async () => {
    const page = await signedIn('front-1');
    await start();
    expect((await send('GET', '/v1/caller', page)).status).toBe(200);
    expect(await send('POST', '/v1/sign-out', page)).toMatchObject({
      status: 204,
      cookie: expect.stringContaining('Max-Age=0'),
    });
    expect((await send('GET', '/v1/caller', page)).status).toBe(403);
    const other = await signedIn('front-2');
    await clock.advance(SESSION_LIMITS.lifetimeMs);
    expect((await send('GET', '/v1/caller', other)).status).toBe(403);
  });

  it('is signed out with the token of its till or of the store, and not in by one of the same name', async () => {
    const page = await signedIn('front-1');
    await store('DELETE', '/v1/tills/front-1');
    expect((await send('GET', '/v1/caller', page)).status).toBe(403);
    await store('POST', '/v1/tills', { id: 'front-1', rights: ['sell'] });
    expect((await send('GET', '/v1/caller', page)).status).toBe(403);
    const { cookie, body } = await send('POST', '/v1/sign-in', PAGE, { token: STORE_TOKEN });
    expect(body.till).toBeUndefined();
    const own = { ...PAGE, cookie: cookie.split(';')[0] ?? '' };
    expect((await send('GET', '/v1/tills', own)).status).toBe(200);
    await start('another-token-of-the-store');
    expect((await send('GET', '/v1/tills', own)).status).toBe(403);
  });

  it('is known on the agent’s own page alone: other origins and ports get nothing by its cookie', async () => {
    const page = await signedIn('front-1');
    const { cookie = '' } = page;
    expect((await send('GET', '/v1/caller', { cookie })).status).toBe(401);
    for (const origin of ['http://localhost:8080', 'https://evil.example'])
      expect((await send('GET', '/v1/caller', { ...page, origin })).body.error.code).toBe('wrong-origin');
    // Configured pages send their token: no preflight grants them the header of the own page.
    const preflight = await fetch(`${url}/v1/caller`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://till.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-tillbridge-page',
      },
    });
    expect(preflight.headers.get('access-control-allow-headers')).not.toContain('x-tillbridge-page');
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    expect((await send('POST', '/v1/sign-in', {}, { token: STORE_TOKEN })).body.error.code).toBe(
      'wrong-origin',
    );
  });

  it('needs the PIN of the cashier where its till has one: when it is opened, locked or left alone', async () => {
    const page = await signedIn('bar', { pin: '4711' });
    expect(readFileSync(join(home, 'tills.json'), 'utf8')).not.toContain('4711');
    const caller = () => send('GET', '/v1/caller', page);
    const unlock = (pin: string) => send('POST', '/v1/sign-in/pin', page, { pin });
    expect((await caller()).body.error.code).toBe('pin-needed');
    expect((await send('POST', '/v1/sales', page, { reference: 'r-1' })).body.error.code).toBe('pin-needed');
    expect((await unlock('4712')).body.error.code).toBe('pin-needed');
    expect((await unlock('4711')).body).toEqual({
      till: 'bar',
      rights: ['sell'],
      hasPin: true,
      locked: false,
    });
    expect((await caller()).status).toBe(200);
    await clock.advance(SESSION_LIMITS.idleMs - 1);
    expect((await caller()).status).toBe(200);
    await clock.advance(SESSION_LIMITS.idleMs);
    expect((await caller()).body.error.code).toBe('pin-needed');
    await unlock('4711');
    await send('POST', '/v1/sign-in/lock', page);
    expect((await caller()).body.error.code).toBe('pin-needed');
    await unlock('4711');
    await start();
    expect((await caller()).body.error.code).toBe('pin-needed');
    for (let at = 1; at < SESSION_LIMITS.wrongPins; at += 1)
      expect((await unlock('0000')).body.error.code).toBe('pin-needed');
    expect((await unlock('0000')).body.error.code).toBe('not-authorized');
    expect((await unlock('4711')).body.error.code).toBe('not-authorized');
  });

  it('is locked when only its page, and no person, sends anything for five minutes', async () => {
    const page = await signedIn('bar', { pin: '4711' });
    await send('POST', '/v1/sign-in/pin', page, { pin: '4711' });
    const alone = { ...page, 'x-tillbridge-page': 'unattended' };
    for (let atMs = 0; atMs + 60_000 < SESSION_LIMITS.idleMs; atMs += 60_000) {
      expect((await send('GET', '/v1/caller', alone)).status).toBe(200);
      await clock.advance(60_000);
    }
    await clock.advance(60_000);
    expect((await send('GET', '/v1/caller', alone)).body.error.code).toBe('pin-needed');
  });

  it('is not unlocked after five wrong PINs, where the end of the session cannot be written either', async () => {
    const page = await signedIn('bar', { pin: '4711' });
    const unlock = (pin: string) => send('POST', '/v1/sign-in/pin', page, { pin });
    rmSync(home, { recursive: true });
    for (let at = 0; at < SESSION_LIMITS.wrongPins; at += 1) await unlock('0000');
    expect((await unlock('4711')).status).not.toBe(200);
    mkdirSync(home);
    expect((await unlock('4711')).body.error.code).toBe('not-authorized');
  });

  it.each([
    ['locked', (page: Record<string, string>) => send('POST', '/v1/sign-in/lock', page)],
    ['left alone', () => clock.advance(SESSION_LIMITS.idleMs)],
    ['signed out', (page: Record<string, string>) => send('POST', '/v1/sign-out', page)],
  ])('receives no event after it was %s', async (_how, stop) => {
    const page = await signedIn('bar', { pin: '4711' });
    await send('POST', '/v1/sign-in/pin', page, { pin: '4711' });
    const token = async () => (await send('POST', '/v1/events/token', page)).body.token;
    const open = (value: string) => fetch(`${url}/v1/events?token=${value}`);
    const unused = await token();
    const stream = await open(await token());
    service.tell({ type: 'gateway', atMs: 1, state: 'down' });
    await stop(page);
    service.tell({ type: 'gateway', atMs: 2, state: 'connecting' });
    expect((await open(unused)).status).toBe(403);
    await store('DELETE', '/v1/tills/bar');
    const text = await stream.text();
    expect(text).toContain('"down"');
    expect(text).not.toContain('"connecting"');
  });

  it('has one session: signing in again ends the one before', async () => {
    const first = await signedIn('front-1');
    await store('POST', '/v1/tills', { id: 'front-2', rights: ['sell'] });
    const { body } = await store('POST', '/v1/tills/front-2/code');
    const again = await send('POST', '/v1/sign-in', first, { code: body.code });
    expect(again.body).toMatchObject({ till: 'front-2' });
    expect((await send('GET', '/v1/caller', first)).status).toBe(403);
    // A sign-in that is refused ends nothing.
    const second = { ...PAGE, cookie: again.cookie.split(';')[0] ?? '' };
    await send('POST', '/v1/sign-in', second, { code: body.code });
    expect((await send('GET', '/v1/caller', second)).status).toBe(200);
  });

  it('is not signed out by another till that signs in over and over', async () => {
    const page = await signedIn('front-1');
    const { body } = await store('POST', '/v1/tills', { id: 'front-2', rights: ['sell'] });
    const signIn = () => send('POST', '/v1/sign-in', PAGE, { token: body.token });
    const cookies: string[] = [];
    for (let at = 0; at <= SESSION_LIMITS.maxOfTill; at += 1)
      cookies.push((await signIn()).cookie.split(';')[0] ?? '');
    const statuses = [];
    for (const cookie of cookies)
      statuses.push((await send('GET', '/v1/caller', { ...PAGE, cookie })).status);
    expect(statuses).toEqual([403, ...Array(SESSION_LIMITS.maxOfTill).fill(200)]);
    expect((await send('GET', '/v1/caller', page)).status).toBe(200);
  });

  it('is refused with a code or token that is none, and with both or neither', async () => {
    for (const [body, status] of [
      [{ code: 'AAAA-AAAA' }, 403],
      [{ token: 'no-token-of-this-store' }, 403],
      [{}, 400],
      [{ code: 'AAAA-AAAA', token: STORE_TOKEN }, 400],
      [{ code: 1 }, 400],
    ] as const)
      expect((await send('POST', '/v1/sign-in', PAGE, body)).status).toBe(status);
    const page = await signedIn('front-1');
    expect((await send('POST', '/v1/tills/front-1/code', page)).body.error.code).toBe('not-authorized');
    expect((await store('POST', '/v1/tills/none/code')).status).toBe(404);
  });

  it('is not guessed from a damaged file', async () => {
    await server.close();
    writeFileSync(join(home, 'till-sessions.json'), '[{"hash":"00"}]');
    await expect(start()).rejects.toThrow(TillRegistryError);
  });
});
