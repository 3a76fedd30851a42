import { configuredDialect } from '@tillbridge/platform/config/dialect-section.js';
import { entriesOf } from '@tillbridge/platform/config/list-setting.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { present } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { StandingCause } from '../../../kernel/alerts/standing-alerts.js';
import type { Owner } from '../../../kernel/nodes/node-lease.js';
import { SingleWork } from '../../../kernel/nodes/single-work.js';
import type { Store } from '../../../kernel/store/store.js';
import { repeat } from '../../../kernel/workers/repeat.js';
import type { SecurityModule } from '../../../security/module/security-module.js';
import type { LinkCheckpoint } from '../../../security/restored-database/restore-watch.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import { adviceContext } from '../../../security/vault/contexts.js';
import type { RowSeal } from '../../../security/vault/row-seal.js';
import { type Sealed, VaultError } from '../../../security/vault/vault.js';
import { type AcquirerConfig, hostAddressOf } from '../configuration/acquirer-section.js';
import { standInRule } from '../configuration/stand-in-section.js';
import { hostConnector } from '../iso8583/connect/host-connector.js';
import { findGap, isPerhapsForgotten } from '../iso8583/gap/link-gap.js';
import { Iso8583Acquirer } from '../iso8583/iso8583-acquirer.js';
import { StoreLinkJournal } from '../iso8583/journal/store-link-journal.js';
import { StoreNumbers } from '../iso8583/journal/store-numbers.js';
import { takeZoneKey } from '../iso8583/keys/key-exchange.js';
import { ZONE_KEY_LOOK_MS, ZoneKeySchedule } from '../iso8583/keys/zone-key-schedule.js';
import { HostLink } from '../iso8583/link/host-link.js';
import type {
  AdviceSeal,
  CardLookup,
  ExchangeCard,
  HostConnector,
  LinkObserver,
  MessageSeal,
} from '../iso8583/link/link-deps.js';
import type { WaitingMessages } from '../iso8583/link/open-exchanges.js';
import { wholeReference } from '../iso8583/rules/parts.js';
import { StandIns } from '../iso8583/stand-in/stand-in.js';
import { LinkTotals } from '../iso8583/totals/link-totals.js';
import type { TrialLink } from '../iso8583/trial/trial.js';
import { dukptSeal, sharedKeySeal } from './message-seals.js';

const HOUR_MS = 3_600_000;
/** How often is looked whether another node has ended, whose exchanges are taken up then, in milliseconds. */
const ENDED_NODES_LOOK_MS = 1_000;
/** A reversal, or the advice of a stand-in, that a host has not answered for so long is an alert, in milliseconds. */
const OVERDUE_MS = HOUR_MS;

/** What links work with. */
export interface LinkDeps {
  readonly store: Store;
  readonly node?: Owner;
  readonly clock: Clock;
  readonly security: Pick<SecurityModule, 'generateMac' | 'verifyMac' | 'replaceZoneKey'>;
  readonly mode: 'test' | 'live';
  /** Keeps and counts what the gateway approves by itself; absent: it approves nothing. */
  readonly standIn?: StandInKeeping;
  /** What a link counts and logs. */
  readonly observerOf: (acquirer: string) => LinkObserver;
  /** Reads the card of an acquirer reference from the vault; absent: follow-ups name no card. */
  readonly cardOf?: (acquirerReference: string) => Promise<ExchangeCard | undefined>;
  /** Remembers outside of the database what a link has journaled; absent: a restored database is not detected. */
  readonly checkpointOf?: (acquirer: string) => LinkCheckpoint;
}

/** What stand-in keeps things with. */
export interface StandInKeeping {
  readonly seal: RowSeal;
  readonly fingerprint: Fingerprint;
}

/** An acquirer that is reached by ISO 8583, and what ends its link. */
export interface OpenLink {
  readonly acquirer: Iso8583Acquirer;
  /** Compares the totals of settlement days that are over with the host, where that is due. @throws StoreUnavailableError */
  compareTotals(): Promise<void>;
  /** What its host leaves without an answer for too long. */
  readonly causes: readonly StandingCause[];
  /** Requests new keys from a host now; false where one was not taken. */
  exchangeKeys(): Promise<boolean>;
  /** What a trial of an operator works with. */
  readonly trial: TrialLink;
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
  { store, node, clock, security, mode, standIn, observerOf, checkpointOf, ...deps }: LinkDeps,
  hosts: readonly HostConnector[] = hostConnectors(config),
): Promise<OpenLink> {
  const { name, dialect, connections, answerTimeoutMs, echoAfterMs, acquirerId } = config;
  const observer = observerOf(name);
  const checkpoint = checkpointOf?.(name);
  if (checkpoint) await findGap({ store, clock, acquirer: name }, checkpoint);
  const journal = new StoreLinkJournal({ store, acquirer: name, ...present({ node, checkpoint }) });
  const cardOf = cardLookupOf(config, deps.cardOf, standIn?.seal);
  const link: HostLink = new HostLink({
    dialect: configuredDialect(dialect, config.dialectChanges),
    hosts,
    connections,
    journal,
    ...(standIn && { advices: advicesOf(standIn.seal) }),
    ...present({ cardOf }),
    numbers: new StoreNumbers({ store, clock, acquirer: name }),
    ...present({ seal: sealOf(config, { store, clock, security }) }),
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
  const rule = config.standIn && standInRule(config.standIn);
  const standIns =
    rule && standIn
      ? new StandIns({ acquirer: name, rule, store, journal, link, clock, fingerprint: standIn.fingerprint })
      : undefined;
  await link.start();
  // By DUKPT each message has its own key, and without codes there is none: none for codes is exchanged.
  const hasZoneMac = config.macKeySet === undefined && config.macMethod !== 'none';
  const exchangeKeys = () => link.exchangeKeys(hasZoneMac ? ['mac', 'pin'] : ['pin']);
  const stops = startLinkWork(config, { store, clock, ...present({ node }) }, link, {
    exchangeKeys,
    observer,
  });
  const acquirer = new Iso8583Acquirer({
    ...{ name, link, journal, mode },
    ...present({ acquirerId, standIns, cardOf }),
    withoutCard: (reference) => observer.withoutCard(reference),
    isPerhapsForgotten: (...request) => isPerhapsForgotten({ store, acquirer: name }, ...request),
  });
  const close = async (): Promise<void> => {
    await Promise.all(stops.map((stop) => stop()));
    await link.close();
    await totals.end();
  };
  return {
    acquirer,
    compareTotals: () => totals.round(),
    causes: overdueCauses(name, link, clock),
    exchangeKeys,
    trial: trialLinkOf(config, link, standIn?.seal),
    close,
  };
}

function trialLinkOf({ followUps }: AcquirerConfig, link: HostLink, seal: RowSeal | undefined): TrialLink {
  return {
    connect: () => link.connect(),
    echo: () => link.question({ network: 'echo' }),
    sell(reference, message) {
      const { pan, expiry } = message;
      const isNamed = seal && followUps === 'card';
      const card = isNamed ? seal.seal(adviceContext({ reference }), present({ pan, expiry })) : undefined;
      return link.trial(reference, message, card);
    },
    isReversed: (reference) => link.isReversed(reference),
  };
}

/** Begins what a link does from time to time. @returns what ends it */
function startLinkWork(
  config: AcquirerConfig,
  { store, node, clock }: Pick<LinkDeps, 'store' | 'node' | 'clock'>,
  link: HostLink,
  { exchangeKeys, observer }: Pick<OpenLink, 'exchangeKeys'> & { readonly observer: LinkObserver },
): readonly (() => Promise<void>)[] {
  const onFault = (error: unknown): void => observer.fault(error);
  const { name, zoneKeyHours } = config;
  const stops: (() => Promise<void>)[] = [];
  if (zoneKeyHours !== undefined) {
    const single = node && new SingleWork({ store, node, clock });
    const keys = new ZoneKeySchedule({
      ...{ store, clock, acquirer: name, exchange: exchangeKeys },
      intervalMs: zoneKeyHours * HOUR_MS,
      ...present({ single }),
    });
    stops.push(repeat({ clock, intervalMs: ZONE_KEY_LOOK_MS, work: () => keys.round(), onFault }));
  }
  if (node) {
    let endedBefore = node.othersEnded;
    const work = async (): Promise<void> => {
      const { othersEnded } = node;
      if (othersEnded !== endedBefore) await link.takeUp();
      endedBefore = othersEnded;
    };
    stops.push(repeat({ clock, intervalMs: ENDED_NODES_LOOK_MS, work, onFault }));
  }
  return stops;
}

function overdueCauses(subject: string, link: HostLink, clock: Clock): readonly StandingCause[] {
  return [
    {
      code: 'advices-overdue',
      subject,
      detail: () => overdue('advices', link.waitingAdvices, clock.nowMs()),
    },
    {
      code: 'reversals-overdue',
      subject,
      detail: () => overdue('reversals', link.waitingReversals, clock.nowMs()),
    },
  ];
}

function overdue(what: string, waiting: WaitingMessages | undefined, nowMs: number): string | undefined {
  if (!waiting || nowMs - waiting.sinceMs < OVERDUE_MS) return undefined;
  const { count, sinceMs } = waiting;
  return `${count} ${what} wait for the acquirer, the oldest since ${new Date(sinceMs).toISOString()}`;
}

/** Codes by DUKPT where the acquirer has a key set, else under the one key that the security module has for it; undefined: none. */
function sealOf(
  { name, macMethod, macKeySet }: AcquirerConfig,
  { store, clock, security }: Pick<LinkDeps, 'store' | 'clock' | 'security'>,
): MessageSeal | undefined {
  if (macMethod === 'none') return undefined;
  if (macKeySet === undefined) return sharedKeySeal(name, macMethod, security);
  const numbers = new StoreNumbers({ store, clock, acquirer: `${name}/ksn` });
  return dukptSeal(name, macKeySet, numbers, security);
}

/**
 * Cards of follow-ups, where the acquirer’s name them: of a part that of the whole, of a capture at once that of its authorization, of a trial sale
 * the one that its exchange holds.
 */
function cardLookupOf(
  { followUps }: AcquirerConfig,
  cardOf: LinkDeps['cardOf'],
  seal: RowSeal | undefined,
): CardLookup | undefined {
  if (followUps !== 'card' || !cardOf) return undefined;
  return async ({ reference, purpose, sealed }) => {
    if (purpose?.isTrial) return seal && sealed && openCard(seal, reference, sealed);
    const originalReference = purpose?.originalReference;
    const card = await cardOf(wholeReference(reference));
    return card ?? (originalReference === undefined ? undefined : cardOf(wholeReference(originalReference)));
  };
}

/** The card of a trial sale; undefined where it does not open: the reversal must leave all the same. */
async function openCard(seal: RowSeal, reference: string, sealed: Sealed): Promise<ExchangeCard | undefined> {
  try {
    return await seal.open<ExchangeCard>(adviceContext({ reference }), sealed);
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}

/** Advices under the data keys, each for its exchange. */
function advicesOf(seal: RowSeal): AdviceSeal {
  return {
    seal: (reference, advice) => seal.seal(adviceContext({ reference }), advice),
    open: (reference, sealed) => seal.open<ExchangeMessage>(adviceContext({ reference }), sealed),
  };
}

/** How the hosts of an acquirer are reached, in their order. */
export function hostConnectors({ hosts, connectTimeoutMs, tls }: AcquirerConfig): readonly HostConnector[] {
  return entriesOf(hosts)
    .map(hostAddressOf)
    .filter((address) => address !== undefined)
    .map((address) => hostConnector({ ...address, connectTimeoutMs, ...(tls && { tls }) }));
}
