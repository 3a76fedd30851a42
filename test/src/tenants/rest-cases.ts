import { PAY_BY_LINK_PARAMETERS } from '@tillbridge/gateway/kernel/api/catalogue/links/pay-by-link.js';
import { RISK_CHECK_PARAMETERS } from '@tillbridge/gateway/kernel/api/catalogue/risk-check.js';
import { rowsOf } from '@tillbridge/gateway/kernel/api/check/check-request.js';
import { chipData, encipheredAccount, encipheredPinOf, TYPED } from './cards.js';
import type { Route } from './document.js';
import { DEVICES, ENTITIES, type IdKind, KSNS, MESSAGES, PAYMENTS, randomHex } from './id-kinds.js';
import { type RestAnswer, type RestRequest, sendRest } from './rest-client.js';
import { CARD, PURCHASE, type Stranger } from './stranger.js';

type Form = Readonly<Record<string, string>>;

/** A request that is good but for the id that a probe puts into it. */
export interface RestCase {
  readonly what: string;
  /** Parameters, those of the path among them by their names. */
  readonly form: (own: Stranger) => Form | Promise<Form>;
  /** Kinds of ids by the parameter or header that takes them. A parameter that the form lacks is added. */
  readonly ids: Readonly<Record<string, readonly IdKind[]>>;
  /** It names its sender in the form, as older clients do, and has no header. */
  readonly withoutToken?: true;
  /** Account data in it is deciphered, and refused after a fixed time. */
  readonly looksAtAccountData?: true;
  /** What depends on the ids that were put in, such as data under a key serial number. */
  readonly finish?: (form: Form) => Form;
}

/** The cases of a route. */
interface RouteCases {
  readonly cases: readonly RestCase[];
  /** Of an addition of ours: parameters that are no ids. */
  readonly values?: readonly string[];
  /** Why the route needs no token. */
  readonly open?: string;
}

const followUp = (paymentType: string, more: Form = {}, ids: RestCase['ids'] = {}): RestCase => ({
  what: paymentType,
  form: async ({ pay, channel }) => ({
    id: await pay(),
    entityId: channel,
    paymentType,
    amount: '1.00',
    currency: 'EUR',
    ...more,
  }),
  ids: {
    id: PAYMENTS,
    entityId: ENTITIES,
    'Idempotency-Key': ['idempotencyKey'],
    merchantTransactionId: ['merchantTransactionId'],
    ...ids,
  },
});

const linked = (paymentType: string, more: Form = {}): RestCase => ({
  what: `${paymentType} that names another payment`,
  form: async ({ pay, channel }) => ({
    entityId: channel,
    paymentType,
    amount: '1.00',
    currency: 'EUR',
    referenceUuid: await pay(),
    ...more,
  }),
  ids: { referenceUuid: PAYMENTS },
});

/** What an authentication without a browser needs. */
const AUTHENTICATED = {
  ...TYPED,
  'threeDSecure.threeRIInd': 'RECURRING',
  'billing.street1': 'High Street 5',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
};

const OLDER_CLIENT = { 'customer.email': 'jane@example.com', 'customer.ip': '127.0.0.1' };

const read: RestCase = {
  what: 'a payment',
  form: async ({ pay }) => ({ id: await pay() }),
  ids: { id: PAYMENTS, entityId: ENTITIES },
};

const readForEntity: RestCase = {
  what: 'a payment of an entity',
  form: async ({ pay, channel }) => ({ id: await pay(), entityId: channel }),
  ids: { id: PAYMENTS, entityId: ENTITIES },
};

/** Parameters of a search that are no ids. */
const FOUND_BY = [
  ...['date.from', 'date.to', 'amount', 'currency', 'card.last4Digits', 'customer.email', 'paymentBrand'],
  ...['paymentTypes', 'outcome', 'result.code', 'responseCode'],
];

const search: RestCase = {
  what: 'of a merchant',
  form: ({ merchant }) => ({ entityId: merchant, amount: '77777.77' }),
  ids: {
    entityId: ENTITIES,
    id: [...PAYMENTS, ...MESSAGES, 'checkout', 'authentication', 'settlement'],
    merchantTransactionId: ['merchantTransactionId', 'tillReference'],
    agentId: ['agent'],
    'pos.terminalId': ['terminal'],
  },
};

const ownLink: RestCase = {
  what: 'a payment link',
  form: async ({ paymentLink, channel }) => ({ id: await paymentLink(), entityId: channel }),
  ids: { id: ['paymentLink'], entityId: ENTITIES },
};

const ownCheckout: RestCase = {
  what: 'its own',
  form: async ({ checkout, channel }) => ({ id: await checkout(), entityId: channel }),
  ids: { id: ['checkout'], entityId: ENTITIES },
};

const ownRegistration: RestCase = {
  what: 'its own',
  form: async ({ registration, channel }) => ({ id: await registration(), entityId: channel }),
  ids: { id: ['registration'], entityId: ENTITIES },
};

/** What the parameters of a payment may name in addition to the entity. */
const NAMED: RestCase['ids'] = {
  merchantTransactionId: ['merchantTransactionId'],
  referenceUuid: PAYMENTS,
  'pos.terminalId': ['terminal'],
  'pos.deviceId': DEVICES,
  'pos.encryptedSred.ksn': KSNS,
  'pos.encryptedPin.ksn': KSNS,
};

const purchase: RestCase = {
  what: 'a purchase',
  form: ({ channel }) => ({ ...PURCHASE, entityId: channel }),
  ids: {
    entityId: ENTITIES,
    'Idempotency-Key': ['idempotencyKey'],
    'registrations[n].id': ['registration'],
    ...NAMED,
  },
};

const review: RestCase = {
  what: 'a payment that does not wait',
  form: async ({ pay, merchant }) => ({ id: await pay(), entityId: merchant, note: 'seen' }),
  ids: { id: PAYMENTS, entityId: ENTITIES },
};

const chargeback: RestCase = {
  what: 'a payment without a chargeback',
  form: async ({ pay, channel }) => ({ id: await pay(), entityId: channel, amount: '0.00', reason: '10.4' }),
  ids: { id: PAYMENTS, entityId: ENTITIES },
};

const aggregation: RestCase = {
  what: 'one',
  form: ({ merchant }) => ({ id: '0'.repeat(32), entityId: merchant }),
  ids: { id: ['settlement'], entityId: ENTITIES },
};

const deviceStep = (what: string, more: Form = {}, ids: RestCase['ids'] = {}): RestCase => ({
  what,
  form: ({ device, merchant }) => ({ id: device, entityId: merchant, ...more }),
  ids: { id: DEVICES, entityId: ENTITIES, ...ids },
});

const webhookStep = (what: string, more: Form = {}): RestCase => ({
  what,
  form: ({ webhook, merchant }) => ({ id: webhook, entityId: merchant, ...more }),
  ids: { id: ['webhook'], entityId: ENTITIES },
});

/** A new schedule, without what it pays with. */
const SCHEDULED = { amount: '1.00', currency: 'EUR', 'job.month': '*' };

const scheduleStep = (paymentType: string, more: Form = {}, ids: RestCase['ids'] = {}): RestCase => ({
  what: `of one that is a ${paymentType}`,
  form: async ({ schedule, merchant }) => ({ id: await schedule(paymentType), entityId: merchant, ...more }),
  ids,
});

/** The routes of schedules under a path. @param kinds ids that are tried; the second path has the same handlers */
const schedules = (
  path: string,
  kinds: { readonly id: readonly IdKind[]; readonly entityId: readonly IdKind[] },
): Readonly<Record<string, RouteCases>> => ({
  [`POST ${path}`]: {
    cases: [
      {
        what: 'by a registration',
        form: ({ channel }) => ({ ...SCHEDULED, entityId: channel, paymentType: 'DB' }),
        ids: {
          entityId: kinds.entityId,
          registrationId: ['registration'],
          'registration.id': ['registration'],
          'pos.deviceId': ['device'],
          'pos.terminalId': ['terminal'],
          'pos.encryptedSred.ksn': ['usedKsn'],
          'pos.encryptedPin.ksn': ['pinKsn'],
        },
      },
      {
        what: 'by an earlier payment',
        form: async ({ pay, channel }) => ({
          ...SCHEDULED,
          entityId: channel,
          paymentType: 'CD',
          referenceUuid: await pay(),
        }),
        ids: { referenceUuid: PAYMENTS, merchantTransactionId: ['merchantTransactionId'] },
      },
    ],
  },
  [`GET ${path}/{id}`]: { cases: [scheduleStep('DB', {}, kinds)] },
  [`DELETE ${path}/{id}`]: { cases: [scheduleStep('DB', {}, kinds), scheduleStep('CD')] },
  [`POST ${path}/{id}/reschedule`]: {
    cases: [
      scheduleStep(
        'DB',
        { 'job.month': '1' },
        { ...kinds, merchantTransactionId: ['merchantTransactionId'] },
      ),
      scheduleStep('CD', { 'job.month': '1' }),
    ],
  },
  [`POST ${path}/{id}/deschedule`]: { cases: [scheduleStep('DB', {}, kinds), scheduleStep('CD')] },
});

/** Why a route needs no token. */
const A_SESSION = 'the session of a user is the credential, and shows that user alone';
const userStep: RestCase = {
  what: 'of one',
  form: ({ merchant }) => ({ id: '0'.repeat(32), entityId: merchant }),
  ids: { id: ['user'], entityId: ENTITIES },
};

/** Every route of the document. A new one is a line here. */
export const REST_CASES: Readonly<Record<string, RouteCases>> = {
  'POST /v1/payments': {
    cases: [
      {
        what: 'a typed card',
        form: ({ channel }) => ({ ...TYPED, entityId: channel }),
        ids: {
          entityId: ENTITIES,
          'Idempotency-Key': ['idempotencyKey'],
          merchantTransactionId: ['merchantTransactionId'],
        },
      },
      {
        what: 'a typed card with what older clients send',
        form: ({ channel }) => ({ ...TYPED, ...OLDER_CLIENT, entityId: channel }),
        ids: { entityId: ENTITIES },
      },
      {
        what: 'an older client that is unknown',
        withoutToken: true,
        form: ({ legacyChannel, tokenId }) => ({
          ...TYPED,
          'authentication.entityId': legacyChannel,
          'authentication.userId': tokenId,
          'authentication.password': 'tb_wrong',
        }),
        ids: { 'authentication.entityId': ENTITIES, 'authentication.userId': ['token'] },
      },
      {
        what: 'an older client',
        withoutToken: true,
        form: ({ legacyChannel, tokenId, token }) => ({
          ...TYPED,
          'authentication.entityId': legacyChannel,
          'authentication.userId': tokenId,
          'authentication.password': token,
        }),
        ids: { 'authentication.entityId': ENTITIES, 'authentication.userId': ['token'] },
      },
      {
        what: 'a chip',
        looksAtAccountData: true,
        form: ({ channel, terminal, device, accountKsn, pinKsn, counter }) => ({
          entityId: channel,
          amount: '12.34',
          currency: 'EUR',
          paymentType: 'DB',
          'pos.terminalId': terminal,
          'pos.deviceId': device,
          'pos.entryMode': 'ICC',
          'pos.deviceType': 'GERTEC_PPC930',
          'pos.panSequenceNumber': '01',
          'pos.iccDataRequest': chipData(counter),
          'pos.encryptedSred.ksn': accountKsn(1),
          'pos.encryptedPin.ksn': pinKsn(1),
        }),
        ids: {
          entityId: ENTITIES,
          'pos.terminalId': ['terminal'],
          'pos.deviceId': DEVICES,
          'pos.iccDataRequest': ['cardCounter'],
          'pos.encryptedSred.ksn': KSNS,
          'pos.encryptedPin.ksn': KSNS,
        },
        finish: (form) => ({
          ...form,
          'pos.encryptedSred.data': encipheredAccount(form['pos.encryptedSred.ksn'] ?? ''),
          'pos.encryptedPin.data': encipheredPinOf(form['pos.encryptedPin.ksn'] ?? ''),
        }),
      },
      linked('DB'),
      linked('PA.CP'),
      linked('CD'),
      linked('PA', { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' }),
      linked('PA', { 'standingInstruction.industryPractice': 'REAUTHORIZATION' }),
      linked('DB', {
        'card.number': TYPED['card.number'],
        'card.expiryMonth': '12',
        'card.expiryYear': '2031',
      }),
    ],
  },
  'POST /v1/payments/{id}': {
    cases: [
      followUp('CP'),
      followUp(
        'RF',
        {},
        {
          'pos.terminalId': ['terminal'],
          'pos.deviceId': DEVICES,
          'pos.encryptedSred.ksn': KSNS,
          'pos.encryptedPin.ksn': KSNS,
        },
      ),
      followUp('RV'),
      followUp('PA', { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' }),
      followUp('PA', { 'standingInstruction.industryPractice': 'REAUTHORIZATION' }),
      {
        what: 'RV that names the payment twice',
        form: async ({ pay, channel }) => {
          const id = await pay();
          return { id, entityId: channel, paymentType: 'RV', referenceUuid: id };
        },
        ids: { referenceUuid: PAYMENTS },
      },
    ],
  },
  'GET /v1/payments/{id}': { cases: [read, readForEntity] },
  'GET /v1/query/{id}': { cases: [read, readForEntity] },
  'GET /v1/query': {
    cases: [
      {
        what: 'by time',
        form: ({ merchant }) => ({
          entityId: merchant,
          'date.from': '2000-01-01 00:00:00',
          'date.to': '2099-12-31 23:59:59',
        }),
        ids: { entityId: ENTITIES, shortId: ['authorizedPayment'] },
      },
      {
        what: 'by reference',
        form: ({ merchant }) => ({ entityId: merchant, merchantTransactionId: 'mine' }),
        ids: { merchantTransactionId: ['merchantTransactionId', 'tillReference'] },
      },
    ],
  },
  'GET /v3/query/{id}': {
    cases: [
      {
        what: 'with what is linked',
        form: async ({ pay, merchant }) => ({
          id: await pay(),
          entityId: merchant,
          includeLinkedTransactions: 'true',
        }),
        ids: {
          id: PAYMENTS,
          entityId: ENTITIES,
          merchantTransactionId: ['merchantTransactionId'],
          shortId: ['authorizedPayment'],
        },
      },
    ],
  },
  'GET /v3/query': {
    cases: [
      {
        what: 'by reference',
        form: ({ merchant }) => ({ entityId: merchant, merchantTransactionId: 'mine' }),
        ids: {
          entityId: ENTITIES,
          merchantTransactionId: ['merchantTransactionId', 'tillReference'],
          shortId: ['authorizedPayment'],
        },
      },
    ],
  },
  'POST /v1/threeDSecure': {
    cases: [
      {
        what: 'a typed card',
        form: ({ channel }) => ({ ...AUTHENTICATED, entityId: channel }),
        ids: { entityId: ENTITIES, ...NAMED },
      },
    ],
  },
  'GET /v1/threeDSecure/{id}': {
    cases: [
      {
        what: 'an authentication',
        form: ({ authentication }) => ({ id: authentication }),
        ids: { id: ['authentication'], entityId: ENTITIES },
      },
      {
        what: 'an authentication of an entity',
        form: ({ authentication, channel }) => ({ id: authentication, entityId: channel }),
        ids: { id: ['authentication'], entityId: ENTITIES },
      },
    ],
  },
  'POST /v1/checkouts': {
    cases: [purchase],
  },
  'POST /v1/checkouts/{id}': {
    cases: [
      {
        what: 'another amount',
        form: async ({ checkout, channel }) => ({ id: await checkout(), entityId: channel, amount: '1.00' }),
        ids: { id: ['checkout'], entityId: ENTITIES, 'registrations[n].id': ['registration'], ...NAMED },
      },
    ],
  },
  'DELETE /v1/checkouts/{id}': { cases: [ownCheckout] },
  'GET /v1/checkouts/{id}/registration': { cases: [ownCheckout] },
  'POST /v1/checkouts/{id}/registration': {
    open: 'the id of the checkout is the credential',
    values: ['id'],
    cases: [
      {
        what: 'a typed card',
        form: async ({ checkout }) => ({ ...CARD, id: await checkout({ createRegistration: 'true' }) }),
        ids: { entityId: ENTITIES, ...NAMED },
      },
    ],
  },
  'POST /v1/registrations': {
    cases: [
      {
        what: 'a typed card',
        form: ({ channel }) => ({ ...CARD, entityId: channel }),
        ids: { entityId: ENTITIES, 'Idempotency-Key': ['idempotencyKey'], ...NAMED },
      },
    ],
  },
  'GET /v1/registrations/{id}': { cases: [ownRegistration] },
  'DELETE /v1/registrations/{id}': { cases: [ownRegistration] },
  'POST /v1/registrations/{id}': {
    cases: [
      {
        what: 'another expiry date',
        form: async ({ registration, channel }) => ({
          id: await registration(),
          entityId: channel,
          'card.expiryYear': '2034',
        }),
        ids: { id: ['registration'], entityId: ENTITIES },
      },
    ],
  },
  'POST /v1/registrations/{id}/payments': {
    cases: [
      {
        what: 'its own',
        form: async ({ registration, channel }) => ({
          ...PURCHASE,
          id: await registration(),
          entityId: channel,
        }),
        ids: {
          id: ['registration'],
          entityId: ENTITIES,
          'registration.id': ['registration'],
          'Idempotency-Key': ['idempotencyKey'],
          ...NAMED,
        },
      },
      {
        what: 'a credit',
        form: async ({ registration, channel }) => ({
          ...PURCHASE,
          paymentType: 'CD',
          id: await registration(),
          entityId: channel,
        }),
        ids: {},
      },
    ],
  },
  'GET /v1/checkouts/{id}/payment': { cases: [ownCheckout] },
  'GET /v1/checkouts/{id}/widget': {
    open: 'the id of the checkout is the credential',
    values: ['id'],
    cases: [{ what: 'its own', form: async ({ checkout }) => ({ id: await checkout() }), ids: {} }],
  },
  'POST /v1/checkouts/{id}/payment': {
    open: 'the id of the checkout is the credential',
    values: ['id'],
    cases: [
      {
        what: 'a typed card',
        form: async ({ checkout }) => ({ ...CARD, id: await checkout() }),
        ids: {
          entityId: ENTITIES,
          registrationId: ['registration'],
          'registration.id': ['registration'],
          ...NAMED,
        },
      },
    ],
  },
  'POST /paybylink/v1': {
    values: [...PAY_BY_LINK_PARAMETERS, ...rowsOf('checkout-create')]
      .map(({ name }) => name)
      // What may be an id stands below.
      .filter(
        (name) => !/\bid\b|Ids?\b|Uuid|ksn|[sS]erial|[rR]eference\b|[tT]oken|registration\b/.test(name),
      ),
    cases: [purchase],
  },
  'GET /paybylink/v1/{id}': { cases: [ownLink] },
  'DELETE /paybylink/v1/{id}': { cases: [ownLink] },
  'POST /paybylink/v1/{id}/sms': { values: ['from', 'smsTo'], cases: [ownLink] },
  'GET /paybylink/v1/{id}/checkouts/{checkoutId}/payment': {
    cases: [
      {
        what: 'a checkout of a link',
        form: async ({ paymentLink, checkout, channel }) => ({
          id: await paymentLink(),
          checkoutId: await checkout(),
          entityId: channel,
        }),
        ids: { id: ['paymentLink'], checkoutId: ['checkout'], entityId: ENTITIES },
      },
    ],
  },
  'GET /v1/paymentWidgets.js': {
    open: 'the script of the payment form is the same for everybody',
    cases: [{ what: 'the script', form: () => ({}), ids: {} }],
  },
  'GET /v1/resultcodes': {
    open: 'the codes are published',
    cases: [{ what: 'all', form: () => ({}), ids: {} }],
  },
  'GET /reports/v1/reconciliations/aggregations': {
    cases: [
      {
        what: 'of a merchant',
        form: ({ merchant }) => ({ entityId: merchant, 'date.from': '2026-01-01', 'date.to': '2099-12-31' }),
        ids: { entityId: ENTITIES },
      },
    ],
    values: ['currency', 'pageNo'],
  },
  'GET /reports/v1/reconciliations/aggregations/{id}': {
    cases: [aggregation],
    values: ['sortValue', 'sortOrder'],
  },
  'GET /reports/v2/reconciliations/aggregations/{id}': {
    cases: [aggregation],
    values: ['sortValue', 'sortOrder', 'reconciliationType', 'pageNo'],
  },
  'GET /v1/reconciliation': {
    cases: [
      {
        what: 'of a merchant',
        form: ({ merchant }) => ({ entityId: merchant }),
        ids: { entityId: ENTITIES },
      },
    ],
    values: ['pageNo'],
  },
  'GET /v1/reconciliation/{name}': {
    cases: [
      {
        what: 'a file',
        form: ({ merchant }) => ({ name: `${merchant}-20260101-1.csv`, entityId: merchant }),
        ids: { name: ['file'], entityId: ENTITIES },
      },
    ],
  },
  'POST /v1/simulator/settlements': {
    cases: [{ what: 'of the merchant of the token', form: () => ({}), ids: {} }],
  },
  'GET /v1/inbox': {
    values: ['kind', 'severity', 'limit', 'after'],
    cases: [
      {
        what: 'of a merchant',
        form: ({ merchant }) => ({ entityId: merchant }),
        ids: { entityId: ENTITIES, agentId: ['agent'] },
      },
    ],
  },
  'POST /v1/inbox/{kind}/{id}/resolution': {
    values: ['kind', 'note', 'decision', 'deviceType'],
    cases: [
      {
        what: 'a parked message',
        form: ({ merchant }) => ({
          ...{ kind: 'parked-message', id: '0'.repeat(32), entityId: merchant },
          ...{ decision: 'drop', note: 'resolved' },
        }),
        ids: { id: ['alert'], entityId: ENTITIES },
      },
      {
        what: 'a review',
        form: async ({ pay, merchant }) => ({
          ...{ kind: 'review', id: await pay(), entityId: merchant, decision: 'refuse' },
        }),
        ids: { id: PAYMENTS },
      },
      {
        what: 'a device that is refused',
        form: ({ merchant }) => ({
          ...{ kind: 'refused-device', id: '0'.repeat(32), entityId: merchant },
        }),
        ids: { id: ['alert'], serial: DEVICES, terminalId: ['terminal'] },
      },
    ],
  },
  'GET /v1/requests': {
    values: ['date.from', 'date.to', 'outcome', 'resultCode', 'path', 'limit'],
    cases: [
      {
        what: 'that made payments',
        form: ({ merchant }) => ({ entityId: merchant, path: '/v1/payments' }),
        ids: { entityId: ENTITIES, paymentId: PAYMENTS, after: PAYMENTS },
      },
    ],
  },
  'GET /v1/alerts': {
    values: ['state', 'limit'],
    cases: [
      {
        what: 'that are open',
        form: ({ merchant }) => ({ entityId: merchant }),
        ids: { entityId: ENTITIES, after: ['alert'] },
      },
    ],
  },
  'POST /v1/alerts/{id}/acknowledgement': {
    values: ['note'],
    cases: [
      {
        what: 'with a note',
        form: ({ merchant }) => ({ id: '0'.repeat(32), entityId: merchant, note: 'seen' }),
        ids: { id: ['alert'], entityId: ENTITIES },
      },
    ],
  },
  'GET /v1/payments/{id}/timeline': { cases: [read, readForEntity] },
  'GET /v1/payments': {
    values: [...FOUND_BY, 'limit', 'cursor'],
    cases: [search],
  },
  'GET /v1/payments/export': {
    values: [...FOUND_BY, 'limit', 'cursor'],
    cases: [search],
  },
  'GET /v1/payments/totals': {
    values: ['date.from', 'date.to', 'paymentTypes', 'currency', 'interval'],
    cases: [
      {
        what: 'a day',
        form: ({ merchant }) => ({
          ...{ entityId: merchant, 'date.from': '2026-01-01 00:00:00', 'date.to': '2026-01-02 00:00:00' },
        }),
        ids: { entityId: ENTITIES },
      },
    ],
  },
  'POST /v1/risk': {
    values: [
      ...RISK_CHECK_PARAMETERS.map(({ name }) => name).filter((name) => name !== 'entityId'),
      'risk.parameters\\[[A-Za-z0-9._]{3,64}\\]',
    ],
    cases: [
      {
        what: 'without a payment',
        form: ({ channel }) => ({ entityId: channel, amount: '1.00', currency: 'EUR' }),
        ids: { entityId: ENTITIES },
      },
    ],
  },
  'POST /v1/giftCards/balance': {
    values: ['giftCard.number', 'giftCard.pin'],
    cases: [
      {
        what: 'of a card',
        form: ({ channel }) => ({ entityId: channel, 'giftCard.number': '6036280000000011' }),
        ids: { entityId: ENTITIES },
      },
    ],
  },
  'GET /v1/reviews': {
    cases: [
      {
        what: 'of a merchant',
        form: ({ merchant }) => ({ entityId: merchant }),
        ids: { entityId: ENTITIES },
      },
    ],
  },
  'GET /v1/standIns': {
    values: ['state', 'limit'],
    cases: [
      {
        what: 'of a merchant',
        form: ({ merchant }) => ({ entityId: merchant }),
        ids: { entityId: ENTITIES, after: PAYMENTS },
      },
    ],
  },
  'POST /v1/reviews/{id}/release': { values: ['note'], cases: [review] },
  'POST /v1/reviews/{id}/refusal': { values: ['note'], cases: [review] },
  'POST /v1/payments/{id}/resultCall': {
    cases: [
      {
        what: 'a payment without a checkout',
        form: async ({ pay, channel }) => ({ id: await pay(), entityId: channel }),
        ids: { id: PAYMENTS, entityId: ENTITIES },
      },
    ],
  },
  'POST /v1/payments/{id}/receipt': {
    cases: [
      {
        what: 'a payment that waits for no transfer',
        form: async ({ pay, channel }) => ({ id: await pay(), entityId: channel }),
        ids: { id: PAYMENTS, entityId: ENTITIES },
      },
    ],
  },
  'POST /v1/payments/{id}/chargeback': { values: ['amount', 'reason'], cases: [chargeback] },
  'POST /v1/payments/{id}/chargebackReversal': { values: ['amount', 'reason'], cases: [chargeback] },
  'POST /v1/agents/{id}/commands': {
    values: ['action'],
    cases: [
      {
        what: 'ping',
        form: ({ agent, merchant }) => ({ id: agent, entityId: merchant, action: 'ping' }),
        ids: { id: ['agent'], entityId: ENTITIES },
      },
      {
        what: 'cancel a sale',
        form: ({ agent }) => ({ id: agent, action: 'cancel-sale', reference: 'sale-1' }),
        ids: { id: ['agent'], reference: ['tillReference'] },
      },
    ],
  },
  'GET /v1/agents/{id}/commands/{commandId}': {
    cases: [
      {
        what: 'one',
        form: ({ agent, merchant }) => ({ id: agent, entityId: merchant, commandId: 'none' }),
        ids: { id: ['agent'], entityId: ENTITIES, commandId: ['agentCommand'] },
      },
    ],
  },
  'GET /v1/devices': {
    values: ['limit'],
    cases: [
      {
        what: 'of a merchant',
        form: ({ merchant }) => ({ entityId: merchant }),
        ids: { entityId: ENTITIES, after: DEVICES },
      },
    ],
  },
  'GET /v1/devices/{id}': { cases: [deviceStep('one')] },
  'POST /v1/devices/{id}/assignment': {
    cases: [
      {
        what: 'from stock',
        form: ({ spareDevice, agent, terminal }) => ({
          id: spareDevice,
          agentId: agent,
          terminalId: terminal,
        }),
        ids: { id: DEVICES, entityId: ENTITIES, agentId: ['agent'], terminalId: ['terminal'] },
      },
      deviceStep('to no agent', {}, { terminalId: ['terminal'] }),
    ],
  },
  'POST /v1/devices/{id}/suspension': {
    values: ['tampered'],
    cases: [deviceStep('for a while'), deviceStep('for tampering', { tampered: 'true' })],
  },
  'POST /v1/devices/{id}/resumption': { cases: [deviceStep('of one')] },
  'POST /v1/devices/{id}/decommission': { cases: [deviceStep('of one')] },
  'POST /v1/devices/{id}/swap': {
    cases: [
      {
        what: 'for one in stock',
        form: ({ device, spareDevice }) => ({ id: device, replacement: spareDevice }),
        ids: { id: DEVICES, entityId: ENTITIES, replacement: DEVICES },
      },
    ],
  },
  'GET /v1/webhooks': {
    cases: [{ what: 'all', form: ({ merchant }) => ({ entityId: merchant }), ids: { entityId: ENTITIES } }],
  },
  'POST /v1/webhooks': {
    values: ['url', 'types', 'scope', 'format'],
    cases: [
      { what: 'for an entity', form: ({ channel }) => ({ entityId: channel }), ids: { entityId: ENTITIES } },
    ],
  },
  'GET /v1/webhooks/{id}': { cases: [webhookStep('one')] },
  'GET /v1/webhooks/{id}/deliveries': { values: ['limit', 'after'], cases: [webhookStep('of one')] },
  'GET /v1/webhooks/{id}/pending': { values: ['limit'], cases: [webhookStep('of one')] },
  'POST /v1/webhooks/{id}/acknowledgement': {
    values: ['sequence'],
    cases: [webhookStep('of the first', { sequence: '1' })],
  },
  'POST /v1/webhooks/{id}/test': { cases: [webhookStep('of one')] },
  'POST /v1/webhooks/{id}/pause': { values: ['note'], cases: [webhookStep('of one', { note: 'moving' })] },
  'POST /v1/webhooks/{id}/resumption': { cases: [webhookStep('of one')] },
  'POST /v1/webhooks/{id}/rotation': { values: ['atOnce'], cases: [webhookStep('of one')] },
  'POST /v1/webhooks/{id}/resend': {
    values: ['sequence', 'date.from', 'date.to'],
    cases: [
      webhookStep('of the first', { sequence: '1' }),
      webhookStep('of a time', { 'date.from': '2026-11-01 00:00:00', 'date.to': '2026-12-01 00:00:00' }),
    ],
  },
  'POST /v1/webhooks/{id}/removal': { cases: [webhookStep('of one')] },
  'POST /v1/sessions': {
    open: 'a user who signs in has no session yet',
    values: ['email', 'password', 'code'],
    cases: [
      {
        what: 'of an unknown user',
        form: () => ({ email: 'a@b.example', password: 'x', code: '1' }),
        ids: {},
      },
    ],
  },
  'GET /v1/sessions/current': { open: A_SESSION, cases: [{ what: 'none', form: () => ({}), ids: {} }] },
  'POST /v1/sessions/current/removal': {
    open: A_SESSION,
    cases: [{ what: 'none', form: () => ({}), ids: {} }],
  },
  'POST /v1/sessions/removal': { open: A_SESSION, cases: [{ what: 'none', form: () => ({}), ids: {} }] },
  'POST /v1/invitations': {
    open: 'the secret of the invitation is the credential',
    values: ['invitation'],
    cases: [{ what: 'of an unknown user', form: () => ({ invitation: 'A'.repeat(43) }), ids: {} }],
  },
  'POST /v1/invitations/acceptance': {
    open: 'the secret of the invitation is the credential',
    values: ['invitation', 'password', 'code'],
    cases: [
      {
        what: 'of an unknown user',
        form: () => ({ invitation: 'A'.repeat(43), password: 'four words of mine', code: '1' }),
        ids: {},
      },
    ],
  },
  'GET /v1/users': {
    cases: [{ what: 'all', form: ({ merchant }) => ({ entityId: merchant }), ids: { entityId: ENTITIES } }],
  },
  'POST /v1/users': {
    values: ['email', 'name', 'role'],
    cases: [
      {
        what: 'a new one',
        form: ({ merchant }) => ({
          ...{ entityId: merchant, email: `${randomHex(8)}@shop.example`, name: 'New', role: 'view' },
        }),
        ids: { entityId: ENTITIES },
      },
    ],
  },
  'POST /v1/users/{id}/role': {
    values: ['role'],
    cases: [
      {
        what: 'of one',
        form: ({ merchant }) => ({ id: '0'.repeat(32), entityId: merchant, role: 'admin' }),
        ids: { id: ['user'], entityId: ENTITIES },
      },
    ],
  },
  'POST /v1/users/{id}/reset': { cases: [userStep] },
  'POST /v1/users/{id}/removal': { cases: [userStep] },
  'GET /v1/audit': {
    values: ['limit', 'before'],
    cases: [{ what: 'all', form: ({ merchant }) => ({ entityId: merchant }), ids: { entityId: ENTITIES } }],
  },
  ...schedules('/scheduling/v1/schedules', { id: ['schedule', 'registration'], entityId: ENTITIES }),
  'POST /v1/schedules/{id}/run': {
    cases: [scheduleStep('DB', {}, { id: ['schedule'], entityId: ENTITIES })],
  },
  ...schedules('/v1/schedules', { id: ['schedule'], entityId: ['channel'] }),
  'GET /v1/simulator/transactions': {
    cases: [{ what: 'of the merchant of the token', form: () => ({}), ids: {} }],
  },
};

/** Parameters of the specification that look like ids and name nothing that the gateway keeps, with what they are. */
export const NAMES_NOTHING: Readonly<Record<string, string>> = {
  merchantInvoiceId: 'echoed',
  testMode: 'a value of a list',
  createRegistration: 'a flag',
  'customer.merchantReference': 'of the merchant, kept with the payment',
  'shipping.customer.merchantReference': 'of the merchant, kept with the payment',
  lifecycleId: 'of a scheme; compared within a payment that was found',
  'walletA.paymentToken': 'account data',
  'walletB.paymentToken': 'account data',
  'walletC.paymentToken': 'account data',
  'virtualAccount.accountId': 'of another company',
  'bankAccount.mandate.id': 'of a bank',
  'tokenAccount.number': 'account data',
  'tokenAccount.type': 'a value of a list',
  'tokenAccount.expiryMonth': 'a date',
  'tokenAccount.expiryYear': 'a date',
  'tokenAccount.cryptogram': 'account data',
  'tokenAccount.dtvc': 'account data',
  'customer.merchantCustomerId': 'of the merchant, kept with the payment',
  'customer.identificationDocId': 'of the shopper',
  'customer.browserFingerprint.id': 'of the shopper',
  'customer.browser.deviceId': 'of the shopper',
  'customer.app.deviceId': 'of the shopper',
  'shipping.customer.merchantCustomerId': 'of the merchant, kept with the payment',
  'shipping.customer.identificationDocId': 'of the shopper',
  'shipping.preference': 'a value of a list',
  'merchant.shipping.preference': 'a value of a list',
  'corporate.vatId': 'of an authority',
  'merchant.websiteId': 'of the merchant, for the acquirer',
  'merchant.isoId': 'of the merchant, for the acquirer',
  'merchant.payFacId': 'of the merchant, for the acquirer',
  'merchant.marketplaceId': 'of the merchant, for the acquirer',
  'merchant.submerchantId': 'of the merchant, for the acquirer',
  'merchant.taxId': 'of an authority',
  'standingInstruction.initialTransactionId': 'of a scheme',
  'standingInstruction.agreementId': 'of the merchant, for the acquirer',
  'threeDSecure.verificationId':
    'a secret of 16 bytes: a foreign one counts as a guess (brought-proof.test.ts)',
  'threeDSecure.dsTransactionId': 'of a directory server',
  'threeDSecure.acsTransactionId': 'of an issuer',
  'risk.channelId': 'of a risk service',
  'risk.serviceId': 'of a risk service',
  'risk.accountToken': 'of a risk service',
  'cart.items[n].merchantItemId': 'of the merchant, kept with the payment',
  'cart.items[n].sellerId': 'of the merchant, kept with the payment',
  'marketPlace.sellers[n].id': 'of the merchant, kept with the payment',
  'threeDSecure.v2.<scheme>.requestorId': 'of a scheme',
};

/** Sends the request of a case, what it depends on filled in. */
export function sendCase(
  url: string,
  { method, path }: Pick<Route, 'method' | 'path'>,
  { finish, withoutToken }: RestCase,
  { form, headers, token }: Pick<RestRequest, 'form' | 'headers' | 'token'>,
): Promise<RestAnswer> {
  const finished = finish?.(form) ?? form;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return sendRest(url, {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => finished[name] ?? ''),
    form: Object.fromEntries(Object.entries(finished).filter(([name]) => !inPath.includes(name))),
    ...(headers && { headers }),
    ...(!withoutToken && token !== undefined && { token }),
  });
}
