import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  bankPayment,
  ENTITY,
  FailingStore,
  followUp,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
} from '../../core/payments/payment-harness.test.support.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { DECIDE_AGAIN_LIMITS } from '../../kernel/store/decide-again.js';
import type { SettlementAccountRow } from '../../kernel/store/rows.js';
import { CommitConflict } from '../../kernel/store/store.js';
import { withCommit } from '../../kernel/store/with-commit.js';
import { RunFaults } from './run-faults.js';
import { nextNightMs, runSettlement, type SettlementDeps, startNightlySettlement } from './service.js';
import { type NewRate, removeRate, setRates } from './set-rates.js';
import { settleLedger } from './settle-ledger.js';
import {
  differencesOf,
  fileRows,
  fileSums,
  ledgerSums,
  liveThrough,
  reportSums,
  settlementParts,
} from './settlement-life.test.support.js';
import { settlementView } from './settlement-view.js';

let harness: PaymentHarness;
let deps: ReturnType<typeof settlementParts>;
beforeEach(async () => {
  harness = await openPaymentHarness();
  deps = settlementParts(harness);
});
afterEach(async () => {
  rmSync(deps.folder, { recursive: true });
  await harness.dispose();
});

const EUROS: SettlementAccountRow = {
  entityId: ENTITY,
  aboveId: null,
  clearingMerchantId: '4711-0815',
  currency: 'EUR',
  fees: null,
  ftpPassword: null,
  version: 1,
};
const account = (row: Partial<SettlementAccountRow> = {}) =>
  harness.store.commit([{ op: 'insert', table: 'settlementAccounts', row: { ...EUROS, ...row } }]);
const run = () => runSettlement(deps);
const records = async () => {
  const rows = await allRows(harness.store, 'settlementRecords');
  return rows.sort((a, b) => a.settledAtMs - b.settledAtMs || a.position - b.position);
};
const lines = async () =>
  (await records()).map(
    (row) => `${row.recordType} ${row.transactionType} ${row.cashflow} ${row.amountMinor}`,
  );
const pay = async (more: Parameters<typeof restPayment>[0] = { type: 'DB' }) =>
  (await harness.service.authorize(restPayment(more))).paymentId ?? '';

it('counts a refused reversal in the currency of its payment while that is still to be stored', async () => {
  const paid = await harness.store.get('payments', [await pay()]);
  const intent = await harness.store.get('intents', [paid?.acquirerReference ?? '']);
  const entry = await harness.record.entry(paid?.acquirerReference ?? '');
  if (!intent || !entry) throw new Error('the payment left no trace');
  const row = { ...intent, id: 'e'.repeat(32), paymentId: 'd'.repeat(32), version: 1 };
  await harness.store.commit([{ op: 'insert', table: 'intents', row }]);
  // A reversal that reversed nothing has no currency.
  const reversal = {
    acquirerReference: 'f'.repeat(32),
    originalReference: row.id,
    kind: 'reversal',
  } as const;
  const refused = { ...entry, ...reversal, approved: false, amountMinor: 0, currency: 'XXX' };
  deps = {
    ...deps,
    record: {
      entry: (reference) => harness.record.entry(reference),
      entriesAfter: async (position, limit) => {
        const placed = await harness.record.entriesAfter(position, limit);
        return placed.length > 0
          ? [...placed, { position: placed.at(-1)?.position ?? 0, entry: refused }]
          : [];
      },
    },
  };
  await run();
  const settlements = await allRows(harness.store, 'settlements');
  expect(settlements.map(({ currency, operations }) => [currency, JSON.parse(operations)])).toEqual([
    ['EUR', { AUTH_FEE: 1, CANCEL_FEE: 1 }],
  ]);
});

/** A store where another run is faster with as many commits. */
function faster(times: number): SettlementDeps['store'] {
  let left = times;
  return withCommit(harness.store, async (changes) => {
    const isOfLedger = changes.some((change) => 'table' in change && change.table === 'settlementCursors');
    if (isOfLedger) left -= 1;
    if (isOfLedger && left >= 0)
      throw new CommitConflict({ kind: 'version', table: 'settlementCursors', on: 'primary' });
    await harness.store.commit(changes);
  });
}

const operator = () => ({ ...deps, actor: 'operator' });
const rate = (more: Partial<NewRate>): NewRate => ({
  currency: 'USD',
  settlementCurrency: 'EUR',
  fromMs: 0,
  untilMs: null,
  rate: 920_000,
  ...more,
});

const rowsOf = (name: string) => fileRows(deps.folder, name);

describe('a settlement', () => {
  it('is made also where others are faster with many commits in a row', async () => {
    await pay();
    await runSettlement({ ...deps, store: faster(DECIDE_AGAIN_LIMITS.atOnce) });
    expect(await lines()).toContain('SETTLED DEBIT POS 1234');
  });

  it('has a line of each movement, and the fees', async () => {
    const sale = await pay();
    await harness.service.followUp(followUp('RF', sale, 234));
    const held = await pay({ type: 'PA' });
    await harness.service.followUp(followUp('CP', held, 1_000));
    const { settlements, files } = await run();
    expect(settlements).toMatchObject([
      { entityId: ENTITY, currency: 'EUR', state: 'closed', recordCount: 5 },
    ]);
    expect(await lines()).toEqual([
      'SETTLED DEBIT POS 1234',
      'SETTLED REFUND NEG 234',
      'SETTLED DEBIT POS 1000',
      // Two authorizations, then a refund.
      'FEE AUTH_FEE NEG 4',
      'FEE REFUND_FEE NEG 10',
    ]);
    expect(files).toMatchObject([{ merchantId: ENTITY, recordCount: 5, name: `${ENTITY}-20261120-1.csv` }]);
    expect((await run()).settlements).toEqual([]);
  });

  it('leaves out what was reversed before it, and takes back what was reversed after it', async () => {
    await harness.service.followUp(followUp('RV', await pay()));
    const sale = await pay();
    await run();
    await harness.clock.advance(1_000);
    await harness.service.followUp(followUp('RV', sale));
    await run();
    expect((await lines()).filter((line) => line.startsWith('SETTLED'))).toEqual([
      'SETTLED DEBIT POS 1234',
      'SETTLED REFUND NEG 1234',
    ]);
  });

  it('is held up by no movement whose clock was ahead', async () => {
    const DAY_MS = 86_400_000;
    harness.clock.jumpWall(DAY_MS);
    await pay();
    harness.clock.jumpWall(-DAY_MS);
    await pay();
    await run();
    expect((await lines()).filter((line) => line.startsWith('SETTLED'))).toHaveLength(2);
  });

  it('lists a chargeback and its reversal, each with its payment and reason', async () => {
    const sale = await pay();
    const { acquirerReference = '' } = (await harness.store.get('payments', [sale])) ?? {};
    const amount = { minor: 1_000, currency: 'EUR' };
    const original = { originalReference: acquirerReference ?? '', amount, reason: '10.4' };
    await harness.record.chargeBack({ kind: 'chargeback', reference: 'c'.repeat(32), ...original });
    await run();
    await harness.clock.advance(1_000);
    const back = { reference: 'd'.repeat(32), ...original, originalReference: 'c'.repeat(32) };
    await harness.record.chargeBack({ kind: 'chargeback-reversal', ...back });
    const { files } = await run();
    expect((await lines()).filter((line) => line.startsWith('CHARGEBACK'))).toEqual([
      'CHARGEBACK DEBIT NEG 1000',
      'CHARGEBACK REVERSAL DEBIT POS 1000',
    ]);
    const family = await harness.store.find('payments', 'root', [sale]);
    const given = family.find(({ type }) => type === 'CR');
    expect(rowsOf(files[0]?.name ?? '')).toMatchObject([
      { ReconciliationType: 'CHARGEBACK REVERSAL', ChargebackId: given?.id, UniqueID: given?.id },
    ]);
  });

  it('changes currencies and takes fees by the stated rounding', async () => {
    await account();
    await setRates(operator(), [rate({ rate: 920_000 })], 'bank.csv');
    await pay({ type: 'DB', amount: { minor: 1_003, currency: 'USD' } });
    await run();
    const [record] = await records();
    // 10.03 USD × 0.92 = 9.2276 EUR; 1.40 % of 9.23 = 0.12922, and 0.05.
    expect(record).toMatchObject({
      settlementMinor: 923,
      settlementCurrency: 'EUR',
      rate: 920_000,
      feeMinor: 18,
    });
  });

  it('changes by the rate that was in force at the time of each movement, and keeps which it was', async () => {
    await account();
    const nowMs = harness.clock.nowMs();
    await setRates(
      operator(),
      [
        rate({ rate: 900_000, fromMs: nowMs - 1_000 }),
        rate({ rate: 912_345, fromMs: nowMs + 60_000, untilMs: nowMs + 120_000 }),
      ],
      'bank.csv',
    );
    const amount = { minor: 10_000, currency: 'USD' };
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await pay({ type: 'DB', amount });
      await harness.clock.advance(60_000);
    }
    const { settlements, files } = await run();
    const own = (await records()).filter(({ recordType }) => recordType === 'SETTLED');
    own.sort((a, b) => a.requestedAtMs - b.requestedAtMs);
    expect(own.map((row) => [row.settlementCurrency, row.settlementMinor, row.rate])).toEqual([
      ['EUR', 9_000, 900_000],
      ['EUR', 9_123, 912_345],
      // No rate is in force any more.
      ['USD', 10_000, 1_000_000],
    ]);
    const inEuro = settlements.find(({ currency }) => currency === 'EUR');
    expect(inEuro && settlementView(inEuro)).toMatchObject({
      exchangeRates: [
        { currency: 'USD', rate: '0.900000', source: 'bank.csv' },
        { currency: 'USD', rate: '0.912345', source: 'bank.csv' },
      ],
    });
    const settled = rowsOf(files[0]?.name ?? '').filter((row) => row.ReconciliationType === 'SETTLED');
    expect(new Set(settled.map((row) => row.SettlementFxRate))).toEqual(new Set(['0.90', '0.91', '1.00']));
    // What is set later changes nothing of it.
    await setRates(operator(), [rate({ rate: 500_000, fromMs: nowMs - 500 })], 'late.csv');
    expect((await run()).settlements).toEqual([]);
  });

  it('takes rates of a file once, all or none, and never another one for the same time', async () => {
    const first = [rate({}), rate({ currency: 'GBP' })];
    expect(await setRates(operator(), first, 'a.csv')).toBe(2);
    expect(await setRates(operator(), first, 'a.csv')).toBe(0);
    const wrong = [rate({ currency: 'CHF' }), rate({ rate: 1 })];
    await expect(setRates(operator(), wrong, 'b.csv')).rejects.toThrow('another rate of USD in EUR');
    await expect(setRates(operator(), [rate({ currency: 'EUR' })], 'b.csv')).rejects.toThrow('in itself');
    expect(await harness.store.findAfter('exchangeRates', undefined)).toHaveLength(2);
    const begun = { currency: 'USD', settlementCurrency: 'EUR', fromMs: 0 };
    await expect(removeRate(operator(), begun)).rejects.toThrow('has begun');
    const later = rate({ fromMs: harness.clock.nowMs() + 1 });
    await setRates(operator(), [later], 'a.csv');
    await removeRate(operator(), later);
    expect(await harness.store.findAfter('exchangeRates', undefined)).toHaveLength(2);
  });

  it('settles nothing twice and leaves nothing out when runs go on in parallel', async () => {
    for (let count = 0; count < 30; count += 1) await pay();
    await Promise.all([run(), run(), run()]);
    await run();
    expect((await lines()).filter((line) => line.startsWith('SETTLED'))).toHaveLength(30);
  });

  it('goes on where a run died, whichever commit it died before', async () => {
    for (let count = 0; count < 5; count += 1) await pay();
    // The PSP, cursor and records, the close, the name of the file; then nothing is left to be committed.
    const died: number[] = [];
    for (let dies = 0; dies < 4; dies += 1) {
      let commits = 0;
      const store = new FailingStore(harness.store);
      store.failWhen = () => {
        commits += 1;
        return commits > dies;
      };
      await runSettlement({ ...deps, store }).catch(() => died.push(dies));
    }
    expect(died).toEqual([0, 1, 2]);
    await run();
    expect((await lines()).filter((line) => line.startsWith('SETTLED'))).toHaveLength(5);
    const settlements = await allRows(harness.store, 'settlements');
    expect(settlements.every(({ state, fileName }) => state === 'closed' && fileName !== '')).toBe(true);
  });

  it('settles a payment that its shopper approved later than the ones behind it', async () => {
    const { paymentId: waiting = '' } = await harness.service.authorize(bankPayment());
    await pay();
    await run();
    const [intent] = await harness.store.find('intents', 'payment', [waiting]);
    harness.bank.payments.decide(intent?.id ?? '', 'approved');
    await harness.service.continueWaiting(waiting, 'news');
    await run();
    expect((await records()).map(({ paymentId }) => paymentId)).toContain(waiting);
  });

  it('comes each night', async () => {
    await pay();
    const loop = await startNightlySettlement(deps, {
      onFault: (error) => {
        throw error;
      },
    });
    await loop.idle();
    expect(await lines()).toEqual([]);
    await harness.clock.advance(nextNightMs(harness.clock.nowMs()) - harness.clock.nowMs() + 10_000);
    await loop.idle();
    expect((await lines()).length).toBeGreaterThan(0);
    await loop.stop();
  });
});

describe.each([1, 2])('payments with all that follows them, seed %i', (seed) => {
  it('add up to the ledger of the acquirer, to the cent', async () => {
    const files: string[] = [];
    const settle = async () => {
      for (const { name } of (await run()).files) files.push(name);
    };
    await liveThrough(harness, { seed, payments: 500, settle });
    await settle();
    const ledger = await ledgerSums(harness.record);
    expect([...ledger.keys()].sort()).toEqual(['EUR', 'GBP', 'USD']);
    const [csv, reports] = [fileSums(deps.folder, files), await reportSums(harness)];
    expect(differencesOf(ledger, { csv, reports })).toEqual([]);
    const faults = new RunFaults(deps);
    expect(await settleLedger({ ...deps, record: harness.record, faults })).toBe(0);
    expect(faults.failed).toEqual([]);
  });
});
