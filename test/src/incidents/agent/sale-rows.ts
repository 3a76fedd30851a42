import type { IncidentRow } from '@tillbridge/agent/incident/agent-incident.js';
import { maskedData } from '@tillbridge/agent/incident/masked-data.js';
import type { JournalRow } from '@tillbridge/agent/journal/journal.js';
import type { Fact } from '@tillbridge/agent/sale/machine/state/facts.js';
import { factToRow, rowToFact } from '@tillbridge/agent/sale/records/fact-rows.js';
import { isSameJson } from '../core/same-value.js';

/** A row of an export with the reference of its sale. */
export interface SaleRow extends IncidentRow {
  readonly reference: string;
}

/** The row as the journal had it; its hash is not in the export. */
export function asJournalRow(row: SaleRow): JournalRow {
  return { ...row, hash: new Uint8Array() };
}

/** The fact that a row holds. @throws Error for a row that holds none */
export function factOf(row: SaleRow): Fact {
  const fact = rowToFact(asJournalRow(row));
  if (!fact) throw new Error(`row ${row.row} of the kind ${row.kind} is no fact of a sale`);
  return fact;
}

/** The rows from a place on that may have been one write: they follow each other in the journal, at one time. */
export function nextWrite(rows: readonly SaleRow[], from: number): readonly SaleRow[] {
  const first = rows[from];
  if (!first) return [];
  let end = from + 1;
  while (rows[end]?.row === first.row + end - from && rows[end]?.atMs === first.atMs) end += 1;
  return rows.slice(from, end);
}

/** Begins an id that matches any message id which no earlier row of the sale has. */
const FRESH = 'fresh id ';

/** Ids for a step: each stands for one that the rows show. */
export function freshIds(count: number): readonly [string, string, ...string[]] {
  const more = Array.from({ length: Math.max(0, count - 2) }, (_, at) => `${FRESH}${at + 2}`);
  return [`${FRESH}0`, `${FRESH}1`, ...more];
}

/** How many of the rows are those of the facts, from the first on; `all`: every fact has its row. */
export interface RowMatch {
  readonly matched: number;
  readonly all: boolean;
}

/**
 * Compares facts with the rows of one write.
 * @param used ids that earlier rows of the sale brought into being
 */
export function matchRows(
  facts: readonly Fact[],
  rows: readonly SaleRow[],
  used: ReadonlySet<string>,
): RowMatch {
  const taken = new Set(used);
  for (const [at, fact] of facts.entries()) {
    const row = rows[at];
    if (!row || !isRowOf(fact, row, taken)) return { matched: at, all: false };
    if (row.messageId !== undefined) taken.add(row.messageId);
  }
  return { matched: facts.length, all: true };
}

function isRowOf(fact: Fact, row: SaleRow, taken: ReadonlySet<string>): boolean {
  const wanted = factToRow(fact, row.reference, row.terminalId);
  if (wanted.kind !== row.kind || wanted.statusOf !== row.statusOf) return false;
  if (!isIdOf(wanted.messageId, row.messageId, taken)) return false;
  if ((wanted.inStream === true) !== row.sequence > 0) return false;
  return isSameJson(maskedData(wanted.data), maskedData(row.data));
}

function isIdOf(wanted: string | undefined, found: string | undefined, taken: ReadonlySet<string>): boolean {
  if (wanted === undefined || found === undefined) return wanted === found;
  return wanted.startsWith(FRESH) ? !taken.has(found) : wanted === found;
}
