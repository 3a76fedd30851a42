import { MAX_DETAILS_LENGTH } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { expect, it } from 'vitest';
import type { AcquirerMoneyRequest } from '../../acquirer.js';
import { stored } from './exchange-record.js';
import { exchangeRequest, terminalNumber } from './exchange-request.js';
import { type Operation, operationOf } from './mapping.js';

const MERCHANT = {
  merchantId: 'M1',
  terminalId: 'ECOM0001',
  category: '5411',
  name: 'Corner shop',
  city: 'Berlin',
  country: 'DE',
};
const CARD = { kind: 'card', pan: '4200000000000000', expiryYear: '2031', expiryMonth: '12' } as const;
const REQUEST: AcquirerMoneyRequest = {
  kind: 'authorization',
  acquirerReference: 'a'.repeat(32),
  amount: { minor: 1_234, currency: 'EUR' },
  instrument: CARD,
  merchant: MERCHANT,
};
const messageOf = (values: Partial<AcquirerMoneyRequest> = {}, operation: Operation = 'sale') =>
  exchangeRequest({ ...REQUEST, ...values }, operation, undefined, '12345');

it.each<[Partial<AcquirerMoneyRequest>, Operation | undefined]>([
  [{}, 'authorization'],
  [{ captureNow: true }, 'sale'],
  [{ captureNow: true, approvalCode: 'A1' }, 'sale advice'],
  [{ approvalCode: 'A1' }, 'authorization advice'],
  [{ kind: 'advice', captureNow: true }, 'sale advice'],
  [{ kind: 'capture' }, 'capture'],
  [{ kind: 'refund' }, 'refund'],
  [{ kind: 'credit' }, 'credit'],
  [{ kind: 'increment' }, 'increment'],
  [{ kind: 'receipt' }, undefined],
])('requests %j by %s', (values, operation) => {
  expect(operationOf({ ...REQUEST, ...values })).toBe(operation);
});

it('carries card, merchant and amount', () => {
  expect(messageOf()).toEqual({
    kind: 'financial',
    isAdvice: false,
    transaction: 'purchase',
    amount: REQUEST.amount,
    acquirerId: '12345',
    terminalId: 'ECOM0001',
    merchantId: 'M1',
    merchantCategory: '5411',
    acceptor: { name: 'Corner shop', city: 'Berlin', country: 'DE' },
    pan: CARD.pan,
    expiry: '3112',
    entryMode: 'e-commerce',
  });
});

it('carries what a terminal read, without the card number a second time', () => {
  const iccData = Buffer.from('5A0842000000000000009F2701805F340101', 'hex');
  const pos = {
    terminalId: '1001',
    entryMode: 'ICC',
    panSequenceNumber: '01',
    iccData,
    pin: { zoneKey: 'EXTERNAL', pinBlock: Buffer.from('0011223344556677', 'hex') },
  };
  const instrument = { ...CARD, track2: '4200000000000000D31122010000012300000F' };
  expect(messageOf({ pos, instrument })).toMatchObject({
    terminalId: '1001',
    entryMode: 'chip',
    cardSequence: '001',
    track2: '4200000000000000=31122010000012300000',
    iccData: '9F2701805F340101',
    pinBlock: '0011223344556677',
  });
  for (const id of ['terminal-of-the-third-floor', 'Kasse ü', 'till 1', ''])
    expect(terminalNumber(id)).toMatch(/^[0-9A-F]{8}$/);
});

it('carries who pays and what for, and lets the request override the merchant on the statement', () => {
  const sent = messageOf({
    billing: { street: 'Große Straße 1', postcode: '12345' },
    authentication: { amount: REQUEST.amount, eci: '05', exemptionFlag: '02', version: '2.2.0' },
    standing: { mode: 'REPEATED', type: 'RECURRING', source: 'MIT', initialTransactionId: '123' },
    deferred: true,
    details: {
      descriptor: 'Café Søren & friends of long names',
      'merchant.mcc': '5812',
      'merchant.city': 'München',
      transactionCategory: 'EC',
      lifecycleId: 'L1',
      transactionPurposeCode: '07',
      'sender.surname': 'Doe',
      'cart.items[0].name': 'Tea',
    },
  });
  expect(sent).toMatchObject({
    merchantCategory: '5812',
    acceptor: { name: 'Cafe S?ren & friends of l', city: 'Munchen', country: 'DE' },
    entryMode: 'stored',
    billingStreet: 'Grosse Strasse 1',
    eci: '05',
    exemption: '02',
    standing: 'REPEATED,RECURRING,MIT,',
    agreementId: '123',
    transactionCategory: 'EC',
    lifecycleId: 'L1',
    purposeCode: '07',
    deferred: '1',
  });
  expect(Object.fromEntries(new URLSearchParams(sent.details))).toMatchObject({
    'sender.surname': 'Doe',
    'cart.items[0].name': 'Tea',
  });
});

it.each([
  ['FUNDING', 'funding'],
  ['PURCHASE', 'purchase'],
  ['PAYMENT', 'purchase'],
])('has by the processing code %s the transaction %s, and so has its capture', (code, transaction) => {
  const details = { transactionProcessingCode: code };
  const sent = messageOf({ details }, 'authorization');
  expect(sent.transaction).toBe(transaction);
  expect(messageOf({ details, kind: 'credit' }, 'credit').transaction).toBe('credit');
  const request = stored({
    ...sent,
    isResponse: false,
    isRepeat: false,
    stan: '000042',
    at: '20261123072200',
  });
  const { instrument: _, merchant: __, ...bare } = REQUEST;
  const follow = (kind: 'capture' | 'refund') =>
    exchangeRequest({ ...bare, kind }, kind, { request }, undefined).transaction;
  expect([follow('capture'), follow('refund')]).toEqual([transaction, 'refund']);
});

it('carries an id that is not ASCII in the form, as it is', () => {
  const sent = messageOf({ details: { lifecycleId: 'é|x', transactionPurposeCode: '07' } });
  expect(sent).toMatchObject({ purposeCode: '07', details: 'lifecycleId=%C3%A9%7Cx' });
  expect(sent.lifecycleId).toBeUndefined();
});

it('leaves out the last details that do not fit, each as a whole', () => {
  const long = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`airline.agentName${i}`, 'x'.repeat(200)]),
  );
  const { details = '', detailsLeftOut } = messageOf({ details: long });
  expect(details.length).toBeLessThanOrEqual(MAX_DETAILS_LENGTH);
  const carried = [...new URLSearchParams(details)];
  for (const [, value] of carried) expect(value).toHaveLength(200);
  expect(carried.map(([name]) => name)).toEqual(Object.keys(long).slice(0, carried.length));
  expect(detailsLeftOut).toBe(String(30 - carried.length));
});

it('carries an entry of a list whole or not at all, and nothing behind the first that does not fit', () => {
  const item = (i: number, length: number): [string, string][] => [
    [`cart.items[${i}].name`, 'x'.repeat(length)],
    [`cart.items[${i}].price`, '1.00'],
  ];
  const given = Object.fromEntries([...item(0, 3_800), ...item(1, 200), ...item(2, 1)]);
  const { details = '', detailsLeftOut } = messageOf({ details: given });
  expect([...new URLSearchParams(details).keys()]).toEqual(['cart.items[0].name', 'cart.items[0].price']);
  expect(detailsLeftOut).toBe('4');
});

it('names what a capture follows, at the terminal of its original', () => {
  const original = stored({
    ...messageOf({}, 'authorization'),
    isResponse: false,
    isRepeat: false,
    stan: '000042',
    at: '20261123072200',
  });
  const { instrument: _, merchant: __, ...bare } = REQUEST;
  expect(
    exchangeRequest({ ...bare, kind: 'capture' }, 'capture', { request: original }, '12345'),
  ).toMatchObject({
    kind: 'financial',
    isAdvice: true,
    terminalId: 'ECOM0001',
    merchantId: 'M1',
    reasonCode: '1004',
    original: {
      type: { kind: 'authorization', isAdvice: false },
      stan: '000042',
      at: '20261123072200',
      amount: REQUEST.amount,
    },
  });
});

const FOLLOWED = {
  request: stored({
    kind: 'authorization',
    isAdvice: false,
    isResponse: false,
    isRepeat: false,
    stan: '000001',
    at: '20261123072200',
    transaction: 'purchase',
    terminalId: 'T1',
    entryMode: 'chip',
  }),
  card: { pan: '4200000000000000', expiry: '3112' },
};

it('names tip and cash back as parts of the amount, and a purchase with cash back as such', () => {
  const [tip, cashBack] = [
    { minor: 200, currency: 'EUR' },
    { minor: 5_000, currency: 'EUR' },
  ];
  expect(messageOf({ tip, cashBack }, 'sale')).toMatchObject({
    transaction: 'cash-back',
    additionalAmounts: [
      { account: '00', type: '40', amount: cashBack },
      { account: '00', type: '44', amount: tip },
    ],
  });
  expect(messageOf({ tip }, 'sale')).toMatchObject({
    transaction: 'purchase',
    additionalAmounts: [{ type: '44' }],
  });
  expect(messageOf()).not.toHaveProperty('additionalAmounts');
});

it('requests a part where that is allowed, and never of an advice', () => {
  expect(messageOf({ partialAllowed: true }).partialAllowed).toBe(true);
  expect(messageOf()).not.toHaveProperty('partialAllowed');
  expect(messageOf({ partialAllowed: true }, 'sale advice')).not.toHaveProperty('partialAllowed');
});

it('carries the verification value of a card to its issuer alone', () => {
  const instrument = { ...CARD, cvv: '123' };
  expect(messageOf({ instrument }).cvv).toBe('123');
  expect(messageOf({ instrument, kind: 'credit' }, 'credit')).not.toHaveProperty('cvv');
});

it('carries a track that a terminal has read, without its filling', () => {
  const instrument = { ...CARD, track2: '4200000000000000d31122010FF' };
  const read = (entryMode: string) =>
    messageOf({ instrument, pos: { terminalId: 'T1', entryMode } as never });
  expect(read('MAGSTRIPE').track2).toBe('4200000000000000=31122010');
  expect(read('MANUAL')).not.toHaveProperty('track2');
  expect(messageOf({ instrument })).not.toHaveProperty('track2');
  const { track2: _, ...withoutTrack } = instrument;
  const pos = { terminalId: 'T1', entryMode: 'MAGSTRIPE' } as never;
  expect(messageOf({ instrument: withoutTrack, pos })).not.toHaveProperty('track2');
});

it('carries a token of a wallet with its cryptogram', () => {
  const token = { kind: 'token', number: '4200000000000018' } as never as { readonly kind: 'token' };
  const of = (more: object) => messageOf({ instrument: { ...token, ...more } as never });
  expect(of({ expiryYear: '2031', expiryMonth: '12', cryptogram: 'AA==', dtvc: '123' })).toMatchObject({
    pan: '4200000000000018',
    expiry: '3112',
    authenticationValue: 'AA==',
    cvv: '123',
  });
  for (const more of [{}, { expiryYear: '2031' }, { expiryMonth: '12' }]) {
    expect(of(more).pan).toBe('4200000000000018');
    for (const name of ['expiry', 'cvv', 'authenticationValue']) expect(of(more)).not.toHaveProperty(name);
  }
});

it('carries no card of another means of payment, and nothing of none', () => {
  const instrument = { kind: 'virtual-account', brand: 'PAYPAL' } as never;
  expect(messageOf({ instrument })).not.toHaveProperty('pan');
  expect(messageOf({ instrument }).entryMode).toBe('e-commerce');
  const { instrument: _, ...withoutInstrument } = REQUEST;
  const message = exchangeRequest(withoutInstrument, 'sale', undefined, '12345');
  for (const name of ['pan', 'entryMode']) expect(message).not.toHaveProperty(name);
});

it('carries a sequence number of three digits, where the card has one, and chip data where there are any', () => {
  const pos = (more: object) => messageOf({ pos: { terminalId: 'T1', entryMode: 'ICC', ...more } as never });
  expect(pos({ panSequenceNumber: '1' }).cardSequence).toBe('001');
  expect(pos({})).not.toHaveProperty('cardSequence');
  for (const more of [{}, { iccData: Buffer.alloc(0) }]) expect(pos(more)).not.toHaveProperty('iccData');
});

it('names the time zone of a merchant, and the terminal alone where the route has no merchant', () => {
  expect(messageOf({ merchant: { ...MERCHANT, timeZone: 'Europe/Berlin' } as never }).timeZone).toBe(
    'Europe/Berlin',
  );
  const { merchant: _, ...withoutMerchant } = REQUEST;
  const pos = { terminalId: 'T1', entryMode: 'MANUAL' } as never;
  const message = exchangeRequest({ ...withoutMerchant, pos }, 'sale', undefined, '12345');
  expect(message.terminalId).toBe('T1');
  expect(message).not.toHaveProperty('merchantId');
  expect(exchangeRequest(withoutMerchant, 'sale', undefined, '12345')).not.toHaveProperty('terminalId');
});

it('takes a category of four digits from the request, and no other', () => {
  const category = (mcc: string) => messageOf({ details: { 'merchant.mcc': mcc } }).merchantCategory;
  expect(['5812', '58123', 'x5812', ''].map(category)).toEqual(['5812', '5411', '5411', '5411']);
});

it('carries the address of the cardholder to the issuer alone', () => {
  const billing = { street: 'Weg 1', postcode: '10115' };
  expect(messageOf({ billing } as never)).toMatchObject({ billingStreet: 'Weg 1', billingPostcode: '10115' });
  expect(messageOf({ billing: { street: 'Weg 1' } } as never)).not.toHaveProperty('billingPostcode');
  expect(messageOf({ billing: { postcode: '1' } } as never)).not.toHaveProperty('billingStreet');
  expect(messageOf({ billing, kind: 'credit' } as never, 'credit')).not.toHaveProperty('billingStreet');
});

it('requests an increment with the card and the terminal of its authorization', () => {
  const increment = exchangeRequest({ ...REQUEST, kind: 'increment' }, 'increment', FOLLOWED, '12345');
  expect(increment).toMatchObject({
    pan: CARD.pan,
    expiry: '3112',
    terminalId: 'T1',
    entryMode: 'stored',
    standing: 'REPEATED,UNSCHEDULED,MIT,INCREMENTAL_AUTH',
    original: { stan: '000001' },
  });
  const capture = exchangeRequest({ ...REQUEST, kind: 'capture' }, 'capture', FOLLOWED, '12345');
  expect(capture).toMatchObject({ entryMode: 'chip', original: { stan: '000001' } });
  expect(capture).not.toHaveProperty('standing');
  // What follows nothing names nothing.
  expect(exchangeRequest(REQUEST, 'sale', FOLLOWED, '12345')).not.toHaveProperty('original');
});
