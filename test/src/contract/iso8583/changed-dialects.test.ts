import { TrialReport } from '@tillbridge/gateway/app/commands/acquirers/trial/trial-report.js';
import { wireOutcome } from '@tillbridge/gateway/core/bridge/wire-outcome.js';
import { ENTITY } from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { resultOf } from '@tillbridge/gateway/core/payments/rules/results.js';
import { configuredDialect, type DialectSettings } from '@tillbridge/platform/config/dialect-section.js';
import type { DialectName } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { localTime } from '@tillbridge/wire/iso8583/local-time.js';
import { afterEach, describe, expect, it } from 'vitest';
import { EXTERNAL, LinkedGateway, MERCHANT } from './linked-gateway.js';
import { payingAt } from './paying.js';

const APPROVED = '000.100.112';
const REVERSED = '900.100.301';

let gateway: LinkedGateway;
afterEach(() => gateway.close());

const { pay, follow } = payingAt(() => gateway);

/** The shape of messages in a public log of an acquirer in Argentina; answers come without their time. */
const ARGENTINA: DialectSettings = {
  header: { tpdu: '6007210000' },
  timeZone: 'America/Argentina/Buenos_Aires',
  matchedBy: '11, 41',
  fields: {
    24: { value: '721' },
    46: { format: 'ans...999', value: '000000000000000000000' },
    55: { encoding: 'hexText' },
    60: { presence: 'never' },
    61: { presence: 'never' },
    62: { presence: 'never' },
  },
};
const JPOS_ASCII: DialectSettings = {
  bitmap: 'hex',
  fields: Object.fromEntries([52, 64, 96, 128].map((field) => [field, { encoding: 'hex' as const }])),
};
/** Lengths in digits that count themselves, an F for each free nibble, and a card in every request. */
const MIXED: DialectSettings = {
  header: { length: 'ascii', countsItself: true },
  mti: 'ascii',
  timeZone: 'Asia/Kolkata',
  matchedBy: ['7', '11', '37'],
  fields: {
    2: { presence: 'required', filler: 'rightF', length: 'ascii' },
    35: { filler: 'rightF' },
    41: { encoding: 'ascii' },
  },
};

describe.each<[string, DialectName, DialectSettings]>([
  ['jPOS iso87ascii', '1987-ascii', JPOS_ASCII],
  ['an acquirer in Argentina', '1987-binary', ARGENTINA],
  ['mixed forms', '1987-binary', MIXED],
])('a link in the dialect of %s', (_, dialect, dialectChanges) => {
  const open = () => LinkedGateway.open(dialect, 'test', { dialectChanges });

  it('pays, captures, refunds and reverses, and totals agree', async () => {
    gateway = await open();
    const { id } = await pay({ type: 'PA' });
    expect((await follow('CP', id, 500)).code).toBe(APPROVED);
    expect((await follow('RF', id, 200)).code).toBe(APPROVED);
    expect((await follow('RV', id)).code).toBe(APPROVED);
    expect((await pay()).code).toBe(APPROVED);
    expect(gateway.bad).toEqual([]);
    expect(await gateway.differences()).toEqual([]);
  });

  it.each(['lost', 'silent', 'late', 'duplicate', 'half-message', 'disconnect'] as const)(
    'reverses what has no answer after the fault %s',
    async (name) => {
      gateway = await open();
      await pay();
      gateway.strike({ name });
      await pay();
      expect((await pay()).code).toBe(APPROVED);
      expect(await gateway.differences()).toEqual([]);
    },
  );
});

it('takes answers without their time, and reverses one that comes late', async () => {
  const host = { ...ARGENTINA, fields: { ...ARGENTINA.fields, 7: { presence: 'never' } } } as const;
  const dialect = configuredDialect('1987-binary', host);
  gateway = await LinkedGateway.open('1987-binary', 'test', { dialectChanges: ARGENTINA }, { dialect });
  const { id } = await pay();
  expect((await follow('RV', id)).code).toBe(APPROVED);
  gateway.strike({ name: 'late' });
  expect((await pay()).code).toBe(REVERSED);
  await gateway.until(async () => gateway.late.length > 0 || gateway.bad.length > 0);
  expect(gateway.bad).toEqual([]);
  expect(await gateway.differences()).toEqual([]);
});

it.each(['1987-binary', 'cmf'] as const)('shows balances that an answer in %s has', async (dialect) => {
  gateway = await LinkedGateway.open(dialect);
  gateway.host.replaceRules([{ reportsBalance: true }]);
  const { id = '' } = await pay({ type: 'PA' });
  const [account] = await gateway.host.database.accounts();
  const payment = await gateway.harness.service.find(id, ENTITY);
  const { balanceMinor = 0, heldMinor } = account ?? {};
  expect(heldMinor).toBe(1_234);
  expect(JSON.parse(payment?.answer ?? '')).toMatchObject({
    acquirerDetails: {
      LedgerBalance: `${(balanceMinor / 100).toFixed(2)} EUR`,
      AvailableBalance: `${((balanceMinor - 1_234) / 100).toFixed(2)} EUR`,
    },
  });
  expect(payment && wireOutcome(resultOf(payment))).toMatchObject({
    availableBalance: { minor: balanceMinor - 1_234, currency: 'EUR' },
  });
});

it('has local times of the merchant in a sale, a capture, a refund and a reversal', async () => {
  gateway = await LinkedGateway.open('1987-binary', 'test', { dialectChanges: { timeZone: 'local' } });
  const { store, clock } = gateway.harness;
  const routing = await store.get('acquirerRouting', [ENTITY]);
  const merchant = { ...MERCHANT, timeZone: 'Asia/Kolkata' };
  const routes = JSON.stringify([{ acquirer: EXTERNAL.name, merchant }]);
  if (routing) await store.commit([{ op: 'update', table: 'acquirerRouting', row: { ...routing, routes } }]);
  const report = new TrialReport({ dialect: configuredDialect('1987-binary', { timeZone: 'local' }), clock });
  report.begins('sale');
  gateway.report = report;
  const { id } = await pay({ type: 'PA' });
  for (const [type, minor] of [
    ['CP', 500],
    ['RF', 200],
    ['RV', undefined],
  ] as const)
    expect((await follow(type, id, minor)).code, type).toBe(APPROVED);
  const times = (report.steps[0]?.events ?? []).flatMap((event) => {
    if ('note' in event || event.direction !== 'sent') return [];
    const value = (number: string) => event.fields.find(({ field }) => field === number)?.value ?? '';
    return [[value('MTI'), value('7').slice(4), value('12')]];
  });
  expect(times.map(([mti]) => mti).filter((mti) => mti !== '0800')).toEqual(['0100', '0220', '0220', '0420']);
  for (const [mti = '', utc = '', local] of times)
    expect(local, mti).toBe(mti === '0800' ? utc : localTime(`20261123${utc}`, 'Asia/Kolkata').slice(8));
  expect(await gateway.differences()).toEqual([]);
});

it.each(['1987-binary', '1987-ascii', 'cmf'] as const)(
  'repeats the token of a host in what follows its answer, in %s',
  async (dialect) => {
    const dialectChanges = { fields: { 63: { isRepeated: true } } };
    gateway = await LinkedGateway.open(dialect, 'test', { dialectChanges, followUps: 'reference' });
    const { id } = await pay({ type: 'PA' });
    for (const [type, minor] of [
      ['CP', 500],
      ['RF', 200],
      ['RV', undefined],
    ] as const)
      expect((await follow(type, id, minor)).code, type).toBe(APPROVED);
    const [sale, ...after] = gateway.sent.filter(({ kind }) => kind !== 'network');
    expect(sale?.hostData).toBeUndefined();
    expect(after.map(({ kind, pan }) => [kind, pan])).toEqual([
      ['financial', undefined],
      ['financial', undefined],
      ['reversal', undefined],
    ]);
    for (const { hostData, original } of after) expect(hostData).toEqual({ 63: `T${original?.stan}` });
    expect(await gateway.differences()).toEqual([]);
  },
);

it('sends a reversal that lacks a required card all the same, and its host answers 30', async () => {
  const changes = { dialectChanges: MIXED, followUps: 'reference' } as const;
  gateway = await LinkedGateway.open('1987-binary', 'test', changes);
  gateway.strike({ name: 'silent' });
  await pay();
  await gateway.until(async () => gateway.sent.filter(({ isRepeat }) => isRepeat).length > 2);
  const [exchange] = await gateway.exchanges();
  expect(exchange?.state).toBe('reversing');
});
