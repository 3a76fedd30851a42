import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { ExchangeRateRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { type Conversion, ONE_FOR_ONE } from './rules/exchange.js';

/** A rate, and when another one takes its place. */
interface KnownRate {
  readonly row: ExchangeRateRow | undefined;
  readonly fromMs: number;
  readonly belowMs: number;
}

/** What rates are looked up with. */
interface RateLookupDeps {
  readonly store: Pick<Store, 'findRange'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/**
 * The exchange rates in force. For one piece of work: a rate that was looked up is used for what happened before the look-up. What happens later
 * is looked up again, as another rate may have begun by then.
 */
export class ExchangeRates {
  readonly #deps: RateLookupDeps;
  readonly #known = new Map<string, KnownRate>();

  constructor(deps: RateLookupDeps) {
    this.#deps = deps;
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
    const { store, clock } = this.#deps;
    const lookedUpMs = clock.nowMs();
    const range = { equals: [currency, wanted], limit: 1 };
    const [[row], [next]] = await Promise.all([
      store.findRange('exchangeRates', 'primary', { ...range, below: atMs + 1, descending: true }),
      store.findRange('exchangeRates', 'primary', { ...range, from: atMs + 1 }),
    ]);
    this.#known.set(pair, {
      row,
      fromMs: row?.fromMs ?? Number.MIN_SAFE_INTEGER,
      belowMs: Math.min(next?.fromMs ?? lookedUpMs, lookedUpMs),
    });
    return row;
  }
}
