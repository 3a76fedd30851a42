import { currencyCodes } from '@tillbridge/wire/payment/currency-codes.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import { smallestShown } from '@tillbridge/wire/payment/money.js';
import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { majorUnits, readAmount, readCurrency } from './amounts.js';
import { Fields } from './fields.js';
import { isPartyId } from './header.js';
import { namedKey, readRequest, responseMessage, sentMessage } from './message.js';
import { receiptContent } from './output-text.js';
import { encodePairs, readPairs } from './pairs.js';
import { failure, success } from './response.js';

const HEADER = {
  ProtocolVersion: '3.0',
  MessageClass: 'Service',
  MessageCategory: 'Payment',
  MessageType: 'Request',
  ServiceID: '4711',
  SaleID: 'till-1',
  POIID: '1001',
};
const request = (header: object, body: object = { PaymentRequest: {} }) =>
  readRequest(sentMessage({ SaleToPOIRequest: { MessageHeader: header, ...body } }));

describe('a request of a till', () => {
  it('is read with its header and body', () => {
    const { header, body } = request(HEADER, { PaymentRequest: { SaleData: { OperatorID: 'Ann' } } });
    expect(header).toEqual(HEADER);
    expect(body.object('SaleData').text('OperatorID')).toBe('Ann');
  });

  it.each([
    ['no ServiceID', { ServiceID: undefined }, 'bad-header', 'ServiceID'],
    ['a ServiceID of eleven characters', { ServiceID: '12345678901' }, 'bad-field', 'ServiceID'],
    ['no SaleID', { SaleID: null }, 'bad-field', 'SaleID'],
    ['no POIID', { POIID: '' }, 'bad-field', 'POIID'],
    ['an unknown category', { MessageCategory: 'payment' }, 'bad-field', 'MessageCategory'],
    ['the class of another category', { MessageClass: 'Device' }, 'bad-header', 'Service'],
    ['a response', { MessageType: 'Response' }, 'bad-field', 'MessageType'],
    ['another version', { ProtocolVersion: '2.0' }, 'bad-field', 'ProtocolVersion'],
  ])('is refused with %s', (_what, changes, code, named) => {
    const read = () => request({ ...HEADER, ...changes });
    expect(read).toThrow(expect.objectContaining({ code }));
    expect(read).toThrow(named);
  });

  it('of a device needs no ServiceID; an event is a notification', () => {
    const device = { ...HEADER, MessageClass: 'Device', MessageCategory: 'Display', ServiceID: undefined };
    expect(request(device).header.ServiceID).toBeUndefined();
    const event = { ...HEADER, MessageClass: 'Event', MessageCategory: 'Event', MessageType: 'Notification' };
    expect(request(event).header.MessageCategory).toBe('Event');
  });

  it.each([[undefined], [null], [[]], ['text'], [{}], [{ SaleToPOIResponse: {} }]])('is no %j', (value) => {
    expect(() => sentMessage(value)).toThrow(expect.objectContaining({ code: 'bad-envelope' }));
  });

  it('has the version of the agent where it names none, and only the ids that were sent', () => {
    const { ProtocolVersion: _, ServiceID: __, ...rest } = HEADER;
    const display = { ...rest, MessageClass: 'Device', MessageCategory: 'Display', DeviceID: '77' };
    expect(request(display).header).toStrictEqual({ ...display, ProtocolVersion: '3.0' });
    expect(request(HEADER).header).toStrictEqual(HEADER);
  });

  it('of an event needs a ServiceID, and is a notification', () => {
    const event = { ...HEADER, MessageClass: 'Event', MessageCategory: 'Event' };
    expect(() => request({ ...event, MessageType: 'Request' })).toThrow('MessageType');
    expect(() => request({ ...event, MessageType: 'Notification', ServiceID: undefined })).toThrow(
      'a Event message needs it',
    );
  });

  it('may leave out an object without members', () => {
    expect(request(HEADER, {}).body.get('SaleData')).toBeUndefined();
    expect(request(HEADER, { PaymentRequest: null }).body.path).toBe('PaymentRequest');
  });

  it('is refused with the reason where its outer object is wrong', () => {
    expect(() => sentMessage({})).toThrow('with SaleToPOIRequest: the message.SaleToPOIRequest is missing');
  });

  it('names the key that it is enciphered under, where it is', () => {
    const sent = (more: object) => sentMessage({ SaleToPOIRequest: { MessageHeader: HEADER, ...more } });
    const trailer = { SecurityTrailer: { KeyIdentifier: 'k', KeyVersion: 2 } };
    expect(namedKey(sent(trailer))).toEqual({ identifier: 'k', version: 2 });
    for (const more of [{}, { SecurityTrailer: 5 }])
      expect(namedKey(sent(more))).toEqual({ identifier: undefined, version: undefined });
  });

  it.each([
    ['till-1', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['till 1', true],
    [' till', false],
    ['', false],
    [5, false],
    [undefined, false],
  ])('comes of a party whose id may be %j: %s', (id, isOne) => {
    expect(isPartyId(id)).toBe(isOne);
  });

  it('is answered under its own header', () => {
    expect(responseMessage(request(HEADER), { Response: success() })).toEqual({
      SaleToPOIResponse: {
        MessageHeader: { ...HEADER, MessageType: 'Response' },
        PaymentResponse: { Response: { Result: 'Success' } },
      },
    });
  });

  it('does not read members of the prototype', () => {
    expect(new Fields({}, 'x').get('constructor')).toBeUndefined();
  });
});

describe('amounts', () => {
  const amount = (value: unknown, currency: string) =>
    readAmount(new Fields({ RequestedAmount: value }, 'AmountsReq'), 'RequestedAmount', currency).minor;

  it.each([
    [10.99, 'EUR', 1099],
    [0.01, 'EUR', 1],
    [10.1, 'EUR', 1010],
    [1e3, 'EUR', 100_000],
    [9_999_999_999.99, 'EUR', 999_999_999_999],
    [500, 'JPY', 500],
    [1.25, 'KWD', 1250],
  ])('%d %s are %d minor units', (value, currency, minor) => {
    expect(amount(value, currency)).toBe(minor);
    expect(majorUnits({ minor, currency })).toBe(value);
  });

  it('come back as they went out, in every currency', () => {
    const hundredths = fc.integer({ min: 100, max: 999_999_999_999 });
    fc.assert(
      fc.property(fc.constantFrom(...currencyCodes()), hundredths, (currency, shown) => {
        const units = minorDigits(currency) === 0 ? Math.floor(shown / 100) : shown;
        const minor = units * smallestShown(currency);
        expect(amount(majorUnits({ minor, currency }), currency)).toBe(minor);
      }),
      propertyRuns(100),
    );
  });

  it.each([[0], [-1], ['10.99'], [10.999], [0.1 + 0.2], [1e21], [1e-7], [Number.NaN], [null]])(
    'refuses %j',
    (value) => {
      expect(() => amount(value, 'EUR')).toThrow('AmountsReq.RequestedAmount');
    },
  );

  it('are of a currency of ISO 4217', () => {
    expect(readCurrency(new Fields({ Currency: 'EUR' }, 'AmountsReq'), 'Currency')).toBe('EUR');
    expect(() => readCurrency(new Fields({ Currency: 'XXQ' }, 'AmountsReq'), 'Currency')).toThrow(
      'AmountsReq.Currency must be an ISO 4217 code',
    );
  });

  it.each([
    [0, 'must be above zero'],
    ['10.99', 'must be a number'],
  ])('refuse %j: it %s', (value, rule) => {
    expect(() => amount(value, 'EUR')).toThrow(rule);
  });

  it('refuses decimals of a currency without, and what is no currency', () => {
    expect(() => amount(500.5, 'JPY')).toThrow('JPY has no minor unit');
    expect(() => readCurrency(new Fields({ Currency: 'EURO' }, 'AmountsReq'), 'Currency')).toThrow(
      'Currency',
    );
    expect(() => readCurrency(new Fields({ Currency: 'XXQ' }, 'AmountsReq'), 'Currency')).toThrow('Currency');
  });
});

describe('pairs', () => {
  it('are percent-encoded', () => {
    expect(encodePairs({ message: 'ä & b=c', none: undefined, tid: '1' })).toBe(
      'message=%C3%A4%20%26%20b%3Dc&tid=1',
    );
    expect(failure('Busy', 'wait & see', { serviceId: '1' })).toEqual({
      Result: 'Failure',
      ErrorCondition: 'Busy',
      AdditionalResponse: 'message=wait%20%26%20see&serviceId=1',
    });
  });

  it('are read as pairs and as JSON in base64', () => {
    expect(readPairs('currency=EUR&tenderOption=a%2Cb').get('tenderOption')).toBe('a,b');
    const json = Buffer.from('{"currency":"USD","nested":{}}').toString('base64');
    expect([...readPairs(json)]).toEqual([['currency', 'USD']]);
    expect(readPairs('%E0%A4%A=1&x').get('x')).toBe('');
    expect(readPairs(`currency=${'x'.repeat(5_000)}`).size).toBe(0);
  });

  it('stand in the lines of a receipt', () => {
    const { OutputText } = receiptContent([{ key: 'total', name: 'Total', value: '€ 1.00', bold: true }]);
    expect(OutputText).toEqual([
      { Text: 'key=total&name=Total&value=%E2%82%AC%201.00', CharacterStyle: 'Bold', EndOfLineFlag: true },
    ]);
  });
});
