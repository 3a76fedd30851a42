import { createSecretKey, randomBytes } from 'node:crypto';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { allRows } from '../../../kernel/store/all-rows.js';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import { keyedFingerprint } from '../../../security/tokens/fingerprint.js';
import { RowSeal } from '../../../security/vault/row-seal.js';
import { testKeyRing } from '../../../security/vault/testing/test-key-ring.js';
import { CODE_RULES, codeOf } from '../rules/one-time-code.js';
import { HashQueueFullError, PasswordHashes } from '../users/password-hashes.js';
import { Users } from '../users/users.js';
import { Sessions } from './sessions.js';
import { SIGN_IN_LIMITS, SignIn, type SignInDeps } from './sign-in.js';

const WEAK = { N: 1_024, r: 8, p: 1 };
const EMAIL = 'anna@shop.example';
const PASSWORD = 'correct horse battery';
const MANAGER = { actor: 'test', isOperator: true, owners: [] };

let store: MemoryStore;
let clock: VirtualClock;
let deps: SignInDeps;
let secret: Buffer;
beforeEach(async () => {
  store = new MemoryStore();
  clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
  const fingerprint = keyedFingerprint(createSecretKey(randomBytes(32)));
  const base = { store, clock, random, fingerprint, rowSeal: new RowSeal(testKeyRing()) };
  deps = { ...base, sessions: new Sessions(base), hashes: new PasswordHashes(WEAK), mode: 'live' };
  const { invitation = '' } = await new Users(base).invite(MANAGER, { email: EMAIL, name: 'Anna' });
  const signIn = new SignIn(deps);
  const open = await signIn.openInvitation(invitation);
  secret = Buffer.from(open?.secret ?? []);
  const accepted = await signIn.accept({ invitation, password: PASSWORD, code: code() }, peer('office'));
  expect(accepted.kind).toBe('in');
  await clock.advance(CODE_RULES.stepMs);
});

const code = () => codeOf(secret, Math.floor(clock.nowMs() / CODE_RULES.stepMs));
const peer = (address: string) => ({ address, cookie: undefined });
/** How an attempt ends. */
const attempt = async (
  { email = EMAIL, password = PASSWORD, typed = code(), from = 'office' } = {},
  by = new SignIn(deps),
) => (await by.signIn({ email, password, code: typed }, peer(from))).kind;

describe('an account', () => {
  it.each([EMAIL, 'unknown@shop.example'])(
    'is locked after so many failures from anywhere: %s',
    async (email) => {
      const ends: string[] = [];
      for (let at = 0; at <= SIGN_IN_LIMITS.account; at += 1)
        ends.push(await attempt({ email, password: 'wrong', from: `address ${at}` }));
      expect(ends).toEqual([...Array(SIGN_IN_LIMITS.account).fill('wrong'), 'wait']);
      // Also with what is right, on every node; and not for ever.
      expect(await attempt({ email, from: 'elsewhere' })).toBe('wait');
      await clock.advance(SIGN_IN_LIMITS.windowMs);
      expect(await attempt({ email })).toBe(email === EMAIL ? 'in' : 'wrong');
    },
  );

  it('has its lock on record', async () => {
    for (let at = 0; at < SIGN_IN_LIMITS.account; at += 1)
      await attempt({ password: 'wrong', from: `${at}` });
    const records = await allRows(store, 'audit');
    expect(records.filter(({ action }) => action === 'sign-in locked')).toHaveLength(1);
    expect(records.filter(({ outcome }) => outcome === 'failed')).toHaveLength(SIGN_IN_LIMITS.account);
  });

  it('counts failures from the last success on', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let at = 1; at < SIGN_IN_LIMITS.account; at += 1) await attempt({ password: 'wrong' });
      expect(await attempt()).toBe('in');
      await clock.advance(CODE_RULES.stepMs);
    }
  });
});

it('an address is held after so many failures, whatever accounts it names', async () => {
  const ends: string[] = [];
  for (let at = 0; at <= SIGN_IN_LIMITS.address; at += 1)
    ends.push(await attempt({ email: `user${at}@shop.example`, password: 'wrong', from: 'attacker' }));
  expect(ends.at(-1)).toBe('wait');
  expect(ends.filter((end) => end === 'wrong')).toHaveLength(SIGN_IN_LIMITS.address);
  expect(await attempt({ from: 'office' })).toBe('in');
});

it('of a thousand attempts at once from one address few are computed, and the rest costs nothing', async () => {
  const nodes = [new SignIn(deps), new SignIn(deps)];
  const ends = await Promise.all(
    Array.from({ length: 1_000 }, (_, at) =>
      attempt({ email: `user${at}@shop.example`, from: 'attacker' }, nodes[at % 2]).catch(
        (error: unknown) => {
          if (error instanceof HashQueueFullError) return 'full';
          throw error;
        },
      ),
    ),
  );
  expect(ends.filter((end) => end !== 'wait').length).toBeLessThanOrEqual(SIGN_IN_LIMITS.address);
  expect(await attempt()).toBe('in');
});

it('of two sign-ins with one code at once on two nodes one succeeds', async () => {
  const typed = code();
  const ends = await Promise.all([
    attempt({ typed }, new SignIn(deps)),
    attempt({ typed }, new SignIn(deps)),
  ]);
  expect(ends.sort()).toEqual(['in', 'wrong']);
});

it('a password is hashed anew when its parameters were raised', async () => {
  const stronger = { ...deps, hashes: new PasswordHashes({ ...WEAK, N: 2_048 }) };
  expect(await attempt({}, new SignIn(stronger))).toBe('in');
  const [user] = await allRows(store, 'users');
  expect(user?.password).toMatch(/^scrypt\$N=2048,/);
  await clock.advance(CODE_RULES.stepMs);
  expect(await attempt({}, new SignIn(stronger))).toBe('in');
});

it('a user without one-time codes signs in by the password alone in test mode, and never in live mode', async () => {
  const [user] = await allRows(store, 'users');
  if (!user) throw new Error('no user');
  await store.commit([{ op: 'update', table: 'users', row: { ...user, sealed: null, keyId: null } }]);
  expect(await attempt({ typed: '' }, new SignIn({ ...deps, mode: 'test' }))).toBe('in');
  expect(await attempt({ typed: '' })).toBe('wrong');
});

it('nothing by which a user signs in rests in clear', async () => {
  expect(await attempt()).toBe('in');
  const rows = JSON.stringify(
    await Promise.all([allRows(store, 'users'), allRows(store, 'userSessions'), allRows(store, 'audit')]),
  );
  for (const clear of [PASSWORD, secret.toString('hex'), secret.toString('hex').toUpperCase(), code()])
    expect(rows).not.toContain(clear);
});
