import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransactionRow } from '../rows/tables.js';
import { MemoryHostStore } from '../testing/memory-host-store.js';
import { HostDatabase } from './host-database.js';
import type { HostStore, New } from './host-store.js';

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
    await store.changeTransaction({ ...TRANSACTION, position: 1, reversedMinor: 40 });
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
    await store.beginDay('20261124', 2);
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
});
