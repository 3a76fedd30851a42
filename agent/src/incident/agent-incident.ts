import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import {
  type CompactedSale,
  type JournalRow,
  type JsonObject,
  OPENED_ROW,
  RESTORED_ROW,
  STANDING_ROW,
  STREAMS_ROW,
} from '../journal/journal.js';
import type { ExtractedRows } from '../journal/journal-extract.js';
import type { SalePolicy } from '../sale/machine/state/policy.js';
import { CONTACT_ROW } from '../sale/records/contact-row.js';
import { rowToFact } from '../sale/records/fact-rows.js';
import { CardNames, maskedData } from './masked-data.js';

/** A row as an incident file has it: without its hash, and its data masked. */
export type IncidentRow = Omit<JournalRow, 'hash' | 'blobHash' | 'inStream' | 'reference'>;

/** A sale with all of its rows. */
export interface IncidentSale {
  readonly reference: string;
  /** The state that compaction kept of its removed rows; absent where none were removed. */
  readonly kept?: JsonObject;
  /** Oldest first. */
  readonly rows: readonly IncidentRow[];
}

/** What passed on the line to a terminal, as its trace has it: masked there already. */
export interface IncidentFrames {
  readonly terminalId: string;
  /** Lines of the trace: its head, then the newest ones. */
  readonly lines: readonly string[];
}

/** What an agent exports. */
export interface AgentIncident {
  readonly agentId: string;
  /** Of its journal; null where the home has none. */
  readonly generation: number | null;
  readonly sinceMs: number;
  /** Of the journal: its last row, and the last one that compaction removed. */
  readonly headRow: number;
  readonly removedTo: number;
  /** As the agent is configured now. */
  readonly policy: SalePolicy;
  /** What the gateway allows the store now; null: not known. */
  readonly storePolicy: StorePolicy | null;
  readonly sales: readonly IncidentSale[];
  /** Rows of no sale: inputs of link, clock and restore. */
  readonly others: readonly (IncidentRow & { readonly reference: string })[];
  readonly frames: readonly IncidentFrames[];
}

/** What an agent has in addition to its rows. */
export type IncidentSources = Pick<
  AgentIncident,
  'agentId' | 'generation' | 'sinceMs' | 'policy' | 'storePolicy' | 'frames'
>;

/** Kinds of rows of no sale whose data are carried: times, numbers and standings. Of others the kind and time alone. */
const CARRIED: ReadonlySet<string> = new Set([
  OPENED_ROW,
  RESTORED_ROW,
  CONTACT_ROW,
  STREAMS_ROW,
  STANDING_ROW,
]);

/** What every file of an agent leaves out of its home, in sentences. */
export const LEFT_OUT: readonly string[] = [
  'card data under seal, keys and tokens',
  'cryptograms, expiry dates and payment account references of cards; of card fingerprints only which are the same',
  'hashes of the chain: "tillbridge-agent verify" verifies them where the journal is',
  'the content of requests of tills that speak nexo or ZVT, and of countersigned heads',
  'messages on the bridge: what came of them is in the rows',
];

/** What is exported of rows (pure). */
export function agentIncident(extracted: ExtractedRows, sources: IncidentSources): AgentIncident {
  const cards = new CardNames();
  const { rows, kept, headRow, removedTo } = extracted;
  const keptOf = new Map(kept.map((entry) => [entry.reference, entry]));
  const sales = new Map<string, JournalRow[]>();
  const others: JournalRow[] = [];
  for (const row of rows) {
    if (row.reference === '' || rowToFact(row) === undefined) others.push(row);
    else sales.set(row.reference, [...(sales.get(row.reference) ?? []), row]);
  }
  return {
    ...sources,
    headRow,
    removedTo,
    sales: [...sales].map(([reference, own]) => incidentSale(reference, own, keptOf.get(reference), cards)),
    others: others.map((row) => ({ reference: row.reference, ...incidentRow(row, otherData(row)) })),
  };
}

function incidentSale(
  reference: string,
  rows: readonly JournalRow[],
  kept: CompactedSale | undefined,
  cards: CardNames,
): IncidentSale {
  return {
    reference,
    ...(kept && { kept: maskedData(kept.data, cards) }),
    rows: rows.map((row) => incidentRow(row, maskedData(row.data, cards))),
  };
}

function otherData({ kind, data }: JournalRow): JsonObject {
  return CARRIED.has(kind) ? maskedData(data) : {};
}

function incidentRow(
  { row, atMs, kind, terminalId, sequence, messageId, statusOf }: JournalRow,
  data: JsonObject,
): IncidentRow {
  const ids = { ...(messageId !== undefined && { messageId }), ...(statusOf !== undefined && { statusOf }) };
  return { row, atMs, kind, terminalId, sequence, ...ids, data };
}
