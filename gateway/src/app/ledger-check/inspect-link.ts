import { totalsDifference } from '../../core/acquirers/iso8583/rules/day-totals.js';
import { findAll } from '../../kernel/store/all-rows.js';
import type { LinkExchangeRow, LinkSettledRow, LinkTotalsRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { compareSettled, daysOf } from './compare-settled.js';
import type { Difference, Subject } from './difference.js';

type Reads = Pick<Store, 'get' | 'find'>;

/**
 * Compares what an exchange of a link moved with the acquirer's files of its days. A day counts once its file is imported; of one without an
 * outcome nothing is known. @throws StoreUnavailableError
 */
export async function inspectExchange(
  store: Reads,
  exchange: LinkExchangeRow,
): Promise<readonly Difference[]> {
  const { reference, acquirer, state, version } = exchange;
  if (state !== 'answered' && state !== 'reversed') return [];
  const lines = await findAll(store, 'linkSettled', 'exchange', [reference]);
  const found = await Promise.all(
    daysOf(exchange, lines).map(async (day) => {
      const ofDay = lines.filter((line) => line.day === day);
      const isKnown = ofDay.length > 0 || (await store.get('linkFiles', [acquirer, day])) !== undefined;
      return isKnown ? compareSettled(exchange, day, ofDay) : [];
    }),
  );
  const findings = found.flat();
  // An answer in between has changed the row: it is compared again later.
  const stands = findings.length > 0 && (await store.get('linkExchanges', [reference]))?.version === version;
  const subject: Subject = { of: 'exchange', reference };
  return stands ? findings.map((each) => ({ ...each, subject })) : [];
}

/** Checks that a line of an acquirer's file is about an exchange. @throws StoreUnavailableError */
export async function inspectLine(store: Reads, line: LinkSettledRow): Promise<readonly Difference[]> {
  const { id, acquirer, exchange, day, minor, currency } = line;
  if (exchange !== null && (await store.get('linkExchanges', [exchange]))) return [];
  const record = await store.get('settlementRecords', [id]);
  const { connectorTxIds = [], last4Digits = '' } = record ? JSON.parse(record.detail) : {};
  const name = [...connectorTxIds, last4Digits].join(' ').trim();
  const detail = `${acquirer} ${name} on ${day}: ${minor} ${currency} (minor units), unknown here`;
  return [{ kind: 'settled-unexpected', subject: { of: 'line', id }, detail }];
}

/** Where the totals of a settlement day differ from those of the host. Pure. */
export function inspectTotals(row: LinkTotalsRow): readonly Difference[] {
  const { acquirer, day, acceptorId, currency, state, ours, theirs } = row;
  if (state !== 'different') return [];
  const detail =
    ours !== null && theirs !== null
      ? totalsDifference(JSON.parse(ours), JSON.parse(theirs))
      : 'the host states no totals';
  return [{ kind: 'totals-differ', subject: { of: 'totals', acquirer, day, acceptorId, currency }, detail }];
}
