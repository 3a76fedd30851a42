import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransactionRow } from '../rows/tables.js';
import { HostDatabase } from './host-database.js';
import type { HostStore, New } from './host-store.js';
import { MemoryHostStore } from './memory-host-store.js';

const TRANSACTION: New<TransactionRow> = {
  message: 'T1/000001/20261123072200',
  kind: 'sale',
  isAdvice: 0,
  terminalId: 'T1',
  merchantId: 'M1',
  rrn: null,
  card: 'hash',
  last4Digits: '0000',
  currency: 'EUR',
  requestedMinor: 100,
  amountMinor: 100,
  heldMinor: 0,
  refundedMinor: 0,
  reversedMinor: 0,
  chargedBackMinor: 0,
  approved: 1,
  responseCode: '00',
  answer: '{}',
  original: null,
  day: '20261123',
  atMs: 1,
};
const ACCOUNT = { card: 'hash', currency: 'EUR', balanceMinor: 5, heldMinor: 1 };
const CARD = { card: 'hash', last4Digits: '0000', pinTriesLeft: 3, lastAtc: 0 };

let home: string;
let store: HostStore;

describe.each([
  ['in a database', () => HostDatabase.open(join(home, 'host.db'))],
  ['in memory', async () => new MemoryHostStore()],
])('a ledger %s', (_, open) => {
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'host-store-'));
    store = await open();
  });
  afterEach(async () => {
    await store.close();
    rmSync(home, { recursive: true });
  });

  it('keeps what a transaction writes', async () => {
    await store.exclusively(async () => {
      await store.beginDay('20261123', 1);
      await store.putCard(CARD);
      await store.putAccount(ACCOUNT);
      await store.addTransaction(TRANSACTION);
      const reversal = { message: 'r', original: TRANSACTION.message, currency: 'EUR' } as const;
      await store.addReversal({ ...reversal, reversedMinor: 0, day: '20261123', atMs: 1 });
      await store.addReversal({ ...reversal, reversedMinor: 40, day: '20261124', atMs: 2 });
      const chargeback = { original: TRANSACTION.message, amountMinor: 7, reason: '10.4' };
      await store.addChargeback({ ...chargeback, day: '20261124', atMs: 3 });
    });
    const [row] = await store.transactions('20261123');
    expect(row).toEqual({ ...TRANSACTION, position: 1 });
    const change = { ...TRANSACTION, position: 1, reversedMinor: 40 };
    await store.exclusively(() => store.changeTransaction(change));
    expect(await store.transaction(TRANSACTION.message)).toMatchObject({ reversedMinor: 40 });
    expect(await store.isReversed(TRANSACTION.message)).toBe(true);
    expect(await store.isReversed('another')).toBe(false);
    expect(await store.transactions('20261124')).toEqual([]);
    expect((await store.reversals('20261124')).map(({ position }) => position)).toEqual([2]);
    expect(await store.reversal('r')).toMatchObject({ reversedMinor: 40, day: '20261124' });
    expect(await store.reversal('another')).toBeUndefined();
    expect((await store.chargebacks()).map(({ amountMinor }) => amountMinor)).toEqual([7]);
    expect(await store.accounts()).toEqual([ACCOUNT]);
    expect(await store.account('hash', 'USD')).toBeUndefined();
    expect(await store.cards()).toEqual([CARD]);
    expect(await store.day()).toBe('20261123');
    await store.exclusively(() => store.beginDay('20261124', 2));
    expect(await store.day()).toBe('20261124');
  });

  it('keeps nothing of a transaction that fails, and takes one message once', async () => {
    await store.exclusively(() => store.putAccount(ACCOUNT));
    const failed = store.exclusively(async () => {
      await store.putAccount({ ...ACCOUNT, balanceMinor: 0 });
      await store.addTransaction(TRANSACTION);
      await store.addTransaction(TRANSACTION);
    });
    await expect(failed).rejects.toThrow();
    expect(await store.account('hash', 'EUR')).toEqual(ACCOUNT);
    expect(await store.transactions()).toEqual([]);
  });

  it('keeps what comes at the same moment as a failure, each on top of those before it', async () => {
    await store.exclusively(() => store.putAccount({ ...ACCOUNT, balanceMinor: 0 }));
    const add = async (minor: number, fails = false) => {
      const { balanceMinor = 0 } = (await store.account('hash', 'EUR')) ?? {};
      await store.putAccount({ ...ACCOUNT, balanceMinor: balanceMinor + minor });
      if (fails) throw new Error('refused');
      return balanceMinor + minor;
    };
    const all = [1, 2, 4, 8, 16].map((minor) => store.exclusively(() => add(minor, minor === 4)));
    const results = await Promise.allSettled(all);
    expect(results.map((each) => (each.status === 'fulfilled' ? each.value : 'refused'))).toEqual([
      1,
      3,
      'refused',
      11,
      27,
    ]);
    expect((await store.account('hash', 'EUR'))?.balanceMinor).toBe(27);
  });

  it('takes back what a failed transaction wrote of reversals and days', async () => {
    const reversal = { message: 'r', original: 'o', currency: 'EUR', reversedMinor: 1, day: 'd', atMs: 1 };
    const failed = store.exclusively(async () => {
      await store.beginDay('20261123', 1);
      await store.addReversal(reversal);
      throw new Error('refused');
    });
    await expect(failed).rejects.toThrow('refused');
    expect([await store.day(), await store.reversal('r'), await store.isReversed('o')]).toEqual([
      undefined,
      undefined,
      false,
    ]);
    await store.exclusively(() => store.addReversal(reversal));
    expect(await store.reversals()).toEqual([{ ...reversal, position: 1 }]);
  });
});

describe('a ledger in a database', () => {
  let database: HostDatabase;
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'host-store-'));
    database = await HostDatabase.open(join(home, 'host.db'));
  });
  afterEach(async () => {
    await database.close();
    rmSync(home, { recursive: true });
  });

  it('has everything again after it was closed', async () => {
    const reversal = { message: 'r', original: 'o', currency: null, reversedMinor: 1, day: 'd', atMs: 1 };
    await database.exclusively(async () => {
      await database.beginDay('20261123', 1);
      await database.putCard(CARD);
      await database.putAccount(ACCOUNT);
      await database.addTransaction({ ...TRANSACTION, answer: '{"text":"\\u00fc \\"quoted\\""}' });
      await database.addReversal(reversal);
      await database.addChargeback({ original: 'o', amountMinor: 7, reason: '10.4', day: 'd', atMs: 3 });
    });
    await database.exclusively(() => database.putAccount({ ...ACCOUNT, balanceMinor: -5 }));
    await database.exclusively(() => database.beginDay('20261124', 2));
    const all = async (store: HostStore) => [
      ...[await store.day(), await store.accounts(), await store.cards(), await store.transactions()],
      ...[await store.reversals(), await store.chargebacks(), await store.reversal('r')],
      await store.isReversed('o'),
    ];
    const before = await all(database);
    await database.close();
    database = await HostDatabase.open(join(home, 'host.db'));
    expect(await all(database)).toEqual(before);
    expect(before.slice(0, 2)).toEqual(['20261124', [{ ...ACCOUNT, balanceMinor: -5 }]]);
  });

  it('fails a message alone whose row breaks a rule of its table', async () => {
    const add = (message: string, minor: number) =>
      database.exclusively(() =>
        database.addTransaction({ ...TRANSACTION, message, requestedMinor: minor, amountMinor: 0 }),
      );
    const results = await Promise.allSettled([add('a', 1), add('b', -1), add('c', 3)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const stored = await database.transactions();
    expect(stored.map(({ message, position }) => [message, position])).toEqual([
      ['a', 1],
      ['c', 2],
    ]);
  });
});
