import { Readable } from 'node:stream';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Chargebacks } from '../../../core/payments/chargebacks/chargebacks.js';
import { awaitedTransfer, isReceived, receivedMinor } from '../../../core/payments/lookup/transfers.js';
import {
  ENTITY,
  followUp,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
} from '../../../core/payments/payment-harness.test.support.js';
import { allRows } from '../../../kernel/store/all-rows.js';
import { CommitConflict } from '../../../kernel/store/store.js';
import { withCommit } from '../../../kernel/store/with-commit.js';
import { CSV_HEADERS } from '../rules/columns.js';
import { detailOfRecord } from '../rules/record.js';
import { STANDARD_FORM } from './csv-form.js';
import { importFile } from './import-file.js';
import { TransferReceipts } from './transfer-receipts.js';

let harness: PaymentHarness;
let reported: string[];
beforeEach(async () => {
  // Rows that refer to a payment without an outcome are found by a database alone.
  harness = await openPaymentHarness(storeOf('sqlite'));
  reported = [];
});
afterEach(() => harness.dispose());

type Row = Readonly<Record<string, string>>;
const ROW: Row = {
  ReconciliationType: 'SETTLED',
  PaymentType: 'DEBIT',
  Cashflow: 'POS',
  ClearingInstituteMerchantId: '4711-0815',
  MerchantAccountId: ENTITY,
  Amount: '12.34',
  Currency: 'EUR',
  SettlementAmount: '12.34',
  SettlementCurrency: 'EUR',
  SettlementFxRate: '1.00',
  SettlementDate: '2026-11-21',
  SettlementStatus: 'SUCCESS',
  SettlementFileFormat: 'BANK',
  ClearingInsitituteName: 'House bank',
};

/** Imports rows, and lets the deadline loop look at what is due. */
function take(...rows: readonly Row[]) {
  return takeFrom(undefined, ...rows);
}

/** The same of a file that the host of a link wrote. */
async function takeFrom(acquirer: string | undefined, ...rows: readonly Row[]) {
  const { store, clock, context, alerts, service } = harness;
  const content = [CSV_HEADERS, ...rows.map((row) => CSV_HEADERS.map((name) => row[name] ?? ''))]
    .map((values) => `${values.join(';')}\n`)
    .join('');
  const reportLine = (line: number, what: string): void => void reported.push(`${line}: ${what}`);
  const parts = {
    ...{ store, clock, random, reportLine, chargebacks: new Chargebacks({ context, alerts }) },
    ...(acquirer !== undefined && { acquirer }),
  };
  const imported = await importFile(parts, Readable.from([Buffer.from(content)]), STANDARD_FORM);
  await service.endOverdueWaits();
  return imported;
}

/** A payment by bank transfer of 12.34 EUR that waits for its money, and the reference that its payer states. */
async function begin(): Promise<{ readonly id: string; readonly reference: string }> {
  const { paymentId: id = '', disposition } = await harness.service.authorize(
    restPayment({
      type: 'DB',
      card: undefined,
      instrument: { kind: 'bank-account', by: 'transfer', brand: 'PREPAYMENT' },
    } as never),
  );
  expect(disposition).toBe('pending');
  const [row] = (await allRows(harness.store, 'transferReferences')).filter(
    ({ paymentId }) => paymentId === id,
  );
  return { id, reference: row?.reference ?? '' };
}
/** Columns of a row that reports that money came in. */
const RECEIVED = { recordType: 'SETTLED', transactionType: 'DEBIT', cashflow: 'POS', status: 'SUCCESS' };
const stateOf = async (id: string) => (await harness.service.find(id, ENTITY))?.state;
const notes = async () =>
  (await allRows(harness.store, 'settlementRecords')).map((record) => detailOfRecord(record).mismatch);
const amount = (text: string) => ({ Amount: text, SettlementAmount: text });

describe('a row of a bank file', () => {
  it.each<[string, (made: { id: string; reference: string }) => Row]>([
    ['the id of the payment', ({ id }) => ({ UniqueID: id })],
    ['the reference of the transfer', ({ reference }) => ({ ConnectorTxId1: reference })],
    [
      'the reference in the purpose, as people write it',
      ({ reference }) => ({
        Descriptor: `Order 5, ${reference.toLowerCase().replaceAll(/(.{4})/g, '$1 ')}thanks`,
      }),
    ],
  ])('ends the wait of a payment, found by %s', async (_by, named) => {
    const made = await begin();
    expect(await take({ ...ROW, ...named(made) })).toMatchObject({ imported: 1, matched: 1 });
    expect(await stateOf(made.id)).toBe('captured');
    expect(reported).toEqual([]);
    expect(await allRows(harness.store, 'settlementRecords')).toMatchObject([{ paymentId: made.id }]);
  });

  it('counts once, however often it comes, and in parts until all is there', async () => {
    const { id, reference } = await begin();
    const part = { ...ROW, ...amount('10.00'), ConnectorTxId1: reference };
    await take(part, part);
    await take(part);
    expect(await stateOf(id)).toBe('pending');
    expect(reported).toEqual(['3: MATCHED the payment still waits for 2.34 EUR of 12.34 EUR']);
    await take({ ...part, ...amount('2.34') });
    expect(await stateOf(id)).toBe('captured');
  });

  it('reports what came in more, in another currency, or too late', async () => {
    const { id, reference } = await begin();
    await take({ ...ROW, Currency: 'USD', SettlementCurrency: 'USD', UniqueID: id });
    expect(await stateOf(id)).toBe('pending');
    await take({ ...ROW, ...amount('20.00'), ConnectorTxId1: reference });
    expect(await stateOf(id)).toBe('captured');
    expect(await harness.service.find(id, ENTITY)).toMatchObject({ capturedMinor: 1_234 });
    await take({ ...ROW, ...amount('1.00'), ConnectorTxId1: reference });
    const late = await begin();
    harness.clock.jumpWall(15 * 86_400_000);
    await harness.service.endOverdueWaits();
    expect(await stateOf(late.id)).toBe('declined');
    await take({ ...ROW, ConnectorTxId1: late.reference });
    expect((await notes()).sort()).toEqual([
      '1.00 EUR more than the payment has come in: give it back',
      '7.66 EUR more than the payment has come in: give it back',
      'the payment has ended without its transfer (100.396.103): give the money back',
      'the transfer is in USD, the payment in EUR: give it back, or exchange it and send RC',
    ]);
  });

  it('with an unknown reference matches nothing, one that failed or goes out ends nothing', async () => {
    const { id, reference } = await begin();
    await take({ ...ROW, ConnectorTxId1: 'RF18539007547034' });
    await take({ ...ROW, SettlementStatus: 'FAILED', ConnectorTxId1: reference });
    await take({ ...ROW, PaymentType: 'REFUND', Cashflow: 'NEG', ConnectorTxId1: reference });
    expect(await stateOf(id)).toBe('pending');
    expect(
      (await allRows(harness.store, 'settlementRecords')).map(({ matching }) => matching).sort(),
    ).toEqual(['MATCHED', 'MATCHED', 'NOT_MATCHED']);
  });

  it('of money that failed or goes out leaves the sum as it is: none is to be given back', async () => {
    const { id, reference } = await begin();
    await take(
      { ...ROW, SettlementStatus: 'FAILED', ConnectorTxId1: reference },
      { ...ROW, PaymentType: 'REFUND', Cashflow: 'NEG', ConnectorTxId1: reference },
      { ...ROW, ConnectorTxId1: reference },
    );
    expect(await stateOf(id)).toBe('captured');
    expect(reported.filter((each) => each.includes('give it back'))).toEqual([]);
  });

  it('claims nothing back of a payment by card, which no transfer pays', async () => {
    const { paymentId = '' } = await harness.service.authorize(restPayment());
    await take(
      { ...ROW, UniqueID: paymentId },
      { ...ROW, UniqueID: paymentId, SettlementDate: '2026-11-22' },
    );
    expect(reported).toEqual([]);
  });

  it('of the host of a link ends no wait of a payment that did not go there', async () => {
    const { id, reference } = await begin();
    for (const named of [{ UniqueID: id }, { ConnectorTxId1: reference }])
      expect(await takeFrom('EXTERNAL', { ...ROW, ...named })).toMatchObject({ matched: 0, notMatched: 1 });
    expect(await stateOf(id)).toBe('pending');
    expect(reported).toContain('2: NOT_MATCHED the payment did not go to EXTERNAL');
    await take({ ...ROW, UniqueID: id, ...amount('12.33') });
    expect(await stateOf(id)).toBe('pending');
  });

  it('leaves a payment that got a part to its deadline', async () => {
    const { id, reference } = await begin();
    await take({ ...ROW, ...amount('10.00'), ConnectorTxId1: reference });
    harness.clock.jumpWall(13 * 86_400_000);
    await harness.service.endOverdueWaits();
    expect(await stateOf(id)).toBe('pending');
    harness.clock.jumpWall(2 * 86_400_000);
    await harness.service.endOverdueWaits();
    expect(await stateOf(id)).toBe('declined');
  });
});

describe('the receipt of a merchant (RC)', () => {
  const receive = (id: string, minor: number, currency = 'EUR') =>
    harness.service.followUp({ ...followUp('RC', id, minor), amount: { minor, currency } });

  it('ends the wait once all is there, with what a file has counted, and moves no money twice', async () => {
    const { id, reference } = await begin();
    expect(await receive(id, 234)).toMatchObject({ disposition: 'approved', resultCode: '000.100.110' });
    expect(await stateOf(id)).toBe('pending');
    await take({ ...ROW, ...amount('5.00'), ConnectorTxId1: reference });
    expect(reported).toEqual(['2: MATCHED the payment still waits for 5.00 EUR of 12.34 EUR']);
    const last = await receive(id, 500);
    expect(await stateOf(id)).toBe('captured');
    const captured = (await harness.transactions()).filter(({ approved }) => approved);
    expect(captured).toHaveLength(1);
    expect(await harness.service.followUp(followUp('RF', last.paymentId ?? '', 100))).toMatchObject({
      disposition: 'refused',
    });
    expect(await harness.service.followUp(followUp('RF', id, 1_234))).toMatchObject({
      disposition: 'approved',
    });
  });

  it('is refused in another currency, and for a payment that waits for no transfer', async () => {
    const { id } = await begin();
    expect(await receive(id, 1_234, 'USD')).toMatchObject({ resultCode: '700.100.500' });
    expect(await stateOf(id)).toBe('pending');
  });

  it('of many at once ends the wait once', async () => {
    const { id } = await begin();
    const results = await Promise.all(Array.from({ length: 8 }, () => receive(id, 200)));
    expect(new Set(results.map(({ disposition }) => disposition))).toEqual(new Set(['approved']));
    expect(await stateOf(id)).toBe('captured');
  });
});

describe('the money of a payment', () => {
  const awaited = (id: string) => ({ id, amountMinor: 1_234, currency: 'EUR' });
  const counted = async (id: string) => receivedMinor(harness.store, awaited(id));

  it('is what rows of receipts say that were matched, in its currency', async () => {
    const { id, reference } = await begin();
    await take({ ...ROW, ...amount('10.00'), ConnectorTxId1: reference });
    expect(await counted(id)).toBe(1_000);
    const [record] = await allRows(harness.store, 'settlementRecords');
    if (!record) throw new Error('the row was not imported');
    let row = record;
    for (const changed of [
      { matching: 'NOT_MATCHED' },
      { status: 'FAILED' },
      { cashflow: 'NEG' },
      { currency: 'USD' },
    ] as const) {
      await harness.store.commit([
        { op: 'update', table: 'settlementRecords', row: { ...record, ...changed, version: row.version } },
      ]);
      expect(await counted(id), JSON.stringify(changed)).toBe(0);
      expect(await isReceived(harness.store, { ...awaited(id), amountMinor: 1_000 })).toBe(false);
      row = (await harness.store.get('settlementRecords', [record.id])) ?? record;
    }
    await harness.store.commit([
      { op: 'update', table: 'settlementRecords', row: { ...record, version: row.version } },
    ]);
    expect(await isReceived(harness.store, { ...awaited(id), amountMinor: 1_000 })).toBe(true);
    expect(await isReceived(harness.store, awaited(id))).toBe(false);
  });

  it('is awaited while its intent waits for a receipt that has a deadline', async () => {
    const { store } = harness;
    expect(await awaitedTransfer(store, 'unknown')).toBeUndefined();
    const { id } = await begin();
    expect(await awaitedTransfer(store, id)).toMatchObject({ payment: { id }, wait: { kind: 'receipt' } });
    const wait = await store.get('waits', [id]);
    if (!wait) throw new Error('the payment does not wait');
    let { version } = wait;
    for (const changed of [{ kind: 'review' }, { untilMs: null }] as const) {
      await store.commit([{ op: 'update', table: 'waits', row: { ...wait, ...changed, version } }]);
      expect(await awaitedTransfer(store, id), JSON.stringify(changed)).toBeUndefined();
      version += 1;
    }
    await store.commit([{ op: 'update', table: 'waits', row: { ...wait, version } }]);
    expect(await awaitedTransfer(store, id)).toBeDefined();
    await store.commit([{ op: 'delete', table: 'waits', key: [id], version: version + 1 }]);
    expect(await awaitedTransfer(store, id)).toBeUndefined();
  });

  it('that has come in is no longer awaited', async () => {
    const { id, reference } = await begin();
    await take({ ...ROW, ConnectorTxId1: reference });
    expect(await stateOf(id)).toBe('captured');
    expect(await awaitedTransfer(harness.store, id)).toBeUndefined();
  });

  it('wakes its payment unless another request looks at it now; other faults are reported', async () => {
    const { id } = await begin();
    const payment = (await harness.service.find(id, ENTITY)) as never;
    const row = { ...RECEIVED, amountMinor: 1_234, currency: 'EUR' } as never;
    const waking = async (fault: Error) => {
      const store = withCommit(harness.store, () => Promise.reject(fault));
      const receipts = new TransferReceipts(store, () => harness.clock.nowMs());
      await receipts.count(row, payment);
      return receipts.wake(new Set([id]));
    };
    await waking(new CommitConflict({ kind: 'version', table: 'waits', on: 'primary' }));
    await expect(waking(new Error('the disk is full'))).rejects.toThrow('the disk is full');
  });
});
