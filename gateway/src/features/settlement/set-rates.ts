import { currencyDigits } from '@tillbridge/wire/payment/currency-codes.js';
import { auditOf } from '../../kernel/audit/audit.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import type { ExchangeRateRow } from '../../kernel/store/rows.js';
import { CommitConflict, type Store } from '../../kernel/store/store.js';
import type { AccountDeps } from './settlement-accounts.js';

/** A rate that is to be in force. */
export type NewRate = Pick<
  ExchangeRateRow,
  'currency' | 'settlementCurrency' | 'fromMs' | 'untilMs' | 'rate'
>;

/** What rates are set with. */
interface RateDeps extends AccountDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly actor: string;
}

/** What is wrong with a rate, if anything. Pure. */
export function rateFault({ currency, settlementCurrency, fromMs, untilMs }: NewRate): string | undefined {
  const unknown = [currency, settlementCurrency].find((code) => currencyDigits(code) === undefined);
  if (unknown !== undefined) return `${unknown} is no currency of ISO 4217`;
  if (currency === settlementCurrency) return `${currency} needs no rate in itself`;
  return untilMs !== null && untilMs <= fromMs ? 'a rate must end after it begins' : undefined;
}

/**
 * Sets rates, all or none, with a record of who did. Rates that are set so already stay. One that began is never changed: another one takes its
 * place from a later time on.
 * @param source the file that they came from, or who set them
 * @returns how many were new
 * @throws OperatorError naming a rate that cannot be set
 */
export async function setRates(deps: RateDeps, rates: readonly NewRate[], source: string): Promise<number> {
  const { store, clock, actor } = deps;
  const createdAtMs = clock.nowMs();
  const fresh: ExchangeRateRow[] = [];
  const known = await Promise.all(rates.map((rate) => store.get('exchangeRates', keyOf(rate))));
  for (const [at, rate] of rates.entries()) {
    const fault = rateFault(rate);
    if (fault !== undefined) throw new OperatorError(fault);
    const stored = known[at];
    if (!stored) fresh.push({ ...rate, source, createdAtMs, version: 1 });
    else if (stored.rate !== rate.rate || stored.untilMs !== rate.untilMs) throw taken(rate);
  }
  if (fresh.length === 0) return 0;
  const detail = { rates: fresh.length, currencies: [...new Set(fresh.map(({ currency }) => currency))] };
  try {
    await store.commit([
      ...fresh.map((row) => ({ op: 'insert', table: 'exchangeRates', row }) as const),
      auditOf(deps, { actor, action: 'settlement rates', subject: source, detail }),
    ]);
  } catch (error) {
    if (!(error instanceof CommitConflict)) throw error;
    throw new OperatorError('a rate from the same time on was set meanwhile, or stands twice');
  }
  return fresh.length;
}

/** Takes back a rate that has not begun. @throws OperatorError */
export async function removeRate(
  deps: RateDeps,
  rate: Pick<NewRate, 'currency' | 'settlementCurrency' | 'fromMs'>,
): Promise<void> {
  const { store, clock, actor } = deps;
  const stored = await store.get('exchangeRates', keyOf(rate));
  if (!stored)
    throw new OperatorError(`there is no rate ${nameOf(rate)}: "settlement rates list" shows them`);
  if (stored.fromMs <= clock.nowMs())
    throw new OperatorError(`the rate ${nameOf(rate)} has begun: set another one from now on`);
  const subject = `${rate.currency} in ${rate.settlementCurrency}`;
  await store.commit([
    { op: 'delete', table: 'exchangeRates', key: keyOf(rate), version: stored.version },
    auditOf(deps, { actor, action: 'settlement rates remove', subject, detail: { fromMs: rate.fromMs } }),
  ]);
}

type RateKey = Pick<NewRate, 'currency' | 'settlementCurrency' | 'fromMs'>;

function keyOf({ currency, settlementCurrency, fromMs }: RateKey): readonly [string, string, number] {
  return [currency, settlementCurrency, fromMs];
}

function nameOf({ currency, settlementCurrency, fromMs }: RateKey): string {
  return `of ${currency} in ${settlementCurrency} from ${new Date(fromMs).toISOString()} on`;
}

function taken(rate: RateKey): OperatorError {
  return new OperatorError(`there is another rate ${nameOf(rate)}: it stays; set one from a later time on`);
}
