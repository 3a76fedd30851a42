import { Counter, Histogram, type Registry } from 'prom-client';
import type { JournalCommit } from '../journal/sqlite-journal.js';

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
