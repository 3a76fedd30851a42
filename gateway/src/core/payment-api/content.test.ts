import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARD, type HttpHarness, openHttpHarness } from '../../app/http/http-harness.test.support.js';
import { ENTITY } from '../payments/payment-harness.test.support.js';

type Form = Readonly<Record<string, string>>;

let harness: HttpHarness;
beforeAll(async () => {
  harness = await openHttpHarness();
});
afterAll(() => harness.dispose());

/** What a client receives: the code, and the parameter at fault with its rule. */
async function refusalOf(path: string, form: Form) {
  const { status, body } = await harness.post(path, form);
  const detail: string = body.resultDetails?.ExtendedDescription ?? '';
  return [status, body.result.code, detail.split(':')[0]];
}

const DEBIT = {
  amount: '12.34',
  currency: 'EUR',
  paymentType: 'DB',
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'DE23100000001234567890',
};
const SELLERS = {
  'marketPlace.sellers[0].id': 'a',
  'marketPlace.sellers[0].amount': '12.00',
  'marketPlace.sellers[1].id': 'b',
  'marketPlace.sellers[1].amount': '0.35',
};

describe('a value that keeps its format and means nothing', () => {
  it.each<[string, string, Form]>([
    ['amount', '100.550.300', { amount: '0.00' }],
    ['currency', '100.550.401', { currency: 'EUX' }],
    ['card.number', '100.100.101', { 'card.number': '4200000000000001' }],
    ['card.expiryYear', '100.100.303', { 'card.expiryYear': '2020' }],
    ['card.cvv', '100.100.601', { 'card.cvv': '1234' }],
    ['paymentBrand', '100.100.700', { paymentBrand: 'MASTER' }],
    ['billing.country', '100.800.501', { 'billing.country': 'XX' }],
    ['marketPlace.sellers[1].amount', '100.550.301', SELLERS],
  ])('is named in a payment: %s', async (name, code, more) => {
    expect(await refusalOf('/v1/payments', { ...CARD, ...more })).toEqual([400, code, name]);
  });

  it.each<[string, string, Form]>([
    ['bankAccount.iban', '100.100.101', { 'bankAccount.iban': 'DE23100000001234567891' }],
    ['bankAccount.bic', '100.200.103', { 'bankAccount.bic': 'MARK0E11' }],
  ])('is named in a direct debit: %s', async (name, code, more) => {
    expect(await refusalOf('/v1/payments', { ...DEBIT, ...more })).toEqual([400, code, name]);
  });

  it('is named in a follow-up, a registration, a checkout, its change and a risk check', async () => {
    const wrong = { currency: 'EUX' };
    const refused = [400, '100.550.401', 'currency'];
    const paid = await harness.post('/v1/payments', { ...CARD });
    const capture = { paymentType: 'CP', amount: '1.00', ...wrong };
    expect(await refusalOf(`/v1/payments/${paid.body.id}`, capture)).toEqual(refused);
    const purchase = { amount: '12.34', currency: 'EUR', paymentType: 'DB' };
    expect(await refusalOf('/v1/checkouts', { ...purchase, ...wrong })).toEqual(refused);
    const checkout = await harness.post('/v1/checkouts', purchase);
    expect(await refusalOf(`/v1/checkouts/${checkout.body.id}`, wrong)).toEqual(refused);
    expect(await refusalOf('/v1/risk', { amount: '12.34', ...wrong })).toEqual(refused);
    const { amount: _, currency: __, paymentType: ___, ...card } = CARD;
    const expired = { ...card, 'card.expiryYear': '2020' };
    expect(await refusalOf('/v1/registrations', expired)).toEqual([400, '100.100.303', 'card.expiryYear']);
  });

  it('does not repeat the value', async () => {
    const { body } = await harness.post('/v1/payments', {
      ...CARD,
      'card.number': '4200000000000001',
      entityId: ENTITY,
    });
    expect(body.resultDetails.ExtendedDescription).toBe(
      'card.number: invalid creditcard, bank account number or bank name',
    );
    expect(JSON.stringify(body)).not.toContain('4200000000000001');
  });
});
