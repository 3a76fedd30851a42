import type { FastifyRequest } from 'fastify';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { entityRow } from '../../../core/entities/entities.js';
import type { TokenRow } from '../../store/rows.js';
import { MemoryStore } from '../../store/testing/memory-store.js';
import { callerOf } from './authenticate.js';
import { Caller } from './caller.js';

const [MERCHANT, CHANNEL, SECOND, OTHER] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(32)) as [
  string,
  string,
  string,
  string,
];
const TOKEN: TokenRow = {
  id: 't',
  hash: 'h',
  entityId: MERCHANT,
  merchantId: MERCHANT,
  label: '',
  rights: '["pay","read"]',
  createdAtMs: 1,
  lastUsedAtMs: null,
  sealed: null,
  revokedAtMs: null,
  version: 1,
};

let store: MemoryStore;
beforeEach(async () => {
  store = new MemoryStore();
  const rows = [
    entityRow(MERCHANT, 'Merchant', null, 1),
    entityRow(OTHER, 'Other', null, 1),
    entityRow(CHANNEL, 'Channel', MERCHANT, 1),
    entityRow(SECOND, 'Second', MERCHANT, 1),
  ];
  await store.commit(rows.map((row) => ({ op: 'insert', table: 'entities', row })));
});

const caller = (token: Partial<TokenRow> = {}) => new Caller(store, { ...TOKEN, ...token });
/** A form, as it was parsed. */
const form = (...parameters: readonly (readonly [string, string])[]) =>
  ({ method: 'POST', body: { parameters, errors: [] } }) as unknown as FastifyRequest;

describe('a token', () => {
  it('has the rights that its row names, and none else', () => {
    expect(['pay', 'read', 'refund', 'metrics'].map((right) => caller().has(right as 'pay'))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('acts for its merchant and the channels, and for no other entity', async () => {
    const may = (by: Caller) =>
      Promise.all([MERCHANT, CHANNEL, SECOND, OTHER, 'unknown'].map((id) => by.mayActFor(id)));
    expect(await may(caller())).toEqual([true, true, true, false, false]);
    // The token of a channel is no merchant's.
    expect(await may(caller({ entityId: CHANNEL }))).toEqual([false, true, false, false, false]);
    await expect(caller().authorize(OTHER)).rejects.toThrow('800.900.301');
    await expect(caller().authorize(CHANNEL)).resolves.toBeUndefined();
  });

  it('has each entity looked up once in a request', async () => {
    const get = vi.spyOn(store, 'get');
    const by = caller();
    for (let tried = 0; tried < 3; tried += 1) {
      expect(await by.mayActFor(CHANNEL)).toBe(true);
      expect(await by.mayActFor(OTHER)).toBe(false);
      expect(await by.mayActFor(MERCHANT)).toBe(true);
    }
    expect(get.mock.calls.map(([, key]) => key)).toEqual([[CHANNEL], [OTHER]]);
  });

  it('acts as the entity that is named, else as its own', async () => {
    expect(await caller().actsAs(undefined)).toBe(MERCHANT);
    expect(await caller().actsAs(SECOND)).toBe(SECOND);
    await expect(caller().actsAs(OTHER)).rejects.toThrow('800.900.301');
  });

  it('reads its own entity with the channels, or the one that is named', async () => {
    expect(await caller().readableEntities(undefined)).toEqual([MERCHANT, CHANNEL, SECOND]);
    expect(await caller().readableEntities(SECOND)).toEqual([SECOND]);
    await expect(caller().readableEntities(OTHER)).rejects.toThrow('800.900.301');
  });

  it('pays for the entity that the form names, else for its own', async () => {
    const amount = ['amount', '1.00'] as const;
    expect(await caller().entityOf(form(amount, ['entityId', SECOND]))).toBe(SECOND);
    expect(await caller().entityOf(form(amount))).toBe(MERCHANT);
    expect(await caller().entityOf(form(['entityId', ''], amount))).toBe(MERCHANT);
    expect(await caller().entityOf(form(['entityId', OTHER]))).toBeUndefined();
    expect(await caller().entityOf(form(['entityId', 'unknown']))).toBeUndefined();
  });
});

it('a route that is for everybody has no caller', () => {
  const request = { caller: undefined, routeOptions: { url: '/healthz' } } as FastifyRequest;
  expect(() => callerOf(request)).toThrow('route /healthz names no right');
});
