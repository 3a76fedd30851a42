import { expect, it } from 'vitest';
import { judgeSession, SESSION_LIMITS } from './session-rules.js';

const { idleMs, lifetimeMs, replacedMs } = SESSION_LIMITS;
const SESSION = {
  hash: 'h',
  userId: 'u',
  signedInAtMs: 0,
  seenAtMs: 0,
  endsAtMs: lifetimeMs,
  createdAtMs: 0,
  version: 1,
};
const USER = { state: 'active', rolesChangedAtMs: 0 } as const;

it('ends when no person was there for a while', () => {
  expect(judgeSession(SESSION, USER, idleMs - 1)).toBe('good');
  expect(judgeSession(SESSION, USER, idleMs)).toBe('ended');
});

it('ends a fixed time after the sign-in, also with a person there', () => {
  const seen = { ...SESSION, seenAtMs: lifetimeMs };
  expect(judgeSession(seen, USER, lifetimeMs - 1)).toBe('good');
  expect(judgeSession(seen, USER, lifetimeMs)).toBe('ended');
  expect(judgeSession({ ...seen, endsAtMs: 2 * lifetimeMs }, USER, lifetimeMs)).toBe('ended');
});

it('is none of a user who was removed, invited again, or is not there', () => {
  for (const user of [undefined, { ...USER, state: 'removed' }, { ...USER, state: 'invited' }] as const)
    expect(judgeSession(SESSION, user, 1)).toBe('ended');
});

it('gets another id once roles have changed, and the replaced one is good for a moment', () => {
  const changed = { ...USER, rolesChangedAtMs: 5 };
  expect(judgeSession(SESSION, changed, 6)).toBe('rotate');
  expect(judgeSession({ ...SESSION, createdAtMs: 6 }, changed, 7)).toBe('good');
  const replaced = { ...SESSION, endsAtMs: 6 + replacedMs };
  expect(judgeSession(replaced, changed, 7)).toBe('good');
  expect(judgeSession(replaced, changed, 6 + replacedMs)).toBe('ended');
});
