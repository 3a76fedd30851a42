import {
  followUp,
  restPayment,
  tillSale,
} from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { HOST_FAULT_NAMES } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXTERNAL, LinkedGateway } from './linked-gateway.js';
import { payingAt, settledCode } from './paying.js';

const APPROVED = '000.100.112';
const REVERSED = '900.100.301';

let gateway: LinkedGateway;
beforeEach(async () => {
  gateway = await LinkedGateway.open();
});
afterEach(() => gateway.close());

const { pay, follow } = payingAt(() => gateway);

it('sells, reserves, captures, refunds, credits and reverses with a host', async () => {
  const sale = await pay();
  expect(sale.code).toBe(APPROVED);
  expect((await follow('RF', sale.id, 234)).code).toBe(APPROVED);
  const held = await pay({ type: 'PA' });
  expect((await follow('CP', held.id, 1_000)).code).toBe(APPROVED);
  // A refund of an authorization names its capture to the host.
  expect((await follow('RF', held.id, 400)).code).toBe(APPROVED);
  expect((await pay({ type: 'PA.CP' })).code).toBe(APPROVED);
  expect((await pay({ type: 'CD' })).code).toBe(APPROVED);
  const wrong = await pay();
  expect((await follow('RV', wrong.id)).code).toBe(APPROVED);
  expect((await gateway.harness.store.get('payments', [wrong.id ?? '']))?.acquirer).toBe(EXTERNAL.name);
  expect(await gateway.differences()).toEqual([]);
  // Nothing of it came to the simulator.
  expect(await gateway.harness.transactions()).toEqual([]);
});

it('states in a partial reversal what stays of an authorization', async () => {
  const held = await pay({ type: 'PA' });
  expect((await follow('CP', held.id, 1_000)).code).toBe(APPROVED);
  expect((await follow('RV', held.id)).code).toBe(APPROVED);
  const [authorization] = await gateway.host.database.transactions();
  expect(authorization).toMatchObject({ amountMinor: 1_234, reversedMinor: 234, heldMinor: 0 });
  expect(await gateway.differences()).toEqual([]);
});

it('states that a sale funds an account, and totals count it as any other', async () => {
  const details = { transactionProcessingCode: 'FUNDING' };
  const held = await pay({ type: 'PA', details });
  expect((await follow('CP', held.id, 1_234)).code).toBe(APPROVED);
  expect((await pay({ details })).code).toBe(APPROVED);
  const kinds = (await gateway.host.database.transactions()).map(({ kind }) => kind);
  expect(kinds).toEqual(['authorization', 'capture', 'sale']);
  const sent = (await gateway.harness.store.find('linkExchanges', 'state', [EXTERNAL.name, 'answered'])).map(
    ({ request }) => JSON.parse(request ?? '{}').transaction,
  );
  expect(sent).toEqual(['funding', 'funding', 'funding']);
  expect(await gateway.differences()).toEqual([]);
});

it('takes a part where the merchant does, and reverses that part', async () => {
  gateway.host.replaceRules([{ amountMinor: 1_234, responseCode: '10' }]);
  const part = await pay({ partialAllowed: true });
  expect(part.code).toBe('000.400.040');
  expect(await gateway.harness.store.get('payments', [part.id ?? ''])).toMatchObject({ amountMinor: 617 });
  expect((await follow('RV', part.id)).code).toBe(APPROVED);
  expect(await gateway.differences()).toEqual([]);
});

it('declines as the host does, and refuses what no host supports', async () => {
  gateway.host.replaceRules([{ responseCode: '51' }]);
  expect((await pay()).code).toBe('800.100.203');
  gateway.host.replaceRules([]);
  const bank = { kind: 'virtual-account', brand: 'PAYPAL', accountId: 'jane@example.com' } as const;
  const { card: _, ...cardless } = restPayment({ type: 'DB', testMode: 'EXTERNAL', instrument: bank });
  expect((await settledCode(gateway, gateway.service.authorize(cardless))).code).toBe('600.200.201');
  expect(await gateway.differences()).toEqual([]);
});

it('keeps to the simulator what is of test mode INTERNAL, and refuses what no route takes', async () => {
  expect((await pay({ testMode: 'INTERNAL' })).code).toBe('000.100.110');
  expect(await gateway.harness.transactions()).toHaveLength(1);
  const sale = await pay();
  expect(
    (
      await settledCode(
        gateway,
        gateway.service.followUp({ ...followUp('RF', sale.id, 1), testMode: 'INTERNAL' }),
      )
    ).code,
  ).not.toBe(APPROVED);
  const row = await gateway.harness.store.get('acquirerRouting', [restPayment().origin.entityId]);
  if (!row) throw new Error('there is no routing');
  const routes = JSON.stringify([{ ...JSON.parse(row.routes)[0], brands: ['MASTER'] }]);
  await gateway.harness.store.commit([{ op: 'update', table: 'acquirerRouting', row: { ...row, routes } }]);
  expect((await pay()).code).toBe('600.200.700');
  expect(await gateway.exchanges()).toHaveLength(1);
});

it('ends a payment at once while no host can be reached, and nothing of it is ever sent', async () => {
  gateway.hostIsUp = false;
  const sale = await pay();
  expect(sale.code).toBe(REVERSED);
  gateway.hostIsUp = true;
  expect(await gateway.differences()).toEqual([]);
  expect(await gateway.host.database.transactions()).toEqual([]);
});

it('keeps no card data in its journal', async () => {
  await pay({ details: { 'sender.surname': 'Doe' }, billing: { street: 'High Street 1' } });
  const text = JSON.stringify(await gateway.exchanges());
  for (const secret of ['4200000000000000', '"123"', 'Doe', 'High Street'])
    expect(text).not.toContain(secret);
});

describe.each(HOST_FAULT_NAMES)('%s', (name) => {
  it('of any message, with a restart of either side: gateway, journal and host agree', async () => {
    for (const restart of ['none', 'gateway', 'host'] as const) {
      gateway.strike({ name, on: 'financial' });
      const sale = await pay();
      expect([APPROVED, REVERSED, 'later']).toContain(sale.code);
      gateway.strike({ name, on: 'authorization' });
      const held = pay({ type: 'PA' });
      if (restart === 'gateway') await gateway.restartGateway();
      if (restart === 'host') await gateway.restartHost();
      await held;
      gateway.strike({ name, on: 'financial' }, { name, on: 'reversal' });
      const plain = await pay({ type: 'PA' });
      if (plain.id) await follow('CP', plain.id, 500);
      expect(await gateway.differences()).toEqual([]);
    }
  });

  it('of a refund and of a reversal', async () => {
    const [sale, other] = [await pay(), await pay()];
    gateway.strike({ name, on: 'financial' });
    await follow('RF', sale.id, 100);
    gateway.strike({ name, on: 'reversal' });
    await follow('RV', other.id);
    expect(await gateway.differences()).toEqual([]);
    expect((await gateway.harness.store.get('payments', [other.id ?? '']))?.state).toBe('reversed');
  });
});

it('sends a sale that was decided offline again under the same number until the host answers', async () => {
  gateway.strike({ name: 'silent', on: 'financial' });
  const held = await pay({ type: 'PA' });
  const capture = await follow('CP', held.id, 1_234);
  expect([REVERSED, APPROVED]).toContain(capture.code);
  expect(await gateway.differences()).toEqual([]);
});

it('requests new keys from a host, and goes on under them', async () => {
  expect((await pay()).code).toBe(APPROVED);
  const before = gateway.host.keys.checkValues();
  expect(await gateway.exchangeKeys()).toBe(true);
  expect(gateway.host.keys.checkValues()).not.toEqual(before);
  expect((await pay()).code).toBe(APPROVED);
  await gateway.restartHost();
  expect((await pay()).code).toBe(APPROVED);
  expect(await gateway.host.sendKey('mac', 'tr31')).toBe(true);
  expect((await pay()).code).toBe(APPROVED);
  expect(gateway.bad).toEqual([]);
});

it.each(['1987-ascii', 'cmf'] as const)('speaks %s', async (dialect) => {
  await gateway.close();
  gateway = await LinkedGateway.open(dialect);
  gateway.strike({ name: 'silent', on: 'financial', skip: 1 });
  const sale = await pay({
    details: { descriptor: 'Tea & co', 'sender.surname': 'Doe', lifecycleId: 'L1' },
    billing: { street: 'High Street 1', postcode: '12345' },
    standing: { mode: 'INITIAL', type: 'RECURRING', source: 'CIT' },
  });
  expect(sale.code).toBe(APPROVED);
  expect((await pay()).code).toBe(REVERSED);
  expect((await follow('RF', sale.id, 100)).code).toBe(APPROVED);
  expect(await gateway.differences()).toEqual([]);
});

it('approves live payments by their own code, and takes no test card', async () => {
  await gateway.close();
  gateway = await LinkedGateway.open('1987-binary', 'live');
  expect((await pay()).code).toBe('700.500.003');
  const card = { number: '4929000000000224', expiryMonth: '12', expiryYear: '2031', cvv: '123' };
  const sale = await pay({ card });
  expect(sale.code).toBe('000.000.000');
  expect((await follow('RV', sale.id)).code).toBe('000.000.000');
  expect(await gateway.differences()).toEqual([]);
});

it('answers a till that was cut off by its stored answer', async () => {
  gateway.strike({ name: 'silent', on: 'financial' });
  const sale = tillSale('m1', 'R-1', { testMode: 'EXTERNAL' });
  expect((await settledCode(gateway, gateway.service.authorize(sale))).code).toBe(REVERSED);
  expect((await settledCode(gateway, gateway.service.authorize(sale))).code).toBe(REVERSED);
  expect(await gateway.host.database.transactions()).toHaveLength(1);
  expect(await gateway.differences()).toEqual([]);
});
