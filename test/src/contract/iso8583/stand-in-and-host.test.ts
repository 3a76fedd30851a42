import {
  standInKeys,
  standInView,
} from '@tillbridge/gateway/core/acquirers/iso8583/stand-in/list-stand-ins.js';
import { ENTITY, tillSale } from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { HOST_FAULT_NAMES } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LinkedGateway } from './linked-gateway.js';
import { payingAt, settledCode } from './paying.js';

const APPROVED = '000.100.112';
const STAND_IN = '000.400.060';
const REVERSED = '900.100.301';
const CARD = '4200000000000000';

let gateway: LinkedGateway;
beforeEach(async () => {
  gateway = await LinkedGateway.open('1987-binary', 'test', {
    standIn: { limits: 'EUR:20.00:50.00:5000.00', cardDayCount: 3, dayCount: 100, cards: 'all' },
  });
});
afterEach(() => gateway.close());

const { pay, follow } = payingAt(() => gateway);
const rows = () => gateway.host.database.transactions();

it('approves while no host can be reached, and reports it in order as soon as one can', async () => {
  await gateway.cutOff();
  const sales = [await pay(), await pay({ type: 'PA' })];
  expect(sales.map(({ code }) => code)).toEqual([STAND_IN, STAND_IN]);
  const exchanges = await gateway.exchanges();
  expect(exchanges.map(({ state }) => state)).toEqual(['advice-pending', 'advice-pending']);
  expect(JSON.stringify(exchanges)).not.toContain(CARD);
  gateway.hostIsUp = true;
  expect(await gateway.differences()).toEqual([]);
  expect(await rows()).toMatchObject([
    { kind: 'sale', isAdvice: 1, approved: 1, amountMinor: 1_234 },
    { kind: 'authorization', isAdvice: 1, approved: 1, amountMinor: 1_234 },
  ]);
  // Nothing of the card is kept once the host knows.
  expect((await gateway.exchanges()).map(({ sealed, keyId }) => sealed ?? keyId)).toEqual([null, null]);
  expect((await follow('CP', sales[1]?.id, 1_000)).code).toBe(APPROVED);
  expect((await follow('RF', sales[0]?.id, 234)).code).toBe(APPROVED);
  expect(await gateway.differences()).toEqual([]);
});

it('approves within the limits of its rule alone', async () => {
  await gateway.cutOff();
  expect((await pay({ amount: { minor: 2_001, currency: 'EUR' } })).code).toBe(REVERSED);
  expect((await pay({ amount: { minor: 100, currency: 'USD' } })).code).toBe(REVERSED);
  // Three of the card today, however many come at once.
  const ends = await Promise.all([pay(), pay(), pay(), pay()]);
  expect(ends.map(({ code }) => code).sort()).toEqual([STAND_IN, STAND_IN, STAND_IN, REVERSED]);
  expect((await pay({ amount: { minor: 1, currency: 'EUR' } })).code).toBe(REVERSED);
  expect((await pay({ type: 'CD' })).code).toBe(REVERSED);
  gateway.hostIsUp = true;
  expect(await gateway.differences()).toEqual([]);
});

it('approves nothing after an outcome that is unknown', async () => {
  gateway.strike({ name: 'silent', on: 'financial' });
  const sale = tillSale('m1', 'R-1', { testMode: 'EXTERNAL' });
  const outcome = settledCode(gateway, gateway.service.authorize(sale));
  await gateway.until(async () => (await rows()).length === 1);
  await gateway.cutOff();
  expect((await outcome).code).not.toBe(STAND_IN);
  expect((await settledCode(gateway, gateway.service.authorize(sale))).code).not.toBe(STAND_IN);
  gateway.hostIsUp = true;
  expect(await gateway.differences()).toEqual([]);
  expect((await rows()).every((row) => row.amountMinor === row.reversedMinor)).toBe(true);
});

it('reports nothing to the host that was reversed before it was reachable', async () => {
  await gateway.cutOff();
  const sale = await pay();
  expect((await follow('RV', sale.id)).code).toBe(APPROVED);
  gateway.hostIsUp = true;
  expect(await gateway.differences()).toEqual([]);
  expect(await rows()).toEqual([]);
});

it('lets nothing follow before the host knows of it', async () => {
  await gateway.cutOff();
  const held = await pay({ type: 'PA' });
  expect((await follow('CP', held.id, 500)).code).toBe(REVERSED);
  gateway.hostIsUp = true;
  expect(await gateway.differences()).toEqual([]);
  expect((await follow('CP', held.id, 500)).code).toBe(APPROVED);
  expect(await gateway.differences()).toEqual([]);
});

it('shows the back office what the host has declined since', async () => {
  await gateway.cutOff();
  const sale = await pay();
  const { store } = gateway.harness;
  expect(await store.get('approvalReviews', [sale.id ?? ''])).toBeDefined();
  gateway.host.replaceRules([{ responseCode: '51' }]);
  gateway.hostIsUp = true;
  const differences = await gateway.differences();
  expect(differences).toHaveLength(1);
  expect(differences[0]).toContain('approved here, declined there');
  const alerts = await store.findAfter('alerts', undefined);
  expect(alerts).toMatchObject([{ code: 'stand-in-declined', subject: sale.id, severity: 'critical' }]);
  expect((await follow('RV', sale.id)).code).toBe(APPROVED);
  expect(await gateway.differences()).toEqual([]);
});

it('approves for all cards within the limits of the acquirer alone', async () => {
  await gateway.close();
  gateway = await LinkedGateway.open('1987-binary', 'test', {
    standIn: { limits: 'EUR:20.00:20.00:40.00', cardDayCount: 100, dayCount: 3, cards: 'all' },
  });
  await gateway.cutOff();
  const codeOf = async (minor: number) =>
    (await pay({ card: nextCard(), amount: { minor, currency: 'EUR' } })).code;
  // At once, and one after the other.
  const ends = await Promise.all([codeOf(2_000), codeOf(1_999), codeOf(1_999)]);
  expect(ends.sort()).toEqual([STAND_IN, STAND_IN, REVERSED]);
  expect(await codeOf(1)).toBe(STAND_IN);
  expect(await codeOf(1)).toBe(REVERSED);
  // Another day.
  await gateway.pass(86_400_000);
  expect(await codeOf(2_000)).toBe(STAND_IN);
  gateway.hostIsUp = true;
  expect(await gateway.differences()).toEqual([]);
});

it('approves no card that the host has declined before', async () => {
  const [good, bad] = [nextCard(), nextCard()];
  gateway.host.replaceRules([{ amountMinor: 777, responseCode: '55' }]);
  const amount = { minor: 777, currency: 'EUR' };
  expect((await pay({ card: bad, amount })).code).toBe('800.100.166');
  expect((await pay({ card: good })).code).toBe(APPROVED);
  await gateway.cutOff();
  expect((await pay({ card: bad })).code).toBe(REVERSED);
  expect((await pay({ card: good })).code).toBe(STAND_IN);
  gateway.hostIsUp = true;
  // The host declines the advice that it gets: no second stand-in for this card.
  gateway.host.replaceRules([{ responseCode: '05' }]);
  await gateway.until(async () =>
    (await gateway.exchanges()).every(({ state }) => state !== 'advice-pending'),
  );
  await gateway.cutOff();
  expect((await pay({ card: good })).code).toBe(REVERSED);
});

it('lists what it approved, with what became of its advice', async () => {
  await gateway.cutOff();
  const [sale, wrong] = [await pay(), await pay()];
  expect((await follow('RV', wrong.id)).code).toBe(APPROVED);
  const { store } = gateway.harness;
  const list = async () => {
    const keys = standInKeys([ENTITY]);
    const rows = await Promise.all(keys.map((key) => store.find('linkExchanges', 'entity', key)));
    return rows.flat().map(standInView);
  };
  const about = { entityId: ENTITY, acquirer: 'EXTERNAL', amount: '12.34', currency: 'EUR' };
  expect(await list()).toEqual([
    expect.objectContaining({ ...about, paymentId: sale.id, advice: 'waiting', attempts: 0 }),
    expect.objectContaining({ ...about, paymentId: wrong.id, advice: 'reversed' }),
  ]);
  expect(JSON.stringify(await list())).not.toContain(CARD.slice(0, 6));
  gateway.hostIsUp = true;
  expect(await gateway.differences()).toEqual([]);
  const [accepted] = (await list()).filter(({ paymentId }) => paymentId === sale.id);
  expect(accepted).toMatchObject({ advice: 'accepted', attempts: 1, responseCode: '00' });
  expect(accepted).not.toHaveProperty('nextAttemptAt');
});

it('lets nothing follow a sale before the host knows of it, and everything after', async () => {
  await gateway.cutOff();
  const [sale, held, wrong] = [await pay(), await pay({ type: 'PA' }), await pay({ type: 'PA' })];
  expect((await follow('RF', sale.id, 100)).code).toBe(REVERSED);
  expect((await follow('INCREMENTAL_AUTH', held.id, 100)).code).toBe(REVERSED);
  expect((await follow('RV', wrong.id)).code).toBe(APPROVED);
  gateway.hostIsUp = true;
  expect(await gateway.differences()).toEqual([]);
  expect((await follow('INCREMENTAL_AUTH', held.id, 100)).code).toBe(APPROVED);
  expect((await follow('CP', held.id, 1_334)).code).toBe(APPROVED);
  expect((await follow('RF', held.id, 1_334)).code).toBe(APPROVED);
  expect((await follow('RF', sale.id, 1_234)).code).toBe(APPROVED);
  expect(await gateway.differences()).toEqual([]);
});

it('captures nothing of an authorization whose advice the host has declined', async () => {
  await gateway.cutOff();
  const held = await pay({ type: 'PA' });
  gateway.host.replaceRules([{ responseCode: '51' }]);
  gateway.hostIsUp = true;
  await gateway.until(async () => (await gateway.exchanges()).every(({ state }) => state === 'answered'));
  gateway.host.replaceRules([]);
  expect((await follow('CP', held.id, 1_234)).code).toBe('800.100.167');
  expect((await follow('RV', held.id)).code).toBe(APPROVED);
  expect(await gateway.differences()).toEqual([]);
  expect((await rows()).every(({ approved }) => approved === 0)).toBe(true);
});

it('takes a sale back whose advice was sent and has no answer', async () => {
  await gateway.cutOff();
  const sale = await pay();
  gateway.strike({ name: 'silent', on: 'financial', times: 1 });
  gateway.hostIsUp = true;
  await gateway.until(async () => (await rows()).length === 1);
  expect([APPROVED, 'later']).toContain((await follow('RV', sale.id)).code);
  expect(await gateway.differences()).toEqual([]);
  expect(await rows()).toMatchObject([{ amountMinor: 1_234, reversedMinor: 1_234 }]);
});

it('captures what is authorized and captured at once as soon as the host knows of it', async () => {
  await gateway.cutOff();
  const { id } = await pay({ type: 'PA.CP' });
  gateway.hostIsUp = true;
  expect(await gateway.differences()).toEqual([]);
  expect(await gateway.harness.store.get('payments', [id ?? ''])).toMatchObject({ state: 'captured' });
  expect((await rows()).map(({ kind }) => kind)).toEqual(['authorization', 'capture']);
});

it('takes a sale back at the host although that does not take an advice of the same terminal', async () => {
  await gateway.cutOff();
  await pay();
  gateway.hostIsUp = true;
  gateway.host.replaceRules([{ amountMinor: 1_234, responseCode: '91' }]);
  gateway.strike({ name: 'silent', on: 'financial', skip: 1 });
  await gateway.until(async () => (await rows()).length === 1);
  const lost = await pay({ amount: { minor: 500, currency: 'EUR' } });
  expect(lost.code).toBe(REVERSED);
  expect((await rows())[1]).toMatchObject({ amountMinor: 500, reversedMinor: 500 });
  expect((await gateway.exchanges())[0]?.state).toBe('advice-pending');
});

it('reports again what the host could not decide', async () => {
  await gateway.cutOff();
  await pay();
  gateway.host.replaceRules([{ responseCode: '91' }]);
  gateway.hostIsUp = true;
  await gateway.until(async () => JSON.parse((await gateway.exchanges())[0]?.standIn ?? '{}').attempts === 2);
  expect((await gateway.exchanges())[0]?.state).toBe('advice-pending');
});

describe.each(HOST_FAULT_NAMES)('%s', (name) => {
  it('of an advice or of its reversal, with a restart of either side: both ledgers agree', async () => {
    for (const restart of ['none', 'gateway', 'host'] as const) {
      await gateway.cutOff();
      const card = nextCard();
      const [sale, wrong] = [await pay({ card }), await pay({ card })];
      expect([sale.code, wrong.code]).toEqual([STAND_IN, STAND_IN]);
      if (restart === 'gateway') await gateway.restartGateway();
      gateway.strike({ name, on: 'financial', times: 2 }, { name, on: 'reversal' });
      gateway.hostIsUp = true;
      await gateway.until(async () => (await rows()).length > 0);
      if (restart === 'host') await gateway.restartHost();
      expect([APPROVED, 'later']).toContain((await follow('RV', wrong.id)).code);
      expect(await gateway.differences()).toEqual([]);
      const taken = (await rows()).filter((row) => row.amountMinor > row.reversedMinor);
      expect(taken.filter(({ last4Digits }) => last4Digits === card.number.slice(-4))).toHaveLength(1);
    }
  });
});

let cards = 0;

/** A card that no other sale of this file has. */
function nextCard() {
  cards += 1;
  const digits = `4111${String(cards).padStart(11, '0')}`;
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const twice = at % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (twice > 9 ? twice - 9 : twice);
  }, 0);
  const number = `${digits}${(10 - (sum % 10)) % 10}`;
  return { number, expiryMonth: '12', expiryYear: '2031', cvv: '123' };
}
