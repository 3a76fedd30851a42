import { LinkRecord } from '@tillbridge/gateway/acquirers/iso8583/journal/link-record.js';
import { StoreLinkJournal } from '@tillbridge/gateway/acquirers/iso8583/journal/store-link-journal.js';
import { nameOf } from '@tillbridge/gateway/invariants/difference.js';
import { InvariantCheck } from '@tillbridge/gateway/invariants/invariant-check.js';
import { allRows } from '@tillbridge/gateway/store/all-rows.js';
import type { Store } from '@tillbridge/gateway/store/store.js';
import type { TransactionRow } from '@tillbridge/hardware-sim/hosts/acquirer/rows/tables.js';
import { systemClock } from '@tillbridge/protocol/platform/system-clock.js';

/** Name of the acquirer. */
export const EXTERNAL_NAME = 'EXTERNAL';
const QUIET = { warn: () => undefined, error: () => undefined };

/** Where the records of a payment differ. */
export interface Disagreement {
  /** Between payments, stored answers and the journal of the link. */
  readonly payments: readonly string[];
  /** Between the journal and the host's ledger. */
  readonly ledger: readonly string[];
  /** Between the journal and the settlement file. */
  readonly file: readonly string[];
  /** Exchanges that were compared. */
  readonly exchanges: number;
}

/** Compares payments with the journal, and the journal with the host's ledger and its settlement file, if there is one. */
export async function compareJournal(
  store: Store,
  transactions: readonly TransactionRow[],
  settlementFile?: string,
): Promise<Disagreement> {
  const record = new LinkRecord(EXTERNAL_NAME, new StoreLinkJournal({ store, acquirer: EXTERNAL_NAME }));
  const check = new InvariantCheck({ store, records: [record], clock: systemClock, log: QUIET });
  await check.full();
  const payments = check.known
    .list()
    .map(({ kind, subject, detail }) => `${kind} ${nameOf(subject)} ${detail}`);
  const ours = await journaled(store, record);
  return {
    payments,
    ledger: differences(ours.stands, new Map(transactions.map((row) => [row.message, standing(row)]))),
    file: settlementFile === undefined ? [] : differences(ours.moved, settled(settlementFile)),
    exchanges: ours.stands.size,
  };
}

/** What stands of a transaction of the host, in minor units. */
function standing({ amountMinor, reversedMinor }: TransactionRow): number {
  return amountMinor - reversedMinor;
}

/** What stands of each exchange by the journal, and what moved money, by the host's name of its message. */
async function journaled(store: Store, record: LinkRecord) {
  const stands = new Map<string, number>();
  const moved = new Map<string, number>();
  for (const { reference, request } of await allRows(store, 'linkExchanges')) {
    if (request === null) continue;
    const { terminalId, stan, at, kind } = JSON.parse(request);
    const message = `${terminalId}/${stan}/${at}`;
    const minor = await record.standing(reference);
    stands.set(message, minor);
    if (kind === 'financial') moved.set(message, minor);
  }
  return { stands, moved };
}

/** Amounts of a settlement file by the host's names of messages. */
function settled(text: string): ReadonlyMap<string, number> {
  const [head = '', ...lines] = text.trim().split('\n');
  const columns = head.split(';');
  const [reference, amount] = [columns.indexOf('SettlementTxId'), columns.indexOf('Amount')];
  return new Map(
    lines.map((line) => {
      const values = line.split(';');
      return [values[reference] ?? '', Math.round(Number(values[amount]) * 100)];
    }),
  );
}

/** A transaction that never came is one that stands for nothing. */
function differences(ours: ReadonlyMap<string, number>, theirs: ReadonlyMap<string, number>): string[] {
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((key) => {
    const [here, there] = [ours.get(key) ?? 0, theirs.get(key) ?? 0];
    return here === there ? [] : [`${key}: ${here} here, ${there} there`];
  });
}
