import { Counter, type Registry } from 'prom-client';
import type { ForwardQueue } from '../journal/forward-queue.js';
import { SALE_OUTCOMES } from '../sale/machine/state/answer.js';
import type { SaleService, TillEvent } from '../sale/service/sale-service.js';
import type { UplinkState } from '../uplink/uplink.js';
import { showGauges, wordHolds } from './gauges.js';

/** What the numbers are taken from. */
interface AgentMetricsDeps {
  readonly service: Pick<SaleService, 'status' | 'onEvent'>;
  readonly queue: Pick<ForwardQueue, 'depth' | 'parkedCount' | 'oldestAtMs' | 'exposure'>;
  readonly clock: { nowMs(): number };
}

const LINK_STATES: readonly UplinkState[] = ['down', 'connecting', 'up'];
const OUTCOMES: ReadonlySet<string> = new Set(SALE_OUTCOMES);

/** Counts sales by their outcome, and shows queue, exposure, link, journal and terminals as they are at each scrape. */
export function agentMetrics(registry: Registry, deps: AgentMetricsDeps): void {
  countSales(registry, deps.service);
  showQueue(registry, deps);
  showState(registry, deps.service);
}

function countSales(registry: Registry, service: AgentMetricsDeps['service']): void {
  const sales = new Counter({
    name: 'tillbridge_agent_sales_total',
    help: 'Ends of sales since the start of the process; a later end of the same sale counts once more',
    labelNames: ['type', 'outcome', 'mode'],
    registers: [registry],
  });
  service.onEvent((event) => {
    const outcome = outcomeOf(event);
    if (outcome === undefined || !('sale' in event)) return;
    sales.inc({ type: event.sale.type, outcome, mode: event.sale.mode ?? 'none' });
  });
}

/** The end that an event reports; a late decline and an expiry have their own names. */
function outcomeOf(event: TillEvent): string | undefined {
  if (event.type === 'declined-later' || event.type === 'expired') return event.type;
  return event.type === 'sale' && OUTCOMES.has(event.step) ? event.step : undefined;
}

function showQueue(registry: Registry, { queue, clock }: AgentMetricsDeps): void {
  showGauges(registry, [
    ['queue_messages', 'Messages that wait for the gateway', () => queue.depth()],
    ['queue_parked_messages', 'Messages that a person has to see to', () => queue.parkedCount()],
    [
      'queue_oldest_seconds',
      'Age of the oldest message that waits',
      () => {
        const oldestAtMs = queue.oldestAtMs();
        return oldestAtMs === undefined ? 0 : Math.max(0, (clock.nowMs() - oldestAtMs) / 1_000);
      },
    ],
    [
      'exposure_minor_units',
      'Sum of the offline sales that the gateway has not acknowledged, in minor units, by currency',
      'currency',
      () => queue.exposure().map(({ currency, minor }) => [currency, minor]),
    ],
  ]);
}

function showState(registry: Registry, service: AgentMetricsDeps['service']): void {
  showGauges(registry, [
    [
      'uplink_state',
      'State of the link to the gateway: 1 for the state that it is in',
      'state',
      () => wordHolds(LINK_STATES, service.status().gateway.state),
    ],
    [
      'journal_ready',
      '1 while the journal takes writes',
      () => (service.status().journal.state === 'ready' ? 1 : 0),
    ],
    [
      'terminals',
      'Terminals by state',
      'state',
      () => service.status().terminals.map(({ state }) => [state, 1]),
    ],
    [
      'offline_ready_terminals',
      'Terminals that may sell without the gateway now',
      () => service.status().terminals.filter(({ offline }) => offline.ready).length,
    ],
    ['open_sales', 'Sales that have no true end yet', () => service.status().open.length],
  ]);
}
