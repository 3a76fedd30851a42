import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerRecord } from '@tillbridge/gateway/core/acquirers/internal/ledger-record.js';
import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import { MemoryLedgerStore } from '@tillbridge/gateway/core/acquirers/internal/testing/memory-ledger-store.js';
import { CSV_HEADERS } from '@tillbridge/gateway/features/settlement/rules/columns.js';
import { runSettlement } from '@tillbridge/gateway/features/settlement/service.js';
import { settlementView } from '@tillbridge/gateway/features/settlement/settlement-view.js';
import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import type { SimulationDeps } from '../kernel/simulation-deps.js';
import type { SharedRequests } from '../sharing/shared-request.js';
import type { Recorder } from './recorder.js';
import { differencesOf, ledgerSums, reportedSums, type Sums } from './sharing-judge.js';

/** What is settled when a simulation is over. */
interface SettlementCheckDeps extends SimulationDeps {
  readonly shared: SharedRequests;
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
  const { shared, store, rows, known, clock, random, recorder } = deps;
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
      bookChargebacks: async () => undefined,
      alerts: {
        raise: async ({ subject, detail }: { readonly subject: string; readonly detail: string }) =>
          recorder.breach('P2', `a part of the settlement fails, ${subject}: ${detail}`),
        clear: async () => undefined,
      },
    };
    await runSettlement(settling);
    const files = (await allRows(store, 'reconciliationFiles')).filter((row) => row.merchantId === entityId);
    const reported = reportedSums(shared.requests);
    const others = {
      'the ledger': ledgerSums(rows, known),
      'the files': fileSums(files.map(({ name }) => readFileSync(join(folder, name), 'utf8'))),
      'the report': await reportSums(store, entityId),
    };
    for (const difference of differencesOf(reported, others)) recorder.breach('P2', difference);
  } catch (error) {
    recorder.breach('P2', `the settlement does not come to its end: ${String(error)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What files say that a merchant has; fees are another thing. */
export function fileSums(files: readonly string[]): Sums {
  const sums = new Map<string, number>();
  for (const text of files) {
    const [, ...lines] = text.trimEnd().split('\n');
    for (const line of lines) {
      // No value of a simulation has a quote or a semicolon in it.
      const values = line.split(';');
      const of = (header: string): string => values[CSV_HEADERS.indexOf(header)] ?? '';
      if (of('ReconciliationType') === 'FEE') continue;
      const currency = of('Currency');
      // Every amount has two digits behind its point.
      const minor = (Number(of('Amount').replace('.', '')) * 10 ** minorDigits(currency)) / 100;
      sums.set(currency, (sums.get(currency) ?? 0) + (of('Cashflow') === 'POS' ? minor : -minor));
    }
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
