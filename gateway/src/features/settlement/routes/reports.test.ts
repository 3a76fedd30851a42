import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
  RECORD_TOKEN,
} from '../../../app/http/http-harness.test.support.js';
import { ENTITY, OTHER_ENTITY } from '../../../core/payments/payment-harness.test.support.js';
import { readHeads, STANDARD_FORM } from '../import/csv-form.js';
import { openInSpreadsheet } from './spreadsheet.test.support.js';

const REPORTS = 'tb_reports-token-of-the-tests';
const STRANGER = 'tb_stranger-token-of-the-tests';
const ROOT = '/reports/v1/reconciliations/aggregations';
const PAGES = '/reports/v2/reconciliations/aggregations';
const DAY = { 'date.from': '2026-11-20', 'date.to': '2026-11-20' };

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
  await addToken(harness.store, REPORTS, ['reports']);
  await addToken(harness.store, STRANGER, ['reports'], { entityId: OTHER_ENTITY, merchantId: OTHER_ENTITY });
});
afterEach(() => harness.dispose());

/** Answers of reports; that one holds what a test reads is for it to say. */
interface Body {
  readonly result: { readonly code: string };
  readonly aggregations: readonly Readonly<Record<string, string>>[];
  // biome-ignore lint/suspicious/noExplicitAny: members by their names, compared one by one
  readonly records: readonly any[];
  readonly files: readonly { readonly name: string; readonly records: number }[];
  readonly pages: number;
}

const get = async (path: string, query: Readonly<Record<string, string>> = {}, token = REPORTS) => {
  const text = new URLSearchParams({ entityId: token === STRANGER ? OTHER_ENTITY : ENTITY, ...query });
  const answer = await harness.send('GET', `${path}?${text}`, { authorization: `Bearer ${token}` });
  return { ...answer, body: answer.body as unknown as Body };
};
const settle = () =>
  harness.send('POST', '/v1/simulator/settlements', { authorization: `Bearer ${RECORD_TOKEN}`, body: '' });
const pay = async (form = {}) =>
  (await harness.post('/v1/payments', { ...CARD, paymentType: 'DB', ...form })).body;

describe('reports', () => {
  it('list the settlements of a time frame, and the records of one', async () => {
    const sale = await pay({ merchantTransactionId: 'order-0001' });
    await harness.clock.advance(1_000);
    await harness.post(`/v1/payments/${sale.id}`, { paymentType: 'RF', amount: '2.34', currency: 'EUR' });
    expect((await settle()).status).toBe(200);
    const { body, status } = await get(ROOT, DAY);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: { code: '000.000.100' },
      pages: 1,
      aggregations: [
        {
          entityId: ENTITY,
          testMode: 'INTERNAL',
          currency: 'EUR',
          records: 4,
          credits: '12.34',
          // The refund, an authorization and the refund's own fee.
          debits: '2.46',
          // 1.40 % of 12.34, and 0.05.
          fees: '0.22',
          net: '9.66',
        },
      ],
    });
    const id = body.aggregations[0]?.id ?? '';
    const records = (await get(`${ROOT}/${id}`)).body.records;
    expect(records[0]).toMatchObject({
      recordType: 'SETTLED',
      transactionType: 'DEBIT',
      settlement: { cashflow: 'POS', amount: '12.34', fee: '0.22', fxRate: '1.00', status: 'SUCCESS' },
      payment: { id: sale.id },
      card: { last4Digits: '0000', holder: 'Jane Jones' },
      matchedTransactions: { status: 'MATCHED', payment: [{ id: sale.id }] },
      merchantTransactionId: 'order-0001',
    });
    const fees = (await get(`${PAGES}/${id}`, { reconciliationType: 'FEE' })).body.records;
    expect(fees.map(({ transactionType }) => transactionType).sort()).toEqual(['AUTH_FEE', 'REFUND_FEE']);
  });

  it('sort by the time of the transaction, both ways, and go page by page', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push((await pay()).id);
      await harness.clock.advance(1_000);
    }
    await settle();
    const id = (await get(ROOT, DAY)).body.aggregations[0]?.id ?? '';
    const idsBy = async (query: Readonly<Record<string, string>>) => {
      const { records } = (await get(`${PAGES}/${id}`, { reconciliationType: 'SETTLED', ...query })).body;
      return records.map(({ payment }) => payment.id);
    };
    const sortValue = 'SettlementTxDate';
    expect(await idsBy({ sortValue, sortOrder: 'asc' })).toEqual(ids);
    expect(await idsBy({ sortValue, sortOrder: 'DESC' })).toEqual([...ids].reverse());
    expect((await get(`${PAGES}/${id}`, { pageNo: '2' })).status).toBe(404);
  });

  it('keep to the currency, the mode and the days that are requested', async () => {
    await pay();
    await pay({ currency: 'USD' });
    await settle();
    const currencies = async (query: object) =>
      (await get(ROOT, { ...DAY, ...query })).body.aggregations?.map(({ currency }) => currency);
    expect((await currencies({}))?.sort()).toEqual(['EUR', 'USD']);
    expect(await currencies({ currency: 'USD' })).toEqual(['USD']);
    expect(await currencies({ testMode: 'EXTERNAL' })).toBeUndefined();
    expect(await currencies({ 'date.from': '2026-11-21', 'date.to': '2026-11-30' })).toBeUndefined();
    const wrong = await get(ROOT, { 'date.from': '2026-11-21', 'date.to': '2026-11-20' });
    expect(wrong.status).toBe(400);
    expect((await get(ROOT, { 'date.from': '2026-11-21' })).status).toBe(400);
  });

  it('take the test mode of one settlement', async () => {
    await pay();
    await settle();
    const id = (await get(ROOT, DAY)).body.aggregations[0]?.id ?? '';
    for (const path of [`${ROOT}/${id}`, `${PAGES}/${id}`]) {
      expect((await get(path, { testMode: 'INTERNAL' })).body.records).toHaveLength(2);
      expect((await get(path, { testMode: 'EXTERNAL' })).status).toBe(404);
      expect((await get(path, { testMode: 'LIVE' })).status).toBe(400);
    }
  });

  it('and files of another merchant are unknown', async () => {
    await pay();
    await settle();
    const id = (await get(ROOT, DAY)).body.aggregations[0]?.id ?? '';
    const [file] = (await get('/v1/reconciliation')).body.files;
    for (const path of [`${ROOT}/${id}`, `${PAGES}/${id}`, `/v1/reconciliation/${file?.name}`])
      expect((await get(path, {}, STRANGER)).status).toBe(404);
    expect((await get('/v1/reconciliation', {}, STRANGER)).status).toBe(404);
  });
});

describe('reconciliation files', () => {
  it('would have cells that a spreadsheet calculates without their marks', () => {
    const shown = openInSpreadsheet([['=1+1', '+1+1', '-1+2', "'=1+1"]]).map((cell) => cell.shown);
    expect(shown).toEqual(['2', '2', '1', '=1+1']);
  });

  it('have no cell that a spreadsheet calculates, and come back as they were', async () => {
    const holders = ['=HYPERLINK("https://evil.example","Jane")', '+1+1', '-1+1', '@SUM(1;1)', '=1+1'];
    for (const holder of holders) await pay({ 'card.holder': holder });
    await settle();
    const { files } = (await get('/v1/reconciliation')).body;
    const { text } = await get(`/v1/reconciliation/${files[0]?.name}`);
    const table = parse(text, { delimiter: ';' }) as string[][];
    const cells = openInSpreadsheet(table);
    expect(cells.filter(({ formula }) => formula !== undefined)).toEqual([]);
    for (const holder of holders) expect(cells.map(({ shown }) => shown)).toContain(holder);
    const [heads = [], ...rows] = table;
    const read = readHeads(STANDARD_FORM, heads);
    if (typeof read === 'string') throw new Error(read);
    const back = rows.map((row) => read.of(row).get('AccountHolder'));
    expect(back).toEqual(expect.arrayContaining(holders));
    // A number stays one.
    expect(rows.map((row) => read.of(row).get('Amount'))).toContain('12.34');
  });

  it('are listed, and read as they are, also where the disk has lost them', async () => {
    await pay({ 'card.holder': 'Jones; "Jane"' });
    await settle();
    const { files } = (await get('/v1/reconciliation')).body;
    expect(files).toMatchObject([{ name: `${ENTITY}-20261120-1.csv`, records: 2 }]);
    const path = `/v1/reconciliation/${files[0]?.name}`;
    const first = await get(path);
    expect(first.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const { rmSync } = await import('node:fs');
    rmSync(`${harness.home}/reconciliation`, { recursive: true });
    expect((await get(path)).text).toBe(first.text);
    const [sale] = parse(first.text, { delimiter: ';', columns: true }) as Readonly<Record<string, string>>[];
    expect(sale).toMatchObject({
      ReconciliationType: 'SETTLED',
      PaymentType: 'DEBIT',
      Cashflow: 'POS',
      ClearingInstituteMerchantId: expect.stringMatching(/^.{5,64}$/),
      MerchantAccountId: ENTITY,
      MerchantAccountName: ENTITY,
      PspId: expect.stringMatching(/^[0-9a-f]{32}$/),
      DivisionId: '',
      MerchantId: ENTITY,
      Amount: '12.34',
      Currency: 'EUR',
      Brand: 'VISA',
      TxRequestTime: '2026-11-20 12:00:00',
      SettlementAmount: '12.34',
      SettlementCurrency: 'EUR',
      SettlementFee: '0.22',
      SettlementFxRate: '1.00',
      SettlementDate: '2026-11-20 12:00:00',
      SettlementStatus: 'SUCCESS',
      AccountNumberLast4: '0000',
      AccountHolder: 'Jones; "Jane"',
      ReasonCode: '',
      SettlementFileFormat: 'TILLBRIDGE_INTERNAL',
      ClearingInsitituteName: 'INTERNAL',
      MatchingStatus: 'MATCHED',
    });
  });
});
