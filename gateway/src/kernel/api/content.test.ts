import { isCountry } from '@tillbridge/wire/payment/country-codes.js';
import { describe, expect, it } from 'vitest';
import { rowsOf } from './check/check-request.js';
import { contentDetail, contentErrors } from './content.js';
import { validateParameters } from './validate.js';

const NOW = Date.UTC(2026, 10, 20);
const codesOf = (sent: Readonly<Record<string, string>>): string[] => {
  const validated = validateParameters(Object.entries(sent), rowsOf('payment'));
  expect(validated.errors).toEqual([]);
  return contentErrors(validated, NOW).map(({ code, name }) => `${code} ${name}`);
};

describe('contentErrors', () => {
  it('finds nothing wrong with what is right', () => {
    expect(
      codesOf({
        amount: '92.00',
        currency: 'EUR',
        'card.number': '4200000000000000',
        'card.expiryMonth': '11',
        'card.expiryYear': '2026',
        'bankAccount.iban': 'DE23100000001234567890',
        'bankAccount.bic': 'MARKDEF1100',
        'billing.country': 'DE',
        'recipient.country': 'ARG',
        'merchant.countryCode': '276',
        'cart.items[0].recipient.country': '276',
        'cart.items[1].recipient.country': 'de',
      }),
    ).toEqual([]);
  });

  it.each([
    ['card.number', '4200000000000001', '100.100.101'],
    ['bankAccount.iban', 'DE24100000001234567890', '100.100.101'],
    ['bankAccount.iban', 'ZZ23100000001234567890', '100.100.101'],
    ['bankAccount.bic', 'MARKZZFF', '100.200.103'],
    ['bankAccount.bic', '12345678', '100.200.103'],
    ['bankAccount.country', 'ZZ', '100.200.100'],
    ['currency', 'ZZZ', '100.550.401'],
    ['currency', 'XXX', '100.550.401'],
    ['forex.currency', 'ABC', '100.550.401'],
    ['cart.items[7].currency', 'ABC', '100.550.401'],
    ['billing.country', 'ZZ', '100.800.501'],
    ['shipping.country', 'ZZ', '100.800.501'],
    ['recipient.country', 'AR', '100.800.501'],
    ['threeDSecure.merchant.country', 'XYZ', '100.800.501'],
    ['merchant.countryCode', '999', '100.800.501'],
    ['airline.passengers[0].residenceCountry', 'ZZ', '100.800.501'],
  ])('%s=%s gives %s', (name, value, code) => {
    expect(codesOf({ [name]: value })).toEqual([`${code} ${name}`]);
  });

  it('names the rule of a currency without a minor unit, for sellers, too', () => {
    const [code, rule] = ['100.550.303', 'JPY has no minor unit: decimals must be .00'] as const;
    const errors = (sent: Readonly<Record<string, string>>) =>
      contentErrors(validateParameters(Object.entries({ ...sent, currency: 'JPY' }), rowsOf('payment')), NOW);
    const [amount] = errors({ amount: '100.50' });
    expect(amount && contentDetail(amount)).toBe(`amount: ${rule}`);
    const seller = 'marketPlace.sellers[0].amount';
    expect(errors({ amount: '100', [seller]: '1.50' })).toEqual([{ code, name: seller, rule }]);
    expect(errors({ amount: '100', [seller]: '1.00' })).toEqual([]);
  });

  it('holds amounts against their currency', () => {
    expect(codesOf({ amount: '92.50', currency: 'JPY' })).toEqual(['100.550.303 amount']);
    expect(codesOf({ amount: '92.00', currency: 'JPY' })).toEqual([]);
    expect(codesOf({ amount: '92', currency: 'KWD' })).toEqual([]);
    expect(codesOf({ amount: '0.00', currency: 'EUR' })).toEqual(['100.550.300 amount']);
    expect(codesOf({ amount: '1', 'risk.amount': '1.50', currency: 'JPY' })).toEqual([
      '100.550.603 risk.amount',
    ]);
  });

  it('lets a card live to the last day of its month', () => {
    expect(codesOf({ 'card.expiryMonth': '10', 'card.expiryYear': '2026' })).toEqual([
      '100.100.303 card.expiryYear',
    ]);
  });
});

describe('ISO codes', () => {
  it('knows countries in three forms', () => {
    expect(isCountry('de', 'alpha-2') && isCountry('DEU', 'alpha-3') && isCountry('276', 'numeric')).toBe(
      true,
    );
    expect(isCountry('DEU', 'alpha-2') || isCountry('DE', 'alpha-3') || isCountry('27', 'numeric')).toBe(
      false,
    );
  });
});
