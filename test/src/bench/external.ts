import { ExternalSystem } from '../external/external-system.js';
import { load } from '../external/load.js';
import type { BenchRow } from './measure.js';
import { atLeast } from './row.js';
import type { BenchSize } from './suites.js';

const REQUESTS = { full: 10_000, short: 500 } as const;
/** Requests a second that the link shall carry on a machine of two cores, with gateway, host and merchants on it. */
const GOAL_PER_SECOND = 50;

/** Transactions with an acquirer host over TCP, of which 5 % meet a fault: how many a second, and in how many the records differ. */
export async function benchExternal(size: BenchSize): Promise<BenchRow[]> {
  const system = await ExternalSystem.start();
  try {
    const requests = REQUESTS[size];
    const beganMs = performance.now();
    const { codes } = await load(system, requests);
    const perSecond = (1_000 * requests) / (performance.now() - beganMs);
    const { payments, ledger, file, exchanges } = await system.compare();
    const differences = [...payments, ...ledger, ...file];
    const about = `external: ${exchanges} exchanges with 5 % faults`;
    process.stderr.write(`${[...differences.slice(0, 10), JSON.stringify([...codes])].join('\n')}\n`);
    if (differences.length > 0) throw new Error(`${about}: ${differences.length} differences`);
    return [
      atLeast(
        `${about} and no difference of payments, ledger and file`,
        '1/s',
        perSecond,
        GOAL_PER_SECOND,
        1,
      ),
    ];
  } finally {
    await system.end();
  }
}
