import { TEST_GIFT_CARDS } from '@tillbridge/wire/payment/test-gift-cards.js';
import { CARD, type Form, PAYMENT, PURCHASE, type Shop } from './shop.js';

const [GIFT_CARD] = TEST_GIFT_CARDS;

/** Makes the parameters of a request, those of its path among them. */
type Request = (shop: Shop) => Form | Promise<Form>;

const BILLING: Form = {
  'billing.street1': 'High Street 5',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
};

const payment: Request = async (shop) => ({ id: await shop.pay(), ...shop.channel });
const checkout: Request = async (shop) => ({ id: await shop.checkout(), ...shop.channel });
const registration: Request = async (shop) => ({ id: await shop.registration(), ...shop.channel });
const paymentLink: Request = async (shop) => ({ id: await shop.paymentLink(), ...shop.channel });
const ofMerchant: Request = ({ merchant }) => merchant;
const settlement: Request = ({ owned, merchant }) => ({ id: owned.settlement, ...merchant });
const device: Request = ({ owner, merchant }) => ({ id: owner.device, ...merchant });
const user: Request = async (shop) => ({ id: (await shop.invited('bob@shop.example')).id, ...shop.merchant });
const webhook =
  (more: Form = {}): Request =>
  async (shop) => ({ id: await shop.webhook(), ...shop.channel, ...more });
/** Of an endpoint with a delivery that waits. */
const delivered =
  (more: (shop: Shop, id: string) => Form | Promise<Form>): Request =>
  async (shop) => {
    const id = shop.owner.webhook;
    await shop.pay();
    return { id, ...shop.channel, ...(await more(shop, id)) };
  };
const limited = () => ({ limit: '10' });
const first = async (shop: Shop, id: string) => ({ sequence: await shop.waiting(id) });
const reviewed: Request = async (shop) => ({
  id: await shop.pay({ 'customParameters[forceResultCode]': '000.400.020' }),
  ...shop.merchant,
  note: 'The shopper was called.',
});
const chargedBack: Form = { amount: '5.00', reason: '10.4' };

function schedules(path: string): Readonly<Record<string, Request>> {
  const schedule: Request = async (shop) => ({ id: await shop.schedule(), ...shop.channel });
  return {
    [`POST ${path}`]: async (shop) => ({
      ...shop.channel,
      ...PURCHASE,
      registrationId: await shop.agreement(),
      'job.dayOfMonth': '1',
      'job.startDate': '2099-01-01 00:00:00',
    }),
    [`GET ${path}/{id}`]: schedule,
    [`POST ${path}/{id}/reschedule`]: async (shop) => ({
      ...(await schedule(shop)),
      'job.dayOfMonth': '15',
    }),
    [`POST ${path}/{id}/deschedule`]: schedule,
    [`DELETE ${path}/{id}`]: schedule,
  };
}

/**
 * An example of a request for every operation of the gateway. `npm run record-examples` sends them and writes what is shown into
 * `gateway/data/api-examples.json`; a new operation is a line here.
 */
export const GATEWAY_REQUESTS: Readonly<Record<string, Request>> = {
  'POST /v1/payments': ({ channel }) => ({
    ...channel,
    ...PAYMENT,
    paymentBrand: 'VISA',
    merchantTransactionId: 'order-4711',
  }),
  'POST /v1/payments/{id}': async (shop) => ({
    id: await shop.pay(),
    ...shop.channel,
    paymentType: 'RF',
    amount: '5.00',
    currency: 'EUR',
  }),
  'GET /v1/payments/{id}': payment,
  'GET /v1/payments/{id}/timeline': payment,
  'GET /v1/payments': ({ channel }) => ({ ...channel, merchantTransactionId: 'order-4711' }),
  'GET /v1/payments/export': ({ channel }) => ({ ...channel, merchantTransactionId: 'order-4711' }),
  'GET /v1/payments/totals': ({ channel }) => ({
    ...channel,
    'date.from': '2026-11-20 00:00:00',
    'date.to': '2026-11-20 23:59:59',
    interval: 'day',
  }),
  'GET /v1/query/{id}': payment,
  'GET /v1/query': ({ channel }) => ({ ...channel, merchantTransactionId: 'order-4711' }),
  'GET /v3/query/{id}': async (shop) => ({ ...(await payment(shop)), includeLinkedTransactions: 'true' }),
  'GET /v3/query': ({ channel }) => ({ ...channel, merchantTransactionId: 'order-4711' }),
  'POST /v1/threeDSecure': ({ channel }) => ({
    ...channel,
    ...PAYMENT,
    ...BILLING,
    'threeDSecure.threeRIInd': 'RECURRING',
  }),
  'GET /v1/threeDSecure/{id}': ({ owner, channel }) => ({ id: owner.authentication, ...channel }),
  'GET /v1/resultcodes': () => ({}),
  'POST /v1/registrations': ({ channel }) => ({ ...channel, ...CARD }),
  'POST /v1/registrations/{id}/payments': async (shop) => ({ ...(await registration(shop)), ...PURCHASE }),
  'GET /v1/registrations/{id}': registration,
  'POST /v1/registrations/{id}': async (shop) => ({
    ...(await registration(shop)),
    'card.expiryYear': '2034',
  }),
  'DELETE /v1/registrations/{id}': async (shop) => ({
    // The details of a card are stored once: those of no other example are removed.
    id: await shop.registration({ 'card.expiryMonth': '11' }),
    ...shop.channel,
  }),
  'POST /v1/checkouts': ({ channel }) => ({ ...channel, ...PURCHASE }),
  'POST /v1/checkouts/{id}': async (shop) => ({ ...(await checkout(shop)), amount: '15.00' }),
  'DELETE /v1/checkouts/{id}': checkout,
  'GET /v1/paymentWidgets.js': () => ({}),
  'GET /v1/checkouts/{id}/widget': async (shop) => ({ id: await shop.checkout() }),
  'POST /v1/checkouts/{id}/payment': async (shop) => ({
    id: await shop.checkout(),
    ...CARD,
    paymentBrand: 'VISA',
    shopperResultUrl: 'https://shop.example/result',
  }),
  'GET /v1/checkouts/{id}/payment': async (shop) => {
    const id = await shop.checkout();
    await shop.send('POST', `/v1/checkouts/${id}/payment`, CARD);
    return { id, ...shop.channel };
  },
  'POST /v1/checkouts/{id}/registration': async (shop) => ({
    id: await shop.make('/v1/checkouts', { createRegistration: 'true' }),
    ...CARD,
  }),
  'GET /v1/checkouts/{id}/registration': async (shop) => {
    const id = await shop.make('/v1/checkouts', { createRegistration: 'true' });
    await shop.send('POST', `/v1/checkouts/${id}/registration`, CARD);
    return { id, ...shop.channel };
  },
  ...schedules('/scheduling/v1/schedules'),
  ...schedules('/v1/schedules'),
  'POST /v1/schedules/{id}/run': async (shop) => ({ id: await shop.schedule(), ...shop.channel }),
  'GET /reports/v1/reconciliations/aggregations': ({ merchant }) => ({
    ...merchant,
    'date.from': '2026-01-01',
    'date.to': '2099-12-31',
  }),
  'GET /reports/v1/reconciliations/aggregations/{id}': settlement,
  'GET /reports/v2/reconciliations/aggregations/{id}': settlement,
  'GET /v1/reconciliation': ofMerchant,
  'GET /v1/reconciliation/{name}': ({ owned, merchant }) => ({ name: owned.file, ...merchant }),
  'POST /v1/simulator/settlements': async (shop) => {
    await shop.pay();
    return {};
  },
  'POST /paybylink/v1': ({ channel }) => ({
    ...channel,
    ...PURCHASE,
    validUntil: '7',
    validUntilUnit: 'DAY',
    createQRCode: 'true',
  }),
  'GET /paybylink/v1/{id}': paymentLink,
  'DELETE /paybylink/v1/{id}': paymentLink,
  'POST /paybylink/v1/{id}/sms': async (shop) => ({ ...(await paymentLink(shop)), smsTo: '+491701234567' }),
  'GET /paybylink/v1/{id}/checkouts/{checkoutId}/payment': async (shop) => {
    const id = await shop.paymentLink();
    const checkoutId = await shop.openedCheckout(id);
    await shop.send('POST', `/v1/checkouts/${checkoutId}/payment`, CARD);
    return { id, checkoutId, ...shop.channel };
  },
  'GET /v1/inbox': ofMerchant,
  'POST /v1/inbox/{kind}/{id}/resolution': async (shop) => ({
    kind: 'review',
    ...(await reviewed(shop)),
    decision: 'release',
  }),
  'GET /v1/requests': async (shop) => {
    const wrong = { ...shop.channel, ...PAYMENT, amount: '12.345' };
    await shop.send('POST', '/v1/payments', wrong, 400);
    return { ...shop.merchant, outcome: 'refused', path: '/v1/payments', limit: '10' };
  },
  'GET /v1/alerts': ofMerchant,
  'POST /v1/alerts/{id}/acknowledgement': ({ owned, merchant }) => ({
    id: owned.alert,
    ...merchant,
    note: 'The store was called.',
  }),
  'POST /v1/risk': ({ channel }) => ({
    ...channel,
    amount: '12.34',
    currency: 'EUR',
    'card.number': CARD['card.number'] ?? '',
    'customer.email': 'jane@example.com',
  }),
  'POST /v1/giftCards/balance': ({ channel }) => ({
    ...channel,
    'giftCard.number': GIFT_CARD?.number ?? '',
    'giftCard.pin': GIFT_CARD?.pin ?? '',
  }),
  'GET /v1/reviews': async (shop) => {
    await reviewed(shop);
    return shop.merchant;
  },
  'POST /v1/reviews/{id}/release': reviewed,
  'POST /v1/reviews/{id}/refusal': reviewed,
  'GET /v1/standIns': ofMerchant,
  'POST /v1/payments/{id}/resultCall': async (shop) => {
    const id = await shop.checkout({ shopperResultUrl: 'https://shop.example/result' });
    const { id: paid } = await shop.send('POST', `/v1/checkouts/${id}/payment`, CARD);
    return { id: String(paid), ...shop.channel };
  },
  'POST /v1/payments/{id}/receipt': async (shop) => ({
    id: await shop.make('/v1/payments', { ...PURCHASE, paymentBrand: 'PREPAYMENT' }),
    ...shop.channel,
  }),
  'POST /v1/payments/{id}/chargeback': async (shop) => ({ ...(await payment(shop)), ...chargedBack }),
  'POST /v1/payments/{id}/chargebackReversal': async (shop) => {
    const id = await shop.pay();
    const form = { ...shop.channel, ...chargedBack };
    const { id: chargeback } = await shop.send('POST', `/v1/payments/${id}/chargeback`, form);
    return { id: String(chargeback), ...shop.channel };
  },
  'GET /v1/simulator/transactions': () => ({}),
  'POST /v1/agents/{id}/commands': ({ owner, merchant }) => ({
    id: owner.agent,
    ...merchant,
    action: 'status',
  }),
  'GET /v1/agents/{id}/commands/{commandId}': ({ owner, owned, merchant }) => ({
    id: owner.agent,
    commandId: owned.agentCommand,
    ...merchant,
  }),
  'GET /v1/devices': ofMerchant,
  'GET /v1/devices/{id}': device,
  'POST /v1/devices/{id}/suspension': device,
  'POST /v1/devices/{id}/resumption': device,
  'POST /v1/devices/{id}/assignment': async (shop) => ({
    ...(await device(shop)),
    agentId: shop.owner.agent,
    terminalId: shop.owner.terminal,
  }),
  'POST /v1/devices/{id}/swap': async (shop) => ({
    ...(await device(shop)),
    replacement: shop.owner.spareDevice,
  }),
  'POST /v1/devices/{id}/decommission': ({ owner, merchant }) => ({ id: owner.spareDevice, ...merchant }),
  'GET /v1/webhooks': ({ channel }) => channel,
  'POST /v1/webhooks': ({ channel }) => ({
    ...channel,
    url: 'https://shop.example/notifications',
    types: 'PAYMENT,REGISTRATION',
  }),
  'GET /v1/webhooks/{id}': webhook(),
  'GET /v1/webhooks/{id}/deliveries': delivered(limited),
  'GET /v1/webhooks/{id}/pending': delivered(limited),
  'POST /v1/webhooks/{id}/acknowledgement': delivered(first),
  'POST /v1/webhooks/{id}/test': webhook(),
  'POST /v1/webhooks/{id}/pause': webhook({ note: 'The shop moves to another host.' }),
  'POST /v1/webhooks/{id}/resumption': async (shop) => {
    const id = await shop.webhook();
    await shop.send('POST', `/v1/webhooks/${id}/pause`, { ...shop.channel, note: 'moving' });
    return { id, ...shop.channel };
  },
  'POST /v1/webhooks/{id}/rotation': webhook(),
  'POST /v1/webhooks/{id}/resend': delivered(first),
  'POST /v1/webhooks/{id}/removal': webhook(),
  'POST /v1/sessions': (shop) => shop.signIn(),
  'GET /v1/sessions/current': () => ({}),
  'POST /v1/sessions/current/removal': () => ({}),
  'POST /v1/sessions/removal': () => ({}),
  'POST /v1/invitations': async (shop) => ({
    invitation: (await shop.invited('anna@shop.example')).invitation,
  }),
  'POST /v1/invitations/acceptance': async (shop) => shop.acceptance('anna@shop.example'),
  'GET /v1/users': ofMerchant,
  'POST /v1/users': ({ merchant }) => ({
    ...merchant,
    email: 'bob@shop.example',
    name: 'Bob Jones',
    role: 'support',
  }),
  'POST /v1/users/{id}/role': async (shop) => ({ ...(await user(shop)), role: 'finance' }),
  'POST /v1/users/{id}/reset': user,
  'POST /v1/users/{id}/removal': user,
  'GET /v1/audit': ({ merchant }) => ({ ...merchant, limit: '10' }),
};
