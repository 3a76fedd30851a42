import { WALLET_NAMES } from '@tillbridge/wire/payment/wallet-names.js';
import { describe, expect, it } from 'vitest';
import type { RoutingRule } from '../../core/payments/routing/routing-rules.js';
import type { CheckoutRow } from '../../kernel/store/rows.js';
import { type CheckoutFormFacts, checkoutForm } from './checkout-form.js';
import { paymentTypeFor, storesOnly } from './checkout-parameters.js';

const ROW: CheckoutRow = {
  id: 'c',
  entityId: 'e',
  state: 'open',
  sealed: '',
  keyId: '',
  shopperResultUrl: null,
  attempts: 4,
  posted: null,
  postedId: null,
  postedAtMs: null,
  readAtMs: null,
  dueAtMs: null,
  leasedBy: null,
  claims: 0,
  calls: '[]',
  expiresAtMs: 1_000,
  keptUntilMs: 0,
  createdAtMs: 0,
  version: 1,
};
const PURCHASE = { amount: '1.00', currency: 'EUR', paymentType: 'DB' };

const formOf = (
  parameters: Readonly<Record<string, string>> = PURCHASE,
  more: Partial<CheckoutFormFacts> = {},
) =>
  checkoutForm({
    row: ROW,
    parameters,
    mode: 'test',
    nowMs: 400,
    maxAttempts: 10,
    posted: undefined,
    rules: undefined,
    registrations: [],
    threeDSecure: false,
    wallets: WALLET_NAMES.map((name) => ({ name })),
    ...more,
  });
const brandsOf = (form: ReturnType<typeof formOf>) => form.methods.map(({ brand }) => brand);

describe('the methods of a form', () => {
  const rules = (...all: Partial<RoutingRule>[]) => ({
    rules: all.map((rule) => ({ channelId: 'channel', ...rule })),
  });

  it('are all that there are for an entity without routing', () => {
    expect(brandsOf(formOf())).toEqual(
      expect.arrayContaining(['VISA', 'AMEX', 'WALLETA', 'PAYPAL', 'DIRECTDEBIT_SEPA']),
    );
  });

  it('are those that a rule may take', () => {
    const form = formOf(
      PURCHASE,
      rules({ brands: ['VISA'], currencies: ['EUR'] }, { brands: ['AMEX'], currencies: ['USD'] }),
    );
    // The card in a wallet may turn out to be one.
    expect(brandsOf(form)).toEqual(['VISA', 'WALLETA', 'WALLETB', 'WALLETC']);
  });

  it('may depend on a country that is not known yet', () => {
    const of = (country?: string) =>
      brandsOf(
        formOf(
          { ...PURCHASE, ...(country !== undefined && { 'billing.country': country }) },
          rules({ countries: ['DE'] }),
        ),
      );
    expect(of()).toContain('VISA');
    expect(of('DE')).toContain('VISA');
    expect(of('FR')).toEqual([]);
  });

  it('are one brand where the checkout names one', () => {
    expect(formOf({ ...PURCHASE, paymentBrand: 'AMEX' }).methods).toEqual([
      { brand: 'AMEX', kind: 'card', cvvLength: 4 },
    ]);
  });
});

it('a form has its lifetime, and nothing that only the merchant may see', () => {
  const form = formOf({
    ...PURCHASE,
    'customParameters[basket]': 'secret',
    merchantTransactionId: 'secret-1',
  });
  expect(form).toMatchObject({ expiresInMs: 600, attemptsLeft: 6, state: 'open', shopperResultUrl: false });
  expect(JSON.stringify(form)).not.toContain('secret');
  expect(formOf(PURCHASE, { nowMs: 5_000 }).expiresInMs).toBe(0);
});

it('a checkout without amount and payment type stores only', () => {
  expect(storesOnly({ createRegistration: 'true' })).toBe(true);
  expect(storesOnly({ createRegistration: 'true', paymentType: 'RG' })).toBe(true);
  expect(storesOnly(PURCHASE)).toBe(false);
});

it('a brand has the payment type that the checkout gives it', () => {
  const parameters = { ...PURCHASE, 'overridePaymentType[VISA]': 'PA' };
  expect(['VISA', 'MASTER', undefined].map((brand) => paymentTypeFor(parameters, brand))).toEqual([
    'PA',
    'DB',
    'DB',
  ]);
});
