import { readFileSync } from 'node:fs';
import { AgentClient } from '../clients/agent-client.js';
import { startPart } from '../stack/part-process.js';
import { openBenchStore, READY_TIMEOUT_MS } from './bench-store.js';
import { AGENT_LIBRARIES } from './load/agent-libraries.js';
import type { BenchRow } from './measure.js';
import { atMost } from './row.js';
import type { BenchSize } from './suites.js';

/** How long both processes are idle before they are looked at. */
const IDLE_MS: Readonly<Record<BenchSize, number>> = { full: 60_000, short: 5_000 };
/** What the agent may take, in times of its libraries. */
const ALLOWED_TIMES = 1.5;

/** Memory of a process that is resident, in MiB (Linux). */
function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
}

/** The memory of an agent with two terminals that is idle, beside a process that has loaded the same libraries. */
export async function benchAgentMemory(size: BenchSize): Promise<BenchRow[]> {
  const store = await openBenchStore();
  try {
    const agent = await store.startAgent();
    const libraries = await startPart({ name: 'agent', args: [AGENT_LIBRARIES] });
    try {
      await new AgentClient(agent).untilTerminalsReady(READY_TIMEOUT_MS);
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS[size]));
      const name = `agent-memory: idle with two terminals, against ${ALLOWED_TIMES} x its libraries`;
      const allowed = ALLOWED_TIMES * residentMiB(libraries.pid);
      return [atMost(name, 'MiB', residentMiB(agent.process.pid), allowed)];
    } finally {
      await libraries.kill();
      await agent.process.stop();
    }
  } finally {
    await store.end();
  }
}
