import { DIALECTS } from '@tillbridge/protocol/iso8583/dialects/dialects.js';
import { entriesOf } from '@tillbridge/protocol/platform/config/list-setting.js';
import { present } from '@tillbridge/protocol/present.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { type AcquirerConfig, hostAddressOf } from '../../config/acquirer-section.js';
import type { Owner } from '../../nodes/node-lease.js';
import type { SecurityModule } from '../../security/module/security-module.js';
import type { Store } from '../../store/store.js';
import { repeat } from '../../workers/repeat.js';
import { hostConnector } from '../iso8583/connect/host-connector.js';
import { Iso8583Acquirer } from '../iso8583/iso8583-acquirer.js';
import { StoreLinkJournal } from '../iso8583/journal/store-link-journal.js';
import { StoreNumbers } from '../iso8583/journal/store-numbers.js';
import { takeZoneKey } from '../iso8583/keys/key-exchange.js';
import { HostLink } from '../iso8583/link/host-link.js';
import type { HostConnector, LinkObserver, MessageSeal } from '../iso8583/link/link-parts.js';
import { LinkTotals } from '../iso8583/totals/link-totals.js';

const HOUR_MS = 3_600_000;

/** What links work with. */
export interface LinkParts {
  readonly store: Store;
  readonly node?: Owner;
  readonly clock: Clock;
  readonly security: Pick<SecurityModule, 'generateMac' | 'verifyMac' | 'replaceZoneKey'>;
  readonly mode: 'test' | 'live';
  /** What a link counts and logs. */
  readonly observerOf: (acquirer: string) => LinkObserver;
}

/** An acquirer that is reached by ISO 8583, and what ends its link. */
export interface OpenLink {
  readonly acquirer: Iso8583Acquirer;
  /** Compares the totals of settlement days that are over with the host, where that is due. @throws StoreUnavailableError */
  compareTotals(): Promise<void>;
  /** Asks a host for new keys now. @throws NotSentError */
  exchangeKeys(): Promise<void>;
  /** Ends its connections. What is open stays in the journal. */
  close(): Promise<void>;
}

/**
 * Opens the link to an acquirer: what an earlier process left open is taken up. No connection is made before there is something to send.
 * @param hosts how its hosts are reached; absent: as configured
 * @throws StoreUnavailableError
 */
export async function openLink(
  config: AcquirerConfig,
  { store, node, clock, security, mode, observerOf }: LinkParts,
  hosts: readonly HostConnector[] = connectorsOf(config),
): Promise<OpenLink> {
  const { name, dialect, connections, answerTimeoutMs, echoAfterMs, acquirerId, zoneKeyHours } = config;
  const observer = observerOf(name);
  const journal = new StoreLinkJournal({ store, acquirer: name, ...(node && { node }) });
  const link: HostLink = new HostLink({
    dialect: DIALECTS[dialect],
    hosts,
    connections,
    journal,
    numbers: new StoreNumbers({ store, clock, acquirer: name }),
    seal: sealOf(config, security),
    clock,
    observer,
    answerTimeoutMs,
    echoAfterMs,
    takeKey: (message) =>
      takeZoneKey(
        { acquirer: name, security, refused: (reason) => observer.bad(`a key exchange: ${reason}`) },
        message,
      ),
    onCutOver: (settlementDate) => totals.announced(settlementDate),
  });
  const totals = new LinkTotals({ acquirer: name, store, journal, link, clock });
  await link.start();
  const stopKeys =
    zoneKeyHours === undefined
      ? undefined
      : repeat({
          clock,
          intervalMs: zoneKeyHours * HOUR_MS,
          work: () => link.exchangeKeys(),
          onFault: (error) => observer.fault(error),
        });
  const acquirer = new Iso8583Acquirer({ name, link, journal, mode, ...present({ acquirerId }) });
  const close = async (): Promise<void> => {
    await stopKeys?.();
    await link.close();
    await totals.end();
  };
  return {
    acquirer,
    compareTotals: () => totals.round(),
    exchangeKeys: () => link.exchangeKeys(),
    close,
  };
}

/** Codes under the key that the security module has for the acquirer. */
function sealOf(
  { name: partner, macMethod: method }: AcquirerConfig,
  security: LinkParts['security'],
): MessageSeal {
  return {
    mac: (data) => security.generateMac({ partner, method, data }),
    verify: (data, mac) => security.verifyMac({ partner, method, data, mac }),
  };
}

function connectorsOf({ hosts, connectTimeoutMs, tls }: AcquirerConfig): readonly HostConnector[] {
  return entriesOf(hosts)
    .map(hostAddressOf)
    .filter((address) => address !== undefined)
    .map((address) => hostConnector({ ...address, connectTimeoutMs, ...(tls && { tls }) }));
}
