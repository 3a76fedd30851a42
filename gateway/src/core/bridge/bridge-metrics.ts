import { showNumber } from '@tillbridge/platform/metrics/gauge.js';
import type { Registry } from 'prom-client';
import type { ConnectedAgent } from './bridge.js';

/** Shows the open sessions and the queues of their agents, from the last heartbeats; no agent by name. */
export function bridgeMetrics(registry: Registry, connected: () => readonly ConnectedAgent[]): void {
  const gauge = (name: string, help: string, value: (agents: readonly ConnectedAgent[]) => number): void => {
    showNumber(registry, `tillbridge_gateway_bridge_${name}`, help, () => value(connected()));
  };
  gauge('sessions', 'Agents with an open session', (agents) => agents.length);
  gauge('lag_messages', 'Messages in the queues of connected agents', (agents) =>
    sum(agents.map(({ heartbeat }) => heartbeat?.queueDepth ?? 0)),
  );
  gauge('lag_seconds', 'Age of the oldest waiting message of all connected agents', (agents) =>
    Math.max(0, ...agents.map(({ heartbeat }) => heartbeat?.oldestAgeSeconds ?? 0)),
  );
  gauge('agent_parked_messages', 'Parked messages at connected agents', (agents) =>
    sum(agents.map(({ heartbeat }) => heartbeat?.parked ?? 0)),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
