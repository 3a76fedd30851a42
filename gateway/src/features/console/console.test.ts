import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD } from '../../app/http/http-harness.test.support.js';
import { ENGINES, ENTITY, storeOf } from '../../core/payments/payment-harness.test.support.js';
import { verifyAuditChain } from '../../kernel/audit/audit-chain.js';
import { allRows } from '../../kernel/store/all-rows.js';
import {
  type Browser,
  CHAIN_KEY,
  CHANNEL,
  ConsoleHarness,
  OTHER,
  PASSWORD,
} from './console-harness.test.support.js';
import { CODE_RULES } from './rules/one-time-code.js';
import { SESSION_LIMITS } from './rules/session-rules.js';
import { SIGN_IN_LIMITS } from './sessions/sign-in.js';
import { USER_LIMITS } from './users/users.js';

const ADMIN = 'anna@shop.example';

describe.each(ENGINES)('users on %s', (engine) => {
  let harness: ConsoleHarness;
  let admin: Browser;
  beforeEach(async () => {
    harness = await ConsoleHarness.open(storeOf(engine));
    admin = await harness.signedIn(ADMIN, 'admin');
  });
  afterEach(() => harness.dispose());
  const step = () => harness.http.clock.advance(CODE_RULES.stepMs);

  it('are signed in by accepting an invitation, once, within its time', async () => {
    const { invitation } = await harness.invite('new@shop.example', 'view');
    const browser = harness.browser();
    const opened = await browser.post('/v1/invitations', { invitation });
    expect(opened.body).toMatchObject({
      email: 'new@shop.example',
      address: expect.stringContaining('otpauth://totp/tillbridge:new%40shop.example?secret='),
      qrCode: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
    });
    const accept = (password: string, code: string) =>
      browser.post('/v1/invitations/acceptance', { invitation, password, code });
    expect((await accept('short', '000000')).errors).toMatchObject([{ name: 'password' }]);
    expect((await accept(PASSWORD, '000000')).status).toBe(403);
    const accepted = await browser.accept(invitation);
    expect(accepted.body).toMatchObject({ user: { email: 'new@shop.example' }, roles: [{ role: 'view' }] });
    expect(accepted.body.recoveryCodes).toHaveLength(SIGN_IN_LIMITS.recoveryCodes);
    expect((await browser.get('/v1/sessions/current')).status).toBe(200);
    expect((await harness.browser().accept(invitation)).status).toBe(404);
    const late = await harness.invite('late@shop.example', 'view');
    await harness.http.clock.advance(USER_LIMITS.invitationMs);
    expect((await harness.browser().accept(late.invitation)).status).toBe(404);
  });

  it('sign in by password and a code, which is taken once', async () => {
    await step();
    const browser = harness.browser();
    browser.secret = admin.secret;
    const code = browser.code();
    expect((await browser.signIn('ANNA@shop.example', { code })).status).toBe(200);
    expect((await browser.signIn(ADMIN, { code })).status).toBe(403);
    await step();
    expect((await browser.signIn(ADMIN, { password: `${PASSWORD}!` })).status).toBe(403);
    expect((await browser.signIn(ADMIN, { code: '' })).status).toBe(403);
    const [recovery = ''] = admin.recoveryCodes;
    expect((await browser.signIn(ADMIN, { code: recovery.toLowerCase() })).status).toBe(200);
    expect((await browser.signIn(ADMIN, { code: recovery })).status).toBe(403);
  });

  it('get one answer for all that is wrong, whether there is such a user or not', async () => {
    const wrong = await harness.browser().signIn(ADMIN, { password: 'wrong', code: '000000' });
    const unknown = await harness.browser().signIn('unknown@shop.example', { code: '000000' });
    for (const answer of [wrong, unknown]) {
      expect([answer.status, answer.errors]).toEqual([403, []]);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    expect(wrong.body.result).toEqual(unknown.body.result);
  });

  it('have another session with each sign-in: one that was there before is worth nothing', async () => {
    await step();
    const fixed = harness.browser();
    fixed.secret = admin.secret;
    fixed.cookie = 'tillbridge-console=chosen-by-an-attacker';
    await fixed.signIn(ADMIN);
    expect(fixed.cookie).not.toContain('chosen');
    const before = fixed.cookie;
    await step();
    await fixed.signIn(ADMIN);
    expect(fixed.cookie).not.toBe(before);
    const old = harness.browser();
    old.cookie = before;
    expect((await old.get('/v1/sessions/current')).status).toBe(401);
  });

  it('are signed out of one browser, or of all', async () => {
    await step();
    const second = harness.browser();
    second.secret = admin.secret;
    await second.signIn(ADMIN);
    const copy = harness.browser();
    copy.cookie = second.cookie;
    expect((await second.post('/v1/sessions/current/removal')).status).toBe(200);
    expect(second.cookie).toBeUndefined();
    expect((await copy.get('/v1/sessions/current')).status).toBe(401);
    expect((await admin.get('/v1/sessions/current')).status).toBe(200);
    copy.cookie = admin.cookie;
    expect((await admin.post('/v1/sessions/removal')).status).toBe(200);
    expect((await copy.get('/v1/sessions/current')).status).toBe(401);
  });

  it('are signed out when no person is there, and requests of the page itself keep none in', async () => {
    const half = SESSION_LIMITS.idleMs / 2;
    await harness.http.clock.advance(half);
    await admin.get('/v1/sessions/current');
    await harness.http.clock.advance(half);
    expect((await admin.get('/v1/sessions/current')).status).toBe(200);
    await harness.http.clock.advance(half);
    await admin.get('/v1/sessions/current', { 'x-tillbridge-page': 'unattended' });
    await harness.http.clock.advance(half);
    expect((await admin.get('/v1/sessions/current')).status).toBe(401);
  });

  it('have a changed role with the next request, and another id of the session', async () => {
    const user = await harness.signedIn('dev@shop.example', 'developer');
    const query = '/v1/alerts';
    expect((await user.get(query)).status).toBe(200);
    const before = user.cookie;
    await harness.http.clock.advance(1);
    const changed = await admin.post(`/v1/users/${user.userId}/role`, { entityId: ENTITY, role: 'view' });
    expect(changed.body.user.roles).toEqual([{ entityId: ENTITY, role: 'view' }]);
    expect((await user.get(query)).status).toBe(403);
    expect(user.cookie).not.toBe(before);
    const old = harness.browser();
    old.cookie = before;
    expect((await old.get('/v1/sessions/current')).status).toBe(200);
    await harness.http.clock.advance(SESSION_LIMITS.replacedMs);
    expect((await old.get('/v1/sessions/current')).status).toBe(401);
    expect((await user.get('/v1/sessions/current')).status).toBe(200);
  });

  it('who were removed or reset are refused with the next request', async () => {
    const removed = await harness.signedIn('gone@shop.example', 'support');
    const reset = await harness.signedIn('lost@shop.example', 'support');
    expect((await admin.post(`/v1/users/${removed.userId}/removal`)).status).toBe(200);
    const again = await admin.post(`/v1/users/${reset.userId}/reset`);
    expect(again.body.link).toMatch(/\/console#invitation=[\w-]{43}$/);
    for (const browser of [removed, reset]) {
      expect((await browser.get('/v1/sessions/current')).status).toBe(401);
      await harness.http.clock.advance(CODE_RULES.stepMs);
    }
    expect((await reset.signIn('lost@shop.example')).status).toBe(403);
    expect((await harness.browser().accept(again.body.invitation)).status).toBe(200);
    const { body } = await admin.get('/v1/users');
    expect(body.users.map(({ email }: { email: string }) => email)).toEqual([ADMIN, 'lost@shop.example']);
  });

  it('do what their role allows, and a user of another merchant nothing here', async () => {
    const view = await harness.signedIn('view@shop.example', 'view');
    const stranger = await harness.signedIn('boss@other.example', 'admin', OTHER);
    const pay = (by: Browser, entityId = ENTITY) => by.post('/v1/payments', { ...CARD, entityId });
    const paid = await pay(admin);
    expect(paid.status).toBe(200);
    expect((await pay(view)).status).toBe(403);
    expect((await pay(stranger)).status).toBe(403);
    const path = `/v1/payments/${paid.body.id}?entityId=${ENTITY}`;
    expect((await view.get(path)).status).toBe(200);
    expect((await stranger.get(path)).status).toBe(403);
    expect((await stranger.get(`/v1/payments/${paid.body.id}`)).status).toBe(404);
    const header = { 'x-tillbridge-entity': ENTITY };
    expect((await stranger.get(`/v1/payments/${paid.body.id}`, header)).status).toBe(403);
    for (const step of ['role', 'reset', 'removal'])
      expect(
        (await stranger.post(`/v1/users/${admin.userId}/${step}`, step === 'role' ? { role: 'none' } : {}))
          .status,
      ).toBe(404);
    expect((await stranger.get('/v1/users')).body.users).toHaveLength(1);
    expect((await stranger.get(`/v1/users?entityId=${ENTITY}`)).status).toBe(403);
    expect(JSON.stringify((await stranger.get('/v1/audit')).body)).not.toContain(paid.body.id);
  });

  it('of a channel act for the channel alone, with the rights that they have there', async () => {
    await harness.invite('two@shop.example', 'view', ENTITY);
    const { id, invitation } = await harness.invite('two@shop.example', 'admin', CHANNEL);
    const user = harness.browser();
    user.userId = id;
    await user.accept(invitation);
    const at = (entity: string) => ({ 'x-tillbridge-entity': entity });
    expect((await user.get('/v1/users', at(CHANNEL))).status).toBe(200);
    expect((await user.get('/v1/users', at(ENTITY))).status).toBe(403);
    const form = { ...CARD, entityId: ENTITY };
    expect((await user.post('/v1/payments', form, at(CHANNEL))).status).toBe(403);
    expect((await user.post('/v1/payments', { ...form, entityId: CHANNEL }, at(CHANNEL))).status).toBe(200);
  });

  it('of the gateway see all merchants, and move no money', async () => {
    const operator = await harness.signedIn('op@gateway.example', 'operator');
    expect((await operator.get('/v1/users')).body.users).toHaveLength(2);
    expect((await operator.get(`/v1/alerts?entityId=${OTHER}`)).status).toBe(200);
    expect((await operator.get('/v1/alerts')).errors).toMatchObject([{ name: 'entityId' }]);
    const header = { 'x-tillbridge-entity': ENTITY };
    expect((await operator.post('/v1/payments', { ...CARD, entityId: ENTITY }, header)).status).toBe(403);
    expect(harness.http.line.sent).toEqual([]);
  });

  it('who look after users reach no further than their own merchant', async () => {
    const other = await harness.signedIn('both@shop.example', 'support');
    await harness.invite('both@shop.example', 'view', OTHER);
    expect((await admin.post(`/v1/users/${other.userId}/reset`)).errors).toMatchObject([{ name: 'id' }]);
    expect((await admin.post(`/v1/users/${admin.userId}/role`, { role: 'view' })).status).toBe(403);
    const elsewhere = await harness.invite('boss@other.example', 'admin', OTHER);
    const invited = await admin.post('/v1/users', { email: 'boss@other.example', name: 'x', role: 'view' });
    expect(invited.errors).toMatchObject([{ name: 'email' }]);
    expect(elsewhere.id).not.toBe('');
    // A removal takes the roles in reach, and leaves the user to the other merchant.
    expect((await admin.post(`/v1/users/${other.userId}/removal`)).status).toBe(200);
    expect((await other.get('/v1/sessions/current')).body.roles).toEqual([{ entityId: OTHER, role: 'view' }]);
    expect((await admin.get('/v1/users')).body.users).toHaveLength(1);
  });

  it('leave a record of all that they change, in a chain that shows what was altered', async () => {
    const paid = await admin.post('/v1/payments', { ...CARD, entityId: ENTITY });
    await admin.post('/v1/users', { email: 'new@shop.example', name: '<b>New</b>', role: 'view' });
    await expect
      .poll(async () => (await admin.get('/v1/audit?limit=1')).body.records[0].outcome)
      .toBe('done');
    const { records, next } = (await admin.get('/v1/audit')).body;
    expect(next).toBeUndefined();
    const actor = `user ${admin.userId}`;
    expect(records).toContainEqual(
      expect.objectContaining({
        ...{ actor, action: 'POST /v1/payments', outcome: 'done', entityId: ENTITY },
        detail: expect.objectContaining({ amount: '12.34', currency: 'EUR', id: paid.body.id, status: 200 }),
      }),
    );
    expect(records.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['users invite', 'users accept', 'POST /v1/users']),
    );
    const { store } = harness.http;
    const rows = await allRows(store, 'audit');
    expect(JSON.stringify(rows)).not.toContain(CARD['card.number']);
    expect(await verifyAuditChain(store, CHAIN_KEY)).toMatchObject({ records: rows.length, faults: [] });
    const before = rows[1]?.sequence ?? 0;
    const page = (await admin.get(`/v1/audit?limit=1&before=${before}`)).body;
    expect(page.records[0]?.sequence ?? 0).toBeLessThan(before);
  });
});
