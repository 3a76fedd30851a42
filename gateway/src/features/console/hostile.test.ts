import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, TOKEN } from '../../app/http/http-harness.test.support.js';
import { ENTITY } from '../../core/payments/payment-harness.test.support.js';
import type { UserRole } from '../../kernel/api/catalogue/administration/user-role-names.js';
import { ENDPOINTS } from '../../kernel/api/openapi/endpoints.js';
import { MATRIX_ROLES, matrixCell } from '../../kernel/api/openapi/role-matrix.js';
import { type Browser, ConsoleHarness, OTHER } from './console-harness.test.support.js';
import { SIGN_IN_LIMITS } from './sessions/sign-in.js';

let harness: ConsoleHarness;
let admin: Browser;
beforeEach(async () => {
  // Requests of strangers wait for their rate: here all come through, to what holds behind it.
  harness = await ConsoleHarness.open(undefined, { limits: NO_RATE });
  admin = await harness.signedIn('anna@shop.example', 'admin');
});
afterEach(() => harness.dispose());

const NO_RATE = { strangersPerSecond: 1_000_000, strangersBurst: 1_000_000 };
const FORM = { ...CARD, entityId: ENTITY };

describe('a request that a page of another site had a browser send', () => {
  it.each([
    ['of a foreign origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['of a foreign origin, of a browser that states no site', { origin: 'https://evil.example' }],
    ['of another port of this host', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
    ['of a frame without an origin', { origin: 'null' }],
    ['without an origin', {}],
    ['of a page elsewhere with our origin', { origin: 'own', 'sec-fetch-site': 'cross-site' }],
  ])('%s changes nothing', async (_what, given) => {
    const headers = {
      ...given,
      ...('origin' in given && given.origin === 'own' && { origin: harness.http.url }),
    };
    for (const path of ['/v1/payments', '/v1/users', '/v1/sessions/removal']) {
      const { status, code } = await admin.send('POST', path, path === '/v1/payments' ? FORM : {}, headers);
      expect([path, status, code]).toEqual([path, 403, '800.900.300']);
    }
    const signIn = { email: 'a@b', password: 'x', code: '1' };
    expect((await harness.browser().send('POST', '/v1/sessions', signIn, headers)).status).toBe(403);
    expect(harness.http.line.sent).toEqual([]);
    expect((await admin.get('/v1/sessions/current')).status).toBe(200);
  });

  it('reads nothing from elsewhere', async () => {
    for (const site of ['cross-site', 'same-site'])
      expect((await admin.send('GET', '/v1/users', undefined, { 'sec-fetch-site': site })).status).toBe(403);
    expect((await admin.send('GET', '/v1/users', undefined, { 'sec-fetch-site': 'none' })).status).toBe(200);
  });

  it('has no cookie that a script reads or another site sends', async () => {
    const { invitation } = await harness.invite('new@shop.example', 'view');
    const accepted = await harness.browser().accept(invitation);
    expect(accepted.headers.get('set-cookie')).toMatch(
      /^tillbridge-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    expect(accepted.headers.get('access-control-allow-origin')).toBeNull();
  });
});

it('a cookie does not make a token of another merchant stronger, and a wrong token is not mended by it', async () => {
  const send = (authorization: string) =>
    harness.http.send('GET', '/v1/users', { authorization, headers: { cookie: admin.cookie ?? '' } });
  expect((await send(`Bearer ${TOKEN}`)).status).toBe(403);
  expect((await send('Bearer wrong')).status).toBe(403);
});

it('a session is not guessed, and the id of another tenant’s user is as unknown as none', async () => {
  const stranger = await harness.signedIn('boss@other.example', 'admin', OTHER);
  const [there, none] = await Promise.all(
    [admin.userId, '0'.repeat(32)].map((id) => stranger.post(`/v1/users/${id}/removal`)),
  );
  expect(there?.body.result).toEqual(none?.body.result);
  const guess = harness.browser();
  guess.cookie = `tillbridge-console=${'A'.repeat(43)}`;
  expect((await guess.get('/v1/sessions/current')).status).toBe(401);
});

it('payments go on while a thousand sign-ins fail at once', async () => {
  const attempt = () =>
    harness.browser().post('/v1/sessions', { email: 'anna@shop.example', password: 'wrong', code: '1' });
  const attempts = Array.from({ length: 1_000 }, attempt);
  const paid = await harness.http.post('/v1/payments', CARD);
  expect(paid.status).toBe(200);
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(SIGN_IN_LIMITS.account);
  expect(statuses.every((status) => [403, 429, 503].includes(status))).toBe(true);
  // What was there before stays signed in.
  expect((await admin.get('/v1/sessions/current')).status).toBe(200);
});

it('a name is given back as it was typed, as JSON that no browser takes for a page', async () => {
  const name = '<img src=x onerror=alert(1)>"\'&';
  await admin.post('/v1/users', { email: 'x@shop.example', name, role: 'view' });
  const answer = await admin.get('/v1/users');
  expect(answer.body.users.map((user: { readonly name: string }) => user.name)).toContain(name);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

it('the page loads and sends nothing elsewhere, and stands in no frame', async () => {
  const { status, headers } = await harness.http.send('GET', '/console', { authorization: null });
  expect(status).toBe(200);
  const policy = headers.get('content-security-policy') ?? '';
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ])
    expect(policy).toContain(rule);
  expect(policy).not.toContain('unsafe');
});

it('a route for sessions takes no token', async () => {
  const answer = await harness.http.send('GET', '/v1/sessions/current', { authorization: `Bearer ${TOKEN}` });
  expect(answer.status).toBe(401);
});

describe('the matrix of roles and routes', () => {
  /** What an endpoint answers to a role: whether it is refused for lack of a right. */
  const isRefused = async (browser: Browser, method: string, path: string): Promise<boolean> => {
    const url = path.replace(/\{\w+\}/g, '0'.repeat(32));
    const headers = { origin: harness.http.url, 'sec-fetch-site': 'same-origin' };
    const { status, errors } = await browser.send(method, url, method === 'POST' ? {} : undefined, headers);
    return status === 403 && errors.some(({ message }) => message.startsWith('the role needs'));
  };

  it.each(Object.entries(MATRIX_ROLES))('is what the server does: %s', async (role, rights) => {
    const browser = await harness.signedIn('role@shop.example', role as UserRole | 'operator');
    const wrong: string[] = [];
    for (const endpoint of ENDPOINTS) {
      const { method, path, access } = endpoint;
      // Signing out would end the rest.
      if (access === 'none' || access === 'checkout-id' || path.endsWith('/removal')) continue;
      const refused = await isRefused(browser, method.toUpperCase(), path);
      const isOpen = matrixCell(endpoint, rights) !== 'no';
      if (refused === isOpen) wrong.push(`${method} ${path}`);
    }
    expect(wrong).toEqual([]);
  });
});
