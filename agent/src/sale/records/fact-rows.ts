import { type JournalRow, type JsonObject, type NewRow, STATUS_ROWS } from '../../journal/journal.js';
import { evolve } from '../machine/state/evolve.js';
import { type Fact, type FactKind, isStreamFact } from '../machine/state/facts.js';
import type { SaleState } from '../machine/state/sale-state.js';

/** Rows of these kinds are facts of sales. */
const FACT_KINDS: ReadonlySet<string> = new Set<FactKind>([
  'accepted',
  'authorizing',
  'answered',
  'completed',
  'unknown',
  'reversal',
  'preceding-reversal',
  'cancel-if-unseen',
  'offline-record',
  'capture',
  'voice-authorization',
  'overdue',
  'too-old',
  'late-decline-acknowledged',
  'acknowledged',
  'withdrawn',
  'parked',
  'ended',
]);

/** The row of a durable fact. Message ids stand in the row's own columns. */
export function factToRow(fact: Fact, reference: string, terminalId: string): NewRow {
  const { kind, messageId, ...fields }: { kind: FactKind; messageId?: string } = fact;
  const row = { kind, reference, terminalId, data: toJson(fields) };
  if (messageId === undefined) return row;
  if (STATUS_ROWS.includes(kind)) return { ...row, statusOf: messageId };
  return { ...row, messageId, ...(isStreamFact(fact) && { inStream: true }) };
}

/** The fact of a row; `undefined` for rows that are none. Only this file's own rows are read: the chain vouches for them. */
export function rowToFact({ kind, data, messageId, statusOf }: JournalRow): Fact | undefined {
  if (!FACT_KINDS.has(kind)) return undefined;
  const id = messageId ?? statusOf;
  return { kind, ...data, ...(id && { messageId: id }) } as unknown as Fact;
}

/** The sale that the rows of one reference record, on top of what is kept of rows before them; `undefined` when there is none. */
export function replaySale(rows: readonly JournalRow[], kept?: SaleState): SaleState | undefined {
  let state = kept;
  for (const row of rows) {
    const fact = rowToFact(row);
    if (fact) state = evolve(state, fact, row);
  }
  return state;
}

/** The value as JSON holds it: absent fields stay absent. */
export function toJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
