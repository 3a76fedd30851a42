import { NO_THROTTLE, startBenchGateway } from '../load/bench-gateway.js';
import { formRequest } from '../load/http-load.js';
import { answeredLoad } from '../load/load-process.js';
import { PAYMENT } from '../load/payment-example.js';
import { compileRecorder } from '../power-loss/record-run.js';
import { type BenchRow, round2 } from './rows/measure.js';

const CONNECTIONS = 64;
/** What a sync takes on a slow disk, in milliseconds. */
const SYNC_MS = 20;
/** A payment needs three of them, one after the other: intent, ledger, result. */
const SYNCS = 3;
const WARM_UP_MS = 2_000;
const DURATION_MS = 6_000;

/**
 * Durable payments where each sync takes 20 ms, against as many as so many connections could make if each payment waited for its three syncs
 * and for nothing else. No row where a library cannot be preloaded.
 */
export async function benchSlowDisk(): Promise<BenchRow[]> {
  const disk = await compileRecorder();
  if (typeof disk === 'string') {
    console.log(`slow-disk: ${disk}`);
    return [];
  }
  const slow = { LD_PRELOAD: disk.library, DISK_SYNC_MS: String(SYNC_MS), UV_USE_IO_URING: '0' };
  const gateway = await startBenchGateway({ ...NO_THROTTLE, ...slow });
  try {
    const {
      port,
      merchants: [{ entityId, token }],
    } = gateway;
    const request = formRequest('/v1/payments', { entityId, ...PAYMENT }, token);
    const { perSecond } = await answeredLoad({
      port,
      requests: [request],
      connections: CONNECTIONS,
      warmUpMs: WARM_UP_MS,
      durationMs: DURATION_MS,
    });
    const possible = (CONNECTIONS * 1_000) / (SYNCS * SYNC_MS);
    return [
      {
        name: `slow-disk: payments where a sync takes ${SYNC_MS} ms, ${CONNECTIONS} connections, against ${SYNCS} syncs for each`,
        value: Math.round(perSecond),
        unit: '1/s',
        baseline: Math.round(possible),
        ratio: round2(perSecond / possible),
        goal: 0.7,
      },
    ];
  } finally {
    await gateway.end();
    disk.remove();
  }
}
