import { TOTALS_LIMITS } from '@tillbridge/gateway/core/acquirers/iso8583/totals/link-totals.js';
import {
  ENTITY,
  followUp,
  restPayment,
} from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { setAccount } from '@tillbridge/gateway/features/settlement/administration.js';
import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import { HOST_FAULT_NAMES } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LinkedGateway, MERCHANT } from './linked-gateway.js';

const DAY_MS = 86_400_000;

let gateway: LinkedGateway;
beforeEach(async () => {
  gateway = await openGateway();
});
afterEach(() => gateway.close());

async function openGateway(...dialect: Parameters<typeof LinkedGateway.open>): Promise<LinkedGateway> {
  const opened = await LinkedGateway.open(...dialect);
  const { store, clock } = opened.harness;
  const { merchantId: clearingMerchantId } = MERCHANT;
  await setAccount({ store, clock, random, actor: 'test' }, ENTITY, { clearingMerchantId });
  return opened;
}

/** A sale; resolves with its id once it has an answer, or with nothing. */
async function pay(type: 'DB' | 'CD' | 'PA' = 'DB', minor = 1_234): Promise<string | undefined> {
  const amount = { minor, currency: 'EUR' };
  const work = gateway.service.authorize(restPayment({ type, testMode: 'EXTERNAL', amount }));
  return gateway.settled(work.then(({ paymentId }) => paymentId)).catch(() => undefined);
}

async function follow(...wanted: Parameters<typeof followUp>): Promise<void> {
  await gateway.settled(gateway.service.followUp(followUp(...wanted)).catch(() => undefined));
}

const totals = () => allRows(gateway.harness.store, 'linkTotals');
const states = async () => (await totals()).map(({ state }) => state);

/** Ends the settlement day of the host; gives its day once the totals are compared. */
async function cutOver(): Promise<string> {
  const day = await gateway.host.day();
  await gateway.host.announceCutOver();
  await gateway.until(async () => {
    await gateway.pass(1_000);
    await gateway.settled(gateway.compareTotals());
    const found = await states();
    return found.length > 0 && !found.includes('due');
  });
  return day;
}

const differences = async () =>
  (await gateway.differences()).map((text) => text.replace(/[0-9a-f]{32}/g, 'ID'));

describe('totals', () => {
  it('count the advice of a stand-in on the day it is sent, and a refund by its parts', async () => {
    await gateway.close();
    gateway = await openGateway('1987-binary', 'test', {
      standIn: { limits: 'EUR:20.00:50.00:500.00', cardDayCount: 3, dayCount: 100, cards: 'all' },
    });
    await gateway.cutOff();
    await pay();
    const wrong = await pay();
    await follow('RV', wrong);
    gateway.hostIsUp = true;
    expect(await gateway.differences()).toEqual([]);
    const amount = { minor: 1_234, currency: 'EUR' };
    const { paymentId: held } = await gateway.settled(
      gateway.service.authorize(restPayment({ type: 'PA', testMode: 'EXTERNAL', amount })),
    );
    await follow('INCREMENTAL_AUTH', held, 500);
    for (const minor of [1_000, 700]) await follow('CP', held, minor);
    await follow('RF', held, 1_600);
    const day = await cutOver();
    expect(await totals()).toMatchObject([
      { state: 'equal', ours: expect.stringContaining('"debits":{"number":3,"minor":2934}') },
    ]);
    expect((await totals())[0]?.ours).toContain('"credits":{"number":2,"minor":1600}');
    await gateway.importSettlement(day);
    expect(await differences()).toEqual([]);
  });

  it.each(HOST_FAULT_NAMES)(
    'are those of the host after the fault %s of any message, and so is its file',
    async (name) => {
      const sale = await pay();
      await pay('CD', 300);
      for (const on of ['financial', 'reversal'] as const) {
        gateway.strike({ name, on });
        await pay();
        gateway.strike({ name, on: 'financial' }, { name, on });
        await pay();
        gateway.strike({ name, on });
        await follow('RF', sale, 100);
      }
      const wrong = await pay();
      gateway.strike({ name, on: 'reversal' });
      await follow('RV', wrong);
      // What has no outcome is resolved first.
      expect(await gateway.differences()).toEqual([]);
      const day = await cutOver();
      const [row] = await totals();
      expect(row).toMatchObject({ state: 'equal', acceptorId: MERCHANT.merchantId, currency: 'EUR' });
      expect(JSON.parse(row?.ours ?? '')).toEqual(JSON.parse(row?.theirs ?? ''));
      expect(await gateway.importSettlement(day)).toEqual([]);
      expect(await gateway.differences()).toEqual([]);
    },
  );

  it.each(['1987-ascii', 'cmf'] as const)('are compared in %s', async (dialect) => {
    await gateway.close();
    gateway = await openGateway(dialect);
    gateway.strike({ name: 'silent', on: 'financial' });
    await pay();
    await follow('RF', await pay(), 234);
    expect(await gateway.differences()).toEqual([]);
    await cutOver();
    expect(await states()).toEqual(['equal']);
  });

  it('of a day across whose end a reversal came are those of the host on both days', async () => {
    gateway.strike({ name: 'silent', on: 'financial' }, { name: 'lost', on: 'reversal' });
    const lost = pay();
    await gateway.until(async () => (await gateway.host.database.transactions()).length === 1);
    await gateway.host.announceCutOver();
    await lost;
    expect(await gateway.differences()).toEqual([]);
    await pay('DB', 500);
    await cutOver();
    expect((await totals()).map(({ day, state }) => [day, state])).toEqual([
      [20261120, 'equal'],
      [20261121, 'equal'],
    ]);
  });

  it('are compared at the end of the business day where no host announces it', async () => {
    await pay();
    await gateway.settled(gateway.compareTotals());
    expect(await states()).toEqual([]);
    await gateway.restartGateway(DAY_MS);
    await gateway.settled(gateway.compareTotals());
    expect(await states()).toEqual(['equal']);
    expect(Number(await gateway.host.day())).toBe(20261121);
  });

  it('wait for exchanges without an outcome', async () => {
    await pay();
    gateway.strike({ name: 'silent', on: 'financial' }, { name: 'silent', on: 'reversal', times: 3 });
    await pay();
    await gateway.host.announceCutOver();
    await gateway.until(async () => (await states()).length > 0);
    expect(await states()).toEqual(['due']);
    await cutOver();
    // So is the day that ends now: nothing is known to have moved on it, but a request had no answer.
    expect(await states()).toEqual(['equal', 'equal']);
  });

  it('that differ are a difference, and are sent again until they agree', async () => {
    await pay();
    await pay();
    const { store } = gateway.harness;
    const [forgotten] = await gateway.exchanges();
    if (!forgotten) throw new Error('nothing is journaled');
    const { reference, version } = forgotten;
    await store.commit([{ op: 'delete', table: 'linkExchanges', key: [reference], version }]);
    await cutOver();
    const found = `totals-differ totals/EXTERNAL/20261120/${MERCHANT.merchantId}/EUR debits: 1 of 1234 here, 2 of 2468 there`;
    expect(await differences()).toContain(found);
    await store.commit([{ op: 'insert', table: 'linkExchanges', row: { ...forgotten, version: 1 } }]);
    await gateway.pass(TOTALS_LIMITS.repeatPausesMs[0]);
    await gateway.settled(gateway.compareTotals());
    expect(await totals()).toMatchObject([{ state: 'equal', attempts: 2 }]);
    expect(await differences()).toEqual([]);
  });
});

describe('what the host carries out after it has acknowledged its reversal, its answer lost', () => {
  /** Of a payment of the type; the link is up again then. */
  async function happens(type: 'DB' | 'PA'): Promise<void> {
    gateway.strike({ name: 'lost' });
    await pay(type);
    expect(await gateway.differences()).toEqual([]);
    const lost = gateway.sent.find(({ kind }) => kind === 'financial' || kind === 'authorization');
    if (!lost) throw new Error('nothing was sent');
    await gateway.arrivesUnanswered(lost);
    await pay('PA', 100);
    expect(await gateway.differences()).toEqual([
      expect.stringMatching(/^ECOM0001\/\d+\/\d+: 0 here, 1234 at the host$/),
    ]);
  }

  it('is shown by the totals of its day, on which nothing else has moved, and reversed again', async () => {
    await happens('DB');
    const day = await cutOver();
    const [found] = await totals();
    expect(found).toMatchObject({ state: 'different', day: Number(day) });
    expect(found?.ours).toContain('"debits":{"number":0,"minor":0}');
    expect(found?.theirs).toContain('"debits":{"number":1,"minor":1234}');
    await gateway.until(
      async () => (await gateway.host.database.reversals()).at(-1)?.reversedMinor === 1_234,
    );
    await gateway.pass(TOTALS_LIMITS.repeatPausesMs[0]);
    await gateway.settled(gateway.compareTotals());
    expect(await states()).toEqual(['equal']);
    // The file of the day has what was carried out, and that of the next one what was given back.
    const next = await cutOver();
    expect(await states()).toEqual(['equal', 'equal']);
    for (const each of [day, next]) await gateway.importSettlement(each);
    expect(await gateway.differences()).toEqual([]);
  });

  it('and only holds money stands in no totals: it is reversed again when its day is over', async () => {
    await happens('PA');
    await cutOver();
    expect(await states()).toEqual(['equal']);
    expect(await gateway.differences()).toEqual([]);
    const [held] = await gateway.host.database.transactions();
    expect(held).toMatchObject({ kind: 'authorization', amountMinor: 1_234, reversedMinor: 1_234 });
  });
});

describe('the file of the host', () => {
  it('shows what its ledger has twice', async () => {
    await pay();
    const [row] = await gateway.host.database.transactions();
    if (!row) throw new Error('the host has no transaction');
    const { position: _, ...double } = row;
    await gateway.host.database.addTransaction({ ...double, message: `T${row.message}` });
    await gateway.importSettlement(await cutOver());
    expect(await differences()).toContainEqual(
      expect.stringMatching(
        /^settled-twice exchange\/ID EXTERNAL \d{12} on 20261120: 1234 here, 2468 in 2 lines there$/,
      ),
    );
  });

  it('shows a line that stands in it twice, however often it is imported', async () => {
    await pay();
    const day = await cutOver();
    const doubled = (text: string) => `${text}${text.split('\n')[1] ?? ''}\n`;
    await gateway.importSettlement(day, doubled);
    await gateway.importSettlement(day, doubled);
    expect(await differences()).toEqual([expect.stringMatching(/^settled-twice .* 2468 in 2 lines there$/)]);
  });

  it('shows what it lacks, and another amount', async () => {
    await pay();
    await pay('DB', 500);
    const day = await cutOver();
    await gateway.importSettlement(day, (text) =>
      text
        .split('\n')
        .filter((line) => !line.includes(';12.34;'))
        .join('\n')
        .replaceAll(';5.00;', ';6.00;'),
    );
    expect((await differences()).sort()).toEqual([
      expect.stringMatching(/^not-settled exchange\/ID .* 1234 here, 0 in 0 lines there$/),
      expect.stringMatching(/^settled-differs exchange\/ID .* 500 here, 600 in 1 lines there$/),
    ]);
  });

  it('and its totals show what a restored database has forgotten, and numbers go on behind it', async () => {
    await pay();
    const { store } = gateway.harness;
    const numbers = await store.get('linkNumbers', ['EXTERNAL']);
    const known = new Set((await gateway.exchanges()).map(({ reference }) => reference));
    await pay('DB', 500);
    for (const { reference, version } of await gateway.exchanges())
      if (!known.has(reference))
        await store.commit([{ op: 'delete', table: 'linkExchanges', key: [reference], version }]);
    const now = await store.get('linkNumbers', ['EXTERNAL']);
    if (!numbers || !now) throw new Error('no number was ever taken');
    await store.commit([
      { op: 'update', table: 'linkNumbers', row: { ...now, nextSequence: numbers.nextSequence } },
    ]);
    await gateway.restartGateway();
    await pay('DB', 700);
    const messages = (await gateway.host.database.transactions()).map(({ rrn }) => rrn);
    expect(new Set(messages).size).toBe(3);
    await gateway.importSettlement(await cutOver());
    const found = await differences();
    expect(found).toContainEqual(
      expect.stringMatching(/^totals-differ .*debits: 2 of 1934 here, 3 of 2434 there$/),
    );
    expect(found).toContainEqual(
      expect.stringMatching(/^settled-unexpected line\/ID EXTERNAL \d{12} 0000 on 20261120: 500 EUR/),
    );
  });
});
