import { expect, it } from 'vitest';
import { faultOfRole, faultOfWhole, rightsFor, type UserWithRoles } from './user-rights.js';

const MERCHANT = { id: 'm', kind: 'merchant', parentId: null } as const;
const CHANNEL = { id: 'c', kind: 'channel', parentId: 'm' } as const;
const SECOND = { id: 'd', kind: 'channel', parentId: 'm' } as const;
const OTHER = { id: 'o', kind: 'merchant', parentId: null } as const;
const PSP = { id: 'p', kind: 'psp', parentId: null } as const;
const DIVISION = { id: 'v', kind: 'division', parentId: 'm' } as const;

const user = (roles: UserWithRoles['roles'], isOperator: 0 | 1 = 0): UserWithRoles => ({
  user: { id: 'u', isOperator },
  roles,
});

it('gives a role for its merchant with the channels, and nowhere else', () => {
  const seen = user([{ entityId: 'm', role: 'view' }]);
  expect(
    [MERCHANT, CHANNEL, OTHER, PSP, DIVISION, undefined].map((entity) => rightsFor(seen, entity)),
  ).toEqual([['read'], ['read'], [], [], [], []]);
});

it('adds the role of a channel to that of the merchant there, and not at the merchant or another channel', () => {
  const mixed = user([
    { entityId: 'm', role: 'view' },
    { entityId: 'c', role: 'admin' },
  ]);
  expect(rightsFor(mixed, CHANNEL)).toContain('users');
  expect(rightsFor(mixed, MERCHANT)).toEqual(['read']);
  expect(rightsFor(mixed, SECOND)).toEqual(['read']);
});

it('lets an operator see every merchant, and move money where it has a role alone', () => {
  const operator = user([{ entityId: 'm', role: 'admin' }], 1);
  expect(rightsFor(operator, undefined)).toContain('operator');
  expect(rightsFor(operator, OTHER)).toContain('read');
  for (const right of ['pay', 'refund', 'credit'] as const) {
    expect(rightsFor(operator, OTHER)).not.toContain(right);
    expect(rightsFor(operator, undefined)).not.toContain(right);
    expect(rightsFor(operator, MERCHANT)).toContain(right);
  }
});

const manager = { userId: 'a', isOperator: false, owners: ['m', 'c'] };

it('lets an operator alone reset a user who has a role elsewhere, or is an operator', () => {
  const own = user([{ entityId: 'c', role: 'admin' }]);
  const both = user([...own.roles, { entityId: 'o', role: 'view' }]);
  expect(faultOfWhole(manager, own)).toBeUndefined();
  expect(faultOfWhole(manager, both)).toBe('elsewhere');
  expect(faultOfWhole(manager, user([], 1))).toBe('operator-only');
  expect(faultOfWhole({ ...manager, isOperator: true }, both)).toBeUndefined();
});

it('lets no user change themselves, and roles of own entities alone', () => {
  const own = user([{ entityId: 'c', role: 'view' }]);
  expect(faultOfRole(manager, own, { entityId: 'c', role: 'admin' })).toBeUndefined();
  expect(faultOfRole(manager, own, { entityId: 'o', role: 'view' })).toBe('elsewhere');
  expect(faultOfRole({ ...manager, userId: 'u' }, own, { entityId: 'c', role: 'admin' })).toBe('self');
  expect(faultOfWhole({ ...manager, userId: 'u' }, own)).toBe('self');
});
