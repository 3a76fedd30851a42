import type { JournalRow } from '../../journal/journal.js';
import { evolve } from '../machine/state/evolve.js';
import type { SaleState } from '../machine/state/sale-state.js';
import { stepOf } from '../machine/state/timeline.js';
import type { StoreConfig } from '../receipts/store.js';
import type { SaleHistory } from '../records/compacted-sale.js';
import { rowToFact } from '../records/fact-rows.js';
import { saleAnswer } from './answer-view.js';
import type { TillEvent } from './sale-service.js';

/** The event of a committed row; `undefined` for rows of no sale. */
export function rowEvent(row: JournalRow, state: SaleState, store?: StoreConfig): TillEvent | undefined {
  const fact = rowToFact(row);
  if (!fact) return undefined;
  const common = { id: row.row, atMs: row.atMs, sale: saleAnswer(state, store) };
  if (fact.kind === 'ended' && fact.reason === 'declined-later') return { type: 'declined-later', ...common };
  if (fact.kind === 'ended' && fact.reason === 'expired-offline') return { type: 'expired', ...common };
  return { type: 'sale', step: stepOf(fact), ...common };
}

/** The same event for a row of the past: the sale as it was then, by its history. */
export function pastEvent(
  row: JournalRow,
  { kept, rows }: SaleHistory,
  store?: StoreConfig,
): TillEvent | undefined {
  let state = kept;
  for (const each of rows) {
    if (each.row > row.row) break;
    const fact = rowToFact(each);
    if (fact) state = evolve(state, fact, each);
  }
  return state && rowEvent(row, state, store);
}
