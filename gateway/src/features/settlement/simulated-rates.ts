import { ensureRow } from '../../core/entities/entities.js';
import type { Store } from '../../kernel/store/store.js';

/** Millionths of the first currency for one unit of the second one. Made up. */
const RATES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  EUR: { USD: 923_400, GBP: 1_171_500, CHF: 1_043_200, PLN: 231_700, SEK: 87_300 },
  USD: { EUR: 1_082_900, GBP: 1_268_700, CHF: 1_129_700 },
  GBP: { EUR: 853_600, USD: 788_200, CHF: 890_500 },
};

/** Gives a development system rates that hold from the beginning of time on. Those that are there stay. @throws StoreUnavailableError */
export async function ensureSimulatedRates(store: Pick<Store, 'commit'>, nowMs: number): Promise<void> {
  const about = { fromMs: 0, untilMs: null, source: 'simulated', createdAtMs: nowMs, version: 1 };
  const rows = Object.entries(RATES).flatMap(([settlementCurrency, rates]) =>
    Object.entries(rates).map(([currency, rate]) => ({ currency, settlementCurrency, rate, ...about })),
  );
  // Commits that come together are one write.
  await Promise.all(rows.map((row) => ensureRow(store, { op: 'insert', table: 'exchangeRates', row })));
}
