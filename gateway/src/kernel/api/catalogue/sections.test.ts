import { describe, expect, expectTypeOf, it } from 'vitest';
import { CONDITIONS } from './rows/conditions.js';
import {
  ALL_PARAMETERS,
  type ConcreteName,
  type ParameterName,
  type ParameterValues,
  parametersOf,
  type RequestParameters,
  SECTIONS,
  type SectionName,
} from './sections.js';

/** Rows of the specification's tables, counted on paper. */
const COUNTS: Readonly<Record<SectionName, number>> = {
  basic: 25,
  forex: 2,
  authentication: 2,
  card: 6,
  wallets: 8,
  'virtual account': 1,
  'bank account': 10,
  'token account': 6,
  'gift card': 5,
  pos: 16,
  customer: 32,
  'shipping.customer': 28,
  billing: 10,
  'merchant.billing': 18,
  shipping: 26,
  'merchant.shipping': 26,
  corporate: 13,
  sender: 13,
  recipient: 12,
  merchant: 30,
  'cart items': 45,
  'cart payments': 7,
  marketplace: 2,
  airline: 11,
  'airline passengers': 11,
  'airline legs': 24,
  registration: 2,
  migration: 6,
  'standing instruction': 10,
  '3DS authentication': 14,
  '3DS proof': 9,
  '3DS exemption': 2,
  '3DS scheme data': 3,
  'custom and asynchronous': 3,
  risk: 8,
  job: 16,
  chargeback: 1,
  reporting: 4,
  query: 8,
};

describe('catalogue', () => {
  it.each(Object.entries(COUNTS))('has the %s table whole: %i rows', (section, count) => {
    expect(SECTIONS[section as SectionName]).toHaveLength(count);
  });

  it('has 475 rows in all', () => {
    expect(ALL_PARAMETERS).toHaveLength(475);
  });

  it('has each name once among those of one operation', () => {
    for (const operation of ['payment', 'checkout-create', 'query', 'report'] as const) {
      const names = parametersOf(operation).map((row) => row.name);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('names a condition for every C row and for no other', () => {
    for (const row of ALL_PARAMETERS) {
      expect(row.condition !== undefined, row.name).toBe(row.required === 'C');
      if (row.condition !== undefined) expect(CONDITIONS[row.condition]).toMatch(/\.$/);
    }
  });

  it('never gives back what is sensitive, and keys every map', () => {
    for (const row of ALL_PARAMETERS) {
      expect(row.echoed && row.sensitive, row.name).toBeFalsy();
      expect(row.key !== undefined, row.name).toBe(row.name.includes('[key]'));
    }
  });

  it('gives an operation its own rows', () => {
    const names = (operation: Parameters<typeof parametersOf>[0]) =>
      parametersOf(operation).map((row) => row.name);
    expect(names('payment')).not.toContain('overridePaymentType[key]');
    expect(names('checkout-create')).toContain('overridePaymentType[key]');
    expect(names('payment')).not.toContain('Authorization');
    expect(names('query')).toEqual(expect.arrayContaining(['entityId', 'limit', 'date.from']));
    expect(names('report')).toHaveLength(5);
  });

  it('marks what must never be shown', () => {
    const sensitive = ALL_PARAMETERS.filter((row) => row.sensitive).map((row) => row.name);
    expect(sensitive).toEqual(
      expect.arrayContaining([
        'card.number',
        'card.cvv',
        'walletA.paymentToken',
        'bankAccount.iban',
        'tokenAccount.cryptogram',
        'pos.encryptedPin.data',
        'giftCard.pin',
        'threeDSecure.verificationId',
      ]),
    );
  });

  it('gives the compiler the names', () => {
    expectTypeOf<'shipping.customer.givenName'>().toExtend<ParameterName>();
    expectTypeOf<'cart.items[n].recipient.city'>().toExtend<ParameterName>();
    expectTypeOf<'shipping.customer.app.deviceId'>().not.toExtend<ParameterName>();
    expectTypeOf<'cart.items[3].name'>().toExtend<ConcreteName<ParameterName>>();
    const request: RequestParameters = {
      amount: '92.00',
      'customParameters[x]': 'y',
      'cart.items[0].name': 'z',
    };
    expect(Object.keys(request)).toHaveLength(3);
  });

  it('lets the compiler find a name that is misspelt where a request is read', () => {
    const values: ParameterValues = new Map([['card.number', '4200000000000000']]);
    const part: string = 'number';
    expect(values.get('card.number')).toBe(values.get(`card.${part}`));
    expect(values.has('customParameters[anything]')).toBe(false);
    // @ts-expect-error: no row has this name
    expect(values.get('card.numbr')).toBeUndefined();
    // @ts-expect-error: no row has this name
    expect(values.has('cart.items[0].nam')).toBe(false);
  });
});
