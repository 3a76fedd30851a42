import { Gauge, type Registry } from 'prom-client';
import type { InvariantCheck } from './invariant-check.js';

/** Shows what the check has found: zero, always, or somebody has to look. */
export function checkMetrics(
  registry: Registry,
  check: Pick<InvariantCheck, 'known' | 'completedAtMs'>,
): void {
  new Gauge({
    name: 'tillbridge_gateway_unexplained_differences',
    help: 'Differences between payments, stored answers and the acquirer that nobody has explained',
    registers: [registry],
    collect() {
      this.set(check.known.list().length);
    },
  });
  new Gauge({
    name: 'tillbridge_gateway_differences',
    help: 'Unexplained differences by kind',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const [kind, count] of Object.entries(check.known.counts())) this.set({ kind }, count);
    },
  });
  new Gauge({
    name: 'tillbridge_gateway_check_completed_timestamp_seconds',
    help: 'When everything had last been compared once more; 0 before the first time',
    registers: [registry],
    collect() {
      this.set((check.completedAtMs ?? 0) / 1_000);
    },
  });
}
