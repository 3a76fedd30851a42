import { CARD, PURCHASE } from '../../tenants/stranger.js';
import type { ContentionTable, Stage } from './contention-case.js';
import { after, amountAt, browse, cardAt, newKey, post, remove, under } from './requests.js';

const REGISTRATIONS = '/v1/registrations';
const CHECKOUTS = '/v1/checkouts';

/** An agreement that was made elsewhere. */
const MIGRATED = {
  'recurringMigration.paymentType': 'DB',
  'recurringMigration.requestTimestamp': '2025-01-01 00:00:00',
  'recurringMigration.connectorTxId1': 'MCC123456789',
  'recurringMigration.connectorTxId2': '0102',
} as const;

const registrationPath = async ({ own }: Stage) => `${REGISTRATIONS}/${await own.registration()}`;
const checkoutPath = async ({ own }: Stage, about?: Record<string, string>) =>
  `${CHECKOUTS}/${await own.checkout(about)}`;
const STORES = { createRegistration: 'true' } as const;

/** Stored payment details, and what a shop prepares for its shoppers. */
export const STORED_CASES: ContentionTable = {
  'POST /v1/registrations': {
    equal: [
      {
        what: 'a card',
        requests: (stage) => () => post(stage, REGISTRATIONS, CARD),
        accepted: 'all',
        different: { id: 1 },
        rows: { registrations: 1 },
      },
      {
        what: 'one Idempotency-Key',
        requests: (stage) => {
          const key = newKey();
          return () => under(key, post(stage, REGISTRATIONS, CARD));
        },
        refused: [409],
        different: { id: 1 },
        rows: { registrations: 1 },
      },
      {
        what: 'an agreement from elsewhere',
        requests: (stage) => () => post(stage, REGISTRATIONS, { ...CARD, ...MIGRATED }),
        accepted: 'all',
        different: { id: 1 },
        rows: { registrations: 1, agreements: 2 },
      },
    ],
    conflicting: [
      {
        what: 'other cards under one Idempotency-Key',
        requests: (stage) => {
          const key = newKey();
          return (at) => under(key, post(stage, REGISTRATIONS, { ...CARD, 'card.number': cardAt(at) }));
        },
        refused: [400, 409],
        accepted: 1,
        rows: { registrations: 1 },
      },
      {
        what: 'an agreement from elsewhere with other cards',
        requests: (stage) => (at) =>
          post(stage, REGISTRATIONS, { ...CARD, ...MIGRATED, 'card.number': cardAt(at) }),
        refused: [400],
        accepted: 1,
        rows: { registrations: 1, agreements: 2 },
      },
    ],
  },
  'POST /v1/registrations/{id}/payments': {
    equal: [
      {
        what: 'a purchase',
        requests: after(registrationPath, (stage, path) => post(stage, `${path}/payments`, PURCHASE)),
        accepted: 'all',
        different: { id: 'all' },
        money: { authorization: 'all' },
      },
      {
        what: 'one Idempotency-Key',
        requests: async (stage) => {
          const path = await registrationPath(stage);
          const key = newKey();
          return () => under(key, post(stage, `${path}/payments`, PURCHASE));
        },
        refused: [409],
        different: { id: 1 },
        money: { authorization: 1 },
      },
    ],
    conflicting: [
      {
        what: 'other amounts under one Idempotency-Key',
        requests: async (stage) => {
          const path = await registrationPath(stage);
          const key = newKey();
          return (at) => under(key, post(stage, `${path}/payments`, { ...PURCHASE, amount: amountAt(at) }));
        },
        refused: [400, 409],
        accepted: 1,
        money: { authorization: 1 },
      },
      {
        what: 'racing the removal of the registration',
        requests: after(registrationPath, (stage, path, at) =>
          at === 0 ? remove(stage, path) : post(stage, `${path}/payments`, PURCHASE),
        ),
        refused: [400],
        money: { authorization: [0, 'all'] },
      },
    ],
  },
  'POST /v1/registrations/{id}': {
    equal: [
      {
        what: 'another expiry date',
        requests: after(registrationPath, (stage, path) => post(stage, path, { 'card.expiryYear': '2034' })),
        refused: [409],
        different: { id: 1 },
      },
    ],
    conflicting: [
      {
        what: 'other expiry dates, racing payments',
        requests: after(registrationPath, (stage, path, at) =>
          at % 4 === 3
            ? post(stage, `${path}/payments`, PURCHASE)
            : post(stage, path, { 'card.expiryYear': String(2032 + (at % 4)) }),
        ),
        refused: [409],
        money: { authorization: [1, 'all'] },
      },
    ],
  },
  'DELETE /v1/registrations/{id}': {
    equal: [
      {
        what: 'its own',
        requests: after(registrationPath, (stage, path) => remove(stage, path)),
        refused: [404, 409],
      },
    ],
    conflicting: [
      {
        what: 'racing changes and the same card again',
        requests: async (stage) => {
          const path = await registrationPath(stage);
          const turns = [
            remove(stage, path),
            post(stage, path, { 'card.expiryYear': '2034' }),
            post(stage, REGISTRATIONS, CARD),
          ];
          return (at) => turns[at % turns.length] ?? remove(stage, path);
        },
        refused: [400, 404, 409],
        rows: { registrations: [0, 1] },
      },
    ],
  },
  'POST /v1/checkouts': {
    equal: [
      {
        what: 'a purchase',
        requests: (stage) => () => post(stage, CHECKOUTS, PURCHASE),
        accepted: 'all',
        different: { id: 'all' },
        rows: { checkouts: 'all' },
      },
      {
        what: 'one Idempotency-Key',
        requests: (stage) => {
          const key = newKey();
          return () => under(key, post(stage, CHECKOUTS, PURCHASE));
        },
        refused: [409],
        different: { id: 1 },
        rows: { checkouts: 1 },
      },
    ],
    conflicting: [
      {
        what: 'other amounts under one Idempotency-Key',
        requests: (stage) => {
          const key = newKey();
          return (at) => under(key, post(stage, CHECKOUTS, { ...PURCHASE, amount: amountAt(at) }));
        },
        refused: [400, 409],
        accepted: 1,
        rows: { checkouts: 1 },
      },
    ],
  },
  'POST /v1/checkouts/{id}': {
    equal: [
      {
        what: 'another amount',
        requests: after(checkoutPath, (stage, path) => post(stage, path, { amount: '1.00' })),
        refused: [409],
      },
    ],
    conflicting: [
      {
        what: 'other amounts, racing a payment',
        requests: after(checkoutPath, (stage, path, at) =>
          at === 0 ? browse(`${path}/payment`, CARD) : post(stage, path, { amount: amountAt(at) }),
        ),
        refused: [400, 409],
        money: { authorization: [0, 1] },
      },
    ],
  },
  'DELETE /v1/checkouts/{id}': {
    equal: [
      {
        what: 'its own',
        requests: after(checkoutPath, (stage, path) => remove(stage, path)),
        refused: [404, 409],
      },
    ],
    conflicting: [
      {
        what: 'racing its payment',
        requests: after(checkoutPath, (stage, path, at) =>
          at % 2 === 0 ? remove(stage, path) : browse(`${path}/payment`, CARD),
        ),
        refused: [400, 404, 409],
        money: { authorization: [0, 1] },
      },
    ],
  },
  'POST /v1/checkouts/{id}/payment': {
    equal: [
      {
        what: 'a card',
        requests: after(checkoutPath, (_stage, path) => browse(`${path}/payment`, CARD)),
        refused: [400, 409, 429],
        different: { id: 1 },
        money: { authorization: 1 },
      },
      {
        what: 'a card that is stored, each time at another checkout',
        requests: async (stage) => {
          const paths: string[] = [];
          for (let at = 0; at < stage.atOnce; at += 1)
            paths.push(await checkoutPath(stage, { ...PURCHASE, ...STORES }));
          return (at) => browse(`${paths[at]}/payment`, CARD);
        },
        accepted: 'all',
        different: { id: 'all', registrationId: 1 },
        money: { authorization: 'all' },
        rows: { registrations: 1 },
      },
    ],
    conflicting: [
      {
        what: 'other cards',
        requests: after(checkoutPath, (_stage, path, at) =>
          browse(`${path}/payment`, { ...CARD, 'card.number': cardAt(at) }),
        ),
        refused: [400, 409, 429],
        different: { id: 1 },
        money: { authorization: 1 },
      },
    ],
  },
  'POST /v1/checkouts/{id}/registration': {
    equal: [
      {
        what: 'a card',
        requests: async (stage) => {
          const path = await checkoutPath(stage, STORES);
          return () => browse(`${path}/registration`, CARD);
        },
        refused: [400, 409, 429],
        different: { id: 1 },
        rows: { registrations: 1 },
      },
      {
        what: 'a card, each time at another checkout',
        requests: async (stage) => {
          const paths: string[] = [];
          for (let at = 0; at < stage.atOnce; at += 1) paths.push(await checkoutPath(stage, STORES));
          return (at) => browse(`${paths[at]}/registration`, CARD);
        },
        accepted: 'all',
        different: { id: 1 },
        rows: { registrations: 1 },
      },
    ],
    conflicting: [
      {
        what: 'other cards',
        requests: async (stage) => {
          const path = await checkoutPath(stage, STORES);
          return (at) => browse(`${path}/registration`, { ...CARD, 'card.number': cardAt(at) });
        },
        refused: [400, 409, 429],
        different: { id: 1 },
        rows: { registrations: 1 },
      },
    ],
  },
  'POST /paybylink/v1': {
    equal: [
      {
        what: 'a purchase',
        requests: (stage) => () => post(stage, '/paybylink/v1', PURCHASE),
        accepted: 'all',
        different: { id: 'all' },
        rows: { paymentLinks: 'all' },
      },
      {
        what: 'one Idempotency-Key',
        requests: (stage) => {
          const key = newKey();
          return () => under(key, post(stage, '/paybylink/v1', PURCHASE));
        },
        refused: [409],
        different: { id: 1 },
        rows: { paymentLinks: 1 },
      },
    ],
    conflicting: [
      {
        what: 'other amounts under one Idempotency-Key',
        requests: (stage) => {
          const key = newKey();
          return (at) => under(key, post(stage, '/paybylink/v1', { ...PURCHASE, amount: amountAt(at) }));
        },
        refused: [400, 409],
        accepted: 1,
        rows: { paymentLinks: 1 },
      },
    ],
  },
  'DELETE /paybylink/v1/{id}': {
    equal: [
      {
        what: 'its own',
        requests: async (stage) => {
          const id = await stage.own.paymentLink();
          return () => remove(stage, `/paybylink/v1/${id}`);
        },
        refused: [400, 404, 409],
      },
    ],
    conflicting: [
      {
        what: 'racing its page and the payment there',
        requests: async (stage) => {
          const id = await stage.own.paymentLink();
          return (at) =>
            at % 2 === 0
              ? remove(stage, `/paybylink/v1/${id}`)
              : post(stage, `/paybylink/v1/${id}/sms`, { smsTo: '+4915112345678' });
        },
        refused: [400, 404, 409],
      },
    ],
  },
  'POST /paybylink/v1/{id}/sms': {
    equal: [
      {
        what: 'a link: no message is sent',
        requests: async (stage) => {
          const id = await stage.own.paymentLink();
          return () => post(stage, `/paybylink/v1/${id}/sms`, { smsTo: '+4915112345678' });
        },
        refused: [400],
        accepted: 0,
      },
    ],
    conflicting: [
      {
        what: 'to other numbers: no message is sent',
        requests: async (stage) => {
          const id = await stage.own.paymentLink();
          return (at) =>
            post(stage, `/paybylink/v1/${id}/sms`, {
              smsTo: `+49151123456${at.toString().padStart(2, '0')}`,
            });
        },
        refused: [400],
        accepted: 0,
      },
    ],
  },
};
