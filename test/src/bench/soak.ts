import { readdirSync } from 'node:fs';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { type BenchGateway, NO_THROTTLE, openBenchGateway } from '../load/bench-gateway.js';
import { COLLECT_GARBAGE } from '../load/collect-garbage.js';
import { type DrainResult, deviceRowsOf, startDrain } from '../load/drain.js';
import { formRequest, getRequest, type LoadResult } from '../load/http-load.js';
import { loadFromProcess } from '../load/load-process.js';
import { PAYMENT } from '../load/payment-example.js';
import { residentBytesAfterCollection } from '../load/process/resident-memory.js';
import type { BenchRow } from './rows/measure.js';
import { atMost } from './rows/row.js';
import type { BenchSize } from './suites.js';

/** Slices of the load, one after the other: the first is what the last is compared with. */
const SLICES: Readonly<Record<BenchSize, { readonly count: number; readonly durationMs: number }>> = {
  full: { count: 30, durationMs: 60_000 },
  short: { count: 3, durationMs: 10_000 },
};
const WARM_UP_MS = 5_000;
const CONNECTIONS = 32;
/** From one request of a connection to its next. */
const PAUSE_MS = 250;
/** Agents that sell live meanwhile. */
const SELLING = 10;
const SALE_EVERY_MS = 500;
/** What may grow: memory, time and open files, from the first slice to the last. */
const ALLOWED = 1.1;
const MIB = 1_024 ** 2;

/** The gateway after a slice. */
interface Sample {
  readonly p99Ms: number;
  readonly residentBytes: number;
  readonly files: number;
}

async function slice(gateway: BenchGateway, durationMs: number): Promise<Sample> {
  const [{ entityId, token }] = gateway.merchants;
  const payment = formRequest('/v1/payments', { entityId, ...PAYMENT }, token);
  const query = getRequest(`/v3/query?entityId=${entityId}&merchantTransactionId=soak`, token);
  const paid: LoadResult = await loadFromProcess({
    port: gateway.port,
    requests: [payment, payment, query],
    connections: CONNECTIONS,
    warmUpMs: WARM_UP_MS,
    durationMs,
    pauseMs: PAUSE_MS,
    isEachNext: true,
  });
  const failed = Object.keys(paid.statuses).filter((status) => status.startsWith('5'));
  if (failed.length > 0) throw new Error(`the gateway answered ${JSON.stringify(paid.statuses)}`);
  const residentBytes = await residentBytesAfterCollection(gateway.pid);
  return { p99Ms: paid.p99Ms, residentBytes, files: readdirSync(`/proc/${gateway.pid}/fd`).length };
}

/** Nothing of a finished load is under way any more. */
async function checkRows(gateway: BenchGateway): Promise<void> {
  const database = await SqliteConnection.open(gatewayFiles(gateway.home).database, { access: 'read-only' });
  const left = await database.get<{ open: number; locked: number }>(
    `SELECT (SELECT COUNT(*) FROM intents WHERE state = 'open') AS open,
      (SELECT COUNT(*) FROM payments WHERE lockedBy IS NOT NULL) AS locked`,
  );
  await database.close();
  if (left?.open !== 0 || left.locked !== 0) throw new Error(`rows are left: ${JSON.stringify(left)}`);
}

/** Payments, queries and live sales of agents for a long time: memory, p99 and open files at the end, compared with those of the beginning. */
export async function benchSoak(size: BenchSize): Promise<BenchRow[]> {
  const { count, durationMs } = SLICES[size];
  const gateway = await openBenchGateway({
    env: { ...NO_THROTTLE, NODE_OPTIONS: COLLECT_GARBAGE },
    agents: SELLING,
    deviceRows: deviceRowsOf(SELLING, 1),
  });
  const tills = startDrain({
    url: gateway.bridgeUrl,
    agents: gateway.fleet.agents,
    draining: 0,
    terminals: 1,
    records: 0,
    saleEveryMs: SALE_EVERY_MS,
    quietMs: count * (durationMs + WARM_UP_MS),
  });
  try {
    const samples: Sample[] = [];
    for (let at = 0; at < count; at += 1) samples.push(await slice(gateway, durationMs));
    const { quietMs } = await tills.next<DrainResult>();
    const words = gateway.words();
    if (words.includes('MaxListenersExceeded')) throw new Error(`listeners are left:\n${words}`);
    await gateway.stop();
    await checkRows(gateway);
    const [first, last] = [samples[0], samples.at(-1)];
    if (!first || !last || quietMs.length === 0) throw new Error('nothing was measured');
    const minutes = Math.round((count * (durationMs + WARM_UP_MS)) / 6_000) / 10;
    const grew = (what: string, unit: string, value: number, before: number): BenchRow =>
      atMost(
        `soak: ${what} after ${minutes} minutes, against ${ALLOWED} x the first`,
        unit,
        value,
        ALLOWED * before,
      );
    return [
      grew('resident memory', 'MiB', last.residentBytes / MIB, first.residentBytes / MIB),
      grew('p99 of REST', 'ms', last.p99Ms, first.p99Ms),
      grew('open files', 'files', last.files, first.files),
    ];
  } finally {
    await tills.end();
    await gateway.end();
  }
}
