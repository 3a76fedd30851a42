import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Registry } from 'prom-client';
import { linkMetrics } from '../acquirers/open/link-metrics.js';
import { WatchedAcquirer } from '../acquirers/watched-acquirer.js';
import type { AcquirerConfig } from '../config/acquirer-section.js';
import type { NodeLease } from '../nodes/node-lease.js';
import type { SecurityModule } from '../security/module/security-module.js';
import type { Store } from '../store/store.js';
import { tracedAcquirer } from '../tracing/traced.js';
import type { Tracing } from '../tracing/tracing.js';

/** What the links of a gateway work with. */
export interface AcquirerLinksParts {
  readonly acquirers: readonly AcquirerConfig[];
  readonly store: Store;
  readonly node: NodeLease;
  readonly clock: Clock;
  readonly security: SecurityModule;
  readonly mode: 'test' | 'live';
  readonly metrics: Registry;
  readonly tracing: Tracing | undefined;
  readonly log: { warn(about: object, text: string): void };
}

/** The acquirers that are reached by ISO 8583, by name, and what ends their links. */
export interface AcquirerLinks {
  readonly links: ReadonlyMap<string, WatchedAcquirer>;
  close(): Promise<void>;
}

/** Opens the links of the configuration; nothing of them is loaded where there is none. @throws StoreUnavailableError */
export async function openAcquirerLinks({
  acquirers,
  metrics,
  tracing,
  log,
  ...parts
}: AcquirerLinksParts): Promise<AcquirerLinks> {
  if (acquirers.length === 0) return { links: new Map(), close: async () => undefined };
  const { openLink } = await import('../acquirers/open/open-links.js');
  const observerOf = linkMetrics(metrics, log);
  const links = new Map<string, WatchedAcquirer>();
  const closers: (() => Promise<void>)[] = [];
  for (const config of acquirers) {
    const { acquirer, close } = await openLink(config, { ...parts, observerOf });
    links.set(config.name, new WatchedAcquirer(tracedAcquirer(acquirer, tracing), parts.clock));
    closers.push(close);
  }
  return {
    links,
    close: async () => {
      await Promise.all(closers.map((close) => close()));
    },
  };
}
