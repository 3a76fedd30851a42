import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
} from '../../../core/payments/payment-harness.test.support.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Matched } from './match-records.js';
import { ofAcquirer } from './payments-of-acquirer.js';

let harness: PaymentHarness;
let payment: PaymentRow;
beforeEach(async () => {
  harness = await openPaymentHarness(storeOf('memory'));
  const { paymentId = '' } = await harness.service.authorize(restPayment());
  const row = await harness.store.get('payments', [paymentId]);
  if (!row) throw new Error('there is no payment');
  payment = row;
});
afterEach(() => harness.dispose());

/** What a row fits: payments that went to these acquirers. */
const matched = (status: Matched['status'], ...acquirers: readonly string[]): Matched => ({
  status,
  payments: acquirers.map((acquirer) => ({ ...payment, acquirer })),
});

it('leaves a payment to the file of its own acquirer, and to one that a person brings', () => {
  const own = matched('MATCHED', 'BANK');
  expect(ofAcquirer(own, 'BANK')).toBe(own);
  expect(ofAcquirer(own, undefined)).toBe(own);
});

it('takes a payment that went elsewhere out of the file of a host', () => {
  const why = 'the payment did not go to BANK';
  for (const foreign of [matched('MATCHED', 'OTHER'), matched('MULTIPLE_MATCHES', 'OTHER', 'THIRD')])
    expect(ofAcquirer(foreign, 'BANK')).toEqual({ status: 'NOT_MATCHED', payments: [], why });
});

it('leaves several payments of which one went to the acquirer, and a row that fits none', () => {
  for (const each of [matched('MULTIPLE_MATCHES', 'OTHER', 'BANK'), matched('NOT_MATCHED'), matched(null)])
    expect(ofAcquirer(each, 'BANK')).toBe(each);
});
