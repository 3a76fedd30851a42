import type { SettlementRow } from '../../kernel/store/rows.js';
import type { Change } from '../../kernel/store/store.js';
import type { SettlementAccount } from './rules/account.js';

/** The settlements that entries of the ledger are added to: one open at a time of each merchant account and currency. */
export class OpenSettlements {
  readonly #open: Map<string, SettlementRow>;
  readonly #begin: (account: SettlementAccount, currency: string) => SettlementRow;
  /** By their ids. */
  readonly #changed = new Map<string, { readonly op: 'insert' | 'update'; readonly row: SettlementRow }>();

  /** @param open those that the store has @param begin makes a new one */
  constructor(
    open: readonly SettlementRow[],
    begin: (account: SettlementAccount, currency: string) => SettlementRow,
  ) {
    this.#open = new Map(open.map((row) => [keyOf(row), row]));
    this.#begin = begin;
  }

  /**
   * Adds to the settlement of an account and a currency, or to a new one where its sums can be counted no more. What throws adds nothing.
   * @throws RangeError where it does not fit an empty one either, and what `adding` throws
   */
  add(
    account: SettlementAccount,
    currency: string,
    adding: (settlement: SettlementRow) => SettlementRow,
  ): void {
    const open = this.#open.get(keyOf({ entityId: account.entityId, currency }));
    const filled = open && fitting(open, adding);
    if (filled) this.#put(filled, this.#changed.get(filled.id)?.op ?? 'update');
    else this.#put(adding(this.#begin(account, currency)), 'insert');
  }

  /** What is to be committed. */
  changes(): readonly Change[] {
    return [...this.#changed.values()].map(({ op, row }) => ({ op, table: 'settlements', row }));
  }

  #put(row: SettlementRow, op: 'insert' | 'update'): void {
    this.#open.set(keyOf(row), row);
    this.#changed.set(row.id, { op, row });
  }
}

/** The settlement with what is added; undefined where its sums can be counted no more. */
function fitting(
  settlement: SettlementRow,
  adding: (settlement: SettlementRow) => SettlementRow,
): SettlementRow | undefined {
  try {
    return adding(settlement);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

const keyOf = ({ entityId, currency }: Pick<SettlementRow, 'entityId' | 'currency'>): string =>
  `${entityId} ${currency}`;
