import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerRecord } from '@tillbridge/gateway/core/acquirers/internal/ledger-record.js';
import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import { MemoryLedgerStore } from '@tillbridge/gateway/core/acquirers/internal/testing/memory-ledger-store.js';
import { runSettlement } from '@tillbridge/gateway/features/settlement/service.js';
import { settlementView } from '@tillbridge/gateway/features/settlement/settlement-view.js';
import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import type { IntentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import type { MadeChargeback } from '../chargebacks/cardholders.js';
import { withChargebacks } from '../chargebacks/chargeback-judge.js';
import type { SimulationDeps } from '../kernel/simulation-deps.js';
import type { SettlementTerms } from '../sharing/settlement-terms.js';
import type { SharedRequests } from '../sharing/shared-request.js';
import { type FileLine, linesOf } from './file-lines.js';
import type { Recorder } from './recorder.js';
import { differencesOf, ledgerSums, reportedSums, type Sums } from './sharing-judge.js';
import { checkTerms, type SettledMerchant } from './terms-judge.js';

/** What is settled when a simulation is over. */
interface SettlementCheckDeps extends SimulationDeps {
  readonly shared: SharedRequests;
  readonly terms: SettlementTerms;
  /** Chargebacks of its payments. */
  readonly made: readonly MadeChargeback[];
  readonly store: Store;
  readonly rows: readonly LedgerRow[];
  /** References at the acquirer of the merchant's payments. */
  readonly known: ReadonlySet<string>;
  readonly recorder: Pick<Recorder, 'breach'>;
}

/**
 * Settles what is left, writes the files, and compares the answers to the merchant with ledger, files and report, to the last minor unit. Takes time,
 * but none of the simulation.
 */
export async function checkSettlement(deps: SettlementCheckDeps): Promise<void> {
  const { shared, terms, made, store, rows, known, clock, random, recorder } = deps;
  const { entityId } = shared;
  const ledger = {
    rows: new Map(rows.map((row) => [row.acquirerReference, row])),
    tombstones: new Set<string>(),
  };
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-settled-'));
  try {
    const settling = {
      ...{ store, clock, random, folder },
      record: ledgerRecord(new MemoryLedgerStore(ledger)),
      // All of them are booked: the simulation is quiet.
      bookChargebacks: async () => undefined,
      alerts: {
        raise: async ({ subject, detail }: { readonly subject: string; readonly detail: string }) =>
          recorder.breach('P2', `a part of the settlement fails, ${subject}: ${detail}`),
        clear: async () => undefined,
      },
    };
    await runSettlement(settling);
    const files = (await allRows(store, 'reconciliationFiles')).filter((row) => row.merchantId === entityId);
    const lines = linesOf(files.map(({ name }) => readFileSync(join(folder, name), 'utf8')));
    const reported = withChargebacks(reportedSums(shared.requests), made);
    const others = {
      'the ledger': ledgerSums(rows, known),
      'the files': fileSums(lines),
      // What was changed into one currency is judged line by line.
      ...(terms.currency === null && { 'the report': await reportSums(store, entityId) }),
    };
    for (const difference of differencesOf(reported, others)) recorder.breach('P2', difference);
    checkTerms({ terms, lines, ...(await settledOf(deps)) }, (text) => recorder.breach('P2', text));
  } catch (error) {
    recorder.breach('P2', `the settlement does not come to its end: ${String(error)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the store and the acquirer have of the merchant. */
async function settledOf({
  shared,
  store,
  rows,
}: SettlementCheckDeps): Promise<Pick<SettledMerchant, 'rows' | 'settlements' | 'feeRecords'>> {
  const { entityId, requests } = shared;
  const intents = new Map((await allRows(store, 'intents')).map((intent) => [intent.id, intent]));
  const ledger = new Map(rows.map((row) => [row.acquirerReference, row]));
  const currencies = new Map(requests.map(({ reference, amount }) => [reference, amount.currency]));
  const payments = new Map((await allRows(store, 'payments')).map((payment) => [payment.id, payment]));
  const settlements = (await allRows(store, 'settlements')).filter((row) => row.merchantId === entityId);
  const ids = new Set(settlements.map(({ id }) => id));
  const records = await allRows(store, 'settlementRecords');
  // A reversal that the gateway made has no intent: it belongs to the merchant of the payment that it reverses.
  const intentOf = ({ acquirerReference, originalReference }: LedgerRow): IntentRow | undefined => {
    const own = intents.get(acquirerReference) ?? intents.get(originalReference ?? '');
    const original = ledger.get(originalReference ?? '');
    return own ?? (original && intentOf(original));
  };
  return {
    rows: rows.flatMap((row) => {
      const intent = intentOf(row);
      if (intent?.entityId !== entityId) return [];
      // The reversal of what never came has no currency at the acquirer.
      const currency = row.amountMinor > 0 ? row.currency : currencies.get(intent.reference ?? '');
      const payment = payments.get(intent.paymentId);
      return [{ row, currency: currency ?? payment?.currency ?? row.currency }];
    }),
    settlements,
    feeRecords: records.filter((row) => row.recordType === 'FEE' && ids.has(row.settlementId)),
  };
}

/** A merchant's sums according to the files, without fees. */
export function fileSums(lines: readonly FileLine[]): Sums {
  const sums = new Map<string, number>();
  for (const of of lines) {
    if (of('ReconciliationType') === 'FEE') continue;
    const currency = of('Currency');
    // Every amount has two digits behind its point.
    const minor = (Number(of('Amount').replace('.', '')) * 10 ** minorDigits(currency)) / 100;
    sums.set(currency, (sums.get(currency) ?? 0) + (of('Cashflow') === 'POS' ? minor : -minor));
  }
  return sums;
}

/** The same by the settlements as reports show them: credits less debits, and the fees among the debits added again. */
async function reportSums(store: Store, entityId: string): Promise<Sums> {
  const sums = new Map<string, number>();
  const add = (currency: string, minor: number): void =>
    void sums.set(currency, (sums.get(currency) ?? 0) + minor);
  const own = (await allRows(store, 'settlements')).filter((row) => row.merchantId === entityId);
  for (const row of own) {
    const { credits, debits } = settlementView(row) as { readonly credits: string; readonly debits: string };
    const minor = (text: string): number =>
      (Number(text.replace('.', '')) * 10 ** minorDigits(row.currency)) / 100;
    add(row.currency, minor(credits) - minor(debits));
  }
  const ids = new Set(own.map(({ id }) => id));
  for (const row of await allRows(store, 'settlementRecords'))
    if (row.recordType === 'FEE' && ids.has(row.settlementId))
      add(row.settlementCurrency, row.settlementMinor);
  return sums;
}
