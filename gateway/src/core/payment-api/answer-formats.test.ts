import { afterAll, beforeAll, expect, it } from 'vitest';
import { CARD, type HttpHarness, openHttpHarness } from '../../app/http/http-harness.test.support.js';
import { RESPONSE_FIELDS } from '../../kernel/api/catalogue/response.js';
import { formatError } from '../../kernel/api/format-error.js';
import {
  encipheredTrack2,
  exampleIccData,
  track2Of,
} from '../../security/module/card-example.test.support.js';
import { MASTERCARD_DECLINED } from '../payments/payment-harness.test.support.js';

let harness: HttpHarness;
beforeAll(async () => {
  harness = await openHttpHarness();
});
afterAll(() => harness.dispose());

const FORMATS = new Map(RESPONSE_FIELDS.map(({ name, format }) => [name, format]));

/** Names with dots, and the texts under them. */
function flat(value: unknown, name = ''): [name: string, text: string][] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) throw new Error(`${name} is no text`);
  return Object.entries(value).flatMap(([key, member]) => flat(member, name === '' ? key : `${name}.${key}`));
}

/** What of an answer breaks its format, and which fields of the table it has. */
function checked(body: unknown): { wrong: string[]; seen: string[] } {
  const wrong: string[] = [];
  const seen: string[] = [];
  for (const [name, text] of flat(body)) {
    const map = name.startsWith('resultDetails.') ? 'resultDetails[key]' : name;
    const format = FORMATS.get(name) ?? FORMATS.get(map);
    if (!format) continue;
    seen.push(name);
    const error = formatError(text, format);
    if (error !== undefined) wrong.push(`${name}=${text}: ${error}`);
  }
  return { wrong, seen };
}

it('keeps every field of an approval to its format', async () => {
  const { body } = await harness.post('/v1/payments', {
    ...CARD,
    'merchant.name': 'Shop',
    'billing.street1': 'High Street',
    'billing.postcode': '12345',
  });
  const { wrong, seen } = checked(body);
  expect(wrong).toEqual([]);
  expect(body.descriptor).toBe('Shop');
  expect(seen).toEqual(
    expect.arrayContaining([
      ...RESPONSE_FIELDS.filter((field) => field.always).map((field) => field.name),
      'descriptor',
      'result.avsResponse',
      'result.cvvResponse',
      'resultDetails.AuthCode',
      'card.issuer.bank',
      'card.level',
      'card.regulatedFlag',
      'brandResult',
    ]),
  );
});

it('shows no amount where the request had none', async () => {
  const { status, body } = await harness.post('/v1/payments', { ...CARD, amount: '0' });
  expect(status).toBe(400);
  expect(checked(body).wrong).toEqual([]);
  expect(body).not.toHaveProperty('amount');
});

it('has an answer for every field of the table, but for redirects and 3D Secure', async () => {
  const { body } = await harness.post('/v1/payments', {
    ...CARD,
    paymentType: 'PA.CP',
    createRegistration: 'true',
    'card.number': '5105105105105100',
    paymentBrand: 'MASTER',
    'billing.street1': 'High Street',
    'customParameters[abc]': '1',
  });
  const declined = await harness.post('/v1/payments', { ...CARD, 'card.number': '4200000000000117' });
  const seen = new Set([...checked(body).seen, ...checked(declined.body).seen]);
  const inMaps = ['resultDetails[key]', 'customParameters[key]'];
  // Tests of card-present, asynchronous and authenticated payments have these.
  const elsewhere = ['pos.', 'redirect.', 'threeDSecure.'];
  const expected = RESPONSE_FIELDS.map(({ name }) => name).filter(
    (name) => !elsewhere.some((start) => name.startsWith(start)) && !inMaps.includes(name),
  );
  expect(expected.filter((name) => !seen.has(name))).toEqual([]);
  expect(body.registrationId).toMatch(/^[0-9a-f]{32}$/);
});

it('keeps every field of a decline and of a follow-up to its format', async () => {
  const form = { ...CARD, paymentBrand: 'MASTER', 'card.number': MASTERCARD_DECLINED };
  const declined = (await harness.post('/v1/payments', form)).body;
  expect(checked(declined).wrong).toEqual([]);
  expect(declined.resultDetails).toMatchObject({ AcquirerResponse: '51', MerchantAdviceCode: '02' });
  expect(declined).not.toHaveProperty('descriptor');
  const payment = (await harness.post('/v1/payments', CARD)).body.id;
  const capture = { paymentType: 'CP', amount: '1', currency: 'EUR' };
  const { body } = await harness.post(`/v1/payments/${payment}`, capture);
  expect(checked(body).wrong).toEqual([]);
  expect(body).toMatchObject({ amount: '1.00', descriptor: expect.stringMatching(/^\d{4}\.\d{4}\.\d{4} /) });
});

it('keeps every field of a terminal’s answer to its format', async () => {
  const iccData = exampleIccData({ scheme: 'visa', pan: CARD['card.number'] });
  const { data, ksn } = encipheredTrack2(track2Of(CARD['card.number'], '1234'));
  const { body } = await harness.post('/v1/payments', {
    amount: '12.34',
    currency: 'EUR',
    paymentType: 'DB',
    'pos.terminalId': '1',
    'pos.entryMode': 'ICC',
    'pos.deviceType': 'GERTEC_PPC930',
    'pos.panSequenceNumber': '01',
    'pos.iccDataRequest': iccData.toString('hex'),
    'pos.encryptedSred.data': Buffer.from(data).toString('hex'),
    'pos.encryptedSred.ksn': Buffer.from(ksn).toString('hex'),
  });
  const { wrong, seen } = checked(body);
  expect(wrong).toEqual([]);
  expect(seen).toEqual(
    expect.arrayContaining(RESPONSE_FIELDS.map(({ name }) => name).filter((name) => name.startsWith('pos.'))),
  );
});
