import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { JournalCommit } from '../journal/sqlite-journal.js';
import { STANDINGS } from '../journal/standing.js';
import type { JournalDetail } from '../till/status-routes.js';

/** Counts and times the journal's transactions; hand the result to the journal. */
export function journalMetrics(registry: Registry): (commit: JournalCommit) => void {
  const seconds = new Histogram({
    name: 'tillbridge_agent_journal_commit_seconds',
    help: 'Time of one transaction of the journal with its flush to disk',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const writes = new Histogram({
    name: 'tillbridge_agent_journal_batch_writes',
    help: 'Writes that shared one transaction',
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'tillbridge_agent_journal_failures_total',
    help: 'Transactions that the disk refused',
    registers: [registry],
  });
  return (commit) => {
    writes.observe(commit.writes);
    if (commit.ok) seconds.observe(commit.seconds);
    else failures.inc();
  };
}

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
