import { type BenchGateway, NO_THROTTLE, startBenchGateway } from '../../load/bench-gateway.js';
import { formRequest } from '../../load/http-load.js';
import { loadFromProcess } from '../../load/load-process.js';
import { PAYMENT } from '../../load/payment-example.js';
import { type ProcessorTime, perRequest, processorTime } from '../../load/process/processor-time.js';
import { type BenchRow, median } from '../measure.js';
import { atMost } from '../row.js';
import type { BenchSize } from '../suites.js';

const CONNECTIONS = 32;
/** Turns that do not count: the runtime compiles what it runs often. */
const WARM_UPS = 3;
const TURNS = { full: 9, short: 3 };
const TURN_MS = 2_000;
/** What the log may use of the processor for each payment, in microseconds. */
const GOAL_US = { main: 30, workers: 60 };

/** What a gateway used for each payment in one turn. */
async function turn({ port, pid, merchants: [{ entityId, token }] }: BenchGateway): Promise<ProcessorTime> {
  const requests = [formRequest('/v1/payments', { entityId, ...PAYMENT }, token)];
  const before = processorTime(pid);
  const { statuses } = await loadFromProcess({
    ...{ port, requests, connections: CONNECTIONS },
    ...{ warmUpMs: 0, durationMs: TURN_MS },
  });
  const paid = statuses['200'] ?? 0;
  if (paid === 0) throw new Error(`no payment was approved: ${JSON.stringify(statuses)}`);
  return perRequest(before, processorTime(pid), paid);
}

/** What the log of requests costs a payment: a gateway that keeps all requests against one that keeps none, in turns. */
export async function benchRequestLog(size: BenchSize): Promise<BenchRow[]> {
  const share = (percent: number) =>
    startBenchGateway({ ...NO_THROTTLE, GATEWAY_REQUEST_LOG_SHARE_PERCENT: String(percent) });
  const [kept, none] = [await share(100), await share(0)];
  try {
    const more: { readonly main: number; readonly workers: number }[] = [];
    for (let at = 0; at < WARM_UPS + TURNS[size]; at += 1) {
      // Each is first every other time.
      const first = at % 2 === 0 ? await turn(kept) : undefined;
      const without = await turn(none);
      const withLog = first ?? (await turn(kept));
      if (at < WARM_UPS) continue;
      more.push({
        main: withLog.main + withLog.collector - without.main - without.collector,
        workers: withLog.workers - without.workers,
      });
    }
    const row = (threads: string, key: keyof typeof GOAL_US): BenchRow => {
      const us = Math.max(0.1, median(more.map((each) => each[key])));
      return atMost(
        `request-log: processor of a payment, ${threads}, more than without`,
        'µs',
        us,
        GOAL_US[key],
      );
    };
    return [row('main thread and collector', 'main'), row('threads of the database', 'workers')];
  } finally {
    await Promise.all([kept.end(), none.end()]);
  }
}
