import { Gauge, type Registry } from 'prom-client';
import type { InvariantCheck } from './invariant-check.js';

/** Shows what the check has found. Operators alert on every number above zero. */
export function checkMetrics(
  registry: Registry,
  check: Pick<InvariantCheck, 'known' | 'completedAtMs'>,
): void {
  new Gauge({
    name: 'tillbridge_gateway_unexplained_differences',
    help: 'Unexplained differences between payments, stored answers and the acquirer',
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
    help: 'When the last whole comparison ended; 0 before the first one',
    registers: [registry],
    collect() {
      this.set((check.completedAtMs ?? 0) / 1_000);
    },
  });
}
