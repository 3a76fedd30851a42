import { afterEach, expect, it } from 'vitest';
import { openAlerts } from '../../../kernel/alerts/alerts.test.support.js';
import { allRows } from '../../../kernel/store/all-rows.js';
import {
  ENGINES,
  followUp,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
} from '../payment-harness.test.support.js';
import { Chargebacks } from './chargebacks.js';

let harness: PaymentHarness;
afterEach(() => harness.dispose());

it.each(ENGINES)(
  'a chargeback that left too little is booked once with its reversal, by many at once, on %s',
  async (engine) => {
    harness = await openPaymentHarness(storeOf(engine));
    const { service, store, context, alerts, record } = harness;
    const { paymentId = '' } = await service.authorize(restPayment({ type: 'DB' }));
    const debit = await store.get('payments', [paymentId]);
    const amountMinor = debit?.amountMinor ?? 0;
    const amount = { minor: amountMinor, currency: 'EUR' };
    const reported = { reason: '10.4', amount } as const;
    const [taken, givenBack] = ['c'.repeat(32), 'd'.repeat(32)];
    // At the acquirer all of it was taken and given back before the refund.
    const original = debit?.acquirerReference ?? '';
    await record.chargeBack({
      kind: 'chargeback',
      reference: taken,
      originalReference: original,
      ...reported,
    });
    await record.chargeBack({
      kind: 'chargeback-reversal',
      reference: givenBack,
      originalReference: taken,
      ...reported,
    });
    await service.followUp(followUp('RF', paymentId, amountMinor));
    const nodes = Array.from({ length: 16 }, () => new Chargebacks({ feed: record, context, alerts }));
    await Promise.all(nodes.map((node) => node.round()));
    for (const node of nodes) await node.round();
    const booked = (await allRows(store, 'payments')).filter(({ type }) => type === 'CB' || type === 'CR');
    expect(booked.map(({ type, state, amountMinor: minor }) => `${type} ${state} ${minor}`).sort()).toEqual([
      `CB reversed ${amountMinor}`,
      `CR completed ${amountMinor}`,
    ]);
    expect(await openAlerts(store)).toEqual([`chargeback-not-booked ${paymentId}`]);
    expect(await store.get('payments', [paymentId])).toMatchObject({
      refundedMinor: amountMinor,
      chargedBackMinor: 0,
    });
  },
);
