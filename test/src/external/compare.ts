import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameOf } from '@tillbridge/gateway/app/ledger-check/difference.js';
import { InvariantCheck } from '@tillbridge/gateway/app/ledger-check/invariant-check.js';
import { LinkRecord } from '@tillbridge/gateway/core/acquirers/iso8583/journal/link-record.js';
import { StoreLinkJournal } from '@tillbridge/gateway/core/acquirers/iso8583/journal/store-link-journal.js';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';
import { EXTERNAL_ACQUIRER } from '@tillbridge/gateway/security/development-keys.js';
import { messageKey } from '@tillbridge/hardware-sim/hosts/acquirer/ledger/host-ledger.js';
import type { TransactionRow } from '@tillbridge/hardware-sim/hosts/acquirer/rows/tables.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { AcquirerHostClient } from '../clients/acquirer-host-client.js';
import { GatewayClient } from '../clients/gateway-client.js';
import { until } from '../clients/http.js';
import { acquirerHostHome, partHome } from '../stack/layout.js';
import type { Stack } from '../stack/stack.js';

/** How long everything may take to come to its end. */
const SETTLE_MS = 180_000;
const QUIET = { warn: () => undefined, error: () => undefined };

/** Where the records of a payment differ. */
export interface Disagreement {
  /** Between payments, stored answers and the journal of the link. */
  readonly payments: readonly string[];
  /** Between the journal and the host's ledger. */
  readonly ledger: readonly string[];
  /** Between the journal and the settlement files. */
  readonly files: readonly string[];
  /** Exchanges that were compared. */
  readonly exchanges: number;
}

/** A gateway and the acquirer's host that it speaks to, as processes. */
interface LinkedSystem {
  /** Name of the acquirer. */
  readonly acquirer: string;
  /** The gateway's database. */
  readonly database: string;
  /** The host's folder. */
  readonly hostHome: string;
  readonly host: AcquirerHostClient;
  /** Resolves when there is a line to the host, which announces the end of its day over it. */
  readonly untilLine: () => Promise<unknown>;
  readonly stopGateway: () => Promise<void>;
}

/** Ends the agent of a stack, which might sell meanwhile, and compares gateway and host: {@link compareWithHost}. */
export async function compareStack(stack: Stack, home: string): Promise<Disagreement> {
  await stack.part('agent')?.stop();
  const { gateway, acquirerHost, externalMerchant } = stack.dev;
  return compareWithHost({
    acquirer: EXTERNAL_ACQUIRER,
    database: gatewayDatabase(home),
    hostHome: acquirerHostHome(home),
    host: new AcquirerHostClient(acquirerHost.url),
    untilLine: () => untilPaid(new GatewayClient(gateway.url, externalMerchant, 'EXTERNAL')),
    stopGateway: async () => stack.part('gateway')?.stop(),
  });
}

/** The database of the gateway of a home. */
export function gatewayDatabase(home: string): string {
  return gatewayFiles(partHome(home, 'gateway')).database;
}

/**
 * Waits until nothing is open, ends the settlement day, waits until the gateway has compared its totals with the host, ends the gateway, and compares
 * its payments, its journal, the host's ledger and the settlement files of all days.
 */
export async function compareWithHost(system: LinkedSystem): Promise<Disagreement> {
  const { acquirer, database, host, hostHome, untilLine, stopGateway } = system;
  await untilLine();
  await untilNothingIsOpen(database, acquirer);
  await host.cutOver();
  await until('totals of the day', SETTLE_MS, () =>
    withStore(database, async (store) => {
      const totals = await store.findAfter('linkTotals', undefined);
      const due = totals.filter(({ state }) => state === 'due');
      if (due.length > 0)
        throw new Error(
          due.map(({ day, currency, attempts }) => `${day} ${currency} ${attempts}`).join(', '),
        );
      return totals.length > 0 ? true : undefined;
    }),
  );
  await stopGateway();
  const files = join(hostHome, 'settlement');
  const days = readdirSync(files).filter((name) => name.startsWith('settlement-'));
  const texts = days.sort().map((name) => readFileSync(join(files, name), 'utf8'));
  return withStore(database, async (store) =>
    compareJournal({ store, acquirer }, await host.transactions(), texts),
  );
}

/** Waits until neither the gateway nor its link has something without an outcome. */
export function untilNothingIsOpen(database: string, acquirer: string = EXTERNAL_ACQUIRER): Promise<true> {
  return until('an outcome of everything', SETTLE_MS, () =>
    withStore(database, async (store) => {
      const journal = new StoreLinkJournal({ store, acquirer });
      const intents = await store.find('intents', 'state', ['open'], { limit: 1 });
      const isOpen = intents.length > 0 || (await journal.isOpenBefore(Number.POSITIVE_INFINITY));
      return isOpen ? undefined : true;
    }),
  );
}

/** A card that the host approves. */
export const HOST_CARD = {
  currency: 'EUR',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2034',
  'card.cvv': '123',
};

/** Pays until the host approves; gives the id. While the link has no line nothing is sent at all. */
export function untilPaid(
  merchant: GatewayClient,
  {
    paymentType = 'DB',
    amount = '12.00',
  }: { readonly paymentType?: 'PA' | 'DB'; readonly amount?: string } = {},
): Promise<string> {
  return until('an approved payment', SETTLE_MS, async () => {
    const { body } = await merchant.pay({ ...HOST_CARD, amount, paymentType });
    return body.result.code.startsWith('000.100') ? body.id : undefined;
  });
}

/** Reads the database of a gateway. */
export async function withStore<T>(database: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await SqliteStore.open(database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Compares payments with the journal, and the journal with the host's ledger and its settlement files, in the order of their days. */
async function compareJournal(
  { store, acquirer }: { readonly store: Store; readonly acquirer: string },
  transactions: readonly TransactionRow[],
  files: readonly string[],
): Promise<Disagreement> {
  const record = new LinkRecord(acquirer, new StoreLinkJournal({ store, acquirer }));
  const check = new InvariantCheck({ store, records: [record], clock: systemClock, log: QUIET });
  await check.full();
  const payments = check.known
    .list()
    .map(({ kind, subject, detail }) => `${kind} ${nameOf(subject)} ${detail}`);
  const ours = await journaled(store, record);
  return {
    payments,
    ledger: differences(ours.stands, new Map(transactions.map((row) => [row.message, standing(row)]))),
    files: differences(ours.moved, settled(files)),
    exchanges: ours.stands.size,
  };
}

/** What stands of a transaction of the host, in minor units. */
function standing({ amountMinor, reversedMinor }: TransactionRow): number {
  return amountMinor - reversedMinor;
}

/** The acquirer references of a gateway by the host's names of their messages. */
export function messagesOf(database: string): Promise<ReadonlyMap<string, string>> {
  return withStore(database, async (store) => {
    const rows = await allRows(store, 'linkExchanges');
    return new Map(
      rows.map(({ reference, request }) => [request === null ? '' : messageOf(request), reference]),
    );
  });
}

/** What stands of each exchange by the journal, and what moved money, by the host's name of its message. */
async function journaled(store: Store, record: LinkRecord) {
  const stands = new Map<string, number>();
  const moved = new Map<string, number>();
  for (const { reference, request } of await allRows(store, 'linkExchanges')) {
    if (request === null) continue;
    const message = messageOf(request);
    const minor = await record.standing(reference);
    stands.set(message, minor);
    if (JSON.parse(request).kind === 'financial') moved.set(message, minor);
  }
  return { stands, moved };
}

/** The host's name of a message, as JSON, in the journal of the link. */
function messageOf(request: string): string {
  return messageKey(JSON.parse(request));
}

/** Amounts of settlement files by the host's names of messages: what a later day has of a message was reversed of it. */
function settled(files: readonly string[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const file of files) {
    const isBooked = new Set(sums.keys());
    for (const [message, minor] of linesOf(file))
      sums.set(message, (sums.get(message) ?? 0) + (isBooked.has(message) ? -minor : minor));
  }
  return sums;
}

function linesOf(file: string): readonly (readonly [message: string, minor: number])[] {
  const [head = '', ...lines] = file.trim().split('\n');
  const columns = head.split(';');
  const [message, amount] = [columns.indexOf('SettlementTxId'), columns.indexOf('Amount')];
  return lines.map((line) => {
    const values = line.split(';');
    return [values[message] ?? '', Math.round(Number(values[amount]) * 100)];
  });
}

/** A transaction that never came is one that stands for nothing. */
function differences(ours: ReadonlyMap<string, number>, theirs: ReadonlyMap<string, number>): string[] {
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((key) => {
    const [here, there] = [ours.get(key) ?? 0, theirs.get(key) ?? 0];
    return here === there ? [] : [`${key}: ${here} here, ${there} there`];
  });
}
