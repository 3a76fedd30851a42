import type { AgentIncident, IncidentSale } from '@tillbridge/agent/incident/agent-incident.js';
import type { SaleState } from '@tillbridge/agent/sale/machine/state/sale-state.js';
import { policyInForce } from '@tillbridge/agent/sale/policy/policy-in-force.js';
import { readCompacted } from '@tillbridge/agent/sale/records/compacted-sale.js';
import type { Divergence, IncidentReport, ReplayVerdict } from '../core/verdict.js';
import { pastStanding } from './past-standing.js';
import { replaySale } from './replay-sale.js';
import type { SaleRow } from './sale-rows.js';

/** What no export of an agent lets be replayed, in sentences. */
const NEVER_REPLAYED: readonly string[] = [
  'ages and clocks: that a link, a card or an answer was waited for long enough, and the age of the last contact',
  'that a till may do what it requested, and the limits of its request: the service decides that before the sale begins',
  'why a sale was refused without the gateway: its reasons are taken from its row',
  'the data that a card gave, beyond what its rows show; which card it was by its fingerprint',
  'frames of terminals: they are carried to be read',
];

/** Replays all sales of an agent's export. */
export function replayAgent(incident: AgentIncident): IncidentReport {
  const { agentId, sales, others, policy, storePolicy, headRow, removedTo } = incident;
  const before = new Map(sales.flatMap((sale) => keptOf(sale)));
  const rows = sales.flatMap(rowsOf).sort((one, other) => one.row - other.row);
  const inForce = policyInForce(policy, storePolicy ?? undefined);
  const standing = pastStanding(rows, before, inForce);
  const isTwice = repeated(rows);
  const verdicts = sales.map((sale): ReplayVerdict => {
    const state = before.get(sale.reference);
    const replayed = { reference: sale.reference, rows: rowsOf(sale), ...(state && { before: state }) };
    return twice(isTwice, sale) ?? replaySale(replayed, { policy: inForce, standing });
  });
  const kinds = [...new Set(others.map(({ kind }) => kind))].sort();
  return {
    title: `the journal of ${agentId} up to row ${headRow}: ${sales.length} sales, each through the sale machine`,
    verdicts,
    notReplayed: [
      ...NEVER_REPLAYED,
      ...(removedTo > 0 ? [`rows up to ${removedTo}: compaction has removed them`] : []),
      ...(kinds.length > 0
        ? [`${others.length} rows of no sale (${kinds.join(', ')}): they are inputs, and shown alone`]
        : []),
      'limits of sales without the gateway are those in force at the export; a policy that was changed since is not known',
    ],
  };
}

function keptOf({ reference, kept }: IncidentSale): readonly (readonly [string, SaleState])[] {
  if (!kept) return [];
  const entry = { position: 1, reference, messageIds: [], data: kept, hash: new Uint8Array() };
  const state = readCompacted(entry);
  return state ? [[reference, state]] : [];
}

function rowsOf({ reference, rows }: IncidentSale): readonly SaleRow[] {
  return rows.map((row) => ({ ...row, reference }));
}

type IsTwice = (row: Pick<SaleRow, 'row' | 'messageId'>) => boolean;

/** Whether the number of a row, or its message id, stands in another row too. */
function repeated(all: readonly SaleRow[]): IsTwice {
  const numbers = countOf(all.map(({ row }) => row));
  const ids = countOf(all.flatMap(({ messageId }) => messageId ?? []));
  return ({ row, messageId }) =>
    (numbers.get(row) ?? 0) > 1 || (messageId !== undefined && (ids.get(messageId) ?? 0) > 1);
}

function countOf<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function twice(isTwice: IsTwice, { reference, rows }: IncidentSale): ReplayVerdict | undefined {
  const found = rows.find(isTwice);
  if (!found) return undefined;
  const divergence: Divergence = {
    subject: `sale ${reference}`,
    row: `row ${found.row}, ${found.kind}`,
    state: 'the journal before it',
    tried: [],
    because: 'its number, or its message id, stands in another row too: a journal has each once',
  };
  return { subject: reference, rows: 0, divergence, notReplayed: [] };
}
