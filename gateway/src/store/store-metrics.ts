import { LATENCY_BUCKETS_SECONDS } from '@tillbridge/protocol/platform/metrics/registry.js';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Batch } from './batch.js';
import type { Store } from './store.js';

/** Rows that a count reads at most. */
const COUNTED_ROWS = 1_000;

/** Counts and times the batches of commits; pass the result to the store as `onBatch`. */
export function commitMetrics(registry: Registry): (batch: Batch) => void {
  const seconds = new Histogram({
    name: 'tillbridge_gateway_store_commit_seconds',
    help: 'Time of one transaction with its flush to disk',
    buckets: LATENCY_BUCKETS_SECONDS,
    registers: [registry],
  });
  const size = new Histogram({
    name: 'tillbridge_gateway_store_batch_commits',
    help: 'Commits that shared one transaction',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [registry],
  });
  const failed = new Counter({
    name: 'tillbridge_gateway_store_failures_total',
    help: 'Transactions that the disk refused',
    registers: [registry],
  });
  return (batch) => {
    size.observe(batch.commits);
    if (batch.ok) seconds.observe(batch.seconds);
    else failed.inc();
  };
}

/** Shows what waits in the store: intents without an outcome, and parked messages that need manual resolution. */
export function waitingMetrics(registry: Registry, store: Pick<Store, 'find'>): void {
  const limit = COUNTED_ROWS;
  const waiting = (name: string, help: string, find: () => Promise<readonly unknown[]>): void => {
    new Gauge({
      name: `tillbridge_gateway_${name}`,
      help: `${help}, up to ${limit}; not a number while the database cannot be read`,
      registers: [registry],
      async collect() {
        // The other metrics must stay readable while the disk is gone.
        this.set(
          await find().then(
            (rows) => rows.length,
            () => Number.NaN,
          ),
        );
      },
    });
  };
  waiting('open_intents', 'Requests whose outcome is not known yet', () =>
    store.find('intents', 'state', ['open'], { limit }),
  );
  waiting('parked_messages', 'Parked messages of agents that need manual resolution', () =>
    store.find('parked', 'state', ['waiting'], { limit }),
  );
}
