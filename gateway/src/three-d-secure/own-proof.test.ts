import { developmentKey } from '@tillbridge/protocol/crypto/key-block/test-keys.js';
import { makeCavv } from '@tillbridge/protocol/threeds/cavv.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AcquirerAuthentication } from '../acquirers/authentication.js';
import {
  ENTITY,
  NOW_MS,
  OTHER_ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
} from '../payments/payment-harness.test.support.js';
import { GatewayPaymentService } from '../payments/service.js';
import { ThreeDSecureGate } from './gate.js';
import { ownProof, proofPrint } from './own-proof.js';

const CHANNEL = 'c'.repeat(32);
const DS_TRANS_ID = '5d0a3f60-8e11-4c5f-b6a7-18f9e0d1c2b3';
const PAN = '4200000000000026';
const AMOUNT = { minor: 1_234, currency: 'EUR' };
const about = { pan: PAN, dsTransId: DS_TRANS_ID, amount: AMOUNT };
const VALUE = makeCavv(developmentKey('cavvKey'), 'authenticated', about);
const PROOF: AcquirerAuthentication = {
  amount: AMOUNT,
  eci: '05',
  verificationId: VALUE,
  dsTransactionId: DS_TRANS_ID,
};

let harness: PaymentHarness;
/** An authentication of one merchant, and a channel of that merchant. */
beforeEach(async () => {
  harness = await openPaymentHarness();
  const { store, context } = harness;
  const merchant = await store.get('entities', [ENTITY]);
  if (!merchant) throw new Error('no merchant');
  const row = {
    id: 'e'.repeat(32),
    transId: 'e1',
    entityId: ENTITY,
    kind: 'stand-alone',
    state: 'done',
    compInd: null,
    resultCode: '000.400.110',
    answer: '{}',
    shopperResultUrl: null,
    proof: proofPrint(context.fingerprint, VALUE),
    sealed: null,
    keyId: null,
    createdAtMs: NOW_MS,
    version: 1,
  } as const;
  await store.commit([
    { op: 'insert', table: 'authentications', row },
    {
      op: 'insert',
      table: 'entities',
      row: { ...merchant, id: CHANNEL, kind: 'channel', parentId: ENTITY, version: 1 },
    },
  ]);
});
afterEach(() => harness.dispose());

/** What a payment with the proof comes to, and what its answer shows of it. */
async function pay(entityId: string, verificationId = VALUE, number = PAN) {
  const { context, store, clock } = harness;
  const gate = new ThreeDSecureGate({
    store,
    clock,
    fingerprint: context.fingerprint,
    seal: context.waitSeal,
    // Nobody is authenticated here.
    authenticator: undefined as never,
  });
  const service = new GatewayPaymentService({ ...context, gates: [gate] });
  const { paymentId = '', resultCode } = await service.authorize(
    restPayment({
      origin: { kind: 'rest', entityId },
      card: { number, expiryMonth: '12', expiryYear: '2031', cvv: '123' },
      authentication: { ...PROOF, verificationId },
    }),
  );
  const row = await store.get('payments', [paymentId]);
  const decisions = await store.find('decisions', 'payment', [paymentId]);
  return {
    resultCode,
    responseCode: row?.responseCode,
    isAsked: row?.acquirerReference !== null,
    decided: decisions.length,
  };
}

const APPROVED = { resultCode: '000.100.110', responseCode: '00', isAsked: true, decided: 0 };
const REFUSED = { resultCode: '800.100.158', responseCode: '63', isAsked: true, decided: 0 };
/** A value of the same issuer that nobody was given. */
const GUESS = Buffer.concat([Buffer.from(VALUE, 'base64').subarray(0, 4), Buffer.alloc(16, 7)]).toString(
  'base64',
);

it('proves payments of the merchant and of its channels', async () => {
  expect(await pay(ENTITY)).toEqual(APPROVED);
  expect(await pay(CHANNEL)).toEqual(APPROVED);
});

it.each([
  ['that its issuer authenticates', PAN],
  ['that no issuer knows', '4200000000000000'],
])(
  'proves nothing for another merchant, who is answered as one that guesses: a card %s',
  async (_card, number) => {
    const guessed = await pay(OTHER_ENTITY, GUESS, number);
    expect(guessed).toEqual(REFUSED);
    expect(await pay(OTHER_ENTITY, VALUE, number)).toEqual(guessed);
  },
);

it('passes values on that were not made here, and keeps the form of those that are replaced', async () => {
  const { store, fingerprint } = harness.context;
  const own = (verificationId: string) =>
    ownProof({ store, fingerprint }, { ...PROOF, verificationId }, OTHER_ENTITY);
  const foreign = 'AAECAwQFBgcICQoLDA0ODxAREhM=';
  expect((await own(foreign)).verificationId).toBe(foreign);
  const { verificationId: replaced = '', ...rest } = await own(VALUE);
  expect({ ...rest, verificationId: VALUE }).toEqual(PROOF);
  expect(replaced).toHaveLength(VALUE.length);
  expect(replaced).not.toBe(VALUE);
  expect((await own(VALUE)).verificationId).toBe(replaced);
});
