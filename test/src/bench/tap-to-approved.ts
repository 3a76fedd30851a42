import { DEVICE_TYPES } from '@tillbridge/wire/terminals/device-types.js';
import { openBenchGateway } from '../load/bench-gateway.js';
import { BITS_PER_BYTE } from '../load/paced-pipe.js';
import { salesOf } from './bridge-latency.js';
import { type BenchRow, median } from './rows/measure.js';
import { atMost } from './rows/row.js';
import type { BenchSize } from './suites.js';

/** Rates of the line, and how many sales are made at each. */
const LINES: readonly { readonly baud: number; readonly sales: Readonly<Record<BenchSize, number>> }[] = [
  { baud: 9_600, sales: { full: 5, short: 1 } },
  { baud: 115_200, sales: { full: 20, short: 3 } },
];
const WARM_UPS = 1;
/** What a sale may take, in times of its bytes on the line and its way to the gateway. */
const ALLOWED_TIMES = 1.3;

/** A whole sale over a serial line, compared with the time of its bytes on the line and of its way from journal to journal. */
export async function benchTapToApproved(size: BenchSize): Promise<BenchRow[]> {
  const gateway = await openBenchGateway({ devices: DEVICE_TYPES });
  try {
    const rows: BenchRow[] = [];
    for (const { baud, sales: count } of LINES) {
      for (const [at, model] of DEVICE_TYPES.entries()) {
        const sales = await salesOf(gateway, at, { baud, sales: count[size], warmUps: WARM_UPS });
        const least = sales.map(
          ({ lineBytes, bridgeMs }) => (lineBytes * BITS_PER_BYTE * 1_000) / baud + bridgeMs,
        );
        const name = `tap-to-approved: ${model} at ${baud} baud, against ${ALLOWED_TIMES} x bytes on the line and bridge-latency`;
        rows.push(
          atMost(name, 'ms', median(sales.map(({ wholeMs }) => wholeMs)), ALLOWED_TIMES * median(least)),
        );
      }
    }
    return rows;
  } finally {
    await gateway.end();
  }
}
