import type { ZoneKeyUse } from '@tillbridge/wire/iso8583/exchange/zone-key.js';
import type { FastifyInstance } from 'fastify';
import { ControlError } from '../../errors/control-error.js';
import { MAX_FAULT_DELAY_MS, MAX_FAULTS } from '../../faults/scheduled-fault.js';
import { type RestAppDeps, restApp } from '../../rest/rest-app.js';
import type { AcquirerHost, WantedChargeback } from './acquirer-host.js';
import { KEY_FORMS, type KeyForm } from './keys/key-names.js';
import { FAULT_KINDS, HOST_FAULT_NAMES, type HostFault, MAX_HOST_FAULT_TIMES } from './line/host-faults.js';
import { MAX_RESPONSE_RULES, type ResponseRule } from './line/host-rules.js';

const amount = { type: 'integer', minimum: 1, maximum: 999_999_999_999 } as const;
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength }) as const;

const FAULTS_BODY = {
  type: 'array',
  maxItems: MAX_FAULTS,
  items: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', enum: HOST_FAULT_NAMES },
      on: { type: 'string', enum: FAULT_KINDS },
      amountMinor: amount,
      skip: { type: 'integer', minimum: 0, maximum: MAX_HOST_FAULT_TIMES },
      times: { type: 'integer', minimum: 1, maximum: MAX_HOST_FAULT_TIMES },
      delayMs: { type: 'integer', minimum: 0, maximum: MAX_FAULT_DELAY_MS },
    },
  },
} as const;

const RULES_BODY = {
  type: 'array',
  maxItems: MAX_RESPONSE_RULES,
  items: {
    type: 'object',
    additionalProperties: false,
    properties: {
      last4Digits: { type: 'string', pattern: '^\\d{4}$' },
      terminalId: text(16),
      merchantId: text(35),
      amountMinor: amount,
      responseCode: { type: 'string', pattern: '^[0-9A-Z]{2}$' },
      reportsBalance: { type: 'boolean' },
      script: { type: 'string', enum: ['pin-unblock', 'application-block'] },
    },
  },
} as const;

const CHARGEBACK_BODY = {
  type: 'object',
  required: ['message', 'amountMinor', 'reason'],
  additionalProperties: false,
  properties: { message: text(64), amountMinor: amount, reason: text(32) },
} as const;

const BALANCE_BODY = {
  type: 'object',
  required: ['balanceMinor'],
  additionalProperties: false,
  properties: { balanceMinor: { type: 'integer', minimum: 0, maximum: 999_999_999_999 } },
} as const;

const KEY_EXCHANGE_BODY = {
  type: 'object',
  required: ['use'],
  additionalProperties: false,
  properties: {
    use: { type: 'string', enum: ['mac', 'pin'] },
    form: { type: 'string', enum: KEY_FORMS },
  },
} as const;

/** Presets of a fault that names its name alone. */
const FAULT_PRESETS = { skip: 0, times: 1, delayMs: 1_000 } as const;

/** The REST control of an acquirer host: its ledger to read, its faults and rules to set. */
export function buildHostControl(host: AcquirerHost, deps: RestAppDeps): FastifyInstance {
  const app = restApp(deps);
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/status', async () => ({ day: await host.day(), badMessages: host.badMessages }));
  app.get('/transactions', () => host.database.transactions());
  app.get('/reversals', () => host.database.reversals());
  app.get('/chargebacks', () => host.database.chargebacks());
  app.get('/accounts', () => host.database.accounts());
  app.get('/cards', () => host.database.cards());
  app.get('/faults', () => host.faults.faults);
  app.put<{ Body: readonly (Pick<HostFault, 'name'> & Partial<HostFault>)[] }>(
    '/faults',
    { schema: { body: FAULTS_BODY } },
    ({ body }) => {
      host.faults.replace(body.map((fault) => ({ ...FAULT_PRESETS, ...fault })));
      return host.faults.faults;
    },
  );
  app.get('/rules', () => host.rules);
  app.put<{ Body: readonly ResponseRule[] }>('/rules', { schema: { body: RULES_BODY } }, ({ body }) => {
    host.replaceRules(body);
    return host.rules;
  });
  app.post('/cut-over', async () => ({ day: await host.announceCutOver() }));
  app.get('/keys', () => host.keys.checkValues());
  app.post<{ Body: { use: ZoneKeyUse; form?: KeyForm } }>(
    '/key-exchange',
    { schema: { body: KEY_EXCHANGE_BODY } },
    async ({ body: { use, form = 'tr31' } }) => {
      if (await host.sendKey(use, form)) return host.keys.checkValues();
      throw new ControlError('no-answer', 'no gateway has signed on, or it did not take the key');
    },
  );
  app.post<{ Body: WantedChargeback }>(
    '/chargebacks',
    { schema: { body: CHARGEBACK_BODY } },
    async ({ body }) => {
      if (await host.chargeBack(body)) return { status: 'charged back' };
      throw new ControlError('unknown-transaction', 'there is no such sale, or not so much money is left');
    },
  );
  app.put<{ Params: { card: string; currency: string }; Body: { balanceMinor: number } }>(
    '/accounts/:card/:currency',
    { schema: { body: BALANCE_BODY } },
    async ({ params: { card, currency }, body: { balanceMinor } }) => {
      if (await host.setBalance(card, currency, balanceMinor)) return { balanceMinor };
      throw new ControlError('unknown-account', 'the host has no such account');
    },
  );
  return app;
}
