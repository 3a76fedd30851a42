import type { CompactedSale, JournalRow, NewRow } from '../../journal/journal.js';
import type { SalePhase } from '../machine/state/answer.js';
import { RESTORED_IN_DOUBT } from '../machine/state/parked-codes.js';
import type { SaleState } from '../machine/state/sale-state.js';
import { staysOpen } from '../machine/steps/late-decline.js';
import { readCompacted } from './compacted-sale.js';
import { factToRow, replaySale } from './fact-rows.js';

/** What becomes of a sale whose journal was restored. */
interface RestoredSale {
  /** It has no true end, or waits for a person: the boot takes it up. */
  readonly isOpen: boolean;
  /** The row that parks it: its last rows may be missing. */
  readonly doubt?: NewRow;
}

/** A sale in one of these may have gone on in rows that are lost, up to goods that were handed over. */
const UNDER_WAY: ReadonlySet<SalePhase> = new Set(['accepted', 'reading-card', 'authorizing', 'completing']);

/**
 * Judges a sale by what was restored of it. One that was under way is neither failed nor reversed, as a restart with every
 * row would do: the till may have received an approval since. It is parked, and a person states how it ended; so is one whose last write
 * may be there by half (`isCut`).
 */
export function judgeRestored(
  kept: CompactedSale | undefined,
  rows: readonly JournalRow[],
  isCut = false,
): RestoredSale {
  const state = replaySale(rows, readCompacted(kept));
  if (!state) return { isOpen: false };
  if (isCut || UNDER_WAY.has(state.phase)) return { isOpen: true, doubt: parkingRow(state) };
  return { isOpen: staysOpen(state) };
}

function parkingRow({ reference, terminalId }: SaleState): NewRow {
  const text = 'its journal was restored, and what happened last may be missing';
  return factToRow({ kind: 'overdue', code: RESTORED_IN_DOUBT, text }, reference, terminalId);
}
