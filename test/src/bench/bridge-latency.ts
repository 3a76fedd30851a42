import { join } from 'node:path';
import { type BenchGateway, openBenchGateway } from '../load/bench-gateway.js';
import { RAW_SOCKETS } from '../load/raw-sockets.js';
import { startTill, type TillJob, type TillSale } from '../load/till.js';
import { startPart } from '../stack/part-process.js';
import type { BenchRow } from './rows/measure.js';
import { atMost, percentile } from './rows/row.js';
import type { BenchSize } from './suites.js';

const SALES: Readonly<Record<BenchSize, number>> = { full: 300, short: 40 };
const WARM_UPS: Readonly<Record<BenchSize, number>> = { full: 1_000, short: 20 };
/** What each may be, in times of the raw round trip with its writes. */
const GOALS = [
  { name: 'p50', share: 0.5, times: 1.5 },
  { name: 'p99', share: 0.99, times: 2 },
] as const;

/** The sales of one agent of a gateway. */
export async function salesOf(
  gateway: BenchGateway,
  at: number,
  job: Pick<TillJob, 'baud' | 'sales' | 'warmUps' | 'echoUrl'>,
): Promise<readonly TillSale[]> {
  const [agent, device] = [gateway.fleet.agents[at], gateway.fleet.devices[at]];
  if (!agent || !device) throw new Error(`there is no agent ${at}`);
  const { identityKeys } = gateway.fleet;
  const stateFolder = join(gateway.home, 'bench-devices');
  const child = startTill({ url: gateway.bridgeUrl, identityKeys, agent, ...device, stateFolder, ...job });
  try {
    return (await child.next<{ sales: readonly TillSale[] }>()).sales;
  } finally {
    await child.end();
  }
}

/**
 * The time from the agent's write of a request to its commit of the answer, one sale at a time, compared with a round trip over a bare socket
 * and as many raw writes with a sync as the sale has commits.
 */
export async function benchBridgeLatency(size: BenchSize): Promise<BenchRow[]> {
  const gateway = await openBenchGateway({ devices: ['GERTEC_PPC930'] });
  const echo = await startPart({ name: 'gateway', args: [RAW_SOCKETS] });
  try {
    const echoUrl = `ws://127.0.0.1:${(echo.listening as { port: number }).port}`;
    const sales = await salesOf(gateway, 0, { sales: SALES[size], warmUps: WARM_UPS[size], echoUrl });
    const own = sales.map(({ bridgeMs }) => bridgeMs);
    const base = sales.map(({ rawMs }) => rawMs);
    return GOALS.map(({ name, share, times }) =>
      atMost(
        `bridge-latency: ${name} from journal to journal, against ${times} x a round trip and five raw writes with a sync`,
        'ms',
        percentile(own, share),
        times * percentile(base, share),
      ),
    );
  } finally {
    await echo.kill();
    await gateway.end();
  }
}
