import { commitMetrics } from '@tillbridge/platform/metrics/commit-metrics.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { Registry } from 'prom-client';
import { beforeEach, expect, test } from 'vitest';
import type { TillEvent } from '../sale/service/sale-service.js';
import { MemorySaleService } from '../till/memory-sale-service.test.support.js';
import { MemoryQueue } from '../uplink/memory-queue.test.support.js';
import { agentMetrics } from './agent-metrics.js';

let registry: Registry;
let service: MemorySaleService;
let queue: MemoryQueue;
beforeEach(() => {
  registry = new Registry();
  service = new MemorySaleService();
  queue = new MemoryQueue();
  agentMetrics(registry, { service, queue, clock: new VirtualClock() });
});

/** Lines of a number without its comments. */
async function shown(name: string): Promise<string[]> {
  const text = await registry.getSingleMetricAsString(`tillbridge_agent_${name}`);
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

async function tell(type: 'sale' | 'declined-later' | 'expired', step: string): Promise<void> {
  const reference = `r-${service.requests.length}`;
  const request = { reference, type: 'sale', amount: { minor: 100, currency: 'EUR' } } as const;
  const sale = await service.request(request, { wait: false });
  const event = { type, id: 1, atMs: 1, step, sale: { ...sale, mode: 'online' } } as TillEvent;
  for (const listener of service.listeners) listener(event);
  service.finish(reference);
}

test('a sale is counted at its end, by outcome, and a late decline by its own name', async () => {
  await tell('sale', 'authorizing');
  await tell('sale', 'declined');
  await tell('sale', 'declined');
  await tell('sale', 'acknowledged');
  await tell('declined-later', '');
  expect((await shown('sales_total')).filter((line) => line.includes('declined'))).toEqual([
    'tillbridge_agent_sales_total{type="sale",outcome="declined",mode="online"} 2',
    'tillbridge_agent_sales_total{type="sale",outcome="declined-later",mode="online"} 1',
  ]);
  expect((await shown('sales_total')).join()).not.toMatch(/authorizing|acknowledged|r-\d/);
});

test('queue, exposure, link, journal and terminals are shown as they are', async () => {
  queue.add('1', 1);
  queue.add('1', 2);
  expect(await shown('queue_messages')).toEqual(['tillbridge_agent_queue_messages 2']);
  expect(await shown('exposure_minor_units')).toEqual([
    'tillbridge_agent_exposure_minor_units{currency="EUR"} 700',
  ]);
  const { gateway, terminals } = service.status();
  expect(await shown('uplink_state')).toContain(`tillbridge_agent_uplink_state{state="${gateway.state}"} 1`);
  expect((await shown('uplink_state')).filter((line) => line.endsWith(' 1'))).toHaveLength(1);
  const total = (await shown('terminals')).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  expect(total).toBe(terminals.length);
  expect(await shown('journal_ready')).toEqual(['tillbridge_agent_journal_ready 1']);
});

test('transactions of the journal are timed, and failures counted apart', async () => {
  const committed = commitMetrics(registry, 'tillbridge_agent_journal');
  committed({ writes: 3, seconds: 0.004, ok: true });
  committed({ writes: 1, seconds: 2, ok: false });
  const lines = await shown('journal_commit_seconds');
  expect(lines).toContain('tillbridge_agent_journal_commit_seconds_bucket{le="0.005"} 1');
  expect(lines).toContain('tillbridge_agent_journal_commit_seconds_count 1');
  expect(await shown('journal_failures_total')).toEqual(['tillbridge_agent_journal_failures_total 1']);
});
