import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * The numbers of this process and room for those of the parts, by names that begin with `tillbridge_agent_`. Labels are of a few fixed
 * values: no reference, no card, no payment is one.
 */
export function makeRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
