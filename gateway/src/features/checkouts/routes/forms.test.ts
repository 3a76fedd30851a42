import { describe, expect, it } from 'vitest';
import { joined, postedParameters } from './forms.js';

const BROWSER = { ip: '192.0.2.1', acceptHeader: 'application/json', userAgent: 'Mozilla/5.0' };
const PREPARED = { entityId: 'a'.repeat(32), amount: '1.00', currency: 'EUR', paymentType: 'DB' };
const CARD = { 'card.number': '4200000000000000', 'card.expiryMonth': '12', 'card.expiryYear': '2031' };

const of = (
  posted: Readonly<Record<string, string>>,
  prepared: Readonly<Record<string, string>> = PREPARED,
): ReadonlyMap<string, string> =>
  joined(
    prepared,
    postedParameters({ parameters: Object.entries(posted), errors: [] }, 'checkout-payment', undefined),
    BROWSER,
    undefined,
  ).values;

describe('what a browser posts', () => {
  it.each([
    ['amount', '0.01'],
    ['currency', 'USD'],
    ['paymentType', 'PA'],
    ['entityId', 'b'.repeat(32)],
    ['testMode', 'EXTERNAL'],
    ['threeDSecure.disable', 'true'],
    ['threeDSecure.eci', '05'],
    ['standingInstruction.source', 'MIT'],
    ['merchant.name', 'Another Shop'],
    ['descriptor', 'Another Shop'],
    ['risk.amount', '0.01'],
    ['customer.ip', '198.51.100.7'],
    ['referenceUuid', 'f'.repeat(32)],
    ['taxAmount', '0.01'],
    ['overrideHolder', 'true'],
  ])('takes no %s from the shopper', (name, value) => {
    const values = of({ ...CARD, [name]: value });
    expect(values.get(name)).not.toBe(value);
    expect(values.get('amount')).toBe('1.00');
  });

  it('adds to the merchant’s values, and changes none of them', () => {
    const prepared = { ...PREPARED, 'billing.city': 'Berlin', shopperResultUrl: 'https://shop.example/' };
    const values = of(
      {
        ...CARD,
        'billing.city': 'Paris',
        'billing.postcode': '10115',
        shopperResultUrl: 'https://evil.example/',
      },
      prepared,
    );
    expect(values.get('billing.city')).toBe('Berlin');
    expect(values.get('billing.postcode')).toBe('10115');
    expect(values.get('shopperResultUrl')).toBe('https://shop.example/');
  });

  it('is completed by its address, and by its headers where the form gathered the rest', () => {
    expect(of(CARD).get('customer.ip')).toBe(BROWSER.ip);
    expect(of(CARD).has('customer.browser.userAgent')).toBe(false);
    const gathered = of({ ...CARD, 'customer.browser.language': 'de' });
    expect(gathered.get('customer.browser.userAgent')).toBe(BROWSER.userAgent);
    expect(of(CARD, { ...PREPARED, 'customer.ip': '198.51.100.7' }).get('customer.ip')).toBe('198.51.100.7');
  });

  it('names a registration by either name', () => {
    const id = 'f'.repeat(32);
    for (const name of ['registrationId', 'registration.id'])
      expect(of({ [name]: id }).get('registration.id')).toBe(id);
  });

  it('has its own holder, and that of the merchant only for a registration', () => {
    const prepared = { ...PREPARED, 'card.holder': 'Jane Jones' };
    expect(of({ ...CARD, 'card.holder': 'John Doe' }, prepared).get('card.holder')).toBe('John Doe');
    expect(of(CARD, prepared).has('card.holder')).toBe(false);
    expect(of({ registrationId: 'f'.repeat(32) }, prepared).get('card.holder')).toBe('Jane Jones');
  });
});
