import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { findAll } from '@tillbridge/gateway/kernel/store/all-rows.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import { type BenchGateway, openBenchGateway } from '../load/bench-gateway.js';
import { fleetReport, startFleet } from '../load/fleet.js';
import type { BenchRow } from './rows/measure.js';
import { atMost } from './rows/row.js';
import type { BenchSize } from './suites.js';

const AGENTS: Readonly<Record<BenchSize, number>> = { full: 5_000, short: 500 };
/** Agents behind one address. */
const PER_ADDRESS = 10;
/** How long the gateway is away. */
const AWAY_MS = 3_000;
/** How soon all agents shall be back, from the start of the gateway's new process. */
const GOAL_MS = 15_000;

/** Each agent's stream stands behind its last message. */
async function checkStreams(gateway: BenchGateway, agents: number, next: number): Promise<void> {
  const store = await SqliteStore.open(gatewayFiles(gateway.home).database);
  try {
    for (let at = 0; at < agents; at += 1) {
      const [stream] = await findAll(store, 'streams', 'agent', [`bench-${at}`]);
      if (stream?.nextSequence !== next)
        throw new Error(`the stream of agent ${at} stands at ${stream?.nextSequence}, expected ${next}`);
    }
  } finally {
    await store.close();
  }
}

/**
 * Time until all agents of a gateway that was killed and started again have their sessions back. Each had a message acknowledged before,
 * and has one more waiting: all are taken once, in order.
 */
export async function benchReconnectStorm(size: BenchSize): Promise<BenchRow[]> {
  const agents = AGENTS[size];
  const gateway = await openBenchGateway({ agents });
  const fleet = startFleet({ url: gateway.bridgeUrl, perAddress: PER_ADDRESS, ...gateway.fleet });
  try {
    await fleetReport(fleet, 'all-up');
    fleet.send({});
    await fleetReport(fleet, 'all-ended');
    await gateway.kill();
    fleet.send({});
    await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
    const startedMs = Date.now();
    await gateway.start();
    const { atMs } = await fleetReport(fleet, 'all-up');
    const { repeated, atMs: endedMs } = await fleetReport(fleet, 'all-ended');
    if (repeated > 0) throw new Error(`${repeated} agents had a message acknowledged twice`);
    await checkStreams(gateway, agents, 3);
    return [
      atMost(
        `reconnect-storm: ${agents} agents, until all are back after ${AWAY_MS} ms`,
        'ms',
        atMs - startedMs,
        GOAL_MS,
      ),
      atMost(
        `reconnect-storm: ${agents} agents, until their messages are taken`,
        'ms',
        endedMs - startedMs,
        GOAL_MS,
      ),
    ];
  } finally {
    await fleet.end();
    await gateway.end();
  }
}
