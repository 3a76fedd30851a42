import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Gate } from '../../core/payments/gates/gate.js';
import {
  ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
} from '../../core/payments/payment-harness.test.support.js';
import { GatewayPaymentService } from '../../core/payments/service.js';
import { setRiskRules } from './entity-rules.js';
import { riskGate } from './risk-gate.js';
import { readRiskRules } from './rules/risk-rules.js';

let harness: PaymentHarness;
let isOver: boolean;
beforeEach(async () => {
  harness = await openPaymentHarness();
  isOver = false;
  // A gate before it, at which a payment waits, such as a challenge of 3D Secure.
  const challenge: Gate = {
    name: 'challenge',
    pass: async () => ({ verdict: 'wait', waiting: { kind: 'challenge' }, state: 1 }),
    again: async () =>
      isOver ? { verdict: 'pass' } : { verdict: 'wait', waiting: { kind: 'challenge' }, state: 1 },
  };
  harness.service = new GatewayPaymentService({
    ...harness.context,
    gates: [challenge, riskGate(harness.risk)],
  });
});
afterEach(() => harness.dispose());

const rules = (...list: object[]): Promise<void> =>
  setRiskRules(harness, ENTITY, readRiskRules(JSON.stringify({ rules: list })));

it('weighs the issuer’s answer to a payment that had waited at a gate before', async () => {
  await rules(
    { name: 'amount', kind: 'amount', currency: 'EUR', above: '1.00', points: 5 },
    { name: 'cvv', kind: 'cvv', answers: ['U'], action: 'review', points: 7 },
  );
  const card = { number: '4200000000000000', expiryMonth: '12', expiryYear: '2031', cvv: '999' };
  const { paymentId = '' } = await harness.service.authorize(restPayment({ type: 'DB', card, risk: {} }));
  isOver = true;
  const done = await harness.service.continueWaiting(paymentId, 'return');
  expect(done?.resultCode).toBe('000.400.020');
  const row = await harness.store.get('payments', [paymentId]);
  expect(JSON.parse(row?.answer ?? '')).toMatchObject({ riskScore: 12 });
  const decisions = await harness.store.find('decisions', 'payment', [paymentId]);
  expect(decisions.map(({ step, rule }) => [step, rule])).toEqual([
    ['challenge', null],
    ['risk', 'amount'],
    ['risk', 'cvv'],
  ]);
});

it('lets a payment wait for a person that had waited for its shopper', async () => {
  await rules({ name: 'amount', kind: 'amount', currency: 'EUR', above: '1.00', action: 'review' });
  const { paymentId = '' } = await harness.service.authorize(restPayment({ type: 'DB' }));
  isOver = true;
  await harness.service.continueWaiting(paymentId, 'return');
  expect(await harness.store.get('waits', [paymentId])).toMatchObject({ kind: 'review' });
  const payment = await harness.service.find(paymentId, ENTITY);
  expect(payment).toMatchObject({ state: 'pending', resultCode: '100.400.500' });
});
