import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { OTHER_ENTITY } from '../payments/payment-harness.test.support.js';
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
    ['the proof of another server', { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'x' }],
    ['a payment of the merchant', { 'standingInstruction.source': 'MIT' }],
    ['a terminal', { 'pos.terminalId': '1' }],
  ])('is none for %s', (_what, more) => expect(of(more)).toBeUndefined());

  it.each([
    { 'threeDSecure.eci': '05' },
    { 'threeDSecure.eci': '05', 'threeDSecure.authenticationStatus': 'Y' },
    { 'threeDSecure.verificationId': 'x' },
    { 'threeDSecure.dsTransactionId': 'x' },
  ])('is not done by a part of a proof: %o', (more) => expect(of(more)).toEqual({ version: 2 }));

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

  const PROOF = {
    'threeDSecure.eci': '05',
    'threeDSecure.verificationId': 'AAECAwQFBgcICQoLDA0ODxAREhM=',
    'threeDSecure.authenticationStatus': 'Y',
  };
  const NEEDED = [...BILLING, ...BROWSER, 'shopperResultUrl'];

  it('is proved by an ECI with its value, and by no part of them', async () => {
    expect(await missing(PROOF)).toEqual([]);
    expect(harness.line.sent).toMatchObject([{ authentication: { eci: '05', status: 'Y' } }]);
    for (const part of Object.keys(PROOF))
      expect(await missing({ [part]: PROOF[part as keyof typeof PROOF] }), part).toEqual(NEEDED);
  });

  it('repeats its answer under one key, and needs another proof under another', async () => {
    active = false;
    const pay = async (key: string) => {
      const body = new URLSearchParams({ entityId: ENTITY, ...CARD, ...PROOF }).toString();
      return harness.send('POST', '/v1/payments', { body, headers: { 'idempotency-key': key } });
    };
    const first = await pay('order-1');
    expect(first.body.result.code).toBe('000.100.110');
    expect((await pay('order-1')).body).toEqual(first.body);
    const second = await pay('order-2');
    expect([second.status, second.body.result.code]).toEqual([400, '800.400.200']);
    expect(harness.line.sent).toHaveLength(1);
  });

  it('is checked for the number on the card that a wallet gives, and is not forwarded with terminal data', async () => {
    active = false;
    const wallet = { ...PROOF, 'walletB.source': 'web', 'card.numberType': 'PAN' };
    const codes = async (form: Readonly<Record<string, string>>) =>
      (await harness.post('/v1/payments', { ...CARD, ...form })).body.result.code;
    expect(await codes({ ...wallet, 'threeDSecure.authenticationStatus': 'N' })).toBe('100.390.109');
    expect(await codes(wallet)).toBe('000.100.110');
    expect(await codes(wallet)).toBe('800.400.200');
    await codes({ ...PROOF, 'pos.entryMode': 'MANUAL', 'pos.terminalId': '1' });
    expect(harness.line.sent.at(-1)).not.toHaveProperty('authentication');
  });

  it('reveals to no stranger whether it is active', async () => {
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
    expect(await missing({ 'threeDSecure.disable': 'true' })).toEqual([]);
    expect(await missing({ 'threeDSecure.eci': '' })).toContain('threeDSecure.eci');
    active = false;
    expect(await missing(installment)).toEqual([]);
    expect(harness.line.sent).toHaveLength(3);
  });
});
