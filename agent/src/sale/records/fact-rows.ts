import type { JournalRow, JsonObject, NewRow } from '../../journal/journal.js';
import { evolve } from '../machine/state/evolve.js';
import type { Fact, FactKind } from '../machine/state/facts.js';
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
  const { kind, ...rest } = fact;
  const place = { kind, reference, terminalId };
  switch (fact.kind) {
    case 'authorizing':
      return { ...place, data: toJson(withoutId(rest)), messageId: fact.messageId };
    case 'reversal':
    case 'preceding-reversal':
    case 'cancel-if-unseen':
    case 'offline-record':
    case 'capture':
    case 'voice-authorization':
      return { ...place, data: toJson(withoutId(rest)), messageId: fact.messageId, inStream: true };
    case 'acknowledged':
    case 'withdrawn':
    case 'parked':
      return { ...place, data: toJson(withoutId(rest)), statusOf: fact.messageId };
    default:
      return { ...place, data: toJson(rest) };
  }
}

/** The fact of a row; `undefined` for rows that are none. Only this file's own rows are read: the chain vouches for them. */
export function rowToFact({ kind, data, messageId, statusOf }: JournalRow): Fact | undefined {
  if (!FACT_KINDS.has(kind)) return undefined;
  const id = messageId ?? statusOf;
  return { kind, ...data, ...(id && { messageId: id }) } as unknown as Fact;
}

/** The sale that the rows of one reference tell, on top of what is kept of rows before them; `undefined` when there is none. */
export function replaySale(rows: readonly JournalRow[], kept?: SaleState): SaleState | undefined {
  let state = kept;
  for (const row of rows) {
    const fact = rowToFact(row);
    if (fact) state = evolve(state, fact, row);
  }
  return state;
}

function withoutId(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'messageId'));
}

/** Absent fields stay absent, as in the text that is stored. Facts hold nothing but what JSON has. */
function toJson(value: object): JsonObject {
  return withoutAbsent(value) as JsonObject;
}

function withoutAbsent(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutAbsent);
  const present: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value))
    if (field !== undefined) present[name] = withoutAbsent(field);
  return present;
}
