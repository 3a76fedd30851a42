import { commitMetrics } from '@tillbridge/platform/metrics/commit-metrics.js';
import { Registry } from 'prom-client';
import { beforeEach, expect, test } from 'vitest';
import { waitingMetrics } from './store-metrics.js';
import { MemoryStore } from './testing/memory-store.js';

let registry: Registry;
beforeEach(() => {
  registry = new Registry();
});

const shown = async (name: string): Promise<string[]> => {
  const text = await registry.getSingleMetricAsString(`tillbridge_gateway_${name}`);
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
};

test('a failed transaction is counted, a good one timed', async () => {
  const onCommit = commitMetrics(registry, 'tillbridge_gateway_store');
  onCommit({ writes: 5, seconds: 0.02, ok: true });
  onCommit({ writes: 1, seconds: 9, ok: false });
  expect(await shown('store_commit_seconds')).toContain('tillbridge_gateway_store_commit_seconds_sum 0.02');
  expect(await shown('store_batch_writes')).toContain('tillbridge_gateway_store_batch_writes_sum 6');
  expect(await shown('store_failures_total')).toEqual(['tillbridge_gateway_store_failures_total 1']);
});

test('what waits is counted, and the other numbers stand while the database cannot be read', async () => {
  const store = new MemoryStore();
  waitingMetrics(registry, store);
  const row = { agentId: 'a', terminalId: '1', kind: 'capture', reasonCode: 'c', reason: 'r', note: null };
  const parked = {
    ...row,
    sequence: null,
    reference: null,
    message: null,
    keyId: null,
    createdAtMs: 1,
    version: 1,
  };
  await store.commit([
    { op: 'insert', table: 'parked', row: { ...parked, messageId: 'm1', state: 'waiting' } },
    { op: 'insert', table: 'parked', row: { ...parked, messageId: 'm2', state: 'dropped' } },
  ]);
  expect(await shown('parked_messages')).toEqual(['tillbridge_gateway_parked_messages 1']);
  expect(await shown('open_intents')).toEqual(['tillbridge_gateway_open_intents 0']);
  await store.close();
  expect(await shown('parked_messages')).toEqual(['tillbridge_gateway_parked_messages Nan']);
});
