import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnswerBody,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import {
  encipheredTrack2,
  exampleIccData,
  magstripeWithoutPin,
  track2Of,
} from '../../security/module/card-example.test.support.js';
import { overTime } from '../payments/harness-clock.test.support.js';
import { ENTITY, MASTERCARD_DECLINED } from '../payments/payment-harness.test.support.js';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

const names = (body: AnswerBody): string[] => body.result.parameterErrors.map((error) => error.name).sort();

describe('POST /v1/payments', () => {
  it('answers a payment as the specification has it', async () => {
    const { status, body } = await harness.post('/v1/payments', {
      ...CARD,
      merchantTransactionId: 'order-0001',
      descriptor: 'Größe 42',
      transactionCategory: '',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      paymentType: 'PA',
      paymentBrand: 'VISA',
      amount: '12.34',
      currency: 'EUR',
      merchantTransactionId: 'order-0001',
      descriptor: 'Größe 42',
      card: {
        bin: '420000',
        last4Digits: '0000',
        holder: 'Jane Jones',
        expiryMonth: '12',
        expiryYear: '2031',
      },
      resultDetails: { AcquirerResponse: '00' },
      result: { code: '000.100.110' },
      buildNumber: 'test',
      timestamp: '2026-11-20 12:00:00+0000',
    });
    expect(body.result.description).toMatch(/^Request successfully processed/);
    expect(body.id).toMatch(/^[0-9a-f]{32}$/);
    expect(body.ndc).toMatch(/^[A-Za-z0-9-]{1,69}$/);
    expect(body.ndc).not.toContain('a'.repeat(32));
    expect(body).not.toHaveProperty('transactionCategory');
    expect(JSON.stringify(body)).not.toMatch(/4200000000000000|"123"/);
  });

  it('refuses an empty value where its row demands characters, naming each', async () => {
    const empty = { 'card.holder': '', descriptor: '', 'bankAccount.bic': '', testMode: '' };
    const { status, body } = await harness.post('/v1/payments', { ...CARD, ...empty });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(names(body)).toEqual(['bankAccount.bic', 'card.holder', 'descriptor', 'testMode']);
    expect(body.result.parameterErrors).toContainEqual({
      name: 'card.holder',
      value: '',
      message: 'may not be empty: must have 3 to 128 characters, has 0, or leave it out',
    });
  });

  it('takes the same as absent of an older client', async () => {
    const entity = await harness.store.get('entities', [ENTITY]);
    if (!entity) throw new Error('no entity');
    const row = { ...entity, compatibility: 'legacy' } as const;
    await harness.store.commit([{ op: 'update', table: 'entities', row }]);
    const empty = { 'card.holder': '', descriptor: '', 'bankAccount.bic': '', testMode: '' };
    const { status, body } = await harness.post('/v1/payments', { ...CARD, ...empty });
    expect(status).toBe(200);
    expect(body.card).not.toHaveProperty('holder');
  });

  it('detects the brand where none is sent', async () => {
    const { paymentBrand: _, ...form } = CARD;
    expect((await harness.post('/v1/payments', form)).body.paymentBrand).toBe('VISA');
  });

  it('answers a decline of the acquirer with 400 and its code, and keeps it', async () => {
    const form = { ...CARD, paymentBrand: 'MASTER', 'card.number': MASTERCARD_DECLINED };
    const { status, body } = await harness.post('/v1/payments', form);
    expect(status).toBe(400);
    expect(body.result.code).toBe('800.100.203');
    const read = await harness.get(`/v1/payments/${body.id}?entityId=${'a'.repeat(32)}`);
    expect(read).toMatchObject({ status: 200, body: { id: body.id, result: { code: '800.100.203' } } });
  });

  it('answers a wrong check digit with its own code, not as a parameter error', async () => {
    const { status, body } = await harness.post('/v1/payments', {
      ...CARD,
      'card.number': '4200000000000001',
    });
    expect(status).toBe(400);
    expect(body.result).toEqual({
      code: '100.100.101',
      description: 'invalid creditcard, bank account number or bank name',
    });
    expect(body.id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('names all wrong and missing parameters at once, and shows no card number', async () => {
    const { status, body } = await harness.send('POST', '/v1/payments', {
      body: 'entityID=x&amount=1.2&paymentType=RF&card.number=42000000000000ab&card.expiryMonth=12&colour=red',
    });
    expect(status).toBe(400);
    expect(body.result).toMatchObject({ code: '200.300.404', description: 'invalid or missing parameter' });
    expect(names(body)).toEqual(
      [
        'amount',
        'card.expiryYear',
        'card.number',
        'colour',
        'currency',
        'entityID',
        'entityId',
        'paymentType',
      ].sort(),
    );
    expect(body).not.toHaveProperty('id');
    expect(JSON.stringify(body)).not.toContain('42000000000000ab');
    expect(JSON.stringify(body)).toContain('must be one of [PA, DB, CD, PA.CP]');
  });

  it.each([
    [{ 'pos.terminalId': '1' }, ['pos.entryMode']],
    [{ 'overridePaymentType[VISA]': 'DB' }, ['overridePaymentType[VISA]']],
    [{ 'customer.givenname': 'Jane' }, ['customer.givenname']],
    [{ 'customer.givenName': 'Jane' }, ['customer.surname']],
    [{ 'billing.houseNumber2': '1' }, ['billing.houseNumber1']],
    [{ 'customParameters[forceResultCode]': '1.2.3' }, ['customParameters[forceResultCode]']],
    [{ 'customParameters[forceResultCode]': '000.200.000' }, ['customParameters[forceResultCode]']],
  ] as [Record<string, string>, string[]][])('refuses %j, naming %j', async (more, expected) => {
    const { status, body } = await harness.post('/v1/payments', { ...CARD, ...more });
    expect(status).toBe(400);
    expect(names(body)).toEqual(expected);
    expect(harness.line.sent).toEqual([]);
  });

  it.each([
    [{ amount: '1.50', currency: 'JPY' }, '100.550.303'],
    [{ currency: 'XQZ' }, '100.550.401'],
    [{ amount: '0.00' }, '100.550.300'],
    [{ 'card.expiryYear': '2020' }, '100.100.303'],
    [{ 'billing.country': 'XQ' }, '100.800.501'],
    [{ testMode: 'EXTERNAL' }, '600.200.700'],
    [{ 'pos.terminalId': '1', 'pos.entryMode': 'ICC', 'pos.iccDataRequest': 'ABC' }, '800.100.156'],
    [{ 'pos.terminalId': '1', 'pos.entryMode': 'ICC', 'pos.encryptedPin.data': 'AB' }, '800.100.156'],
    [{ 'customParameters[forceResultCode]': '800.100.151' }, '800.100.151'],
    [{ 'card.holder': '800.100.153' }, '800.100.153'],
  ] as [Record<string, string>, string][])('answers %j with %s, and sends no request', async (more, code) => {
    const sent = harness.post('/v1/payments', { ...CARD, ...more });
    const { status, body } = await overTime(harness.clock, sent);
    expect(status).toBe(400);
    expect(body).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{32}$/), result: { code } });
    expect(body.result).not.toHaveProperty('parameterErrors');
    expect(harness.line.sent).toEqual([]);
    const read = await harness.get(`/v1/payments/${body.id}`);
    expect(read.body).toEqual({ ...body, ndc: expect.any(String) });
  });

  it('approves with the code that a test requests, and repeats what was sent', async () => {
    const { status, body } = await harness.post('/v1/payments', {
      ...CARD,
      paymentType: 'PA.CP',
      'customParameters[forceResultCode]': '000.100.112',
      'cart.items[0].name': 'Tee',
      'billing.street1': 'Hauptstraße',
      'billing.postcode': '00000',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      paymentType: 'PA.CP',
      result: { code: '000.100.112', avsResponse: 'A', cvvResponse: 'M' },
      customParameters: { forceResultCode: '000.100.112' },
      cart: { items: [{ name: 'Tee' }] },
      billing: { street1: 'Hauptstraße', postcode: '00000' },
      brandResult: 'VISA',
      card: { last4Digits: '0000', type: 'CREDIT', issuer: { bank: 'Tillbridge Test Bank' } },
    });
    expect(body.resultDetails.ConnectorTxID2).toMatch(/^[0-9a-f]{32}$/);
    expect(body.risk).toEqual({ score: '20' });
  });

  it('takes a holder that looks like an approval for a name', async () => {
    const { body } = await harness.post('/v1/payments', { ...CARD, 'card.holder': '000.100.112' });
    expect(body.result.code).toBe('000.100.110');
  });

  it.each([{ 'pos.deviceType': 'OTHER' }, { 'pos.deviceType': 'default' }])(
    'takes the name of a terminal model alone: %j',
    async (more: Record<string, string>) => {
      const { data, ksn } = encipheredTrack2(track2Of(CARD['card.number'], '1234'));
      const { status, body } = await harness.post('/v1/payments', {
        amount: '12.34',
        currency: 'EUR',
        paymentType: 'DB',
        'pos.terminalId': '1',
        'pos.entryMode': 'MAGSTRIPE',
        'pos.encryptedSred.data': Buffer.from(data).toString('hex'),
        'pos.encryptedSred.ksn': Buffer.from(ksn).toString('hex'),
        ...more,
      });
      expect(status).toBe(400);
      expect(names(body)).toEqual(['pos.deviceType']);
    },
  );

  it('takes a terminal’s sale and gives the card its answer', async () => {
    const iccData = exampleIccData({ scheme: 'visa', pan: CARD['card.number'] });
    const { data, ksn } = encipheredTrack2(track2Of(CARD['card.number'], '1234'));
    const { status, body } = await harness.post('/v1/payments', {
      amount: '12.34',
      currency: 'EUR',
      paymentType: 'DB',
      'pos.terminalId': '1',
      'pos.entryMode': 'ICC',
      'pos.deviceType': 'GERTEC_PPC930',
      'pos.panSequenceNumber': '01',
      'pos.transactionSource': 'POS',
      'pos.iccDataRequest': iccData.toString('hex'),
      'pos.encryptedSred.data': Buffer.from(data).toString('hex'),
      'pos.encryptedSred.ksn': Buffer.from(ksn).toString('hex'),
    });
    expect(status).toBe(200);
    expect(body.pos).toMatchObject({
      iccDataResponse: expect.stringMatching(/^91/),
      entryMode: 'ICC',
      merchantId: 'a'.repeat(32),
      statusText: 'APPROVED',
      timestamp: '2026-11-20 12:00:00',
      clearing: { authorizationIssuerCode: '00', identifier: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    expect(body.pos).not.toHaveProperty('encryptedSred');
    expect(body.card.last4Digits).toBe('0000');
  });

  it('deciphers as the device does, whether its type is sent or not, and refuses another', async () => {
    const answerTo = async (more: Record<string, string>): Promise<string> => {
      const sred = encipheredTrack2(magstripeWithoutPin(CARD['card.number']));
      const sent = harness.post('/v1/payments', {
        amount: '12.34',
        currency: 'EUR',
        paymentType: 'DB',
        'pos.terminalId': '1',
        'pos.entryMode': 'MAGSTRIPE',
        'pos.encryptedSred.data': Buffer.from(sred.data).toString('hex'),
        'pos.encryptedSred.ksn': Buffer.from(sred.ksn).toString('hex'),
        ...more,
      });
      return (await overTime(harness.clock, sent)).body.result.code;
    };
    expect(await answerTo({})).toBe('000.100.110');
    expect(await answerTo({ 'pos.deviceType': 'GERTEC_PPC930' })).toBe('000.100.110');
    expect(await answerTo({ 'pos.deviceType': 'MIURA_M020' })).toBe('800.100.156');
  });

  it('is pending while the acquirer is silent', async () => {
    harness.line.cut = true;
    const { status, body } = await harness.post('/v1/payments', CARD);
    expect(status).toBe(200);
    expect(body.result.code).toBe('000.200.001');
    harness.line.cut = false;
    await harness.service.resolveOpen();
    expect((await harness.get(`/v1/payments/${body.id}`)).body.result.code).toBe('900.100.301');
  });

  it('stays unknown for the time that a test requests, then approved', async () => {
    const form = { ...CARD, 'customParameters[unknownForSeconds]': '30' };
    const { status, body } = await harness.post('/v1/payments', form);
    expect(status).toBe(200);
    expect(body.result.code).toBe('000.200.001');
    await harness.clock.advance(29_999);
    expect((await harness.get(`/v1/payments/${body.id}`)).body.result.code).toBe('000.200.001');
    await harness.clock.advance(1);
    // A client that reads it then gets the outcome, whenever the resolver would look again.
    expect((await harness.get(`/v1/payments/${body.id}`)).body.result.code).toBe('000.100.110');
    const wrong = await harness.post('/v1/payments', {
      ...form,
      'customParameters[unknownForSeconds]': '301',
    });
    expect(names(wrong.body)).toEqual(['customParameters[unknownForSeconds]']);
  });

  it('takes a means of payment that it cannot pay with yet for right, and refuses it', async () => {
    const { status, body } = await harness.post('/v1/payments', {
      amount: '1.00',
      currency: 'EUR',
      paymentType: 'DB',
      paymentBrand: 'ACTIVATION_CARD',
      'giftCard.message': 'thank you',
    });
    expect(status).toBe(400);
    expect(body.result.code).toBe('600.200.200');
  });

  it.each([
    ['VISAELECTRON', '4917300800000000'],
    ['VPAY', '4822000000000000003'],
    ['CARTEBLEUE', '5555555555554444'],
    ['DANKORT', '5019717010103742'],
    ['HIPERCARD', '6062825624254001'],
  ])('approves the test card of %s', async (paymentBrand, number) => {
    const { body } = await harness.post('/v1/payments', { ...CARD, paymentBrand, 'card.number': number });
    expect(body).toMatchObject({ paymentBrand, result: { code: '000.100.110' } });
  });

  it('answers an empty id in the path like a payment without a reference', async () => {
    const { status, body } = await harness.post('/v1/payments/', { paymentType: 'RV' });
    expect(status).toBe(400);
    expect(body.result.description).toBe('invalid or missing parameter');
  });
});
