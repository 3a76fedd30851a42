import { type AgentIncident, agentIncident } from '@tillbridge/agent/incident/agent-incident.js';
import type { ExtractedRows } from '@tillbridge/agent/journal/journal-extract.js';
import type { MemoryDisk } from '@tillbridge/agent/journal/testing/memory-journal.test.support.js';
import { type GatewayIncident, readIncident } from '@tillbridge/gateway/app/incident/gateway-incident.js';
import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import { replayAgent } from '../incidents/agent/replay-agent.js';
import type { IncidentReport } from '../incidents/core/verdict.js';
import { replayGateway } from '../incidents/gateway/replay-gateway.js';
import type { EndedDisks } from './simulation.js';

/** A replayed journal, or the replayed payments of one family. */
export interface ReplayedDisk {
  readonly kind: 'sales' | 'payments';
  readonly report: IncidentReport;
}

/** Replays what a simulation has left: the journal of each agent, and each family of payments, as their exports have them. */
export async function replayDisks(disks: EndedDisks): Promise<readonly ReplayedDisk[]> {
  const families = await exportedFamilies(disks);
  return [
    ...replayJournals(disks).map((report) => ({ kind: 'sales', report }) as const),
    ...families.map((family) => ({ kind: 'payments', report: replayGateway(family) }) as const),
  ];
}

/** Replays what the agents of a simulation have journaled, each as its export has it. */
export function replayJournals(disks: EndedDisks): readonly IncidentReport[] {
  return exportedJournals(disks).map(replayAgent);
}

/** The journals of a simulation as they are exported. */
export function exportedJournals({ agents, policy, storePolicy }: EndedDisks): readonly AgentIncident[] {
  return agents.map(({ agentId, diskImage }) => {
    const sources = { agentId, generation: 1, sinceMs: 0, policy, storePolicy, frames: [] };
    return agentIncident(extracted(diskImage.state), sources);
  });
}

function extracted({ rows, kept, cursor }: MemoryDisk): ExtractedRows {
  return { rows, kept, headRow: cursor.head.row, removedTo: cursor.base.row };
}

/** Each family of payments of a simulation once, as it is exported. */
export async function exportedFamilies({
  store,
}: Pick<EndedDisks, 'store'>): Promise<readonly GatewayIncident[]> {
  const families: GatewayIncident[] = [];
  const known = new Set<string>();
  for (const { id } of await allRows(store, 'payments')) {
    if (known.has(id)) continue;
    const family = await readIncident(store, id);
    for (const payment of family.payments) known.add(payment.id);
    families.push(family);
  }
  return families;
}
