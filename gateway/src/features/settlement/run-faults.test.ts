import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InvariantCheck } from '../../app/ledger-check/invariant-check.js';
import {
  ENGINES,
  ENTITY,
  FailingStore,
  type MakeStore,
  openPaymentHarness,
  type PaymentHarness,
  QUIET,
  restPayment,
  storeOf,
} from '../../core/payments/payment-harness.test.support.js';
import { openAlerts } from '../../kernel/alerts/alerts.test.support.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { setAccount } from './administration.js';
import { runSettlement } from './service.js';
import { setRates } from './set-rates.js';
import { fileRows, settlementParts } from './settlement-life.test.support.js';

const SECOND = '5ec0'.repeat(8);

let harness: PaymentHarness;
let parts: ReturnType<typeof settlementParts>;
const open = async (store?: MakeStore): Promise<void> => {
  harness = await openPaymentHarness(store);
  parts = settlementParts(harness);
  const entity = { id: SECOND, kind: 'merchant', parentId: null, name: 'Second' } as const;
  const row = { ...entity, compatibility: 'specification', createdAtMs: 1, version: 1 } as const;
  await harness.store.commit([{ op: 'insert', table: 'entities', row }]);
};
afterEach(async () => {
  rmSync(parts.folder, { recursive: true, force: true });
  await harness.dispose();
});

const pay = async (more: Parameters<typeof restPayment>[0] = {}, entityId = ENTITY) =>
  (await harness.service.authorize(restPayment({ type: 'DB', origin: { kind: 'rest', entityId }, ...more })))
    .paymentId ?? '';
const alerts = () => openAlerts(harness.store);
const differences = async () => {
  const { store, record, clock } = harness;
  const check = new InvariantCheck({ store, records: [record], clock, log: QUIET });
  await check.full();
  return check.known.list().map(({ kind, detail }) => `${kind} ${detail}`);
};
const settledPayments = async () =>
  (await allRows(harness.store, 'settlementRecords')).flatMap(({ paymentId }) => paymentId ?? []).sort();

describe.each(ENGINES)('a part of a settlement run that fails, on %s', (engine) => {
  beforeEach(() => open(storeOf(engine)));

  it('is an entry that stops no other one, stands in the check, and is settled by the next run', async () => {
    await payOutIn('CLF');
    const broken = await pay({ amount: { minor: 999_999_999_999, currency: 'USD' } });
    const others = [await pay({ amount: { minor: 1, currency: 'USD' } }), await pay(), await pay({}, SECOND)];
    const { acquirerReference } = (await harness.store.get('payments', [broken])) ?? {};
    const reason = 'RangeError: more minor units than can be counted';
    const run = await runSettlement(parts);
    expect(run.failed).toEqual([{ part: `entry/${acquirerReference}`, reason }]);
    expect(await settledPayments()).toEqual([...others].sort());
    expect(run.files).toHaveLength(2);
    expect(await alerts()).toEqual([`settlement-incomplete entry/${acquirerReference}`]);
    expect(await differences()).toEqual([`settlement-incomplete ${reason}`]);
    // Again with the same fault: nothing is settled twice, and the alert stands.
    await runSettlement(parts);
    expect(await settledPayments()).toEqual([...others].sort());
    expect(await alerts()).toHaveLength(1);
    await setAccount({ ...parts, actor: 'operator' }, ENTITY, { currency: null });
    expect((await runSettlement(parts)).failed).toEqual([]);
    expect(await settledPayments()).toEqual([broken, ...others].sort());
    expect([await alerts(), await differences()]).toEqual([[], []]);
  });

  it('is a file that cannot be written; the next run writes it, with all of its records', async () => {
    await pay();
    await pay({}, SECOND);
    const day = new Date(harness.clock.nowMs()).toISOString().slice(0, 10).replaceAll('-', '');
    const name = `${SECOND}-${day}-1.csv`;
    // A folder stands in its place.
    mkdirSync(join(parts.folder, name, 'x'), { recursive: true });
    const { files, failed } = await runSettlement(parts);
    expect(files.map(({ merchantId }) => merchantId)).toEqual([ENTITY]);
    expect(failed.map(({ part }) => part)).toEqual([`file/${name}`]);
    expect(await alerts()).toEqual([`settlement-incomplete file/${name}`]);
    expect(await differences()).toHaveLength(1);
    rmSync(join(parts.folder, name), { recursive: true });
    const next = await runSettlement(parts);
    expect(next.files.map((file) => file.name)).toEqual([name]);
    expect(fileRows(parts.folder, name).map((row) => row.MerchantId)).toEqual([SECOND, SECOND]);
    expect([await alerts(), await differences()]).toEqual([[], []]);
  });

  it('is a file that was removed: it comes again byte for byte, a month long', async () => {
    await pay();
    const [file] = (await runSettlement(parts)).files;
    const path = join(parts.folder, file?.name ?? '');
    const before = readFileSync(path, 'utf8');
    rmSync(path);
    await runSettlement(parts);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect((await runSettlement(parts)).files).toEqual([]);
    rmSync(path);
    await harness.clock.advance(32 * 86_400_000);
    await runSettlement(parts);
    expect(existsSync(path)).toBe(false);
  });

  it('is the folder of all files: what was settled stays settled', async () => {
    await pay();
    rmSync(parts.folder, { recursive: true });
    writeFileSync(parts.folder, 'no folder');
    const { settlements, failed } = await runSettlement(parts);
    expect([settlements.length, failed.map(({ part }) => part)]).toEqual([1, ['files']]);
    expect(await alerts()).toEqual(['settlement-incomplete files']);
    rmSync(parts.folder);
    expect((await runSettlement(parts)).files).toHaveLength(1);
    expect(readdirSync(parts.folder)).toHaveLength(1);
    expect(await alerts()).toEqual([]);
  });

  it('is the booking of chargebacks: the ledger is settled', async () => {
    const paid = await pay();
    const bookChargebacks = async (): Promise<void> => {
      throw new Error('the feed is broken');
    };
    expect((await runSettlement({ ...parts, bookChargebacks })).failed).toEqual([
      { part: 'chargebacks', reason: 'Error: the feed is broken' },
    ]);
    expect(await settledPayments()).toEqual([paid]);
    expect((await runSettlement(parts)).failed).toEqual([]);
  });

  it('is an account that cannot be read: other merchants are settled', async () => {
    await pay();
    await pay({}, SECOND);
    const row = { entityId: SECOND, aboveId: null, clearingMerchantId: null, currency: null, fees: '7' };
    const change = { op: 'insert', table: 'settlementAccounts' } as const;
    await harness.store.commit([{ ...change, row: { ...row, ftpPassword: null, version: 1 } }]);
    const { settlements, failed } = await runSettlement(parts);
    expect(settlements.map(({ entityId }) => entityId)).toEqual([ENTITY]);
    expect(failed.map(({ part }) => part.split('/')[0])).toEqual(['entry']);
    await setAccount({ ...parts, actor: 'operator' }, SECOND, { fees: null });
    expect((await runSettlement(parts)).settlements.map(({ entityId }) => entityId)).toEqual([SECOND]);
  });

  it('is none where the database is away: the whole run is done again', async () => {
    await pay();
    const store = new FailingStore(harness.store);
    store.failWhen = () => true;
    await expect(runSettlement({ ...parts, store })).rejects.toThrow('disk');
    expect(await alerts()).toEqual([]);
  });
});

describe('sums that can be counted no more', () => {
  beforeEach(() => open());

  it('go on in another settlement of the same file', async () => {
    const amount = { minor: 99_999_999_999_900, currency: 'CLF' };
    const count = Math.floor(Number.MAX_SAFE_INTEGER / amount.minor) + 1;
    for (let at = 0; at < count; at += 1) await pay({ amount });
    const { settlements, files, failed } = await runSettlement(parts);
    expect([settlements.length, files.length, failed]).toEqual([2, 1, []]);
    expect(await settledPayments()).toHaveLength(count);
    const credits = settlements.reduce((sum, { creditMinor }) => sum + BigInt(creditMinor), 0n);
    expect(credits).toBe(BigInt(amount.minor) * BigInt(count));
  });
});

/** Has the merchant paid in another currency, by the highest rate that there is. */
async function payOutIn(settlementCurrency: string): Promise<void> {
  const by = { ...parts, actor: 'operator' };
  await setAccount(by, ENTITY, { currency: settlementCurrency });
  const rate = { currency: 'USD', settlementCurrency, fromMs: 0, untilMs: null, rate: 999_999_000_000 };
  await setRates(by, [rate], 'bank.csv');
}
