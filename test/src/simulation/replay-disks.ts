import { agentIncident } from '@tillbridge/agent/incident/agent-incident.js';
import type { MemoryDisk } from '@tillbridge/agent/journal/testing/memory-journal.test.support.js';
import { replayAgent } from '../incidents/agent/replay-agent.js';
import type { IncidentReport } from '../incidents/core/verdict.js';
import type { EndedDisks } from './simulation.js';

/** Replays what the agents of a simulation have journaled, each as its export has it. */
export function replayJournals({ agents, policy, storePolicy }: EndedDisks): readonly IncidentReport[] {
  return agents.map(({ agentId, diskImage }) => {
    const sources = { agentId, generation: 1, sinceMs: 0, policy, storePolicy, frames: [] };
    return replayAgent(agentIncident(extracted(diskImage.state), sources));
  });
}

function extracted({ rows, kept, cursor }: MemoryDisk) {
  return { rows, kept, headRow: cursor.head.row, removedTo: cursor.base.row };
}
