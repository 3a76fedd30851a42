import { TEST_ACCOUNTS } from '@tillbridge/wire/payment/test-accounts.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type HttpHarness, openHttpHarness } from '../../app/http/http-harness.test.support.js';
import { Chargebacks } from '../payments/chargebacks/chargebacks.js';
import { eventsOfPayment } from '../payments/events/stored-events.test.support.js';

const DAY_MS = 24 * 3_600_000;

let harness: HttpHarness;
let chargebacks: Chargebacks;
beforeEach(async () => {
  harness = await openHttpHarness();
  chargebacks = new Chargebacks({ feed: harness.record, context: harness.context, alerts: harness.alerts });
});
afterEach(() => harness.dispose());

const DEBIT = {
  amount: '12.34',
  currency: 'EUR',
  paymentType: 'DB',
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'DE23100000001234567890',
};
const REFUND = { paymentType: 'RF', amount: '12.34', currency: 'EUR' };

const names = ({ body }: Answer): string[] => body.result.parameterErrors.map(({ name }) => name);
const accountOf = (reason: string): string =>
  TEST_ACCOUNTS.find(({ behaviour }) => behaviour.kind === 'return' && behaviour.reason === reason)?.iban ??
  '';

/** The chargebacks of a payment. */
async function chargebacksOf(id: string) {
  const rows = await harness.store.find('payments', 'root', [id]);
  return rows.filter(({ type }) => type === 'CB');
}

describe('a direct debit', () => {
  it('is approved with a mandate and a due date of ours, and the merchant’s account', async () => {
    const { status, body } = await harness.post('/v1/payments', DEBIT);
    expect([status, body.result.code]).toEqual([200, '000.100.110']);
    expect(body).toMatchObject({
      paymentBrand: 'DIRECTDEBIT_SEPA',
      transactionDueDate: '2026-11-22',
      bankAccount: {
        iban: 'DE23**************7890',
        holder: 'Jane Jones',
        mandate: { id: expect.stringMatching(/^[A-Z]{5}(-[A-Z]{5}){3}$/), dateOfSignature: '2026-11-20' },
      },
      merchant: { bankAccount: { holder: 'Test Merchant', bic: 'MARKDEF1100', country: 'DE' } },
    });
    expect(JSON.stringify(body)).not.toContain('DE23100000001234567890');
    const [event] = await eventsOfPayment(harness.store, body.id);
    // What the merchant sends the payer before the money is taken.
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({
      amount: '12.34',
      transactionDueDate: '2026-11-22',
      bankAccount: { mandate: { dateOfSignature: '2026-11-20' } },
      paymentMethod: 'DD',
    });
    expect((await harness.post(`/v1/payments/${body.id}`, REFUND)).body.result.code).toBe('000.100.110');
  });

  it.each(['DB', 'PA'])('is refused in any currency but EUR as %s', async (paymentType) => {
    const { status, body } = await harness.post('/v1/payments', { ...DEBIT, paymentType, currency: 'USD' });
    expect([status, body.result.code]).toEqual([400, '100.550.401']);
    expect(body.resultDetails.ExtendedDescription).toBe(
      'currency: must be EUR for paymentBrand DIRECTDEBIT_SEPA',
    );
    expect(await harness.transactions()).toEqual([]);
  });

  it('keeps the mandate and the dates that are sent', async () => {
    const mandate = {
      'bankAccount.mandate.id': 'MY-MANDATE',
      'bankAccount.mandate.dateOfSignature': '2026-01-31',
      transactionDueDate: '2026-12-01',
    };
    const { body } = await harness.post('/v1/payments', { ...DEBIT, ...mandate });
    expect(body).toMatchObject({
      transactionDueDate: '2026-12-01',
      bankAccount: { mandate: { id: 'MY-MANDATE', dateOfSignature: '2026-01-31' } },
    });
  });

  it('refuses a mandate that was signed after today', async () => {
    const name = 'bankAccount.mandate.dateOfSignature';
    expect(names(await harness.post('/v1/payments', { ...DEBIT, [name]: '2026-11-21' }))).toEqual([name]);
  });

  it.each(['1999-12-31', '2026-11-19', '2027-11-21', '2099-12-31'])('may be due on %s', async (day) => {
    const { body } = await harness.post('/v1/payments', { ...DEBIT, transactionDueDate: day });
    expect(body).toMatchObject({ transactionDueDate: day, result: { code: '000.100.110' } });
  });

  it('names the account where none is sent, and takes one without an IBAN', async () => {
    const { 'bankAccount.iban': _, 'bankAccount.holder': __, ...without } = DEBIT;
    expect(names(await harness.post('/v1/payments', without))).toEqual([
      'bankAccount.holder',
      'bankAccount.iban',
    ]);
    const { body } = await harness.post('/v1/payments', {
      ...without,
      paymentBrand: 'DIRECTDEBIT',
      'bankAccount.holder': 'Jane Jones',
      'bankAccount.number': '1234567890',
      'bankAccount.bankCode': '10000000',
    });
    expect(body.result.code).toBe('000.100.110');
  });

  it('is refused by the bank of its account', async () => {
    const { status, body } = await harness.post('/v1/payments', {
      ...DEBIT,
      'bankAccount.iban': 'DE39100000000000000005',
    });
    expect([status, body.result.code]).toEqual([400, '800.100.152']);
  });

  it('with wrong check digits is refused', async () => {
    const { body } = await harness.post('/v1/payments', {
      ...DEBIT,
      'bankAccount.iban': 'DE24100000001234567890',
    });
    expect(body.result.code).toBe('100.100.101');
  });
});

describe('a return', () => {
  it.each([
    ['AC01', '000.100.201'],
    ['AC04', '000.100.202'],
    ['AC06', '000.100.208'],
    ['AM04', '000.100.203'],
    ['MD01', '000.100.204'],
    ['MD06', '000.100.206'],
    ['MS03', '000.100.200'],
  ])(
    'for %s on the due date is a chargeback with %s, once, and the debit is given back no more',
    async (reason, code) => {
      const { body } = await harness.post('/v1/payments', {
        ...DEBIT,
        'bankAccount.iban': accountOf(reason),
      });
      await chargebacks.round();
      expect(await chargebacksOf(body.id)).toEqual([]);
      await harness.clock.advance(2 * DAY_MS);
      await chargebacks.round();
      await chargebacks.round();
      const [chargeback, ...more] = await chargebacksOf(body.id);
      expect(more).toEqual([]);
      expect(chargeback).toMatchObject({ amountMinor: 1_234, resultCode: code, state: 'completed' });
      const shown = (await harness.get(`/v1/payments/${chargeback?.id}`)).body;
      expect(shown).toMatchObject({ paymentType: 'CB', amount: '12.34', result: { code } });
      expect(await eventsOfPayment(harness.store, chargeback?.id ?? '')).toHaveLength(1);
      for (const form of [REFUND, { paymentType: 'RV' }])
        expect((await harness.post(`/v1/payments/${body.id}`, form)).body.result.code).toBe('700.300.600');
      const follow = await harness.post(`/v1/payments/${chargeback?.id}`, { paymentType: 'RV' });
      expect(follow.body.result.code).toBe('700.300.100');
    },
  );

  it.each(['2026-11-20', '2020-01-01'])('of a debit due on %s comes with the next look', async (day) => {
    const form = { ...DEBIT, 'bankAccount.iban': accountOf('AM04'), transactionDueDate: day };
    const { body } = await harness.post('/v1/payments', form);
    await chargebacks.round();
    expect(await chargebacksOf(body.id)).toHaveLength(1);
  });

  it('is nothing where the merchant has given the money back before', async () => {
    const { body } = await harness.post('/v1/payments', { ...DEBIT, 'bankAccount.iban': accountOf('AC04') });
    await harness.post(`/v1/payments/${body.id}`, { paymentType: 'RV' });
    await harness.clock.advance(2 * DAY_MS);
    await chargebacks.round();
    expect(await chargebacksOf(body.id)).toEqual([]);
  });

  it('refuses a refund at the acquirer too, before the gateway knows of it', async () => {
    const { body } = await harness.post('/v1/payments', { ...DEBIT, 'bankAccount.iban': accountOf('AC04') });
    await harness.clock.advance(2 * DAY_MS);
    expect((await harness.post(`/v1/payments/${body.id}`, REFUND)).status).toBe(400);
    await chargebacks.round();
    expect(await chargebacksOf(body.id)).toHaveLength(1);
  });

  it('of many at the same moment misses none', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 205; count += 1) {
      const form = { ...DEBIT, 'bankAccount.iban': accountOf('AM04') };
      ids.push((await harness.post('/v1/payments', form)).body.id);
    }
    await harness.clock.advance(2 * DAY_MS);
    await chargebacks.round();
    const found = await Promise.all(ids.map(async (id) => (await chargebacksOf(id)).length));
    expect(found.filter((count) => count !== 1)).toEqual([]);
  });

  it('after the window of the scheme raises an alert, and books nothing', async () => {
    const { body } = await harness.post('/v1/payments', DEBIT);
    const [intent] = await harness.store.find('intents', 'payment', [body.id]);
    const late = {
      cursor: '1',
      kind: 'chargeback' as const,
      reference: 'late',
      originalReference: intent?.id ?? '',
      reason: 'MD06',
      atMs: harness.clock.nowMs() + 60 * DAY_MS,
      amountMinor: 1_234,
    };
    const feed = {
      chargebacksAfter: async (cursor: string | undefined) => (cursor === undefined ? [late] : []),
    };
    await new Chargebacks({ feed, context: harness.context, alerts: harness.alerts }).round();
    expect(await chargebacksOf(body.id)).toEqual([]);
    expect(await harness.store.find('alerts', 'code', ['chargeback-not-booked', 'open'])).toHaveLength(1);
  });
});
