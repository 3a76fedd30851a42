import { Gauge, type Registry } from 'prom-client';
import { STANDINGS } from '../journal/standing.js';
import type { JournalDetail } from '../till/status-routes.js';

/** Shows whether the journal is the one that the gateway knows, and how far its copy is behind; what the gateway keeps, too. */
export function standingMetrics(registry: Registry, detail: () => JournalDetail): void {
  new Gauge({
    name: 'tillbridge_agent_journal_standing',
    help: 'What the journal is known as: 1 for the word that holds; any but good needs a person',
    labelNames: ['standing'],
    registers: [registry],
    collect() {
      const { standing: now } = detail();
      for (const standing of Object.keys(STANDINGS)) this.set({ standing }, standing === now ? 1 : 0);
    },
  });
  new Gauge({
    name: 'tillbridge_agent_journal_gateway_row',
    help: 'The newest row of the journal whose hash the gateway keeps; 0 while none is known',
    registers: [registry],
    collect() {
      this.set(detail().gatewayRow ?? 0);
    },
  });
  new Gauge({
    name: 'tillbridge_agent_journal_copy_rows_behind',
    help: 'Rows that only the journal has and not its copy; 0 without a copy',
    registers: [registry],
    collect() {
      this.set(detail().copy?.rowsBehind ?? 0);
    },
  });
  new Gauge({
    name: 'tillbridge_agent_journal_copy_alarm',
    help: '1 while the copy of the journal needs a person',
    registers: [registry],
    collect() {
      this.set(detail().copy?.alarm ? 1 : 0);
    },
  });
}
