import type { CompactedSale, Journal, JournalRow, JsonObject } from '../../journal/journal.js';
import type { SaleState } from '../machine/state/sale-state.js';
import { replaySale, toJson } from './fact-rows.js';

/** What stays of a sale for ever when its rows are old enough to go, and what goes: everything that a card gave. */
const FIELDS: Readonly<Record<keyof SaleState, 'stays' | 'goes'>> = {
  reference: 'stays',
  terminalId: 'stays',
  request: 'stays',
  acceptedRow: 'stays',
  acceptedAtMs: 'stays',
  phase: 'stays',
  outcome: 'stays',
  mode: 'stays',
  reason: 'stays',
  detail: 'stays',
  messageId: 'stays',
  answer: 'stays',
  card: 'goes',
  emv: 'goes',
  cardEnd: 'stays',
  messages: 'stays',
  openSinceMs: 'stays',
  lateDeclineAcknowledged: 'stays',
  parked: 'stays',
  timeline: 'stays',
  compacted: 'stays',
};

/**
 * A sale as it is kept for ever (journal compaction): the till's parameters, message ids and the final answer, without card data. The
 * same request again is answered from it, another one under its reference is refused, and it can still be refunded or reversed.
 */
export function compactSale(
  _reference: string,
  before: JsonObject | undefined,
  rows: readonly JournalRow[],
): JsonObject {
  const state = replaySale(rows, before && readState(before));
  // Rows that are no facts, of a reference that never became a sale.
  if (!state) return before ?? {};
  const kept = Object.fromEntries(
    Object.entries({ ...state, compacted: true }).filter(
      ([name]) => FIELDS[name as keyof SaleState] === 'stays',
    ),
  );
  const { messages, timeline } = state;
  return toJson({
    ...kept,
    timeline: timeline.filter((_entry, at) => at === 0 || at === timeline.length - 1),
    messages: messages.map((each) => ({ ...each, fingerprint: undefined })),
  });
}

/** The state that {@link compactSale} kept; `undefined` when it was no sale. */
export function readCompacted(kept: CompactedSale | undefined): SaleState | undefined {
  return kept && readState(kept.data);
}

/** Only this file's own values are read: the journal's hashes vouch for them. */
function readState(data: JsonObject): SaleState | undefined {
  return 'request' in data ? (data as unknown as SaleState) : undefined;
}

/** A sale as the journal has it: what is kept of its removed rows, and the others. */
export interface SaleHistory {
  readonly kept: SaleState | undefined;
  readonly rows: readonly JournalRow[];
}

/** @throws JournalUnavailable */
export async function loadHistory(journal: Journal, reference: string): Promise<SaleHistory> {
  for (;;) {
    const kept = await journal.kept(reference);
    const rows = await journal.rowsOf(reference);
    // A compaction in between has moved rows from one to the other.
    if ((await journal.kept(reference))?.position === kept?.position)
      return { kept: readCompacted(kept), rows };
  }
}

/**
 * The sale of a reference; `undefined` when there is none.
 * @throws JournalUnavailable
 */
export async function loadSale(journal: Journal, reference: string): Promise<SaleState | undefined> {
  const { kept, rows } = await loadHistory(journal, reference);
  return replaySale(rows, kept);
}
