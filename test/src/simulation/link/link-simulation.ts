import type { LinkExchangeRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { pass } from '../kernel/pass.js';
import { SeededRandom } from '../kernel/seeded-random.js';
import { Trace, type TraceListener } from '../kernel/trace.js';
import type { LinkMutation } from '../mutations/link-mutations.js';
import { START_MS } from '../parts/seed-store.js';
import { LinkMerchant } from './link-merchant.js';

/** What a simulation of only a link is made with. */
interface LinkSimulationOptions {
  readonly seed: number;
  readonly mutation?: LinkMutation;
  /** Gateways on one database; default: two of every other seed. */
  readonly nodes?: 1 | 2;
  /** Called with each line of the trace. */
  readonly listener?: TraceListener;
}

/** How it came out. */
interface LinkSimulationReport {
  /** Broken promises, in words; none in a good simulation. */
  readonly breaches: readonly string[];
  /** SHA-256 of the trace, hex. */
  readonly traceDigest: string;
  /** What the link has journaled. */
  readonly exchanges: readonly LinkExchangeRow[];
}

const LONGEST_SALES_MS = 3_600_000;
const LONGEST_QUIET_MS = 20 * 60_000;

/** Runs only the link of a seed, without tills: more payments over it in less time. */
export async function runLinkSimulation({
  seed,
  mutation = {},
  nodes = mutation.nodes ?? (seed % 2 === 0 ? 2 : 1),
  listener,
}: LinkSimulationOptions): Promise<LinkSimulationReport> {
  const clock = new VirtualClock(START_MS);
  const trace = new Trace(clock, listener);
  const breaches: string[] = [];
  const breach = (text: string): void => {
    breaches.push(text);
    trace.add('BREACH', text);
  };
  const merchant = new LinkMerchant({
    ...{ clock, trace, mutation, nodes, breach },
    random: new SeededRandom(`link ${seed}`),
    onFault: (error) => breach(`a fault: ${String(error)}`),
  });
  merchant.begin();
  await pass(clock, LONGEST_SALES_MS, undefined, async () => merchant.hasSold);
  merchant.end();
  await pass(clock, LONGEST_QUIET_MS, undefined, () => merchant.isQuiet());
  await merchant.check();
  await merchant.checkFiles();
  return { breaches, traceDigest: trace.digest(), exchanges: await merchant.exchanges() };
}
