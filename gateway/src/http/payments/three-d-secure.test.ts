import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OTHER_ENTITY } from '../../payments/payment-harness.test.support.js';
import { addToken, CARD, type HttpHarness, openHttpHarness } from '../http-harness.test.support.js';
import { threeDSecureOf } from './three-d-secure.js';

const ENTITY = 'a'.repeat(32);

describe('threeDSecureOf', () => {
  const of = (more: Readonly<Record<string, string>> = {}, without: readonly string[] = []) =>
    threeDSecureOf(new Map(Object.entries({ ...CARD, ...more }).filter(([name]) => !without.includes(name))));

  it.each(['PA', 'DB', 'PA.CP'])('is version 2 for a card typed in with %s', (paymentType) => {
    expect(of({ paymentType })).toEqual({ version: 2 });
  });

  it.each([{ 'threeDSecure.deviceInfo': 'x' }, { 'customer.app.deviceId': 'x' }])(
    'begins in an app with %o',
    (more) => expect(of(more)).toEqual({ version: 2, appBased: true }),
  );

  it.each([
    ['a credit', { paymentType: 'CD' }],
    ['a request that bypasses it', { 'threeDSecure.disable': 'true' }],
    ['the proof of another server', { 'threeDSecure.eci': '05' }],
    ['its verification id alone', { 'threeDSecure.verificationId': 'x' }],
    ['a payment of the merchant', { 'standingInstruction.source': 'MIT' }],
    ['a terminal', { 'pos.terminalId': '1' }],
  ])('is none for %s', (_what, more) => expect(of(more)).toBeUndefined());

  it('is none without a card, and stays where it is not bypassed', () => {
    expect(of({}, ['card.number'])).toBeUndefined();
    expect(of({ 'threeDSecure.disable': 'false' })).toEqual({ version: 2 });
  });
});

describe('a payment of an entity', () => {
  let harness: HttpHarness;
  let active = true;
  beforeEach(async () => {
    active = true;
    harness = await openHttpHarness(undefined, {
      threeDSecureActive: async (entityId) => active && entityId === ENTITY,
    });
  });
  afterEach(() => harness.dispose());

  const BROWSER = [
    'acceptHeader',
    'javaEnabled',
    'language',
    'screenHeight',
    'screenWidth',
    'timezone',
    'userAgent',
  ].map((name) => `customer.browser.${name}`);
  const BILLING = ['city', 'country', 'postcode', 'street1'].map((name) => `billing.${name}`);
  const missing = async (more: Readonly<Record<string, string>> = {}): Promise<string[]> => {
    const { body } = await harness.post('/v1/payments', { ...CARD, ...more });
    const { parameterErrors = [] } = body.result;
    return parameterErrors.map(({ name }) => name).sort();
  };

  it('names every field that 3D Secure v2 needs, where it is active', async () => {
    expect(await missing()).toEqual([...BILLING, ...BROWSER, 'shopperResultUrl']);
    expect(await missing({ 'threeDSecure.deviceInfo': 'x' })).toEqual([
      ...BILLING,
      'threeDSecure.deviceInfo',
    ]);
    expect(await missing({ 'threeDSecure.threeRIInd': 'RECURRING' })).toEqual(BILLING);
    const installment = { 'standingInstruction.type': 'INSTALLMENT' };
    expect(await missing(installment)).toContain('standingInstruction.numberOfInstallments');
    expect(await missing({ paymentBrand: 'CARTEBANCAIRE' })).toContain('threeDSecure.schemeData[CB-USECASE]');
    expect(harness.line.sent).toEqual([]);
  });

  it('tells nobody else whether it is active', async () => {
    await addToken(harness.store, 'tb_stranger', ['pay'], {
      entityId: OTHER_ENTITY,
      merchantId: OTHER_ENTITY,
    });
    const codeFor = async (entityId: string) => {
      const body = new URLSearchParams({ ...CARD, entityId }).toString();
      const answer = await harness.send('POST', '/v1/payments', {
        body,
        authorization: 'Bearer tb_stranger',
      });
      return [answer.status, answer.body.result.code];
    };
    expect(await codeFor(ENTITY)).toEqual(await codeFor('f'.repeat(32)));
  });

  it('needs none of them where it is bypassed, or not active', async () => {
    const installment = { 'standingInstruction.type': 'INSTALLMENT' };
    expect(await missing({ ...installment, 'threeDSecure.disable': 'true' })).toEqual([]);
    expect(await missing({ 'threeDSecure.eci': '', 'threeDSecure.disable': 'true' })).toEqual([]);
    expect(await missing({ 'threeDSecure.eci': '' })).toContain('shopperResultUrl');
    active = false;
    expect(await missing(installment)).toEqual([]);
    expect(harness.line.sent).toHaveLength(3);
  });
});
