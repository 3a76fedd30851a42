import { openBenchGateway } from '../load/bench-gateway.js';
import { COLLECT_GARBAGE } from '../load/collect-garbage.js';
import { fleetReport, startFleet } from '../load/fleet.js';
import { socketsFromProcess } from '../load/load-process.js';
import { residentBytesAfterCollection } from '../load/process/resident-memory.js';
import { RAW_SOCKETS } from '../load/raw-sockets.js';
import { startPart } from '../stack/part-process.js';
import type { BenchRow } from './rows/measure.js';
import { atMost } from './rows/row.js';
import type { BenchSize } from './suites.js';

const AGENTS: Readonly<Record<BenchSize, number>> = { full: 8_000, short: 500 };
/** Agents behind one address. */
const PER_ADDRESS = 10;
/** What an agent may take, in times of a bare socket. */
const ALLOWED_TIMES = 2;

async function bytesOfAgent(agents: number): Promise<number> {
  const gateway = await openBenchGateway({ agents, env: { NODE_OPTIONS: COLLECT_GARBAGE } });
  const before = await residentBytesAfterCollection(gateway.pid);
  const fleet = startFleet({ url: gateway.bridgeUrl, perAddress: PER_ADDRESS, ...gateway.fleet });
  try {
    await fleetReport(fleet, 'all-up');
    return ((await residentBytesAfterCollection(gateway.pid)) - before) / agents;
  } finally {
    await fleet.end();
    await gateway.end();
  }
}

async function bytesOfSocket(count: number): Promise<number> {
  const server = await startPart({
    name: 'gateway',
    args: [RAW_SOCKETS],
    env: { NODE_OPTIONS: COLLECT_GARBAGE },
  });
  try {
    const before = await residentBytesAfterCollection(server.pid);
    const url = `ws://127.0.0.1:${(server.listening as { port: number }).port}`;
    const end = await socketsFromProcess({ url, count, perAddress: PER_ADDRESS });
    const after = await residentBytesAfterCollection(server.pid);
    end();
    return (after - before) / count;
  } finally {
    await server.kill();
  }
}

/** The memory that the gateway takes for an idle agent with a session, compared with a bare `ws` server with as many sockets. */
export async function benchAgentsConnected(size: BenchSize): Promise<BenchRow[]> {
  const agents = AGENTS[size];
  const base = await bytesOfSocket(agents);
  const own = await bytesOfAgent(agents);
  const name = `agents-connected: memory of one of ${agents} idle agents, against ${ALLOWED_TIMES} x a bare socket`;
  return [atMost(name, 'KiB', own / 1_024, (ALLOWED_TIMES * base) / 1_024)];
}
