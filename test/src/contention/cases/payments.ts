import { chipData, encipheredAccount, TYPED } from '../../tenants/cards.js';
import { PURCHASE } from '../../tenants/stranger.js';
import type { ContentionTable, Stage } from './contention-case.js';
import {
  after,
  amountAt,
  cardAt,
  hold,
  INITIAL,
  MASTERCARD,
  newKey,
  post,
  REPEATED,
  sale,
  under,
} from './requests.js';

const PAYMENTS = '/v1/payments';

/** A payment with the chip of the merchant's own shopper. @param counter of the key serial number */
function chip({ own }: Stage, counter: number): Readonly<Record<string, string>> {
  const ksn = own.accountKsn(counter);
  return {
    ...PURCHASE,
    'pos.terminalId': own.terminal,
    'pos.deviceId': own.device,
    'pos.entryMode': 'ICC',
    'pos.deviceType': 'GERTEC_PPC930',
    'pos.panSequenceNumber': '01',
    'pos.iccDataRequest': chipData(own.counter),
    'pos.encryptedSred.ksn': ksn,
    'pos.encryptedSred.data': encipheredAccount(ksn),
  };
}

/** Captures, refunds and what a cardholder takes back, of one payment. */
const followUp = (stage: Stage, id: string, paymentType: string, more: Record<string, string> = {}) =>
  post(stage, `${PAYMENTS}/${id}`, { paymentType, amount: '12.34', currency: 'EUR', ...more });

/** What the authentication of another server has proved. */
const PROVEN = {
  'threeDSecure.eci': '05',
  'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=',
  'threeDSecure.authenticationStatus': 'Y',
  'threeDSecure.version': '2.2.0',
  'threeDSecure.dsTransactionId': 'd8d9d0a4-3d0f-4f3a-9b55-5d5b6d1f0001',
} as const;

/** The payments of the merchant that were approved are of one card: the agreement is of it. */
async function oneCard({ own, store }: Stage): Promise<readonly string[]> {
  const payments = await store.findRange('payments', 'time', { equals: [own.channel] });
  const approved = payments.filter(({ state }) => state !== 'declined');
  const cards = new Set(approved.map(({ last4Digits }) => last4Digits));
  return cards.size === 1 ? [] : [`${cards.size} cards have begun one agreement`];
}

/** A payment that waits for its transfer. */
async function transferOf(stage: Stage): Promise<string> {
  const transfer = { ...PURCHASE, paymentType: 'DB', paymentBrand: 'PREPAYMENT' };
  return String((await stage.send(post(stage, PAYMENTS, transfer))).id);
}

/** The merchant has one payment that moved money in, and it is approved. */
async function onePaid({ own, store }: Stage): Promise<readonly string[]> {
  const payments = await store.findRange('payments', 'time', { equals: [own.channel] });
  const states = payments.filter(({ type }) => type === 'DB').map(({ state }) => state);
  return states.length === 1 && !['pending', 'declined'].includes(states[0] ?? '')
    ? []
    : [`transfers are ${states.join(', ')}`];
}

/** Follow-ups of 1.00 and more of 12.34: no more than twelve fit. */
const FIT = 12;

/** Payments, what follows them, and what the simulated issuer does. */
export const PAYMENT_CASES: ContentionTable = {
  'POST /v1/payments': {
    equal: [
      {
        what: 'a typed card',
        requests: (stage) => () => post(stage, PAYMENTS, TYPED),
        accepted: 'all',
        different: { id: 'all' },
        money: { authorization: 'all' },
      },
      {
        what: 'one Idempotency-Key',
        requests: (stage) => {
          const key = newKey();
          return () => under(key, post(stage, PAYMENTS, TYPED));
        },
        refused: [409],
        different: { id: 1 },
        money: { authorization: 1 },
      },
      {
        what: 'the first of an agreement with its id',
        requests: (stage) => () =>
          post(stage, PAYMENTS, { ...MASTERCARD, ...INITIAL, 'standingInstruction.agreementId': 'gym-1' }),
        accepted: 'all',
        different: { id: 'all' },
        money: { authorization: 'all' },
      },
      {
        what: 'a first payment of one card',
        requests: (stage) => () => post(stage, PAYMENTS, { ...TYPED, ...INITIAL }),
        accepted: 'all',
        different: { id: 'all' },
        money: { authorization: 'all' },
      },
      {
        what: 'a repeated payment of an agreement',
        requests: async (stage) => {
          const first = await stage.send(post(stage, PAYMENTS, { ...TYPED, ...INITIAL }));
          const { initialTransactionId } = first.standingInstruction as { initialTransactionId: string };
          const named = { 'standingInstruction.initialTransactionId': initialTransactionId };
          return () => post(stage, PAYMENTS, { ...TYPED, ...REPEATED, ...named });
        },
        accepted: 'all',
        money: { authorization: 'all' },
      },
      {
        what: 'a card that is stored',
        requests: (stage) => () => post(stage, PAYMENTS, { ...TYPED, createRegistration: 'true' }),
        accepted: 'all',
        different: { id: 'all', registrationId: 1 },
        money: { authorization: 'all' },
        rows: { registrations: 1 },
      },
      {
        what: 'a chip with its key serial number and counter',
        requests: (stage) => () => post(stage, PAYMENTS, chip(stage, 1)),
        refused: [400],
        accepted: 1,
        money: { authorization: 1 },
      },
      {
        what: 'one proof of 3D Secure',
        requests: (stage) => () => post(stage, PAYMENTS, { ...TYPED, ...PROVEN }),
        refused: [400],
        accepted: 1,
        money: { authorization: 1 },
      },
      {
        what: 'all of a gift card',
        requests: (stage) => () =>
          post(stage, PAYMENTS, {
            ...PURCHASE,
            amount: '20.00',
            paymentBrand: 'GIFTCARD',
            'giftCard.number': '6036280000000029',
            'giftCard.pin': '1234',
          }),
        refused: [400],
        accepted: 1,
        money: { authorization: 1 },
      },
      {
        what: 'a capture of one authorization with another payment',
        requests: after(hold, (stage, referenceUuid) =>
          post(stage, PAYMENTS, { ...TYPED, paymentType: 'PA.CP', referenceUuid }),
        ),
        refused: [400, 409],
        accepted: [0, 'all'],
        money: { authorization: [0, 'all'], capture: [0, 'all'] },
      },
    ],
    conflicting: [
      {
        what: 'other amounts under one Idempotency-Key',
        requests: (stage) => {
          const key = newKey();
          return (at) => under(key, post(stage, PAYMENTS, { ...TYPED, amount: amountAt(at) }));
        },
        refused: [400, 409],
        accepted: 1,
        money: { authorization: 1 },
      },
      {
        what: 'first payments of one agreement id with other cards',
        requests: (stage) => (at) =>
          post(stage, PAYMENTS, {
            ...MASTERCARD,
            ...INITIAL,
            'card.number': at % 2 === 0 ? '5454545454545454' : '5105105105105100',
            'standingInstruction.agreementId': 'gym-2',
          }),
        refused: [400],
        money: { authorization: [1, 'all'] },
        check: oneCard,
      },
      {
        what: 'one proof of 3D Secure, each other place another amount',
        requests: (stage) => (at) =>
          post(stage, PAYMENTS, { ...TYPED, ...PROVEN, amount: at % 2 === 0 ? '12.34' : '1.00' }),
        refused: [400],
        accepted: 1,
        money: { authorization: 1 },
      },
      {
        what: 'one counter of a chip under other key serial numbers',
        requests: (stage) => (at) => post(stage, PAYMENTS, chip(stage, at + 1)),
        refused: [400],
        accepted: 1,
        money: { authorization: 1 },
      },
      {
        what: 'other amounts under one reference',
        requests: (stage) => (at) =>
          post(stage, PAYMENTS, { ...TYPED, amount: amountAt(at), merchantTransactionId: 'order-0001' }),
        accepted: 'all',
        different: { id: 'all' },
        money: { authorization: 'all' },
      },
      {
        what: 'cards that are stored, one under other holders',
        requests: (stage) => (at) =>
          post(stage, PAYMENTS, {
            ...TYPED,
            'card.number': cardAt(at % 2),
            'card.holder': `Jane Jones ${at % 2}`,
            createRegistration: 'true',
          }),
        accepted: 'all',
        different: { id: 'all', registrationId: 2 },
        money: { authorization: 'all' },
        rows: { registrations: 2 },
      },
      {
        what: 'parts of a gift card',
        requests: (stage) => () =>
          post(stage, PAYMENTS, {
            ...PURCHASE,
            amount: '300.00',
            paymentBrand: 'GIFTCARD',
            'giftCard.number': '6036280000000011',
            'giftCard.pin': '1234',
          }),
        refused: [400],
        accepted: 3,
        money: { authorization: 3 },
      },
    ],
  },
  'POST /v1/payments/{id}': {
    equal: [
      {
        what: 'RF of all',
        requests: after(sale, (stage, id) => followUp(stage, id, 'RF')),
        refused: [400, 409],
        accepted: 1,
        money: { refund: 1 },
      },
      ...(['CP', 'RV'] as const).map((type) => ({
        what: `${type} of all`,
        requests: async (stage: Stage) => {
          const id = await stage.own.pay({ paymentType: 'PA' });
          return () => followUp(stage, id, type);
        },
        refused: [400, 409],
        accepted: 1,
        money: { [type === 'CP' ? 'capture' : 'reversal']: 1 },
      })),
      {
        what: 'CP of a part',
        requests: after(hold, (stage, id) => followUp(stage, id, 'CP', { amount: '1.00' })),
        refused: [400, 409],
        accepted: [1, FIT],
        money: { capture: [1, FIT] },
      },
      {
        what: 'CP of a part under one Idempotency-Key',
        requests: async (stage) => {
          const id = await stage.own.pay({ paymentType: 'PA' });
          const key = newKey();
          return () => under(key, followUp(stage, id, 'CP', { amount: '1.00' }));
        },
        refused: [409],
        different: { id: 1 },
        money: { capture: 1 },
      },
      {
        what: 'more on an authorization',
        requests: async (stage) => {
          const id = await stage.own.pay({ paymentType: 'PA' });
          const practice = { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' };
          return () => followUp(stage, id, 'PA', { amount: '1.00', ...practice });
        },
        refused: [400, 409],
        money: { increment: [1, 'all'] },
      },
    ],
    conflicting: [
      {
        what: 'RF of parts',
        requests: after(sale, (stage, id, at) => followUp(stage, id, 'RF', { amount: amountAt(at) })),
        refused: [400, 409],
        accepted: [1, FIT],
        money: { refund: [1, FIT] },
      },
      {
        what: 'CP and RV of all',
        requests: after(hold, (stage, id, at) => followUp(stage, id, at % 2 === 0 ? 'CP' : 'RV')),
        refused: [400, 409],
        // A capture may be reversed in its turn.
        accepted: [1, 2],
        money: { capture: [0, 1], reversal: [0, 1] },
      },
      {
        what: 'other amounts under one Idempotency-Key',
        requests: async (stage) => {
          const id = await stage.own.pay({ paymentType: 'PA' });
          const key = newKey();
          return (at) => under(key, followUp(stage, id, 'CP', { amount: amountAt(at) }));
        },
        refused: [400, 409],
        accepted: 1,
        money: { capture: 1 },
      },
    ],
  },
  'POST /v1/payments/{id}/receipt': {
    equal: [
      {
        what: 'of one transfer',
        requests: after(transferOf, (stage, id) => post(stage, `${PAYMENTS}/${id}/receipt`)),
        refused: [400, 409],
        different: { id: 1 },
        // The transfer that was awaited is approved, no other one.
        answersOther: true,
        check: onePaid,
      },
    ],
    conflicting: [
      {
        what: 'racing refunds',
        requests: after(transferOf, (stage, id, at) =>
          at % 2 === 0 ? post(stage, `${PAYMENTS}/${id}/receipt`) : followUp(stage, id, 'RF'),
        ),
        refused: [400, 409],
        money: { refund: [0, 1] },
        answersOther: true,
        check: onePaid,
      },
    ],
  },
  'POST /v1/payments/{id}/chargeback': {
    equal: [
      {
        what: 'all of a payment',
        requests: after(sale, (stage, id) => post(stage, `${PAYMENTS}/${id}/chargeback`, { reason: '10.4' })),
        refused: [400, 409],
        accepted: 1,
        money: { chargeback: 1 },
      },
    ],
    conflicting: [
      {
        what: 'parts of a payment',
        requests: after(sale, (stage, id, at) =>
          post(stage, `${PAYMENTS}/${id}/chargeback`, { reason: '10.4', amount: amountAt(at) }),
        ),
        refused: [400, 409],
        accepted: [1, FIT],
        money: { chargeback: [1, FIT] },
      },
      {
        what: 'racing refunds',
        requests: after(sale, (stage, id, at) =>
          at % 2 === 0
            ? post(stage, `${PAYMENTS}/${id}/chargeback`, { reason: '10.4' })
            : followUp(stage, id, 'RF'),
        ),
        refused: [400, 409],
        accepted: 1,
        money: { chargeback: [0, 1], refund: [0, 1] },
      },
    ],
  },
  'POST /v1/payments/{id}/chargebackReversal': {
    equal: [
      {
        what: 'of a chargeback',
        requests: async (stage) => {
          const id = await stage.own.pay();
          const taken = await stage.send(post(stage, `${PAYMENTS}/${id}/chargeback`, { reason: '10.4' }));
          return () => post(stage, `${PAYMENTS}/${taken.id}/chargebackReversal`);
        },
        refused: [400, 409],
        accepted: 1,
        money: { 'chargeback-reversal': 1 },
      },
    ],
    conflicting: [
      {
        what: 'racing refunds',
        requests: async (stage) => {
          const id = await stage.own.pay();
          const taken = await stage.send(post(stage, `${PAYMENTS}/${id}/chargeback`, { reason: '10.4' }));
          return (at) =>
            at % 2 === 0
              ? post(stage, `${PAYMENTS}/${taken.id}/chargebackReversal`)
              : followUp(stage, id, 'RF');
        },
        refused: [400, 409],
        accepted: [1, 2],
        money: { 'chargeback-reversal': 1, refund: [0, 1] },
      },
    ],
  },
  'POST /v1/risk': {
    equal: [
      {
        what: 'a check of a card',
        requests: (stage) => () =>
          post(stage, '/v1/risk', { amount: '1.00', currency: 'EUR', 'card.number': TYPED['card.number'] }),
        accepted: 'all',
      },
    ],
    conflicting: [
      {
        what: 'racing payments of the card',
        requests: (stage) => (at) =>
          at % 2 === 0
            ? post(stage, '/v1/risk', {
                amount: '1.00',
                currency: 'EUR',
                'card.number': TYPED['card.number'],
              })
            : post(stage, PAYMENTS, TYPED),
        accepted: 'all',
        money: { authorization: [1, 'all'] },
      },
    ],
  },
  'POST /v1/giftCards/balance': {
    equal: [
      {
        what: 'of a card',
        requests: (stage) => () =>
          post(stage, '/v1/giftCards/balance', {
            'giftCard.number': '6036280000000037',
            'giftCard.pin': '1234',
          }),
        accepted: 'all',
      },
    ],
    conflicting: [
      {
        what: 'with wrong PINs, of a card that others pay with',
        requests: (stage) => (at) =>
          at % 2 === 0
            ? post(stage, '/v1/giftCards/balance', {
                'giftCard.number': '6036280000000037',
                'giftCard.pin': '9999',
              })
            : post(stage, PAYMENTS, {
                amount: '1.00',
                currency: 'USD',
                paymentType: 'DB',
                paymentBrand: 'GIFTCARD',
                'giftCard.number': '6036280000000037',
                'giftCard.pin': '1234',
              }),
        refused: [400],
        accepted: [0, 'all'],
        money: { authorization: [0, 'all'] },
      },
    ],
  },
};
