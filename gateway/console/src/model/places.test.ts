import { expect, it } from 'vitest';
import type { Session } from '../api/answers.js';
import { hashOf, locationOf, placesFor } from './places.js';

const [SHOP, CHANNEL] = ['a'.repeat(32), 'b'.repeat(32)];
const session = (more: Partial<Session> = {}): Session => ({
  user: { id: 'u', email: 'a@b', name: 'Anna', isOperator: false },
  roles: [],
  entities: [
    { id: SHOP, name: 'Shop', kind: 'merchant', rights: ['read'] },
    { id: CHANNEL, name: 'Channel', kind: 'channel', merchantId: SHOP, rights: ['read', 'users'] },
  ],
  rights: [],
  ...more,
});

it('shows the views for which the role has the right at the merchant or channel', () => {
  const names = (entityId: string | undefined, of = session()) =>
    placesFor(of, entityId).map(({ name }) => name);
  expect(names(SHOP)).toEqual(['account']);
  expect(names(CHANNEL)).toEqual(['users', 'audit', 'account']);
  expect(names(undefined)).toEqual(['account']);
  expect(names(undefined, session({ rights: ['users', 'operator'] }))).toContain('audit');
  expect(names('unknown')).toEqual(['account']);
});

it('goes to what an address names, and else to the first view that may be seen', () => {
  expect(locationOf(`#/audit?entity=${CHANNEL}`, session())).toEqual({ place: 'audit', entityId: CHANNEL });
  expect(locationOf(`#/audit?entity=${SHOP}`, session())).toEqual({ place: 'account', entityId: SHOP });
  expect(locationOf('#/nowhere?entity=<script>', session())).toEqual({ place: 'account', entityId: SHOP });
  expect(locationOf('', session())).toEqual({ place: 'account', entityId: SHOP });
  const operator = session({ user: { ...session().user, isOperator: true }, rights: ['users'] });
  expect(locationOf('', operator)).toEqual({ place: 'users', entityId: undefined });
  for (const hash of [`#/audit?entity=${CHANNEL}`, '#/users'])
    expect(hashOf(locationOf(hash, operator))).toBe(hash);
});
