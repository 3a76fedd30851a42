import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENTITY } from '../../../core/payments/payment-harness.test.support.js';
import { setRiskRules } from '../../../features/risk/entity-rules.js';
import { readRiskRules } from '../../../features/risk/rules/risk-rules.js';
import {
  addToken,
  type HttpHarness,
  openHttpHarness,
  RECORD_TOKEN,
} from '../../http/http-harness.test.support.js';
import { callApi, type DeveloperAccess, GatewayRefusedError } from './api-client.js';
import { pay } from './trigger-payments.js';
import { TRIGGERS } from './triggers.js';

let harness: HttpHarness;
let access: DeveloperAccess;
beforeEach(async () => {
  harness = await openHttpHarness();
  const token = 'tb_developer-token-of-the-tests';
  await addToken(harness.store, token, ['administration', 'pay', 'refund', 'read']);
  access = { url: harness.url, token, entityId: ENTITY };
});
afterEach(() => harness.dispose());

const payment = (id: string | undefined) => harness.store.get('payments', [id ?? '']);

describe('trigger', () => {
  it('sepa-return lets the bank return a direct debit, its own or a named one', async () => {
    const [debit, chargeback] = await TRIGGERS['sepa-return'](access, {});
    expect(await payment(debit)).toMatchObject({ type: 'DB', brand: 'DIRECTDEBIT_SEPA' });
    expect(await payment(chargeback)).toMatchObject({
      type: 'CB',
      referencedId: debit,
      resultCode: '000.100.203',
    });
    const card = await pay(access, { paymentType: 'DB' });
    const refused = TRIGGERS['sepa-return'](access, { payment: card });
    await expect(refused).rejects.toThrow('no direct debit');
    await expect(refused).rejects.toThrow(GatewayRefusedError);
  });

  it('chargeback takes the money of a card payment back', async () => {
    const [paid, chargeback] = await TRIGGERS.chargeback(access, {});
    expect(await payment(chargeback)).toMatchObject({ type: 'CB', referencedId: paid });
  });

  it('settlement settles a payment at once', async () => {
    const [paid] = await TRIGGERS.settlement({ ...access, simulatorToken: RECORD_TOKEN }, {});
    expect(await harness.store.find('settlementRecords', 'payment', [paid ?? ''])).toMatchObject([
      { recordType: 'SETTLED', transactionType: 'DEBIT', amountMinor: 1_234 },
    ]);
    const refused = TRIGGERS.settlement(access, {});
    await expect(refused).rejects.toThrow(GatewayRefusedError);
  });

  it('schedule-run makes the next run of a schedule now, and leaves the ones after it', async () => {
    const referenceUuid = await pay(access, { paymentType: 'DB' });
    const form = { amount: '5.00', currency: 'EUR', paymentType: 'SD', referenceUuid, 'job.month': '*' };
    const { id, nextExecutions } = await callApi(access, 'POST', '/v1/schedules', form);
    const [first] = await TRIGGERS['schedule-run'](access, { schedule: String(id) });
    const [second] = await TRIGGERS['schedule-run'](access, { schedule: String(id) });
    expect(await payment(first)).toMatchObject({ state: 'captured', amountMinor: 500 });
    const runs = await harness.store.findRange('scheduleRuns', 'time', { equals: [String(id)] });
    expect(new Set(runs.map(({ paymentId }) => paymentId))).toEqual(new Set([first, second]));
    const [now, then, later] = nextExecutions as readonly string[];
    const shown = await callApi(access, 'GET', `/v1/schedules/${id}`);
    const made = (shown.lastExecutions as readonly { readonly at: string }[]).map(({ at }) => at);
    expect(new Set(made)).toEqual(new Set([now, then]));
    expect((shown.nextExecutions as readonly string[])[0]).toBe(later);
    await expect(TRIGGERS['schedule-run'](access, {})).rejects.toThrow('--schedule');
    const unstored = TRIGGERS['schedule-run'](access, { payment: referenceUuid });
    await expect(unstored).rejects.toThrow('made no registration');
  });

  it('review-release lets a payment go on that waits for a person', async () => {
    const rule = { name: 'all', kind: 'amount', currency: 'EUR', above: '1.00', action: 'review' };
    await setRiskRules(harness, ENTITY, readRiskRules(JSON.stringify({ rules: [rule] })));
    const id = await pay(access, { paymentType: 'DB' });
    expect(await payment(id)).toBeUndefined();
    expect(await TRIGGERS['review-release'](access, { payment: id })).toEqual([id]);
    expect(await payment(id)).toMatchObject({ state: 'captured' });
  });
});
