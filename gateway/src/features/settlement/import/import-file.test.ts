import { Readable } from 'node:stream';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entityRow } from '../../../core/entities/entities.js';
import { Chargebacks } from '../../../core/payments/chargebacks/chargebacks.js';
import { eventsOfPayment } from '../../../core/payments/events/stored-events.test.support.js';
import {
  ENTITY,
  FailingStore,
  followUp,
  NOW_MS,
  OTHER_ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
} from '../../../core/payments/payment-harness.test.support.js';
import { allRows } from '../../../kernel/store/all-rows.js';
import { CSV_HEADERS } from '../rules/columns.js';
import { detailOfRecord } from '../rules/record.js';
import { type CsvForm, readCsvForm, STANDARD_FORM } from './csv-form.js';
import { checkFile, IMPORT_LIMITS, importFile } from './import-file.js';
import { CSV_LIMITS } from './read-csv.js';

let harness: PaymentHarness;
let reported: string[];
beforeEach(async () => {
  harness = await openPaymentHarness();
  // What a file charges back, the ledger of the simulator does not know.
  harness.mayDiffer = true;
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
  TxRequestTime: '2026-11-20 12:00:00',
  SettlementAmount: '12.34',
  SettlementCurrency: 'EUR',
  SettlementFee: '0.25',
  SettlementFxRate: '1.00',
  SettlementDate: '2026-11-21',
  SettlementStatus: 'SUCCESS',
  SettlementFileFormat: 'ACME_V2',
  ClearingInsitituteName: 'Acme Acquiring',
};
const csv = (...rows: readonly Row[]): string =>
  [CSV_HEADERS, ...rows.map((row) => CSV_HEADERS.map((name) => row[name] ?? ''))]
    .map((values) => `${values.join(';')}\n`)
    .join('');
const parts = () => {
  const { store, clock, context, alerts } = harness;
  const reportLine = (line: number, what: string): void => void reported.push(`${line}: ${what}`);
  return { store, clock, random, reportLine, chargebacks: new Chargebacks({ context, alerts }) };
};
const take = (content: string | Uint8Array, form: CsvForm = STANDARD_FORM) =>
  importFile(parts(), Readable.from([Buffer.from(content)]), form);
const pay = async (more: Parameters<typeof restPayment>[0] = {}) =>
  (await harness.service.authorize(restPayment({ type: 'DB', ...more }))).paymentId ?? '';
const records = () => allRows(harness.store, 'settlementRecords');
const referenceOf = async (id: string) =>
  (await harness.store.get('payments', [id]))?.acquirerReference ?? '';

describe('an imported row', () => {
  it.each<[string, (id: string) => Promise<Row> | Row]>([
    ['its UniqueID', (id) => ({ UniqueID: id })],
    ['the reference of the acquirer', async (id) => ({ ConnectorTxId2: await referenceOf(id) })],
    ['amount, currency, last four digits and time', () => ({ AccountNumberLast4: '0000' })],
    [
      'the same three days later',
      () => ({ AccountNumberLast4: '0000', TxRequestTime: '2026-11-23 12:00:00' }),
    ],
  ])('matches a payment by %s', async (_name, by) => {
    const id = await pay();
    await pay({ amount: { minor: 999, currency: 'EUR' } });
    expect(await take(csv({ ...ROW, ...(await by(id)) }))).toMatchObject({ imported: 1, matched: 1 });
    expect(await records()).toMatchObject([{ paymentId: id, matching: 'MATCHED', feeMinor: 25 }]);
    expect(reported).toEqual([]);
  });

  it('matches a refund by the card of its payment', async () => {
    const { paymentId } = await harness.service.followUp(followUp('RF', await pay(), 234));
    const refund = { PaymentType: 'REFUND', Cashflow: 'NEG', Amount: '2.34', SettlementAmount: '2.34' };
    await take(csv({ ...ROW, ...refund, AccountNumberLast4: '0000' }));
    expect(await records()).toMatchObject([{ paymentId, matching: 'MATCHED', transactionType: 'REFUND' }]);
  });

  it('reports in words why it matches none, or several', async () => {
    await pay();
    await pay();
    const report = await take(
      csv(
        { ...ROW, AccountNumberLast4: '0000' },
        { ...ROW, AccountNumberLast4: '9999' },
        { ...ROW, UniqueID: 'f'.repeat(32) },
        ROW,
      ),
    );
    expect(report).toMatchObject({ imported: 4, multipleMatches: 1, notMatched: 3 });
    const what = 'this amount, currency and last four digits within three days';
    expect(reported).toEqual([
      `2: MULTIPLE_MATCHES several payments have ${what}`,
      `3: NOT_MATCHED no payment has ${what}`,
      `4: NOT_MATCHED this merchant has no payment with UniqueID ${'f'.repeat(32)}`,
      '5: NOT_MATCHED it has neither an id of a payment nor last four digits',
    ]);
    const several = (await records()).find(({ matching }) => matching === 'MULTIPLE_MATCHES');
    expect(several && detailOfRecord(several).matched).toHaveLength(2);
  });

  it('without an id matches among rows of other amounts, times and merchants', async () => {
    const [small, large] = [await pay(), await pay({ amount: { minor: 5_000, currency: 'EUR' } })];
    await pay({ origin: { kind: 'rest', entityId: OTHER_ENTITY } });
    const row = { ...ROW, AccountNumberLast4: '0000' };
    const report = await take(
      csv(
        { ...row, Amount: '50.00' },
        { ...row, TxRequestTime: '2026-11-24 12:00:01' },
        { ...row, AccountNumberLast4: '0001' },
        { ...row, TxRequestTime: '2026-11-17 12:00:01' },
        { ...row, Amount: '50.00', TxRequestTime: '2025-11-20 12:00:00' },
        { ...row, Currency: 'USD' },
      ),
    );
    expect(report).toMatchObject({ imported: 6, matched: 2, notMatched: 4 });
    const found = (await records()).filter(({ matching }) => matching === 'MATCHED');
    expect(new Set(found.map(({ paymentId }) => paymentId))).toEqual(new Set([small, large]));
  });

  it('never matches a payment of another merchant', async () => {
    const id = await pay({ origin: { kind: 'rest', entityId: OTHER_ENTITY } });
    await take(csv({ ...ROW, UniqueID: id }, { ...ROW, ConnectorTxId1: await referenceOf(id) }));
    expect((await records()).map(({ matching, paymentId }) => [matching, paymentId])).toEqual([
      ['NOT_MATCHED', null],
      ['NOT_MATCHED', null],
    ]);
  });

  it('finds its merchant by the number at the clearing institute, and its channel by the payment', async () => {
    const channel = 'c'.repeat(32);
    const row = entityRow(channel, 'Shop', ENTITY, NOW_MS);
    const account = { aboveId: null, currency: null, fees: null, ftpPassword: null, version: 1 };
    const clearingMerchantId = '4711-0815';
    await harness.store.commit([
      { op: 'insert', table: 'entities', row },
      {
        op: 'insert',
        table: 'settlementAccounts',
        row: { entityId: ENTITY, clearingMerchantId, ...account },
      },
    ]);
    const id = await pay({ origin: { kind: 'rest', entityId: channel } });
    await take(csv({ ...ROW, MerchantAccountId: '', UniqueID: id }));
    expect(await records()).toMatchObject([{ entityId: channel, paymentId: id }]);
    expect(await allRows(harness.store, 'settlements')).toMatchObject([
      {
        entityId: channel,
        merchantId: ENTITY,
        source: 'FILE',
        state: 'closed',
        creditMinor: 1_234,
        feeMinor: 25,
      },
    ]);
  });
});

describe('the same file again', () => {
  it('changes nothing', async () => {
    const id = await pay();
    const file = csv(
      { ...ROW, UniqueID: id },
      { ...ROW, ReconciliationType: 'CHARGEBACK', Cashflow: 'NEG', UniqueID: id },
    );
    await take(file);
    const before = JSON.stringify([await records(), await allRows(harness.store, 'payments')]);
    expect(await take(file)).toMatchObject({ rows: 2, imported: 0, known: 2, chargebacks: 0 });
    expect(JSON.stringify([await records(), await allRows(harness.store, 'payments')])).toBe(before);
  });

  it('and a row again in it count once, however far apart', async () => {
    const rows = Array.from({ length: IMPORT_LIMITS.batch + 1 }, (_none, at) => ({
      ...ROW,
      SettlementTxId: `S${at}`,
    }));
    const report = await take(csv(...rows, { ...ROW, SettlementTxId: 'S0' }));
    expect(report).toMatchObject({ imported: rows.length, known: 1 });
  });

  it('finishes what a crash left, with one chargeback', async () => {
    const id = await pay();
    const file = csv({ ...ROW, ReconciliationType: 'CHARGEBACK', Cashflow: 'NEG', UniqueID: id });
    const store = new FailingStore(harness.store);
    store.failWhen = (changes) =>
      changes.some((change) => 'table' in change && change.table === 'settlementRecords');
    await expect(importFile({ ...parts(), store }, Readable.from([file]), STANDARD_FORM)).rejects.toThrow(
      'disk',
    );
    await take(file);
    const family = await harness.store.find('payments', 'root', [id]);
    expect(family.map(({ type }) => type)).toEqual(['CB']);
    const [record] = await records();
    expect(record && detailOfRecord(record).chargebackId).toBe(family[0]?.id);
  });
});

describe('a chargeback in a file', () => {
  const chargeback = { ...ROW, ReconciliationType: 'CHARGEBACK', Cashflow: 'NEG', ReasonCode: '000.100.203' };

  it('is booked with its reason and an event, and refunds of it are refused', async () => {
    const id = await pay();
    expect(await take(csv({ ...chargeback, UniqueID: id }))).toMatchObject({ chargebacks: 1 });
    const [booked] = await harness.store.find('payments', 'root', [id]);
    expect(booked).toMatchObject({
      type: 'CB',
      amountMinor: 1_234,
      resultCode: '000.100.203',
      referencedId: id,
    });
    expect(await eventsOfPayment(harness.store, booked?.id ?? '')).toHaveLength(1);
    const refund = await harness.service.followUp(followUp('RF', id, 1));
    expect(refund.resultCode).toBe('700.300.600');
  });

  it('and its reversal leave the payment as it was', async () => {
    const id = await pay();
    await take(csv({ ...chargeback, UniqueID: id }));
    const back = { ...ROW, ReconciliationType: 'CHARGEBACK REVERSAL', UniqueID: id };
    expect(await take(csv(back))).toMatchObject({ chargebacks: 1 });
    expect((await harness.store.get('payments', [id]))?.chargedBackMinor).toBe(0);
    // A second reversal has nothing to reverse.
    expect(await take(csv({ ...back, TxRequestTime: '2026-11-20 13:00:00' }))).toMatchObject({
      chargebacks: 0,
    });
    expect(reported.at(-1)).toBe('2: MATCHED no chargeback of this amount stands on the payment');
  });

  it('of more than is left is kept as a record, and not booked', async () => {
    const id = await pay();
    await harness.service.followUp(followUp('RF', id, 1));
    expect(await take(csv({ ...chargeback, UniqueID: id }))).toMatchObject({ imported: 1, chargebacks: 0 });
    expect(reported).toEqual(['2: MATCHED the chargeback takes more than is left of the payment']);
  });
});

describe('bad input', () => {
  it('is reported with the line of each fault, and good rows are imported', async () => {
    const id = await pay();
    const report = await take(
      csv(
        { ...ROW, Amount: '12.3' },
        { ...ROW, UniqueID: id },
        { ...ROW, Currency: 'EURO', SettlementDate: '2026-02-30' },
        { ...ROW, ReconciliationType: 'SETTLD', MerchantAccountId: 'short' },
        { ...ROW, MerchantAccountId: 'e'.repeat(32), ClearingInstituteMerchantId: '1234' },
        { ...ROW, MerchantAccountId: 'e'.repeat(32) },
      ),
    );
    expect(report).toMatchObject({ rows: 6, imported: 1, wrong: 5 });
    expect(reported).toEqual([
      '2: Amount must be an amount with two decimals',
      '4: Currency must be a currency of ISO 4217',
      '4: Amount must be an amount with two decimals',
      '4: SettlementDate must be a date',
      '5: ReconciliationType must be one of SETTLED, CHARGEBACK, CHARGEBACK REVERSAL, FEE',
      '5: MerchantAccountId must have 32 letters and digits',
      '6: ClearingInstituteMerchantId must have 5 to 64 characters',
      '7: no merchant has this MerchantAccountId or ClearingInstituteMerchantId',
    ]);
  });

  it.each([
    [
      'a column less',
      (text: string) => text.replace('PspId;', ''),
      '1: column 7 is DivisionId, and must be PspId',
    ],
    ['a comma for the semicolon', (text: string) => text.replaceAll(';', ','), /^1: column 1 is Reconc/],
    ['a short row', (text: string) => text.replace('DEBIT;', ''), '2: has 35 values, and must have 36'],
    [
      'a quote without an end',
      (text: string) => text.replace('DEBIT', '"DEBIT'),
      /^\d: (is no row|cannot be read)/,
    ],
    ['no content', () => '', /^1: the file has no headings$/],
  ])('%s is refused with its line', async (_name, spoil, expected) => {
    const report = await take(spoil(csv({ ...ROW, UniqueID: await pay() })));
    expect(report.imported).toBe(0);
    expect(reported[0]).toMatch(expected);
  });

  it('without an end of a row keeps the rows before it', async () => {
    const file = csv({ ...ROW, UniqueID: await pay() });
    expect(await take(`${file}${'x'.repeat(CSV_LIMITS.row + 10)}`)).toMatchObject({ imported: 1, wrong: 1 });
    expect(reported).toEqual([expect.stringMatching(/^3: (is no row|cannot be read)/)]);
  });

  it('that is not in UTF-8 is refused row by row', async () => {
    const id = await pay();
    const [head = '', row = ''] = csv({ ...ROW, AccountHolder: 'Müller', UniqueID: id }).split('\n');
    const good = row.replace('Müller', 'Miller');
    const latin = Buffer.concat([
      Buffer.from(`${head}\n`),
      Buffer.from(`${row}\n`, 'latin1'),
      Buffer.from(`${good}\n`),
    ]);
    expect(await take(latin)).toMatchObject({ rows: 2, imported: 1, wrong: 1 });
    expect(reported).toEqual(['2: is not in UTF-8']);
  });

  it('is found by a look that writes nothing', async () => {
    const stranger = { ...ROW, MerchantAccountId: 'e'.repeat(32) };
    const file = csv({ ...ROW, Amount: '1' }, { ...ROW, UniqueID: await pay() }, stranger);
    expect(await checkFile(parts(), Readable.from([file]), STANDARD_FORM)).toEqual({ rows: 3, wrong: 2 });
    expect(reported.at(-1)).toBe('4: no merchant has this MerchantAccountId or ClearingInstituteMerchantId');
    expect(await records()).toEqual([]);
  });

  it('of many rows is read as it is taken', async () => {
    const [head = '', row = ''] = csv({ ...ROW, Amount: 'x' }).split('\n');
    let given = 0;
    let ahead = 0;
    const lines = function* () {
      yield Buffer.from(`${head}\n`);
      for (; given < 20_000; given += 1) {
        ahead = Math.max(ahead, given - reported.length);
        yield Buffer.from(`${row}\n`);
      }
    };
    await checkFile(parts(), Readable.from(lines()), STANDARD_FORM);
    expect(reported).toHaveLength(20_000);
    expect(ahead).toBeLessThan(3_000);
  });
});

describe('a mapping', () => {
  it('reads the form of another acquirer', async () => {
    const id = await pay({ reference: 'order-0001' });
    const form = readCsvForm(
      JSON.stringify({
        delimiter: ',',
        columns: {
          ReconciliationType: 'Kind',
          Amount: 'Gross',
          SettlementAmount: 'Net',
          SettlementDate: 'Paid',
          TransactionId: 'Order',
          ClearingInstituteMerchantId: 'Merchant',
        },
        values: { ReconciliationType: { S: 'SETTLED' } },
        defaults: {
          PaymentType: 'DEBIT',
          Cashflow: 'POS',
          Currency: 'EUR',
          SettlementCurrency: 'EUR',
          SettlementFxRate: '1.00',
          SettlementStatus: 'SUCCESS',
          SettlementFileFormat: 'ACME',
          MerchantAccountId: ENTITY,
        },
      }),
    );
    const file = 'Kind,Gross,Net,Paid,Order,Merchant,More\nS,12.34,12.00,2026-11-21,order-0001,12345,x\n';
    expect(await take(file, form)).toMatchObject({ imported: 1, matched: 1 });
    expect(await records()).toMatchObject([{ paymentId: id, settlementMinor: 1_200 }]);
    expect(await take('Kind,Gross\nS,1\n', form)).toMatchObject({ wrong: 1 });
    expect(reported).toEqual(['1: has no column Net, which stands for SettlementAmount']);
  });

  it.each([
    [{}, 'columns is missing: expected a mapping of headings of spec 2.11'],
    [
      { columns: { Ammount: 'x' } },
      'columns.Ammount must be a heading of spec 2.11, not "Ammount"; did you mean Amount?',
    ],
    [{ columns: {}, delimiter: 'ab' }, 'delimiter must be one character, not "ab"'],
    [{ columns: {}, values: { Amount: { a: 1 } } }, 'values.Amount.a must be a text, not 1'],
    [{ columns: {}, colums: {} }, 'colums is no known field; did you mean columns?'],
  ])('%j is refused: %s', (value, why) => expect(() => readCsvForm(JSON.stringify(value))).toThrow(why));
});
