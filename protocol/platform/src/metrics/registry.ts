import { collectDefaultMetrics, Registry } from 'prom-client';

/** Seconds: from a cached read to a request that waits for a silent acquirer. */
export const LATENCY_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/**
 * The numbers of this process (memory, event loop, file descriptors) and room for those of the parts: each part registers its own, by a
 * name that begins with `tillbridge_gateway_` or `tillbridge_agent_`. Labels are of a few fixed values; nothing of a merchant, a card or a payment is one.
 */
export function makeRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
