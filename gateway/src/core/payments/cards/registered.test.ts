import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import { RowSeal } from '../../../security/vault/row-seal.js';
import { testKeyRing } from '../../../security/vault/testing/test-key-ring.js';
import { entityRow } from '../../entities/entities.js';
import { NO_CARD } from '../rules/drafts.js';
import type { PaymentRequest } from '../rules/requests.js';
import { customerIdOf, newRegistration, shownOf, testModeOf } from './register.js';
import {
  merchantOf,
  type NewRegistration,
  openRegistration,
  type RegisteredDeps,
  registrationRow,
  sameRegistration,
} from './registered.js';

const NOW_MS = Date.UTC(2026, 10, 20);
const MERCHANT = 'a'.repeat(32);
const CHANNEL = 'c'.repeat(32);
const OTHER = 'e'.repeat(32);
const DETAILS = {
  kind: 'card',
  pan: '4200000000000000',
  expiryYear: '2031',
  expiryMonth: '12',
  holder: 'Jane Jones',
} as const;
const made = (more: Partial<NewRegistration> = {}): NewRegistration => ({
  entityId: CHANNEL,
  details: DETAILS,
  brand: 'VISA',
  echo: { a: 'b' },
  customerId: undefined,
  ...more,
});

let store: MemoryStore;
let deps: RegisteredDeps;
beforeEach(async () => {
  store = new MemoryStore();
  deps = {
    store,
    registrationSeal: new RowSeal(testKeyRing()),
    fingerprint: ((use: string, text: string) => `${use} ${text}`) as Fingerprint,
    clock: new VirtualClock(NOW_MS),
    random: systemRandom,
  };
  await store.commit([
    { op: 'insert', table: 'entities', row: entityRow(MERCHANT, 'Merchant', null, NOW_MS) },
    { op: 'insert', table: 'entities', row: entityRow(CHANNEL, 'Channel', MERCHANT, NOW_MS) },
    { op: 'insert', table: 'entities', row: entityRow(OTHER, 'Other', null, NOW_MS) },
  ]);
});
const storedOf = async (more: Partial<NewRegistration> = {}) => {
  const { row } = await registrationRow(deps, made(more));
  await store.commit([{ op: 'insert', table: 'registrations', row }]);
  return row;
};

it('names the merchant of an entity: itself, or that of a channel', async () => {
  expect(await Promise.all([MERCHANT, CHANNEL, 'x'].map((id) => merchantOf(store, id)))).toEqual([
    MERCHANT,
    MERCHANT,
    'x',
  ]);
});

describe('new details', () => {
  it('are active at once, or wait for their payment', async () => {
    const { row, isNew } = await registrationRow(deps, made({ id: 'r1' }));
    expect(isNew).toBe(true);
    expect(row).toMatchObject({
      id: 'r1',
      entityId: CHANNEL,
      merchantId: MERCHANT,
      state: 'active',
      activeFingerprint: row.fingerprint,
      brand: 'VISA',
      last4Digits: '0000',
      holder: 'Jane Jones',
      paymentId: null,
      echo: '{"a":"b"}',
      createdAtMs: NOW_MS,
      updatedAtMs: NOW_MS,
      version: 1,
    });
    const waiting = (await registrationRow(deps, made({ paymentId: 'p' }))).row;
    expect(waiting).toMatchObject({ state: 'pending', activeFingerprint: null, paymentId: 'p' });
    expect(waiting.id).toHaveLength(32);
  });

  it('that a merchant has already are used in their place', async () => {
    const row = await storedOf();
    expect(await registrationRow(deps, made({ entityId: MERCHANT }))).toEqual({ row, isNew: false });
    expect((await registrationRow(deps, made({ entityId: OTHER }))).isNew).toBe(true);
    expect((await registrationRow(deps, made({ customerId: '7' }))).isNew).toBe(true);
    expect(await sameRegistration(store, row)).toEqual(row);
    expect(await sameRegistration(store, { ...row, merchantId: OTHER })).toBeUndefined();
  });
});

describe('a registration', () => {
  it('is opened for each entity of its merchant', async () => {
    const row = await storedOf();
    expect(await openRegistration(deps, row.id, MERCHANT)).toEqual({ row, details: DETAILS });
    expect(await openRegistration(deps, row.id, OTHER)).toBe('100.150.200');
    expect(await openRegistration(deps, 'x', MERCHANT)).toBe('100.150.200');
  });

  it('is not opened when it is removed, or waits for its payment', async () => {
    const row = await storedOf();
    for (const gone of [{ sealed: null }, { keyId: null }]) {
      const [stored] = await store.find('registrations', 'active', [MERCHANT, row.fingerprint]);
      if (stored)
        await store.commit([
          { op: 'update', table: 'registrations', row: { ...row, version: stored.version, ...gone } },
        ]);
      expect(await openRegistration(deps, row.id, MERCHANT)).toBe('100.150.202');
    }
    const waiting = await storedOf({ paymentId: 'p', customerId: '7' });
    expect(await openRegistration(deps, waiting.id, MERCHANT)).toBe('100.150.203');
  });
});

describe('the registration of a payment', () => {
  const request = (more: Partial<PaymentRequest> = {}) =>
    ({ origin: { kind: 'rest', entityId: CHANNEL }, ...more }) as PaymentRequest;
  const card = {
    instrument: { kind: 'card', pan: DETAILS.pan, expiryYear: '2031', expiryMonth: '12', cvv: '123' },
    trace: { ...NO_CARD, brand: 'VISA', holder: 'Jane Jones' },
  } as never;

  it('has its details, its customer and its card in the vault', async () => {
    const echo = { customer: { merchantCustomerId: '7' }, billing: { city: 'Berlin' }, other: 'x' };
    const registration = await newRegistration(
      deps,
      request({ echo, testMode: 'EXTERNAL' }),
      card,
      'p',
      'v1',
    );
    expect(registration).toMatchObject({ isNew: true, row: { id: 'v1', paymentId: 'p', state: 'pending' } });
    expect(JSON.parse(registration?.row.echo ?? '')).toEqual({
      customer: { merchantCustomerId: '7' },
      billing: { city: 'Berlin' },
      testMode: 'EXTERNAL',
    });
    expect(registration?.row.fingerprint).toContain('7');
    const plain = await newRegistration(deps, request(), card, 'p', undefined);
    expect(plain?.row).toMatchObject({ echo: '{}', holder: 'Jane Jones' });
    expect(plain?.row.id).not.toBe('v1');
  });

  it('is none of what cannot be stored', async () => {
    const wallet = { instrument: { kind: 'virtual-account', brand: 'PAYPAL' }, trace: NO_CARD } as never;
    expect(await newRegistration(deps, request(), wallet, 'p', undefined)).toBeUndefined();
  });
});

it('shows what was sent alone', () => {
  expect(shownOf({ a: {}, b: undefined })).toStrictEqual({ a: {} });
  expect(['EXTERNAL', 'INTERNAL', undefined].map(testModeOf)).toEqual([{ testMode: 'EXTERNAL' }, {}, {}]);
  expect([{ merchantCustomerId: '7' }, { merchantCustomerId: 7 }, {}, undefined].map(customerIdOf)).toEqual([
    '7',
    undefined,
    undefined,
    undefined,
  ]);
});
