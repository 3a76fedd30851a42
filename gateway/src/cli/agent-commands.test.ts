import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { journalMetrics } from '../bridge/journal-metrics.js';
import { AGENT, openPaymentHarness, type PaymentHarness } from '../payments/payment-harness.test.support.js';
import { listAgents } from './agents.js';

let harness: PaymentHarness;
beforeEach(async () => {
  harness = await openPaymentHarness();
});
afterEach(() => harness.dispose());

it('shows what is kept of a journal and an alarm about it, also as a number', async () => {
  expect((await listAgents(harness.store)).map(({ agentId, journal }) => [agentId, journal])).toEqual([
    [AGENT, undefined],
  ]);
  const row = {
    agentId: AGENT,
    generation: 1,
    lastRow: 9,
    hash: 'AB',
    alarm: 'behind',
    alarmRow: 4,
    alarmAtMs: 86_400_000,
    updatedAtMs: 0,
    version: 1,
  } as const;
  await harness.store.commit([{ op: 'insert', table: 'journalHeads', row }]);
  expect(await listAgents(harness.store)).toMatchObject([
    {
      agentId: AGENT,
      journal: {
        lastRow: 9,
        heardAt: '1970-01-01T00:00:00.000Z',
        alarm: { kind: 'behind', row: 4, at: '1970-01-02T00:00:00.000Z' },
      },
    },
  ]);
  const registry = new Registry();
  journalMetrics(registry, harness.store);
  const text = await registry.metrics();
  expect(text).toContain('tillbridge_gateway_journal_alarms{alarm="behind"} 1');
  expect(text).toContain('tillbridge_gateway_journal_alarms{alarm="forked"} 0');
});
