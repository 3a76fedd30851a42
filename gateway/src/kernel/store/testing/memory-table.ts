import type { Key } from '../store.js';
import type { AnyRow } from '../working-set.js';

/** Rows by the text of their key. */
type RowsByKey = Map<string, AnyRow>;

/** The rows that have the same values in some columns, by the text of these values. */
interface Grouping {
  readonly columns: readonly string[];
  readonly groups: Map<string, RowsByKey>;
}

/** The rows of one table in memory, grouped by each list of columns that was searched: a search reads no other rows. */
export class MemoryTable {
  readonly #rows: RowsByKey = new Map();
  readonly #groupings = new Map<string, Grouping>();

  /** Inserts the row, or replaces the one of this key. */
  set(key: Key, row: AnyRow): void {
    this.delete(key);
    const name = JSON.stringify(key);
    this.#rows.set(name, row);
    for (const grouping of this.#groupings.values()) add(grouping, name, row);
  }

  /** Removes the row of this key, if there is one. */
  delete(key: Key): void {
    const name = JSON.stringify(key);
    const row = this.#rows.get(name);
    if (!row) return;
    this.#rows.delete(name);
    for (const { columns, groups } of this.#groupings.values())
      groups.get(valuesOf(columns, row))?.delete(name);
  }

  /** The rows with these values in these columns, in no order; no columns: all rows. */
  equal(columns: readonly string[], values: Key): readonly AnyRow[] {
    if (columns.length === 0) return [...this.#rows.values()];
    return [...(this.#grouping(columns).groups.get(JSON.stringify(values))?.values() ?? [])];
  }

  #grouping(columns: readonly string[]): Grouping {
    const name = columns.join();
    let grouping = this.#groupings.get(name);
    if (!grouping) {
      grouping = { columns, groups: new Map() };
      for (const [key, row] of this.#rows) add(grouping, key, row);
      this.#groupings.set(name, grouping);
    }
    return grouping;
  }
}

function add({ columns, groups }: Grouping, key: string, row: AnyRow): void {
  const values = valuesOf(columns, row);
  const group = groups.get(values);
  if (group) group.set(key, row);
  else groups.set(values, new Map([[key, row]]));
}

function valuesOf(columns: readonly string[], row: AnyRow): string {
  return JSON.stringify(columns.map((column) => row[column] ?? null));
}
