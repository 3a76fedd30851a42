import type { ExchangeRateRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { type Conversion, ONE_FOR_ONE } from './rules/exchange.js';

/** A rate, and when another one takes its place. */
interface KnownRate {
  readonly row: ExchangeRateRow | undefined;
  readonly fromMs: number;
  readonly belowMs: number;
}

/** The exchange rates in force, each looked up once. For one piece of work: what is set meanwhile counts for the next. */
export class ExchangeRates {
  readonly #store: Pick<Store, 'findRange'>;
  readonly #known = new Map<string, KnownRate>();

  constructor(store: Pick<Store, 'findRange'>) {
    this.#store = store;
  }

  /**
   * How what happened at a time is settled: without a rate in force in its own currency.
   * @param wanted the currency that the merchant is paid in; null: each payment in its own
   * @throws StoreUnavailableError
   */
  async conversionOf(currency: string, wanted: string | null, atMs: number): Promise<Conversion> {
    const asItIs = { currency, rate: ONE_FOR_ONE };
    if (wanted === null || wanted === currency) return asItIs;
    const row = await this.#inForce(currency, wanted, atMs);
    if (!row || (row.untilMs !== null && row.untilMs <= atMs)) return asItIs;
    const { rate, fromMs, source } = row;
    return { currency: wanted, rate, used: { currency, rate, fromMs, source } };
  }

  /** The rate that began last. */
  async #inForce(currency: string, wanted: string, atMs: number): Promise<ExchangeRateRow | undefined> {
    const pair = `${currency} ${wanted}`;
    const known = this.#known.get(pair);
    if (known && known.fromMs <= atMs && atMs < known.belowMs) return known.row;
    const range = { equals: [currency, wanted], limit: 1 };
    const [[row], [next]] = await Promise.all([
      this.#store.findRange('exchangeRates', 'primary', { ...range, below: atMs + 1, descending: true }),
      this.#store.findRange('exchangeRates', 'primary', { ...range, from: atMs + 1 }),
    ]);
    this.#known.set(pair, {
      row,
      fromMs: row?.fromMs ?? Number.MIN_SAFE_INTEGER,
      belowMs: next?.fromMs ?? Number.MAX_SAFE_INTEGER,
    });
    return row;
  }
}
