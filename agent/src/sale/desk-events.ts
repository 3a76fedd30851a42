import type { JournalRow } from '../journal/journal.js';
import { saleAnswer } from './answer-view.js';
import type { DeskEvent } from './desk.js';
import { evolve } from './evolve.js';
import { rowToFact } from './fact-rows.js';
import type { SaleHistory } from './kept-sale.js';
import type { SaleState } from './state.js';
import { stepOf } from './timeline.js';

/** The event of a committed row; `undefined` for rows of no sale. */
export function rowEvent(row: JournalRow, state: SaleState): DeskEvent | undefined {
  const fact = rowToFact(row);
  if (!fact) return undefined;
  const common = { id: row.row, atMs: row.atMs, sale: saleAnswer(state) };
  if (fact.kind === 'ended' && fact.reason === 'declined-later') return { type: 'declined-later', ...common };
  if (fact.kind === 'ended' && fact.reason === 'expired-offline') return { type: 'expired', ...common };
  return { type: 'sale', step: stepOf(fact), ...common };
}

/** The same event for a row of the past: the sale as it was then, by its history. */
export function pastEvent(row: JournalRow, { kept, rows }: SaleHistory): DeskEvent | undefined {
  let state = kept;
  for (const each of rows) {
    if (each.row > row.row) break;
    const fact = rowToFact(each);
    if (fact) state = evolve(state, fact, each);
  }
  return state && rowEvent(row, state);
}
