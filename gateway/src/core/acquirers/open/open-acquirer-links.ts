import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Registry } from 'prom-client';
import type { StandingCause } from '../../../kernel/alerts/standing-alerts.js';
import type { NodeLease } from '../../../kernel/nodes/node-lease.js';
import type { Store } from '../../../kernel/store/store.js';
import type { Tracing } from '../../../kernel/tracing/tracing.js';
import type { SecurityModule } from '../../../security/module/security-module.js';
import type { AcquirerConfig } from '../configuration/acquirer-section.js';
import { tracedAcquirer } from '../traced-acquirer.js';
import { WatchedAcquirer } from '../watched-acquirer.js';
import { linkMetrics } from './link-metrics.js';
import type { LinkDeps, OpenLink, StandInKeeping } from './open-links.js';

/** What the links of a gateway work with. */
interface AcquirerLinksDeps {
  readonly acquirers: readonly AcquirerConfig[];
  readonly store: Store;
  readonly node: NodeLease;
  readonly clock: Clock;
  readonly security: SecurityModule;
  readonly mode: 'test' | 'live';
  readonly standIn: StandInKeeping;
  readonly cardOf: NonNullable<LinkDeps['cardOf']>;
  readonly checkpointOf: NonNullable<LinkDeps['checkpointOf']>;
  readonly metrics: Registry;
  readonly tracing: Tracing | undefined;
  readonly log: { warn(about: object, text: string): void };
}

/** The acquirers that are reached by ISO 8583, by name, and what ends their links. */
interface AcquirerLinks {
  readonly links: ReadonlyMap<string, WatchedAcquirer>;
  /** Compares the totals of settlement days that are over with the hosts, where that is due. @throws StoreUnavailableError */
  compareTotals(): Promise<void>;
  /** What a host leaves without an answer for too long. */
  readonly causes: readonly StandingCause[];
  close(): Promise<void>;
}

/** Opens the links of the configuration; nothing of them is loaded where there is none. @throws StoreUnavailableError */
export async function openAcquirerLinks({
  acquirers,
  metrics,
  tracing,
  log,
  ...deps
}: AcquirerLinksDeps): Promise<AcquirerLinks> {
  if (acquirers.length === 0) return { links: new Map(), causes: [], compareTotals: nothing, close: nothing };
  const { openLink } = await import('./open-links.js');
  const observerOf = linkMetrics(metrics, log);
  const links = new Map<string, WatchedAcquirer>();
  const opened: OpenLink[] = [];
  for (const config of acquirers) {
    if (config.macMethod === 'none')
      log.warn({ acquirer: config.name }, 'messages of the acquirer have no authentication code');
    const link = await openLink(config, { ...deps, observerOf });
    links.set(config.name, new WatchedAcquirer(tracedAcquirer(link.acquirer, tracing), deps.clock));
    opened.push(link);
  }
  return {
    links,
    causes: opened.flatMap(({ causes }) => causes),
    compareTotals: async () => {
      await Promise.all(opened.map((link) => link.compareTotals()));
    },
    close: async () => {
      await Promise.all(opened.map((link) => link.close()));
    },
  };
}

async function nothing(): Promise<void> {}
