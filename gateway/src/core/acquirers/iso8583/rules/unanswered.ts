import { type MerchantTotals, merchantKey, NO_TOTALS } from './day-totals.js';
import type { ExchangeRecord } from './exchange-record.js';

/** Exchanges that have no answer, by merchant and currency: the host may have carried them out (pure). */
export class Unanswered {
  readonly #found = new Map<string, MerchantTotals & { readonly records: ExchangeRecord[] }>();
  #sinceMs: number | undefined;

  /** When the first of them began; undefined where there is none. */
  get sinceMs(): number | undefined {
    return this.#sinceMs;
  }

  /** Those who have one; what they had of the host is not known here. */
  get merchants(): readonly MerchantTotals[] {
    return [...this.#found.values()];
  }

  /** Those of a merchant in a currency. */
  of(merchantId: string, currency: string): readonly ExchangeRecord[] {
    return this.#found.get(merchantKey(merchantId, currency))?.records ?? [];
  }

  add(record: ExchangeRecord): void {
    const { merchantId, amount } = record.request ?? {};
    if (merchantId === undefined || !amount) return;
    this.#sinceMs = Math.min(record.createdAtMs, this.#sinceMs ?? record.createdAtMs);
    const { currency } = amount;
    const key = merchantKey(merchantId, currency);
    const known = this.#found.get(key);
    if (known) known.records.push(record);
    else this.#found.set(key, { merchantId, currency, totals: NO_TOTALS, records: [record] });
  }
}
