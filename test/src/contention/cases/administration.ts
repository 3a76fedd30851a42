import { COMMAND_LIMITS } from '@tillbridge/gateway/core/bridge/commands/agent-command.js';
import { setRiskRules } from '@tillbridge/gateway/features/risk/entity-rules.js';
import { readRiskRules } from '@tillbridge/gateway/features/risk/rules/risk-rules.js';
import { alertId, raiseAlert } from '@tillbridge/gateway/kernel/alerts/alert-changes.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { TYPED } from '../../tenants/cards.js';
import { CARD, PURCHASE } from '../../tenants/stranger.js';
import type { ContentionTable, Stage } from './contention-case.js';
import { after, amountAt, browse, post } from './requests.js';

/** Commands that may still wait when the requests go out. */
const MORE_COMMANDS = 5;

/** A rule by which a person looks at what is above 500.00. */
const REVIEWED = {
  ...{ name: 'much', kind: 'amount', currency: 'EUR', above: '500.00', action: 'review' },
};

/** A payment that waits for a person; its id. */
async function waiting(stage: Stage): Promise<string> {
  const { own, store } = stage;
  await setRiskRules({ store, clock }, own.channel, readRiskRules(JSON.stringify({ rules: [REVIEWED] })));
  const paid = await stage.send(post(stage, '/v1/payments', { ...TYPED, amount: '600.00' }));
  return String(paid.id);
}

/** An approval that needs a review by a person; its id. */
async function approvedForReview({ own }: Stage): Promise<string> {
  return own.pay({ 'customParameters[forceResultCode]': '000.400.010' });
}

const decide = (stage: Stage, id: string, decision: 'release' | 'refusal') =>
  post(stage, `/v1/reviews/${id}/${decision}`, { note: 'seen' });

async function openAlert(
  { own, store }: Stage,
  code: 'device-locked' | 'agent-cloned' = 'device-locked',
): Promise<string> {
  const about = { code, subject: own.device };
  const detail = 'ten failures';
  await store.commit([raiseAlert({ ...about, entityId: own.merchant, detail }, clock.nowMs())]);
  return alertId(about.code, about.subject);
}

/** A checkout that was paid, and whose shop is not called yet: the id of its payment. */
async function paidAtShop(stage: Stage): Promise<string> {
  const checkout = await stage.own.checkout({ ...PURCHASE, shopperResultUrl: stage.shopUrl });
  const paid = await stage.send(browse(`/v1/checkouts/${checkout}/payment`, CARD));
  return String(paid.id);
}

/** Reviews, alerts, agents, settlement, and the calls to a shop. */
export const ADMINISTRATION_CASES: ContentionTable = {
  'POST /v1/reviews/{id}/release': {
    equal: [
      {
        what: 'a payment that waits',
        requests: after(waiting, (stage, id) => decide(stage, id, 'release')),
        refused: [400, 404, 409],
        money: { authorization: 1 },
        rows: { reviewDecisions: 1 },
        answersOther: true,
      },
    ],
    conflicting: [
      {
        what: 'racing refusals',
        requests: after(waiting, (stage, id, at) => decide(stage, id, at % 2 === 0 ? 'release' : 'refusal')),
        refused: [400, 404, 409],
        money: { authorization: [0, 1] },
        rows: { reviewDecisions: 1 },
        answersOther: true,
      },
    ],
  },
  'POST /v1/reviews/{id}/refusal': {
    equal: [
      {
        what: 'an approval that needs a review by a person',
        requests: after(approvedForReview, (stage, id) => decide(stage, id, 'refusal')),
        refused: [400, 404, 409],
        money: { refund: [0, 1], reversal: [0, 1] },
        rows: { reviewDecisions: 1 },
        answersOther: true,
      },
    ],
    conflicting: [
      {
        what: 'racing a refund by the merchant',
        requests: after(approvedForReview, (stage, id, at) =>
          at % 2 === 0
            ? decide(stage, id, 'refusal')
            : post(stage, `/v1/payments/${id}`, { paymentType: 'RF', amount: '12.34', currency: 'EUR' }),
        ),
        refused: [400, 404, 409],
        money: { refund: [0, 1], reversal: [0, 1] },
        rows: { reviewDecisions: [0, 1] },
        answersOther: true,
      },
    ],
  },
  'POST /v1/inbox/{kind}/{id}/resolution': {
    equal: [
      {
        what: 'the release of a payment that waits',
        requests: after(waiting, (stage, id) =>
          post(stage, `/v1/inbox/review/${id}/resolution`, { decision: 'release' }),
        ),
        refused: [400, 404, 409],
        different: { outcome: [1, 2] },
        money: { authorization: 1 },
        rows: { reviewDecisions: 1 },
        answersOther: true,
      },
      {
        what: 'the acknowledgement of an alert',
        requests: async (stage) => {
          const id = await openAlert(stage, 'agent-cloned');
          const form = { entityId: stage.own.merchant, note: 'seen' };
          return () => post(stage, `/v1/inbox/alert/${id}/resolution`, form);
        },
        accepted: 'all',
        rows: { audit: 1 },
      },
    ],
    conflicting: [
      {
        what: 'racing refusals',
        requests: after(waiting, (stage, id, at) =>
          post(stage, `/v1/inbox/review/${id}/resolution`, { decision: at % 2 === 0 ? 'release' : 'refuse' }),
        ),
        refused: [400, 404, 409],
        money: { authorization: [0, 1] },
        rows: { reviewDecisions: 1 },
        answersOther: true,
      },
    ],
  },
  'POST /v1/alerts/{id}/acknowledgement': {
    equal: [
      {
        what: 'one',
        requests: async (stage) => {
          const id = await openAlert(stage);
          const form = { entityId: stage.own.merchant, note: 'seen' };
          return () => post(stage, `/v1/alerts/${id}/acknowledgement`, form);
        },
        refused: [409],
      },
    ],
    conflicting: [
      {
        what: 'with other notes',
        requests: async (stage) => {
          const id = await openAlert(stage);
          const form = { entityId: stage.own.merchant };
          return (at) => post(stage, `/v1/alerts/${id}/acknowledgement`, { ...form, note: `by ${at}` });
        },
        refused: [409],
      },
    ],
  },
  'POST /v1/agents/{id}/commands': {
    equal: [
      {
        what: 'the last pings that may wait for an agent that is away',
        requests: async (stage) => {
          const ping = post(stage, `/v1/agents/${stage.own.agent}/commands`, { action: 'ping' });
          for (let waiting = MORE_COMMANDS; waiting < COMMAND_LIMITS.waiting; waiting += 1)
            await stage.send(ping);
          return () => ping;
        },
        refused: [409],
        accepted: [1, MORE_COMMANDS],
        rows: { agentCommands: [1, MORE_COMMANDS] },
      },
    ],
    conflicting: [
      {
        what: 'other actions',
        requests: (stage) => (at) =>
          post(stage, `/v1/agents/${stage.own.agent}/commands`, {
            action: ['ping', 'flush', 'status'][at % 3] ?? '',
          }),
        refused: [409],
        accepted: [1, COMMAND_LIMITS.waiting],
        rows: { agentCommands: [1, COMMAND_LIMITS.waiting] },
      },
    ],
  },
  'POST /v1/simulator/settlements': {
    equal: [
      {
        what: 'what was paid',
        requests: async (stage) => {
          await stage.own.pay();
          return () => ({ ...post(stage, '/v1/simulator/settlements'), form: {} });
        },
        refused: [409],
        check: settledOnce,
      },
    ],
    conflicting: [
      {
        what: 'racing payments',
        requests: async (stage) => {
          await stage.own.pay();
          return (at) =>
            at % 2 === 0
              ? { ...post(stage, '/v1/simulator/settlements'), form: {} }
              : post(stage, '/v1/payments', { ...TYPED, amount: amountAt(at) });
        },
        refused: [409],
        money: { authorization: [1, 'all'] },
        check: settledOnce,
      },
    ],
  },
  'POST /v1/payments/{id}/resultCall': {
    equal: [
      {
        what: 'the shop of a checkout',
        requests: after(paidAtShop, (stage, id) => post(stage, `/v1/payments/${id}/resultCall`)),
        refused: [409],
        answersOther: true,
      },
    ],
    conflicting: [
      {
        what: 'racing posts of the shopper',
        requests: async (stage) => {
          const checkout = await stage.own.checkout({ ...PURCHASE, shopperResultUrl: stage.shopUrl });
          const paid = await stage.send(browse(`/v1/checkouts/${checkout}/payment`, CARD));
          return (at) =>
            at % 2 === 0
              ? post(stage, `/v1/payments/${paid.id}/resultCall`)
              : browse(`/v1/checkouts/${checkout}/payment`, CARD);
        },
        refused: [400, 409, 429],
        answersOther: true,
      },
    ],
  },
  'POST /v1/threeDSecure': {
    equal: [
      {
        what: 'a card',
        requests: async (stage) => {
          await authenticates(stage);
          return () => post(stage, '/v1/threeDSecure', AUTHENTICATED);
        },
        accepted: 'all',
        different: { id: 'all' },
        rows: { authentications: 'all' },
      },
    ],
    conflicting: [
      {
        what: 'other amounts under one reference',
        requests: async (stage) => {
          await authenticates(stage);
          const order = { ...AUTHENTICATED, merchantTransactionId: 'order-0001' };
          return (at) => post(stage, '/v1/threeDSecure', { ...order, amount: amountAt(at) });
        },
        accepted: 'all',
        different: { id: 'all' },
        rows: { authentications: 'all' },
      },
    ],
  },
};

/** Lets the cardholders of the channel be authenticated. */
function authenticates({ own, store }: Stage): Promise<void> {
  const row = { entityId: own.channel, active: 1, version: 1 } as const;
  return store.commit([{ op: 'insert', table: 'threeDSecureSettings', row }]);
}

/** What an authentication without a browser needs. */
const AUTHENTICATED = {
  ...TYPED,
  'threeDSecure.threeRIInd': 'RECURRING',
  'customParameters[3DS2_enrolled]': 'true',
  'billing.street1': 'High Street 5',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
} as const;

/** No payment stands twice in the settlements. */
async function settledOnce({ own, store }: Stage): Promise<readonly string[]> {
  const settlements = await store.findRange('settlements', 'owner', { equals: [own.channel] });
  const records = [];
  for (const { id } of settlements)
    records.push(...(await store.findRange('settlementRecords', 'time', { equals: [id] })));
  const ids = records.filter(({ recordType }) => recordType === 'SETTLED').map(({ paymentId }) => paymentId);
  return [
    ...(ids.length === 0 ? ['the payment is not settled'] : []),
    ...(new Set(ids).size < ids.length ? ['a payment is settled twice'] : []),
  ];
}
