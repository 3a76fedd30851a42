import { ForwardProjection } from '@tillbridge/agent/journal/forward-projection.js';
import { evolve } from '@tillbridge/agent/sale/machine/state/evolve.js';
import type { SaleState } from '@tillbridge/agent/sale/machine/state/sale-state.js';
import type { OfflineSituation } from '@tillbridge/agent/sale/offline/offline-rules.js';
import type { PolicyInForce } from '@tillbridge/agent/sale/policy/policy-in-force.js';
import { LateDeclines } from '@tillbridge/agent/sale/runtime/late-declines.js';
import { OfflineStanding } from '@tillbridge/agent/sale/runtime/offline-standing.js';
import { asJournalRow, factOf, type SaleRow } from './sale-rows.js';

/** Before which rows the offline rules may have been looked at. */
const JUDGED: ReadonlySet<string> = new Set([
  'authorizing',
  'completed',
  'ended',
  'offline-record',
  'preceding-reversal',
  'unknown',
]);

/** How the agent stood for sales without the gateway before a row, by the rows before it and the policy of the export. */
export type PastStanding = (row: number) => OfflineSituation | undefined;

/**
 * Goes through all rows of a journal once. What was only in memory, such as a sale whose card was deciding, is not among it: the agent then
 * allowed less, never more.
 * @param rows of all sales, oldest first
 * @param before what compaction kept of sales, by reference
 */
export function pastStanding(
  rows: readonly SaleRow[],
  before: ReadonlyMap<string, SaleState>,
  policy: PolicyInForce,
): PastStanding {
  const projection = new ForwardProjection();
  const lateDeclines = new LateDeclines();
  const standing = new OfflineStanding({
    projection,
    lateDeclines,
    registry: { present: () => [] },
    time: { isBehind: () => false, contactAgeMs: () => 0 },
    executors: new Map(),
    policy: () => policy,
    journalReady: () => true,
  });
  const states = new Map(before);
  const situations = new Map<number, OfflineSituation>();
  for (const row of rows) {
    const { terminalId, reference } = row;
    if (JUDGED.has(row.kind)) situations.set(row.row, standing.situation(terminalId, reference));
    projection.apply(asJournalRow(row));
    const known = states.get(reference);
    if ((row.kind === 'accepted') === (known !== undefined)) continue;
    const state = evolve(known, factOf(row), row);
    states.set(reference, state);
    lateDeclines.look(state);
  }
  return (row) => situations.get(row);
}
