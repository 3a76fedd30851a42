import { AGENT_LIBRARIES } from '../load/agent-libraries.js';
import { type BenchStore, fillJournal, openBenchStore } from '../load/bench-store.js';
import { startPart } from '../stack/part-process.js';
import { type BenchRow, median } from './rows/measure.js';
import { atMost } from './rows/row.js';
import type { BenchSize } from './suites.js';

const ROWS: Readonly<Record<BenchSize, number>> = { full: 1_000_000, short: 20_000 };
/** Starts of each kind; they take turns. */
const ROUNDS = 5;
/** What a start may take, in times of loading the libraries, and what a long journal may add. */
const ALLOWED_TIMES = 2;
const ALLOWED_MS = 2_000;

async function librariesMs(): Promise<number> {
  const startMs = performance.now();
  const libraries = await startPart({ name: 'agent', args: [AGENT_LIBRARIES] });
  const tookMs = performance.now() - startMs;
  await libraries.kill();
  return tookMs;
}

async function agentMs(store: BenchStore): Promise<number> {
  const startMs = performance.now();
  const agent = await store.startAgent();
  const tookMs = performance.now() - startMs;
  await agent.process.stop();
  return tookMs;
}

/** The time from the start of the agent's process until it serves tills: with a short and with a long journal. */
export async function benchAgentStart(size: BenchSize): Promise<BenchRow[]> {
  const store = await openBenchStore();
  try {
    // Enrols the agent.
    await agentMs(store);
    const [own, base, long]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      own.push(await agentMs(store));
      base.push(await librariesMs());
    }
    await fillJournal(store, ROWS[size]);
    for (let round = 0; round < ROUNDS; round += 1) long.push(await agentMs(store));
    return [
      atMost(
        `agent-start: empty journal, against ${ALLOWED_TIMES} x loading its libraries`,
        'ms',
        median(own),
        ALLOWED_TIMES * median(base),
      ),
      atMost(
        `agent-start: journal of ${ROWS[size]} rows, against the empty one + ${ALLOWED_MS} ms`,
        'ms',
        median(long),
        median(own) + ALLOWED_MS,
      ),
    ];
  } finally {
    await store.end();
  }
}
