import { expect, it } from 'vitest';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { followedPayment, isChargebackClaimed, lifecycleIdOf, paymentTypeOf } from './lifecycle-facts.js';
import { verificationColumn } from './verification-results.js';

const payment = (more: Partial<PaymentRow> = {}): PaymentRow =>
  ({ id: 'p', type: 'PA', captureReference: null, answer: '{}', echo: '{}', ...more }) as PaymentRow;

it.each([
  ['PA', null, 'PA'],
  ['PA', 'c', 'PA.CP'],
  ['DB', null, 'DB'],
  ['DB', 'c', 'DB'],
] as const)('a %s with the capture reference %s is a %s', (type, captureReference, expected) => {
  expect(paymentTypeOf({ type, captureReference })).toBe(expected);
  expect(followedPayment(payment({ type, captureReference })).type).toBe(expected);
});

it('reads from the payment whether a refund was the last', () => {
  expect(followedPayment(payment()).refundsClosed).toBe(false);
  expect(followedPayment(payment(verificationColumn({ refundsClosed: true }))).refundsClosed).toBe(true);
});

it('takes a text alone for the id of a lifecycle', () => {
  expect(
    [{ lifecycleId: 'a' }, { lifecycleId: { a: 'b' } }, {}].map((echo) => lifecycleIdOf(echo as never)),
  ).toEqual(['a', undefined, undefined]);
});

it('reads from the parameters whether a chargeback was claimed', () => {
  expect(isChargebackClaimed(payment())).toBe(false);
  expect(isChargebackClaimed(payment({ echo: '{"chargebackResultCode":"000.100.220"}' }))).toBe(true);
});
