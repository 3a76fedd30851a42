import { Counter, Histogram, type Registry } from 'prom-client';
import { LATENCY_BUCKETS_SECONDS } from './registry.js';

/** The measured result of one transaction of a group commit. */
export interface CommitResult {
  readonly ok: boolean;
  /** Until it was durable, or failed. */
  readonly seconds: number;
  /** Writes that shared it. */
  readonly writes: number;
}

/** Counts and times the transactions of a database whose metrics begin with `prefix`; pass the result on as its listener. */
export function commitMetrics(registry: Registry, prefix: string): (commit: CommitResult) => void {
  const registers = [registry];
  const seconds = new Histogram({
    name: `${prefix}_commit_seconds`,
    help: 'Time of one transaction with its flush to disk',
    buckets: LATENCY_BUCKETS_SECONDS,
    registers,
  });
  const batch = new Histogram({
    name: `${prefix}_batch_writes`,
    help: 'Writes that shared one transaction',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  });
  const failures = new Counter({
    name: `${prefix}_failures_total`,
    help: 'Transactions that the disk refused',
    registers,
  });
  return ({ ok, seconds: took, writes }) => {
    batch.observe(writes);
    if (ok) seconds.observe(took);
    else failures.inc();
  };
}
