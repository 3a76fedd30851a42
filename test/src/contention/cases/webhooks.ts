import { TYPED } from '../../tenants/cards.js';
import type { ContentionCase, ContentionTable, Stage } from './contention-case.js';
import { post } from './requests.js';

const WEBHOOKS = '/v1/webhooks';
/** Endpoints of an entity; one is there at the beginning. */
const MORE_ENDPOINTS = 9;

const step = (stage: Stage, name: string, form: Record<string, string> = {}, id = stage.own.webhook) => ({
  ...post(stage, `${WEBHOOKS}/${id}/${name}`),
  form: { entityId: stage.own.merchant, ...form },
});

/** A step that changes the same endpoint again. */
const again = (what: string, name: string, form?: Record<string, string>): ContentionCase => ({
  what,
  requests: (stage) => () => step(stage, name, form),
  refused: [400, 404, 409],
});

/** Steps of one endpoint in turn. */
const inTurn = (
  what: string,
  ...names: readonly (readonly [string, Record<string, string>?])[]
): ContentionCase => ({
  what,
  requests: async (stage) => {
    await stage.own.pay();
    return (at) => {
      const [name, form] = names[at % names.length] ?? [''];
      return step(stage, name, form);
    };
  },
  refused: [400, 404, 409],
});

const PAUSE = ['pause', { note: 'the shop moves' }] as const;

/** Webhook endpoints, and what is delivered to them. */
export const WEBHOOK_CASES: ContentionTable = {
  'POST /v1/webhooks': {
    equal: [
      {
        what: 'one without a URL',
        requests: (stage) => () => post(stage, WEBHOOKS),
        refused: [400, 409],
        accepted: [1, MORE_ENDPOINTS],
        rows: { webhookEndpoints: [1, MORE_ENDPOINTS] },
      },
    ],
    conflicting: [
      {
        what: 'with other URLs, racing payments',
        requests: (stage) => (at) =>
          at % 2 === 0
            ? post(stage, WEBHOOKS, { url: `${stage.shopUrl}/${at}` })
            : post(stage, '/v1/payments', TYPED),
        refused: [400, 409],
        money: { authorization: [1, 'all'] },
        rows: { webhookEndpoints: [1, MORE_ENDPOINTS] },
      },
    ],
  },
  'POST /v1/webhooks/{id}/acknowledgement': {
    equal: [
      {
        what: 'the first delivery',
        requests: async (stage) => {
          await stage.own.pay();
          return () => step(stage, 'acknowledgement', { sequence: '1' });
        },
        refused: [409],
      },
    ],
    conflicting: [
      {
        what: 'racing sending it again',
        requests: async (stage) => {
          await stage.own.pay();
          return (at) => step(stage, at % 2 === 0 ? 'acknowledgement' : 'resend', { sequence: '1' });
        },
        refused: [409],
      },
    ],
  },
  'POST /v1/webhooks/{id}/test': {
    equal: [
      {
        what: 'of a shop that answers',
        requests: async (stage) => {
          const made = await stage.send(post(stage, WEBHOOKS, { url: stage.shopUrl }));
          const id = String(made.id ?? (made.webhook as { id?: string } | undefined)?.id);
          return () => step(stage, 'test', {}, id);
        },
        refused: [409],
      },
    ],
    conflicting: [inTurn('racing rotation and removal', ['test'], ['rotation'], ['removal'])],
  },
  'POST /v1/webhooks/{id}/pause': {
    equal: [again('with one note', ...PAUSE)],
    conflicting: [inTurn('racing resumption', PAUSE, ['resumption'])],
  },
  'POST /v1/webhooks/{id}/resumption': {
    equal: [
      {
        what: 'of one that is paused',
        requests: async (stage) => {
          await stage.send(step(stage, ...PAUSE));
          return () => step(stage, 'resumption');
        },
        refused: [400, 409],
      },
    ],
    conflicting: [inTurn('racing a pause and a rotation', ['resumption'], PAUSE, ['rotation'])],
  },
  'POST /v1/webhooks/{id}/rotation': {
    equal: [again('with an overlap', 'rotation')],
    conflicting: [inTurn('at once and with an overlap', ['rotation', { atOnce: 'true' }], ['rotation'])],
  },
  'POST /v1/webhooks/{id}/resend': {
    equal: [
      {
        what: 'the first delivery',
        requests: async (stage) => {
          await stage.own.pay();
          return () => step(stage, 'resend', { sequence: '1' });
        },
        refused: [400, 409],
      },
    ],
    conflicting: [
      inTurn(
        'a time, racing an acknowledgement',
        ['resend', { 'date.from': '2026-01-01 00:00:00', 'date.to': '2099-01-01 00:00:00' }],
        ['acknowledgement', { sequence: '1' }],
      ),
    ],
  },
  'POST /v1/webhooks/{id}/removal': {
    equal: [again('one', 'removal')],
    conflicting: [inTurn('racing a pause and a rotation', ['removal'], PAUSE, ['rotation'])],
  },
};
