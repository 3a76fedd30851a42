import { WALLET_NAMES } from '@tillbridge/wire/payment/wallet-names.js';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../catalogue/rows/parameter.js';
import { checkRequest } from '../check/check-request.js';
import { includedAmountRule } from './included-amounts.js';
import { brandRule, groupRule } from './instrument.js';
import { requiredOf } from './operation.js';
import { timeFrameRule } from './query.js';
import { bringsInstrument, type RequestContext, type RuleFacts, wrong } from './rule.js';
import { amountIn, itemsOf, smallestWritten } from './sums.js';
import { exemptionRule } from './three-d-secure.js';

type Sent = Readonly<Record<string, string>>;

const BASE: Sent = { entityId: 'a'.repeat(32), amount: '92.00', currency: 'EUR', paymentType: 'DB' };
const CARD: Sent = { 'card.number': '4200000000000000', 'card.expiryMonth': '12', 'card.expiryYear': '2034' };
const PAYMENT: RequestContext = { operation: 'payment' };

const errorsOf = (sent: Sent, context: RequestContext = PAYMENT) =>
  checkRequest(Object.entries(sent), context).errors;
const namesOf = (sent: Sent, context?: RequestContext) => errorsOf(sent, context).map(({ name }) => name);
const withCard = (more: Sent, context?: RequestContext) => namesOf({ ...BASE, ...CARD, ...more }, context);

/** Facts of parameters that keep their format. */
const factsOf = (sent: Sent, more: Partial<RuleFacts> = {}): RuleFacts => ({
  operation: 'payment',
  values: new Map(Object.entries(sent)),
  rows: new Map(),
  sent: new Set(Object.keys(sent)),
  groups: new Set(Object.keys(sent).map((name) => /^[^.[]+/.exec(name)?.[0] ?? name)),
  ...more,
});

describe('an error of a rule', () => {
  it('never has a sensitive value, nor one that was not sent', () => {
    const rows = new Map([['x', { sensitive: true }]]) as unknown as RuleFacts['rows'];
    expect(wrong(factsOf({ x: '1' }, { rows }), 'x', 'why')).toEqual({
      name: 'x',
      value: null,
      message: 'why',
    });
    expect(wrong(factsOf({ x: '1' }), 'x', 'why').value).toBe('1');
    expect(wrong(factsOf({}), 'x', 'why').value).toBeNull();
  });

  it('states when a name is needed, where that depends on others', () => {
    const { entityId: _, ...rest } = BASE;
    expect(errorsOf({ ...rest, ...CARD })).toEqual([
      { name: 'entityId', value: null, message: 'may not be empty' },
    ]);
    expect(errorsOf({ ...BASE, ...CARD, 'customer.ip': '127.0.0.1' })[0]).toEqual({
      name: 'customer.givenName',
      value: null,
      message: 'may not be empty when any other customer parameter is sent',
    });
  });

  it('has the value that was sent, shortened', () => {
    const type = errorsOf({ ...BASE, ...CARD, paymentType: 'CP' });
    expect(type).toMatchObject([{ name: 'paymentType', value: 'CP' }]);
    const url = `javascript:${'x'.repeat(900)}`;
    const [error] = errorsOf({ ...BASE, ...CARD, shopperResultUrl: url });
    expect(error?.name).toBe('shopperResultUrl');
    expect(error?.value?.length ?? 0).toBeLessThan(900);
  });
});

describe('what an operation needs', () => {
  const facts = (operation: Operation, sent: Sent = {}) => ({
    operation,
    values: new Map(Object.entries(sent)),
    sent: new Set(Object.keys(sent)),
  });
  const ALL = ['entityId', 'amount', 'currency', 'paymentType'];

  it.each<[Operation, Sent, readonly string[]]>([
    ['payment', {}, ALL],
    ['payment', { createRegistration: 'true' }, ALL],
    ['registration-payment', {}, ALL],
    ['schedule', {}, ALL],
    ['checkout-create', {}, ALL],
    ['checkout-create', { createRegistration: 'true' }, ['entityId']],
    ['checkout-create', { createRegistration: 'false' }, ALL],
    ['checkout-create', { createRegistration: 'true', amount: '1' }, ALL],
    ['checkout-create', { createRegistration: 'true', paymentType: 'DB' }, ALL],
    ['follow-up', {}, ALL],
    ['follow-up', { paymentType: 'CP' }, ALL],
    ['follow-up', { paymentType: 'RV' }, ['entityId', 'paymentType']],
    ['three-d-secure', {}, ['entityId', 'card.number', 'amount', 'currency']],
    ['three-d-secure', { 'threeDSecure.npa': 'false' }, ['entityId', 'card.number', 'amount', 'currency']],
    ['three-d-secure', { 'threeDSecure.npa': 'true' }, ['entityId', 'card.number']],
    ['registration', {}, ['entityId']],
    ['checkout-update', {}, ['entityId']],
    ['query', {}, ['entityId']],
    ['report', {}, ['entityId', 'date.from', 'date.to']],
    ['checkout-payment', {}, []],
    ['checkout-registration', {}, []],
  ])('%s with %j: %j', (operation, sent, names) => {
    expect(requiredOf(facts(operation, sent))).toEqual(names);
  });

  it.each<[Operation, boolean]>([
    ['payment', true],
    ['registration', true],
    ['checkout-payment', true],
    ['checkout-registration', true],
    ['three-d-secure', true],
    ['follow-up', false],
    ['checkout-create', false],
    ['registration-payment', false],
  ])('%s brings its own means of payment: %s', (operation, brings) => {
    expect(bringsInstrument({ operation })).toBe(brings);
  });

  it('is a payment type that it carries out, where it carries out any', () => {
    const typeOf = (operation: Operation, paymentType: string) =>
      namesOf({ ...BASE, paymentType }, { operation }).includes('paymentType');
    expect([typeOf('schedule', 'DB'), typeOf('schedule', 'RV')]).toEqual([false, true]);
    expect([typeOf('checkout-create', 'RG'), typeOf('payment', 'RG')]).toEqual([false, true]);
  });
});

describe('a means of payment', () => {
  it('stands elsewhere where it is stored', () => {
    expect(namesOf({ ...BASE, referenceUuid: 'b'.repeat(32) })).toEqual([]);
    expect(namesOf({ ...BASE, paymentBrand: 'DIRECTDEBIT_SEPA', referenceUuid: 'b'.repeat(32) })).toEqual([]);
    expect(namesOf({ ...BASE, paymentBrand: 'GIFTCARD', referenceUuid: 'b'.repeat(32) })).toEqual([]);
  });

  it('is a whole account of a direct debit, and none of a transfer', () => {
    const account = ['bankAccount.holder', 'bankAccount.iban'];
    expect(namesOf({ ...BASE, paymentBrand: 'DIRECTDEBIT_SEPA' })).toEqual(account);
    expect(namesOf({ ...BASE, paymentBrand: 'DIRECTDEBIT_SEPA' }, { operation: 'checkout-create' })).toEqual(
      [],
    );
    const number: Sent = {
      ...BASE,
      paymentBrand: 'DIRECTDEBIT_SEPA',
      'bankAccount.holder': 'Jane Jones',
      'bankAccount.number': '1234567',
    };
    expect(namesOf({ ...number, 'bankAccount.bankCode': '12345678' })).toEqual([]);
    expect(errorsOf(number)[0]?.message).toContain('unless bankAccount.bic is sent');
  });

  it('is prepared in a checkout with what is known by then', () => {
    const create: RequestContext = { operation: 'checkout-create' };
    expect(namesOf({ ...BASE, paymentBrand: 'GIFTCARD' }, create)).toEqual([]);
    for (const sent of [{ 'virtualAccount.holder': 'x' }, { 'card.number': '4200000000000000' }]) {
      expect(groupRule(factsOf(sent, create))).toEqual([]);
      expect(brandRule(factsOf(sent, create))).toEqual([]);
    }
    const elsewhere = { 'virtualAccount.holder': 'x', referenceUuid: 'u' };
    expect(brandRule(factsOf(elsewhere))).toEqual([]);
    expect(brandRule(factsOf({ 'virtualAccount.holder': 'x' })).map(({ name }) => name)).toEqual([
      'paymentBrand',
    ]);
  });

  it.each<[string, Sent, boolean]>([
    ['nowhere', {}, true],
    ['stored', { 'registration.id': 'r' }, false],
    ['stored, by its other name', { registrationId: 'r' }, false],
    ['inside a terminal', { 'pos.encryptedSred.data': 'AB' }, false],
    ['inside the token of a wallet', { [`${WALLET_NAMES[0]}.paymentToken`]: '{}' }, false],
    ['inside the token of another wallet', { [`${WALLET_NAMES.at(-1)}.paymentToken`]: '{}' }, false],
  ])('has a card number that is %s: whether it is needed', (_, sent, isNeeded) => {
    const names = groupRule(factsOf({ 'card.cvv': '123', ...sent })).map(({ name }) => name);
    expect(names.includes('card.number')).toBe(isNeeded);
  });

  it('of a token needs no card', () => {
    const names = groupRule(factsOf({ 'card.cvv': '123', 'tokenAccount.number': '1' })).map(
      ({ name }) => name,
    );
    expect(names).not.toContain('card.number');
  });

  it('needs a card of a card payment alone', () => {
    const missing = ['card.number', 'card.expiryMonth', 'card.expiryYear'];
    const { entityId = '' } = BASE;
    expect(namesOf({ entityId }, { operation: 'registration' })).toEqual(missing);
    expect(namesOf({}, { operation: 'checkout-payment' })).toEqual([]);
  });
});

describe('a payment that its shopper approves elsewhere', () => {
  const elsewhere = (more: Sent = {}, context: RequestContext = PAYMENT) =>
    namesOf(
      { ...BASE, paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane@example.com', ...more },
      context,
    );

  it('needs the address where the shopper goes after', () => {
    expect(elsewhere()).toEqual(['shopperResultUrl']);
    expect(elsewhere({ shopperResultUrl: 'https://shop.example/done' })).toEqual([]);
    expect(elsewhere({}, { operation: 'checkout-create' })).toEqual([]);
    expect(elsewhere({ paymentType: 'CD' })).toEqual([]);
  });

  it('has no address that is not safe, and that of an app where the entity has it', () => {
    expect(withCard({ shopperResultUrl: 'javascript:alert(1)' })).toEqual(['shopperResultUrl']);
    expect(withCard({ shopperResultUrl: 'shop.app://done' })).toEqual(['shopperResultUrl']);
    expect(
      withCard({ shopperResultUrl: 'shop.app://done' }, { ...PAYMENT, appSchemes: ['shop.app'] }),
    ).toEqual([]);
  });
});

describe('3D Secure', () => {
  it.each<[Operation, boolean]>([
    ['payment', true],
    ['registration-payment', true],
    ['registration', true],
    ['three-d-secure', true],
    ['checkout-create', false],
    ['checkout-payment', false],
  ])('version 2 needs the browser of a %s: %s', (operation, needs) => {
    const context: RequestContext = { operation, threeDSecure: { version: 2 } };
    expect(namesOf({ ...BASE, ...CARD }, context).includes('customer.browser.language')).toBe(needs);
  });

  it.each([
    ['2.2.0', true],
    ['2.10.0', true],
    ['3.0', true],
    ['2.1.0', false],
    ['2', false],
    ['1.9', false],
  ])('of version %s may have an exemption: %s', (version, may) => {
    const flag = { 'threeDSecure.exemptionFlag': '01' };
    const errors = exemptionRule(factsOf({ ...flag, 'threeDSecure.version': version }));
    expect(errors.map(({ name }) => name)).toEqual(may ? [] : ['threeDSecure.exemptionFlag']);
    expect(exemptionRule(factsOf(flag))).toEqual([]);
    expect(exemptionRule(factsOf({ 'threeDSecure.version': version }))).toEqual([]);
  });
});

describe('a transfer to a country that wants its purpose', () => {
  const transfer = (more: Sent = {}): Sent => ({
    transactionProcessingCode: 'PAYMENT',
    'recipient.country': 'EGY',
    ...more,
  });
  const needs = (sent: Sent, context?: RequestContext) =>
    namesOf({ ...BASE, ...sent }, context).includes('transactionPurposeCode');

  it('names it over a card network: of a card, a terminal or a stored card', () => {
    expect(needs({ ...CARD, ...transfer() })).toBe(true);
    expect(needs({ 'pos.entryMode': 'ICC', ...transfer() })).toBe(true);
    expect(needs(transfer(), { operation: 'registration-payment' })).toBe(true);
    expect(needs({ paymentBrand: 'DIRECTDEBIT_SEPA', ...transfer() })).toBe(false);
    expect(needs({ ...CARD, ...transfer({ 'recipient.country': 'DEU' }) })).toBe(false);
    expect(needs({ ...CARD, transactionProcessingCode: 'PAYMENT' })).toBe(false);
    expect(needs({ ...CARD, 'recipient.country': 'EGY' })).toBe(false);
  });
});

describe('a street', () => {
  it('may end with digits', () => {
    expect(withCard({ 'billing.street1': 'Main Street 12' })).toEqual([]);
    expect(withCard({ 'billing.street1': '12 Main Street' })).toEqual([]);
  });
});

describe('an app', () => {
  it('has no browser, and the address of its shopper', () => {
    const names = withCard({}, { ...PAYMENT, threeDSecure: { version: 2, appBased: true } });
    expect(names).toContain('billing.city');
    expect(names.filter((name) => name.startsWith('customer.browser.'))).toEqual([]);
  });

  it('sends no name that the widget did not gather', () => {
    const sent = { 'customer.browser.language': 'de' };
    expect(namesOf(sent, { operation: 'checkout-registration' })).toEqual([]);
  });
});

describe('a query', () => {
  const query = (more: Sent) => namesOf({ entityId: BASE.entityId ?? '', ...more }, { operation: 'query' });
  const [from, to] = ['2026-11-01 00:00:00', '2026-11-02 00:00:00'];

  it('has both ends of its time, or none', () => {
    expect(query({})).toEqual([]);
    expect(query({ 'date.to': to })).toEqual(['date.from']);
    expect(query({ 'date.from': from, 'date.to': to })).toEqual([]);
    expect(query({ merchantTransactionId: 'x' })).toEqual([]);
    expect(timeFrameRule(factsOf({ 'date.from': from }))).toEqual([]);
  });
});

describe('what the widget sends', () => {
  it.each<[Operation, string[]]>([
    ['checkout-payment', ['customParameters[other]']],
    ['checkout-registration', ['customParameters[other]']],
    ['checkout-create', []],
  ])('of a shopper is named so: %s', (operation, names) => {
    const sent = { ...BASE, 'customParameters[SHOPPER_a]': '1', 'customParameters[other]': '1' };
    expect(namesOf(sent, { operation }).filter((name) => name.startsWith('custom'))).toEqual(names);
  });
});

describe('sellers of a marketplace', () => {
  const seller = (at: number, fields: Sent): Sent =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [`marketPlace.sellers[${at}].${name}`, value]),
    );

  it('are compared by their ids, in the order of their numbers', () => {
    const sent = {
      ...seller(10, { id: 'a', amount: '1.00' }),
      ...seller(2, { id: 'a', amount: '1.00' }),
      ...seller(3, { id: 'b', amount: '1.00' }),
    };
    expect(withCard(sent)).toEqual(['marketPlace.sellers[10].id']);
    expect(errorsOf({ ...BASE, ...CARD, ...sent })[0]?.message).toContain('another seller');
  });

  it('without an id are no double', () => {
    const sent = { ...seller(0, { amount: '1.00' }), ...seller(1, { amount: '1.00' }) };
    expect(
      errorsOf({ ...BASE, ...CARD, ...sent }).filter(({ message }) => message.includes('another')),
    ).toEqual([]);
  });

  it('are those of the items', () => {
    const sold = { ...seller(0, { id: 'a', amount: '1.00' }), ...seller(1, { id: 'b', amount: '1.00' }) };
    expect(withCard({ ...sold, 'cart.items[0].sellerId': 'a', 'cart.items[12].sellerId': 'c' })).toEqual([
      'cart.items[12].sellerId',
    ]);
    expect(withCard({ 'cart.items[0].sellerId': 'c' })).toEqual([]);
  });
});

describe('amounts in sums', () => {
  const values = new Map([
    ['a', '12.34'],
    ['b', '5'],
    ['c', 'x'],
    ['cart.items[0].price', '1.00'],
    ['cart.items[0].name', 'n'],
    ['cart.items[11].name', 'n'],
    ['cart.count', '2'],
  ]);

  it('are hundredths, whatever the currency', () => {
    expect(['a', 'b', 'c', 'd'].map((name) => amountIn({ values }, name))).toEqual([
      1_234n,
      500n,
      undefined,
      undefined,
    ]);
    expect([smallestWritten('EUR'), smallestWritten('JPY'), smallestWritten(undefined)]).toEqual([
      1n,
      100n,
      1n,
    ]);
  });

  it('are compared with an amount that was sent', () => {
    expect(includedAmountRule(factsOf({ taxAmount: '1.00' }))).toEqual([]);
    expect(includedAmountRule(factsOf({ taxAmount: '1.00', amount: '1.00' }))).toEqual([]);
    expect(includedAmountRule(factsOf({ taxAmount: '1.01', amount: '1.00' }))).toHaveLength(1);
  });

  it('are found by the items that they are of', () => {
    expect([...itemsOf({ values }, /^cart\.items\[\d+\]\./)]).toEqual(['cart.items[0].', 'cart.items[11].']);
  });

  it('are written with two digits after the point, however small', () => {
    const item = (fields: Sent) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [`cart.items[0].${name}`, value]));
    const messages = errorsOf({ ...BASE, ...CARD, ...item({ taxAmount: '0.09', price: '0.05' }) });
    expect(messages.map(({ message }) => message)).toEqual([
      'must not exceed "price" of the item, which includes it: 0.05',
    ]);
  });
});
