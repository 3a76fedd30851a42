import type { Registry } from 'prom-client';
import { STANDINGS } from '../journal/standing.js';
import type { JournalDetail } from '../till/status-routes.js';
import { showGauges, wordHolds } from './gauges.js';

/** Shows whether the journal is the one that the gateway knows, and how far its copy is behind; what the gateway keeps, too. */
export function standingMetrics(registry: Registry, detail: () => JournalDetail): void {
  showGauges(registry, [
    [
      'journal_standing',
      'What the journal is known as: 1 for the word that holds; any but good needs a person',
      'standing',
      () => wordHolds(Object.keys(STANDINGS), detail().standing),
    ],
    [
      'journal_gateway_row',
      'The newest row of the journal whose hash the gateway keeps; 0 while none is known',
      () => detail().gatewayRow ?? 0,
    ],
    [
      'journal_copy_rows_behind',
      'Rows that only the journal has and not its copy; 0 without a copy',
      () => detail().copy?.rowsBehind ?? 0,
    ],
    [
      'journal_copy_alarm',
      '1 while the copy of the journal needs a person',
      () => (detail().copy?.alarm ? 1 : 0),
    ],
  ]);
}
