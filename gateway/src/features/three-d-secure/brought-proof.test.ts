import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { makeCavv } from '@tillbridge/wire/three-d-secure/cavv.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AcquirerAuthentication } from '../../core/acquirers/authentication.js';
import {
  ENTITY,
  NOW_MS,
  OTHER_ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
} from '../../core/payments/payment-harness.test.support.js';
import type { PaymentRequest } from '../../core/payments/rules/requests.js';
import { verificationResultsOf } from '../../core/payments/rules/verification-results.js';
import { aboutOf, proofPrint } from './brought-proof.js';

const CHANNEL = 'c'.repeat(32);
const DS_TRANS_ID = '5d0a3f60-8e11-4c5f-b6a7-18f9e0d1c2b3';
const PAN = '4200000000000026';
const MASTER = '5454545454545454';
const AMOUNT = { minor: 1_234, currency: 'EUR' };
/** A value that the simulated issuer made, and one of another issuer. */
const VALUE = makeCavv(developmentKey('cavvKey'), 'authenticated', {
  pan: PAN,
  dsTransId: DS_TRANS_ID,
  amount: AMOUNT,
});
const FOREIGN = 'AAECAwQFBgcICQoLDA0ODxAREhM=';
const PROOF: AcquirerAuthentication = {
  amount: AMOUNT,
  eci: '05',
  verificationId: VALUE,
  dsTransactionId: DS_TRANS_ID,
};

let harness: PaymentHarness;
beforeEach(async () => {
  harness = await openPaymentHarness();
  const { store } = harness;
  const merchant = await store.get('entities', [ENTITY]);
  if (!merchant) throw new Error('no merchant');
  const row = { ...merchant, id: CHANNEL, kind: 'channel', parentId: ENTITY, version: 1 } as const;
  await store.commit([{ op: 'insert', table: 'entities', row }]);
});
afterEach(() => harness.dispose());

/** What a payment comes to, and whether the issuer got a request for it. */
async function pay(
  authentication: AcquirerAuthentication | undefined,
  {
    number = PAN,
    entityId = ENTITY,
    ...more
  }: Partial<PaymentRequest> & { number?: string; entityId?: string } = {},
) {
  const { service, store } = harness;
  const { paymentId = '', resultCode } = await service.authorize(
    restPayment({
      origin: { kind: 'rest', entityId },
      card: { number, expiryMonth: '12', expiryYear: '2031', cvv: '123' },
      amount: AMOUNT,
      ...(authentication && { authentication }),
      ...more,
    }),
  );
  const row = await store.get('payments', [paymentId]);
  const why = row && verificationResultsOf(row).extendedDescription;
  return {
    resultCode,
    responseCode: row?.responseCode,
    reachedAcquirer: row?.acquirerReference !== null,
    ...(why !== undefined && { why }),
  };
}
const codeOf = async (...payment: Parameters<typeof pay>) => (await pay(...payment)).resultCode;
/** What the issuer received in the last request. */
const received = () => {
  const sent = harness.line.sent.at(-1);
  return sent && 'authentication' in sent ? sent.authentication : undefined;
};

const OK = '000.100.110';
const USED = '800.400.200';
const APPROVED = { resultCode: OK, responseCode: '00', reachedAcquirer: true };

describe('the value of an authentication that was made here', () => {
  beforeEach(async () => {
    const { fingerprint } = harness.context;
    const threeDSecure = { eci: '05', authenticationStatus: 'Y', dsTransactionId: DS_TRANS_ID };
    const row = {
      id: 'e'.repeat(32),
      transId: 'e1',
      entityId: ENTITY,
      kind: 'stand-alone',
      state: 'done',
      compInd: null,
      resultCode: '000.400.110',
      answer: JSON.stringify({ threeDSecure, about: aboutOf(fingerprint, PAN, AMOUNT) }),
      shopperResultUrl: null,
      proof: proofPrint(fingerprint, VALUE),
      sealed: null,
      keyId: null,
      createdAtMs: NOW_MS,
      version: 1,
    } as const;
    await harness.store.commit([{ op: 'insert', table: 'authentications', row }]);
  });

  const REFUSED = { resultCode: '800.100.158', responseCode: '63', reachedAcquirer: true };
  /** A value of the same issuer that was given to no one. */
  const GUESS = Buffer.concat([Buffer.from(VALUE, 'base64').subarray(0, 4), Buffer.alloc(16, 7)]).toString(
    'base64',
  );

  it.each([ENTITY, CHANNEL])('proves a payment of the merchant, or of a channel: %s', async (entityId) => {
    expect(await pay(PROOF, { entityId })).toEqual(APPROVED);
  });

  it.each([
    ['that its issuer authenticates', PAN],
    ['that no issuer knows', '4200000000000000'],
  ])(
    'proves nothing for another merchant, who is answered as one that guesses: a card %s',
    async (_card, number) => {
      const guessed = await pay({ ...PROOF, verificationId: GUESS }, { entityId: OTHER_ENTITY, number });
      expect(guessed).toEqual(REFUSED);
      expect(await pay(PROOF, { entityId: OTHER_ENTITY, number })).toEqual(guessed);
      expect(received()?.verificationId).toHaveLength(VALUE.length);
      // It is still good for its own.
      expect(await pay(PROOF)).toEqual(APPROVED);
    },
  );

  it('proves what the cardholder saw, whatever the request states about it', async () => {
    const more = { minor: 1_235, currency: 'EUR' };
    expect(await pay({ ...PROOF, amount: more }, { amount: more })).toEqual({
      resultCode: '100.390.101',
      responseCode: null,
      reachedAcquirer: false,
      why: 'threeDSecure.amount: must cover the payment, in its currency: less was authenticated',
    });
    const dollars = { minor: 1_234, currency: 'USD' };
    expect(await codeOf({ ...PROOF, amount: dollars }, { amount: dollars })).toBe('100.390.101');
    const less = { minor: 1_000, currency: 'EUR' };
    const { dsTransactionId: _, ...without } = PROOF;
    expect(await pay({ ...without, amount: less }, { amount: less })).toEqual(APPROVED);
    expect(received()).toMatchObject({ amount: AMOUNT, dsTransactionId: DS_TRANS_ID });
  });

  it.each<[string, Partial<AcquirerAuthentication>, string | undefined, string]>([
    ['another ECI', { eci: '06' }, undefined, '100.390.117'],
    ['another status', { eci: '06', status: 'A' }, undefined, '100.390.117'],
    ['another transaction', { dsTransactionId: DS_TRANS_ID.replace('5', '6') }, undefined, '100.390.117'],
    ['another card', {}, '4200000000000000', '800.100.158'],
  ])('is refused with %s', async (_what, more, number, code) => {
    expect(await pay({ ...PROOF, ...more }, number === undefined ? {} : { number })).toMatchObject({
      resultCode: code,
      reachedAcquirer: false,
    });
    expect(await pay(PROOF)).toEqual(APPROVED);
  });
});

describe('a proof from outside', () => {
  const OUTSIDE = { ...PROOF, verificationId: FOREIGN };

  it('is passed on as it is', async () => {
    expect(await pay({ ...OUTSIDE, status: 'Y', version: '2.2.0' }, { number: '4111111111111111' })).toEqual(
      APPROVED,
    );
    expect(received()).toEqual({ ...OUTSIDE, status: 'Y', version: '2.2.0' });
  });

  it.each<[string, Partial<AcquirerAuthentication>, string, string]>([
    ['07 with a value', { eci: '07' }, '4111111111111111', '100.390.117'],
    ['07 with status N', { eci: '07', status: 'N' }, '4111111111111111', '100.390.109'],
    ['05 with status N', { status: 'N' }, '4111111111111111', '100.390.109'],
    ['05 with status A', { status: 'A' }, '4111111111111111', '100.390.117'],
    ['05 of Mastercard', {}, MASTER, '100.390.117'],
    ['02 of VISA', { eci: '02' }, '4111111111111111', '100.390.117'],
  ])('is refused where its parts disagree: %s', async (_what, more, number, code) => {
    const refused = await pay({ ...OUTSIDE, ...more }, { number });
    expect(refused).toMatchObject({ resultCode: code, reachedAcquirer: false });
    expect(refused.why).toMatch(/^threeDSecure\.(eci|authenticationStatus|verificationId): must /);
    expect(await harness.store.findAfter('usedProofs', undefined)).toEqual([]);
  });

  it('is refused for more than it was made for, and in another currency', async () => {
    const amount = { minor: 1_233, currency: 'EUR' };
    expect(await codeOf({ ...OUTSIDE, amount }, { number: '4111111111111111' })).toBe('100.390.101');
    const dollars = { minor: 1_234, currency: 'USD' };
    expect(await codeOf({ ...OUTSIDE, amount: dollars }, { number: '4111111111111111' })).toBe('100.390.101');
    const more = { minor: 99_999, currency: 'EUR' };
    expect(await codeOf({ ...OUTSIDE, amount: more }, { number: '4111111111111111' })).toBe(OK);
  });

  it.each<[string, Partial<AcquirerAuthentication>, object | undefined]>([
    ['the ECI alone', { eci: '05' }, undefined],
    ['the value alone', { verificationId: FOREIGN }, undefined],
    ['an ECI that claims nothing', { eci: '07', status: 'U' }, { eci: '07', status: 'U' }],
    ['a transaction and an exemption', { eci: '05', exemptionFlag: '02' }, { exemptionFlag: '02' }],
  ])('is none where a part is missing: %s is not sent to the issuer', async (_what, parts, expected) => {
    expect(await pay({ amount: AMOUNT, ...parts }, { number: '4111111111111111' })).toEqual(APPROVED);
    expect(received()).toEqual(expected && { amount: AMOUNT, ...expected });
    expect(await harness.store.findAfter('usedProofs', undefined)).toEqual([]);
  });
});

describe('one proof proves one authorization', () => {
  const OUTSIDE = { ...PROOF, verificationId: FOREIGN };
  const card = { number: '4111111111111111' };
  const isUsed = async () => (await harness.store.findAfter('usedProofs', undefined)).length === 1;

  it('also of sixteen at once', async () => {
    const codes = await Promise.all(Array.from({ length: 16 }, () => codeOf(OUTSIDE, card)));
    expect(codes.sort()).toEqual([OK, ...Array(15).fill(USED)]);
    const authorizations = harness.line.sent.filter(({ kind }) => kind === 'authorization');
    expect(authorizations).toHaveLength(1);
    expect(JSON.stringify(await harness.store.findAfter('usedProofs', undefined))).not.toContain(FOREIGN);
    expect((await pay(OUTSIDE, card)).why).toBe(
      'threeDSecure.verificationId: must prove one authorization: it has proved another',
    );
  });

  it('whatever text its bytes are written as, on each channel of the merchant, and for each merchant', async () => {
    expect(await codeOf(OUTSIDE, card)).toBe(OK);
    const sameBytes = FOREIGN.replace('M=', 'N=');
    expect(Buffer.from(sameBytes, 'base64')).toEqual(Buffer.from(FOREIGN, 'base64'));
    expect(await codeOf({ ...OUTSIDE, verificationId: sameBytes }, card)).toBe(USED);
    expect(await codeOf(OUTSIDE, { ...card, entityId: CHANNEL })).toBe(USED);
    expect(await codeOf(OUTSIDE, { ...card, entityId: OTHER_ENTITY })).toBe(OK);
  });

  it('also where the issuer declines it', async () => {
    const declined = '5200000000001013';
    const mastercard = { ...OUTSIDE, eci: '02' };
    expect(await codeOf(mastercard, { number: declined })).toBe('800.100.203');
    expect(await codeOf(mastercard, { number: declined })).toBe(USED);
  });

  it('and is free again where the issuer never decided', async () => {
    harness.line.fault = 'request-lost';
    expect(await codeOf(OUTSIDE, card)).toBe('900.100.301');
    expect(await isUsed()).toBe(false);
    expect(await codeOf(OUTSIDE, card)).toBe(OK);
    expect(await isUsed()).toBe(true);
  });

  it('also as the cryptogram of a wallet, which needs no authentication', async () => {
    const proof = { cryptogram: FOREIGN, eci: '05' };
    const wallet = { wallet: { name: 'walletA', source: 'web', proof } } as const;
    const asWallet = () => codeOf(undefined, { ...card, ...wallet });
    expect((await Promise.all([asWallet(), asWallet(), asWallet()])).sort()).toEqual([OK, USED, USED]);
    expect(await codeOf(OUTSIDE, card)).toBe(USED);
    const other = Buffer.alloc(20, 9).toString('base64');
    expect(await codeOf({ ...OUTSIDE, verificationId: other }, card)).toBe(OK);
    const again = { wallet: { ...wallet.wallet, proof: { ...proof, cryptogram: other } } };
    expect(await codeOf(undefined, { ...card, ...again })).toBe(USED);
  });

  it('and stays free where the gateway refuses the payment', async () => {
    expect(await codeOf(OUTSIDE, { number: '4111111111111112' })).toBe('100.100.101');
    expect(await codeOf(OUTSIDE, card)).toBe(OK);
  });
});
