import { type BenchGateway, NO_THROTTLE, startBenchGateway } from '../../load/bench-gateway.js';
import { formRequest } from '../../load/http-load.js';
import { loadFromProcess } from '../../load/load-process.js';
import { PAYMENT } from '../../load/payment-example.js';
import { type ProcessorTime, perRequest, processorTime } from '../../load/process/processor-time.js';

const CONNECTIONS = 32;
/** Turns that do not count: the runtime compiles what it runs often. */
const WARM_UPS = 3;
const TURN_MS = 2_000;
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

/** What a payment used more where its request was kept, in microseconds. */
export interface LogCost {
  readonly main: number;
  readonly workers: number;
}

/** What the log of requests costs a payment, of each of some turns: a gateway that keeps all requests against one that keeps none. */
export async function requestLogCosts(turns: number): Promise<readonly LogCost[]> {
  const share = (percent: number) =>
    startBenchGateway({ ...NO_THROTTLE, GATEWAY_REQUEST_LOG_SHARE_PERCENT: String(percent) });
  const [kept, none] = [await share(100), await share(0)];
  try {
    const costs: LogCost[] = [];
    for (let at = 0; at < WARM_UPS + turns; at += 1) {
      // Each is first every other time.
      const first = at % 2 === 0 ? await turn(kept) : undefined;
      const without = await turn(none);
      const withLog = first ?? (await turn(kept));
      if (at < WARM_UPS) continue;
      costs.push({
        main: withLog.main + withLog.collector - without.main - without.collector,
        workers: withLog.workers - without.workers,
      });
    }
    return costs;
  } finally {
    await Promise.all([kept.end(), none.end()]);
  }
}
