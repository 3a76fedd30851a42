import { expect, it } from 'vitest';
import type { Session } from '../api/answers.js';
import { hashOf, locationOf, navigationOf, placesFor } from './places.js';

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
  expect(names(SHOP)).toEqual(['payments', 'payment', 'account']);
  expect(names(CHANNEL)).toEqual(['payments', 'payment', 'users', 'audit', 'account']);
  expect(names(undefined)).toEqual(['account']);
  expect(names(undefined, session({ rights: ['users', 'operator'] }))).toContain('audit');
  expect(names('unknown')).toEqual(['account']);
});

it('leaves out of the navigation what is reached from another view', () => {
  expect(navigationOf(session(), SHOP).map(({ name }) => name)).toEqual(['payments', 'account']);
});

it('goes to what an address names, and else to the first view that may be seen', () => {
  const at = (place: string, entityId: string | undefined, query = {}) => ({ place, entityId, query });
  expect(locationOf(`#/audit?entity=${CHANNEL}`, session())).toEqual(at('audit', CHANNEL));
  expect(locationOf(`#/audit?entity=${SHOP}&id=7`, session())).toEqual(at('payments', SHOP));
  expect(locationOf('#/nowhere?entity=<script>', session())).toEqual(at('payments', SHOP));
  expect(locationOf('', session())).toEqual(at('payments', SHOP));
  const operator = session({ user: { ...session().user, isOperator: true }, rights: ['users'] });
  expect(locationOf('', operator)).toEqual(at('users', undefined));
  for (const hash of [`#/audit?entity=${CHANNEL}`, '#/users'])
    expect(hashOf(locationOf(hash, operator))).toBe(hash);
});

it('keeps in the address what a view is limited to, whatever the text', () => {
  const place = { place: 'payments', entityId: SHOP, query: { q: '"<b>&=#%', outcome: 'declined' } } as const;
  expect(locationOf(hashOf(place), session())).toEqual(place);
});
