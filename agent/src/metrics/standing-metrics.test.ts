import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { JournalDetail } from '../till/status-routes.js';
import { standingMetrics } from './journal-metrics.js';

it('shows the word that holds for the journal, and how far its copy is behind', async () => {
  let detail: JournalDetail = { generation: 1, standing: 'good' };
  const registry = new Registry();
  standingMetrics(registry, () => detail);
  const shown = async () =>
    (await registry.metrics()).split('\n').filter((line) => !line.startsWith('#') && /[1-9]\d*$/.test(line));
  expect(await shown()).toEqual(['tillbridge_agent_journal_standing{standing="good"} 1']);
  const copy = { mode: 'required', state: 'failed', rowsBehind: 12, ageSeconds: 5, alarm: true } as const;
  detail = { generation: 1, standing: 'behind', gatewayRow: 77, copy };
  expect(await shown()).toEqual([
    'tillbridge_agent_journal_standing{standing="behind"} 1',
    'tillbridge_agent_journal_gateway_row 77',
    'tillbridge_agent_journal_copy_rows_behind 12',
    'tillbridge_agent_journal_copy_alarm 1',
  ]);
});
