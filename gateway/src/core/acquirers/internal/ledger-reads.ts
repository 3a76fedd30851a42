import type { RowOf } from '@tillbridge/platform/sqlite/table.js';
import type { LedgerRows } from './ledger-batch.js';
import type { LedgerRow } from './ledger-rows.js';
import type { PlacedRow, ReturnPlace } from './ledger-store.js';
import type { TRANSACTIONS } from './ledger-tables.js';

/** The reads of a ledger that are the same on every database. */
export abstract class LedgerReads {
  abstract load(references: readonly string[]): Promise<LedgerRows>;

  /** Rows of the transactions; a question mark in the text stands for each value. */
  protected abstract select(
    sql: string,
    values: readonly number[],
  ): Promise<readonly RowOf<typeof TRANSACTIONS>[]>;

  async find(reference: string): Promise<LedgerRow | undefined> {
    return (await this.load([reference])).rows[0];
  }

  async all(): Promise<readonly LedgerRow[]> {
    return (await this.after(0, Number.MAX_SAFE_INTEGER)).map(({ row }) => row);
  }

  after(position: number, limit: number): Promise<readonly PlacedRow[]> {
    return this.#page("WHERE position > ? AND kind <> 'inquiry' ORDER BY position", [position, limit]);
  }

  returning({ atMs, position }: ReturnPlace, untilMs: number, limit: number): Promise<readonly PlacedRow[]> {
    const range =
      'WHERE ("returnAtMs", position) > (?, ?) AND "returnAtMs" <= ? ORDER BY "returnAtMs", position';
    return this.#page(range, [atMs, position, untilMs, limit]);
  }

  async #page(range: string, values: readonly number[]): Promise<readonly PlacedRow[]> {
    const found = await this.select(`SELECT * FROM transactions ${range} LIMIT ?`, values);
    return found.map((row) => ({ position: row.position, row }));
  }
}
