import { type BenchGateway, NO_THROTTLE, openBenchGateway } from '../load/bench-gateway.js';
import { formRequest } from '../load/http-load.js';
import { answeredLoad } from '../load/load-process.js';
import { PAYMENT } from '../load/payment-example.js';
import { SYNCHRONOUS_NORMAL } from '../load/synchronous-normal.js';
import { compileRecorder } from '../power-loss/record-run.js';
import { type BenchRow, median } from './rows/measure.js';
import { atLeast } from './rows/row.js';
import type { BenchSize } from './suites.js';

const ROUNDS: Readonly<Record<BenchSize, number>> = { full: 5, short: 2 };
const WARM_UP_MS = 1_000;
const DURATION_MS = 3_000;
/** What a sync takes, in milliseconds: so slow that nothing else counts. */
const SYNC_MS = 20;
/** How much faster a gateway must look that does not wait for the disk. */
const GOAL = 2;

/** Payments a second over one connection: nothing but the disk is waited for. */
async function rateOf({ port, merchants: [{ entityId, token }] }: BenchGateway): Promise<number> {
  const requests = [formRequest('/v1/payments', { entityId, ...PAYMENT }, token)];
  const load = { port, requests, connections: 1, warmUpMs: WARM_UP_MS, durationMs: DURATION_MS };
  return (await answeredLoad(load)).perSecond;
}

/**
 * Payments over one connection of a gateway whose databases have `synchronous=NORMAL`, compared with the default, on a slow disk: the
 * bench can distinguish them. No row where a library cannot be preloaded.
 */
export async function benchSynchronous(size: BenchSize): Promise<BenchRow[]> {
  const disk = await compileRecorder();
  if (typeof disk === 'string') {
    console.log(`synchronous: ${disk}`);
    return [];
  }
  const slow = { LD_PRELOAD: disk.library, DISK_SYNC_MS: String(SYNC_MS), UV_USE_IO_URING: '0' };
  const env = { ...NO_THROTTLE, ...slow };
  const honest = await openBenchGateway({ env });
  const careless = await openBenchGateway({ env: { ...env, NODE_OPTIONS: SYNCHRONOUS_NORMAL } });
  try {
    const [full, normal]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS[size]; round += 1) {
      full.push(await rateOf(honest));
      normal.push(await rateOf(careless));
    }
    const name = `synchronous: one connection with synchronous=NORMAL injected, a sync takes ${SYNC_MS} ms, against FULL`;
    return [atLeast(name, '1/s', median(normal), median(full), GOAL)];
  } finally {
    await honest.end();
    await careless.end();
    disk.remove();
  }
}
