import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentErrors } from '../content.js';
import { MAX_PARAMETERS, MAX_REPORTED_ERRORS } from '../validate.js';
import { checkRequest, rowsOf } from './check-request.js';

const CARD_PAYMENT: readonly (readonly [string, string])[] = [
  ['entityId', '8a8294174b7ecb28014b9699220015ca'],
  ['amount', '92.00'],
  ['currency', 'EUR'],
  ['paymentType', 'DB'],
  ['card.number', '4200000000000000'],
  ['card.expiryMonth', '12'],
  ['card.expiryYear', '2034'],
];

describe('checkRequest', () => {
  it('bears anything without throwing, and contents after it', () => {
    const names = rowsOf('payment').map((row) => row.name.replaceAll('[n]', '[0]').replace('[key]', '[abc]'));
    const name = fc.oneof(fc.constantFrom(...names), fc.string({ unit: 'binary', maxLength: 40 }));
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom(...'0123456789.') }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 20 }), (sent) => {
        const checked = checkRequest(sent, { operation: 'payment', threeDSecure: { version: 2 } });
        expect(checked.errors.every((error) => error.message.length > 0)).toBe(true);
        expect(contentErrors(checked, Date.UTC(2026, 10, 20))).toBeInstanceOf(Array);
      }),
      { numRuns: 150, seed: 3 },
    );
  });

  it('lists no more errors than an answer may hold, and stays quick with unknown names', () => {
    const unknown = Array.from({ length: MAX_PARAMETERS }, (_, at): [string, string] => [
      `card.numbe${at}`,
      'x',
    ]);
    const { errors } = checkRequest(unknown, { operation: 'payment' });
    expect(errors.length).toBeLessThan(MAX_REPORTED_ERRORS + 20);
    expect(errors[0]?.message).toContain('card.number');
    expect(errors.at(300)?.message).toBe('is not an allowed parameter');
  });

  it('refuses an older client by default', () => {
    const sent: [string, string][] = [
      ...CARD_PAYMENT.map(([name, value]): [string, string] => [name, value]),
    ];
    sent.push(['createRegistration', '1'], ['merchantInvoiceId', '1'], ['threeDSecure.xid', 'x']);
    const names = checkRequest(sent, { operation: 'payment' }).errors.map((error) => error.name);
    expect(names).toEqual(['createRegistration', 'merchantInvoiceId', 'threeDSecure.xid']);
  });

  it('takes what an older client sends where the entity allows it', () => {
    const sent: [string, string][] = [
      ...CARD_PAYMENT.filter(([name]) => name !== 'entityId' && name !== 'card.number').map(
        ([name, value]): [string, string] => [name, value],
      ),
      ['authentication.entityId', '8a8294174b7ecb28014b9699220015ca'],
      ['authentication.userId', 'user'],
      ['authentication.password', 'secret'],
      ['card.number', '4200000000000000 '],
      ['createRegistration', '1'],
      ['merchantInvoiceId', '1'],
      ['merchantTransactionId', 'a b'],
      ['customer.givenName', 'Longbob'],
      ['customer.surname', 'Longsen'],
      ['customer.phone', '(?!?)555-5555'],
      ['shipping.city', 'Ottawa 2'],
      ['threeDSecure.challengeIndicator', '4'],
    ];
    const { values, errors } = checkRequest(sent, { operation: 'payment', compatibility: 'legacy' });
    expect(errors).toEqual([]);
    expect(values.get('entityId')).toBe('8a8294174b7ecb28014b9699220015ca');
    expect(values.get('card.number')).toBe('4200000000000000');
    expect(values.get('createRegistration')).toBe('true');
  });

  it('keeps the rules for an older client', () => {
    const sent: [string, string][] = [
      ['authentication.entityId', 'x'],
      ['entityID', 'y'],
      ['applePay.paymentToken', '{}'],
    ];
    const { errors, sent: known } = checkRequest(sent, { operation: 'payment', compatibility: 'legacy' });
    expect(errors.map((error) => error.name)).toEqual(
      expect.arrayContaining(['entityId', 'entityID', 'amount', 'currency', 'paymentType']),
    );
    expect(known.has('walletA.paymentToken')).toBe(true);
  });
});
