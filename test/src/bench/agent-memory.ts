import { AgentClient } from '../clients/agent-client.js';
import { AGENT_LIBRARIES } from '../load/agent-libraries.js';
import { openBenchStore, READY_TIMEOUT_MS } from '../load/bench-store.js';
import { residentBytes } from '../load/process/resident-memory.js';
import { startPart } from '../stack/part-process.js';
import type { BenchRow } from './rows/measure.js';
import { atMost } from './rows/row.js';
import type { BenchSize } from './suites.js';

/** How long both processes are idle before they are looked at. */
const IDLE_MS: Readonly<Record<BenchSize, number>> = { full: 60_000, short: 5_000 };
/** What the agent may take, in times of its libraries. */
const ALLOWED_TIMES = 1.5;
const MIB = 1_024 ** 2;

/** The memory of an agent with two terminals that is idle, compared with a process that has loaded the same libraries. */
export async function benchAgentMemory(size: BenchSize): Promise<BenchRow[]> {
  const store = await openBenchStore();
  try {
    const agent = await store.startAgent();
    const libraries = await startPart({ name: 'agent', args: [AGENT_LIBRARIES] });
    try {
      await new AgentClient(agent).untilTerminalsReady(READY_TIMEOUT_MS);
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS[size]));
      const name = `agent-memory: idle with two terminals, against ${ALLOWED_TIMES} x its libraries`;
      const allowed = (ALLOWED_TIMES * residentBytes(libraries.pid)) / MIB;
      return [atMost(name, 'MiB', residentBytes(agent.process.pid) / MIB, allowed)];
    } finally {
      await libraries.kill();
      await agent.process.stop();
    }
  } finally {
    await store.end();
  }
}
