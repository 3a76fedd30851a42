import { AUTHORIZATION_LIFE_MS } from '@tillbridge/wire/payment/lifecycle.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ENGINES,
  ENTITY,
  followUp,
  MASTERCARD_DECLINED,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
} from '../../../core/payments/payment-harness.test.support.js';
import type { VaultRow } from '../../../kernel/store/rows.js';
import { FIRST_LOOK_MS } from '../vault-aes-gcm.js';
import { sweepVault, VAULT_RETENTION_LIMITS } from './vault-retention.js';

const DAY_MS = 24 * 3_600_000;
const KEEP_MS = 90 * DAY_MS;
const DECLINED_CARD = { number: MASTERCARD_DECLINED, expiryMonth: '12', expiryYear: '2031' };

describe.each(ENGINES)('retention of card data on the %s engine', (engine) => {
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness(storeOf(engine));
  });
  afterEach(() => harness.dispose());

  const sweep = (keepMs = KEEP_MS): Promise<number> =>
    sweepVault({ store: harness.store, clock: harness.clock, keepMs });
  const rows = (): Promise<readonly VaultRow[]> => harness.store.findAfter('vault', undefined);
  const pay = async (about: Parameters<typeof restPayment>[0]): Promise<string> =>
    (await harness.service.authorize(restPayment(about))).paymentId ?? '';

  test('card data goes some days after its last use; the payment stays, and is followed without a card', async () => {
    const id = await pay({ type: 'DB' });
    await harness.clock.advance(KEEP_MS - 1);
    expect(await sweep()).toBe(0);
    expect(await rows()).toHaveLength(1);
    await harness.clock.advance(1);
    expect(await sweep()).toBe(1);
    expect(await rows()).toEqual([]);
    expect(await harness.service.find(id, ENTITY)).toMatchObject({ state: 'captured', vaultId: null });
    expect(await harness.service.followUp(followUp('RF', id, 100))).toMatchObject({
      disposition: 'approved',
    });
    const again = await harness.service.followUp(followUp('RB', id, 100));
    expect(again).toMatchObject({ disposition: 'refused', resultCode: '700.300.100' });
  });

  test('another payment with the same card data prolongs its time', async () => {
    const id = await pay({ type: 'DB' });
    await harness.clock.advance(60 * DAY_MS);
    await harness.service.followUp(followUp('RB', id, 100));
    await harness.clock.advance(KEEP_MS - 1);
    expect(await sweep()).toBe(0);
    await harness.clock.advance(1);
    expect(await sweep()).toBe(1);
    const payments = await harness.store.findRange('payments', 'time', { equals: [ENTITY] });
    expect(payments.map(({ vaultId }) => vaultId)).toEqual([null, null]);
  });

  test('a payment that was declined loses its card data after days', async () => {
    const id = await pay({ type: 'DB', card: DECLINED_CARD });
    expect(await harness.service.find(id, ENTITY)).toMatchObject({ state: 'declined' });
    expect(await rows()).toHaveLength(1);
    await harness.clock.advance(FIRST_LOOK_MS - 1);
    expect(await sweep()).toBe(0);
    await harness.clock.advance(1);
    expect(await sweep()).toBe(1);
    expect(await harness.service.find(id, ENTITY)).toMatchObject({ state: 'declined', vaultId: null });
  });

  test('an authorization keeps it as long as it can be captured', async () => {
    await pay({ type: 'PA' });
    const lifeMs = AUTHORIZATION_LIFE_MS;
    expect(lifeMs).toBeGreaterThan(DAY_MS);
    await harness.clock.advance(lifeMs - 1);
    expect(await sweep(DAY_MS)).toBe(0);
    await harness.clock.advance(1);
    expect(await sweep(DAY_MS)).toBe(1);
  });

  test('goes although the card is registered: a registration has its own', async () => {
    const id = await pay({ type: 'DB', createRegistration: true });
    await harness.clock.advance(10 * KEEP_MS);
    expect(await sweep()).toBe(1);
    const payment = await harness.service.find(id, ENTITY);
    const { registrationId = '' } = JSON.parse(payment?.answer ?? '{}') as { registrationId?: string };
    const debit = { mandate: { id: 'A', signedOn: '2026-01-01' }, dueDate: '2026-01-01' };
    const { card: _, ...request } = restPayment({ type: 'DB', registration: { id: registrationId, debit } });
    const { paymentId: again = '' } = await harness.service.authorize(request);
    expect(await harness.service.find(again, ENTITY)).toMatchObject({
      state: 'captured',
      last4Digits: '0000',
    });
  });

  test('what a running request has stays', async () => {
    const id = await pay({ type: 'DB' });
    const payment = await harness.service.find(id, ENTITY);
    if (!payment) throw new Error('no payment');
    const [intent] = await harness.store.find('intents', 'payment', [id]);
    await harness.store.commit([
      { op: 'update', table: 'payments', row: { ...payment, lockedBy: intent?.id ?? '' } },
    ]);
    await harness.clock.advance(2 * KEEP_MS);
    expect(await sweep()).toBe(0);
    const locked = await harness.service.find(id, ENTITY);
    if (locked)
      await harness.store.commit([{ op: 'update', table: 'payments', row: { ...locked, lockedBy: null } }]);
    await harness.clock.advance(DAY_MS);
    expect(await sweep()).toBe(1);
  });

  test('rows are looked at in batches, each once a sweep', async () => {
    expect(VAULT_RETENTION_LIMITS.batch).toBeLessThanOrEqual(1_000);
    await pay({ type: 'DB' });
    await harness.clock.advance(FIRST_LOOK_MS + 1);
    expect(await sweep()).toBe(0);
    const [row] = await rows();
    expect(row?.version).toBe(2);
    expect(await sweep()).toBe(0);
    expect((await rows())[0]?.version).toBe(2);
  });
});
