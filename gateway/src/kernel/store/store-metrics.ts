import { showNumber } from '@tillbridge/platform/metrics/gauge.js';
import { Gauge, type Registry } from 'prom-client';
import type { StoreNumbers } from './commit-queue.js';
import type { Store } from './store.js';
import { OUTBOX_KINDS } from './tables/outbox.js';

/** States of webhook endpoints whose deliveries wait; those of a removed one do not. */
const LIVE_ENDPOINTS = ['active', 'paused'] as const;

/** Rows that a count reads at most. */
const COUNTED_ROWS = 1_000;

/** Shows what waits in the store: intents without an outcome, payments that wait, parked messages, commands to agents, the outbox; and the nodes. */
export function waitingMetrics(
  registry: Registry,
  store: Pick<Store, 'find' | 'findAfter' | 'findRange' | 'countRange'>,
): void {
  const limit = COUNTED_ROWS;
  const waiting = (name: string, help: string, find: () => Promise<readonly unknown[] | number>): void => {
    new Gauge({
      name: `tillbridge_gateway_${name}`,
      help: `${help}, up to ${limit}; not a number while the database cannot be read`,
      registers: [registry],
      async collect() {
        // The other metrics must stay readable while the disk is gone.
        this.set(
          await find().then(
            (rows) => (typeof rows === 'number' ? rows : rows.length),
            () => Number.NaN,
          ),
        );
      },
    });
  };
  waiting('outbox_messages', 'Messages to people that are not sent yet, of each kind', async () => {
    const ofKind = (kind: string) => store.findRange('outbox', 'due', { equals: [kind], limit });
    return (await Promise.all(OUTBOX_KINDS.map(ofKind))).flat();
  });
  waiting('webhook_deliveries', 'Deliveries of events that their receivers have not taken yet', async () => {
    const endpoints = await Promise.all(
      LIVE_ENDPOINTS.map((state) => store.find('webhookEndpoints', 'state', [state], { limit })),
    );
    let count = 0;
    for (const { id, url } of endpoints.flat())
      if (url !== null)
        count += await store.countRange('deliveries', 'due', { equals: [id], from: 0, limit });
    return Math.min(count, limit);
  });
  waiting('open_intents', 'Requests whose outcome is not known yet', () =>
    store.find('intents', 'state', ['open'], { limit }),
  );
  waiting('waiting_payments', 'Payments that wait for their shopper or for a person', () =>
    store.find('intents', 'state', ['waiting'], { limit }),
  );
  waiting('parked_messages', 'Parked messages of agents that need manual resolution', () =>
    store.find('parked', 'state', ['waiting'], { limit }),
  );
  waiting('waiting_agent_commands', 'Commands to agents without a result', () =>
    store.find('agentCommands', 'state', ['waiting'], { limit }),
  );
  waiting('nodes', 'Gateway processes with a lease', () => store.findAfter('nodes', undefined, { limit }));
}

/** Shows the connections of this node to the database server, and what waits for them. */
export function poolMetrics(registry: Registry, numbers: () => StoreNumbers): void {
  const show = (name: string, help: string, of: (now: StoreNumbers) => number): void => {
    showNumber(registry, `tillbridge_gateway_pool_${name}`, help, () => of(numbers()));
  };
  show('connections', 'Connections for reading to the database server', ({ open }) => open);
  show('idle_connections', 'Of these, those that are free', ({ idle }) => idle);
  show('waiting_queries', 'Queries that wait for a connection', ({ waiting }) => waiting);
  show('waiting_commits', 'Commits that wait for a transaction', ({ commits }) => commits);
}
