import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventsOfPayment } from '../events/stored-events.test.support.js';
import { findByReference } from '../lookup/find-by-reference.js';
import {
  bankPayment,
  ENGINES,
  ENTITY,
  followUp,
  openPaymentHarness,
  type PaymentHarness,
  storeOf,
} from '../payment-harness.test.support.js';
import { WAITS } from '../rules/waits.js';
import { DEADLINE_LIMITS } from './wait-deadlines.js';

const { lifetimeMs, expiredCode } = WAITS.redirect;

let harness: PaymentHarness;
afterEach(() => harness.dispose());

/** Begins a payment that its shopper approves at the bank. */
async function begin(overrides: Parameters<typeof bankPayment>[0] = {}) {
  const result = await harness.service.authorize(bankPayment(overrides));
  const id = result.paymentId ?? '';
  const [intent] = await harness.store.find('intents', 'payment', [id]);
  return { id, result, reference: intent?.id ?? '' };
}

const stateOf = async (id: string) => (await harness.service.find(id, ENTITY))?.state;
const eventsOf = (id: string) => eventsOfPayment(harness.store, id);

describe.each(ENGINES)('a payment that its shopper approves at a bank: %s', (engine) => {
  beforeEach(async () => {
    harness = await openPaymentHarness(storeOf(engine));
  });

  test('waits with a redirect, and only its deadline ends it while the shopper does not decide', async () => {
    const { id, result } = await begin({ reference: 'order 1' });
    expect(result).toMatchObject({ disposition: 'pending', resultCode: '000.200.000' });
    const redirect = { url: 'https://bank.example/pay', method: 'POST' };
    for (let look = 0; look < 3; look += 1) {
      await harness.clock.advance(lifetimeMs / 4);
      await harness.service.endOverdueWaits();
      expect(await harness.service.resolveOpen()).toBe(0);
      const found = await harness.service.lookUp(id, ENTITY);
      expect(found).toMatchObject({ state: 'pending', resultCode: '000.200.000' });
      expect(JSON.parse(found?.answer ?? '')).toMatchObject({ redirect });
    }
    const found = await findByReference(harness.store, [ENTITY], 'order 1');
    expect(found.map((each) => each.id)).toEqual([id]);
    expect(await eventsOf(id)).toEqual([]);
  });

  test.each([
    ['approved', 'captured', '000.100.110'],
    ['refused', 'declined', '100.396.101'],
  ] as const)('that the shopper %s is %s by the return', async (decision, state, resultCode) => {
    const { id, reference } = await begin();
    harness.bank.payments.decide(reference, decision);
    expect(await harness.service.continueWaiting(id, 'return')).toMatchObject({ resultCode, paymentId: id });
    expect(await stateOf(id)).toBe(state);
    const [event, ...more] = await eventsOf(id);
    expect(more).toEqual([]);
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({ id, result: { code: resultCode } });
    expect(await harness.store.get('waits', [id])).toMatchObject({ untilMs: null, redirect: null });
  });

  test('that the shopper approved is found so by the next look-up, though the shopper did not come back', async () => {
    const { id, reference } = await begin();
    harness.bank.payments.decide(reference, 'approved');
    expect(await harness.service.lookUp(id, ENTITY)).toMatchObject({ state: 'captured' });
    expect(await harness.service.continueWaiting(id, 'return')).toBeUndefined();
    expect(await eventsOf(id)).toHaveLength(1);
  });

  test('without a decision is cancelled at its deadline, here and at the bank', async () => {
    const { id, reference } = await begin();
    await harness.clock.advance(lifetimeMs);
    await harness.service.endOverdueWaits();
    expect(await harness.service.find(id, ENTITY)).toMatchObject({
      state: 'declined',
      resultCode: expiredCode,
    });
    expect(harness.bank.payments.find(reference)?.state).toBe('cancelled');
    harness.bank.payments.decide(reference, 'approved');
    expect(await harness.service.lookUp(id, ENTITY)).toMatchObject({ state: 'declined' });
  });

  test('that is approved while its deadline passes has one outcome, and the ledger agrees', async () => {
    const { id, reference } = await begin();
    await harness.clock.advance(lifetimeMs);
    let calls = 0;
    harness.bank.beforeCall = () => {
      calls += 1;
      // By the first status it is open; then the shopper approves, before the second cancels.
      if (calls === 2) harness.bank.payments.decide(reference, 'approved');
    };
    await harness.service.endOverdueWaits();
    expect(await stateOf(id)).toBe('declined');
    expect(await harness.record.entry(reference)).toMatchObject({ approved: true, reversedMinor: 1_234 });
  });

  test('waits beyond its deadline while the bank cannot be reached', async () => {
    const { id, reference } = await begin();
    harness.bank.payments.decide(reference, 'approved');
    harness.bank.isCut = true;
    await harness.clock.advance(lifetimeMs);
    await harness.service.endOverdueWaits();
    expect(await stateOf(id)).toBe('pending');
    expect(harness.service.overdueWaits).toBeUndefined();
    await harness.clock.advance(DEADLINE_LIMITS.overdueMs);
    await harness.service.endOverdueWaits();
    expect(harness.service.overdueWaits).toContain('1 payments wait');
    harness.bank.isCut = false;
    await harness.clock.advance(DEADLINE_LIMITS.lastRetryMs);
    await harness.service.endOverdueWaits();
    expect(harness.service.overdueWaits).toBeUndefined();
    expect(await stateOf(id)).toBe('captured');
  });

  test('waits on after the gateway was killed, and the return ends it', async () => {
    const { id, reference } = await begin();
    harness.restart();
    expect(await harness.service.resolveOpen()).toBe(0);
    harness.bank.payments.decide(reference, 'approved');
    expect(await harness.service.continueWaiting(id, 'return')).toMatchObject({ disposition: 'approved' });
  });

  test('waits too where the acquirer’s first answer got lost', async () => {
    harness.line.fault = 'answer-lost';
    const { id, result, reference } = await begin();
    expect(result).toMatchObject({ disposition: 'pending' });
    harness.bank.payments.decide(reference, 'approved');
    expect(await harness.service.continueWaiting(id, 'return')).toMatchObject({ disposition: 'approved' });
  });

  test('of type PA.CP is authorized and captured once it is approved, and a PA can be captured', async () => {
    const [both, held] = [await begin({ type: 'PA.CP' }), await begin({ type: 'PA' })];
    for (const { id, reference } of [both, held]) {
      harness.bank.payments.decide(reference, 'approved');
      await harness.service.continueWaiting(id, 'return');
    }
    expect(await harness.service.find(both.id, ENTITY)).toMatchObject({ state: 'captured', captureCount: 1 });
    expect(await stateOf(held.id)).toBe('authorized');
    expect(await harness.service.followUp(followUp('CP', held.id, 1_000))).toMatchObject({
      disposition: 'approved',
    });
  });

  test('of type CD needs no approval', async () => {
    expect(await harness.service.authorize(bankPayment({ type: 'CD' }))).toMatchObject({
      disposition: 'approved',
    });
  });

  test('cannot be followed while it waits', async () => {
    const { id } = await begin();
    const refund = await harness.service.followUp(followUp('RF', id, 1_234));
    expect(refund).toMatchObject({ resultCode: '700.400.570' });
    expect(await stateOf(id)).toBe('pending');
  });

  test('is refunded and reversed like any other once it is approved', async () => {
    const { id, reference } = await begin();
    harness.bank.payments.decide(reference, 'approved');
    await harness.service.continueWaiting(id, 'return');
    expect(await harness.service.followUp(followUp('RF', id, 1_000))).toMatchObject({
      disposition: 'approved',
    });
  });

  test('keeps its first answer for a request that is sent again', async () => {
    const paymentId = 'c'.repeat(32);
    const origin = { kind: 'rest', entityId: ENTITY, paymentId } as const;
    const first = await harness.service.authorize(bankPayment({ origin }));
    expect(await harness.service.authorize(bankPayment({ origin }))).toEqual(first);
  });
});
