import { isChargebackKind, type RecordEntry } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import { asRecordEntry, type LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import type { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { stands } from '../parts/acquirer-host.js';
import type { SharedCard, SharedRequest, SharedRequests } from '../sharing/shared-request.js';
import type { Recorder } from './recorder.js';

type Breach = Recorder['breach'];
type Judged = Pick<MemoryStore, 'find' | 'get' | 'findAfter' | 'findRange'>;

/** Minor units by currency. */
export type Sums = ReadonlyMap<string, number>;

/**
 * P2 of requests that came at once: each has at most one payment, which ended as its merchant was answered, at the acquirer too. An agreement belongs to one
 * card, and the same card of a customer is stored once.
 * @returns references at the acquirer of all their payments
 */
export async function checkShared(
  { requests, cards, entityId }: SharedRequests,
  store: Judged,
  rows: readonly LedgerRow[],
  recorder: Pick<Recorder, 'breach'>,
): Promise<ReadonlySet<string>> {
  const breach: Breach = (promise, detail) => recorder.breach(promise, detail);
  const ledger = new Map(rows.map((row) => [row.acquirerReference, row]));
  const known = new Set<string>();
  for (const request of requests) {
    const { reference, outcome } = request;
    // A chargeback has the reference of its payment, and is judged for itself.
    const payments = (await store.find('payments', 'reference', [entityId, reference])).filter(
      ({ type }) => type !== 'CB' && type !== 'CR',
    );
    if (payments.length > 1) breach('P2', `${reference} has ${payments.length} payments`);
    if (payments.length === 0 && outcome === 'approved')
      breach('P2', `${reference} was reported as approved, and the gateway knows nothing of it`);
    for (const { acquirerReference, state } of payments) {
      if (acquirerReference !== null) known.add(acquirerReference);
      const row = acquirerReference === null ? undefined : ledger.get(acquirerReference);
      const ended = state === 'declined' ? 'declined' : 'approved';
      // A payment of unknown outcome was reversed, and declined.
      const isRight = ended === 'approved' ? row?.approved === 1 : !row || !stands(row);
      if (outcome !== ended || !isRight)
        breach(
          'P2',
          `${reference} was reported as ${outcome}, is ${state}, and the acquirer has ${textOf(row)}`,
        );
    }
  }
  checkAgreements(requests, breach);
  await checkRegistrations(cards, store, entityId, breach);
  return known;
}

function textOf(row: LedgerRow | undefined): string {
  if (row?.approved !== 1) return 'no approval';
  return `approved ${row.amountMinor} and reversed ${row.reversedMinor} minor units`;
}

function checkAgreements(requests: readonly SharedRequest[], breach: Breach): void {
  const owners = new Map<string, string>();
  for (const { agreement, outcome, reference } of requests) {
    if (!agreement || outcome !== 'approved') continue;
    const owner = owners.get(agreement.id) ?? agreement.pan;
    owners.set(agreement.id, owner);
    if (owner !== agreement.pan)
      breach('P2', `${reference} has begun ${agreement.id}, which another card had begun`);
  }
}

async function checkRegistrations(
  cards: readonly SharedCard[],
  store: Judged,
  entityId: string,
  breach: Breach,
): Promise<void> {
  const active = new Map<string, string>();
  for (const { id, merchantId, state, fingerprint } of await allRows(store, 'registrations')) {
    if (merchantId !== entityId || state !== 'active') continue;
    const other = active.get(fingerprint);
    if (other !== undefined) breach('P2', `registration ${id} is that of ${other} once more`);
    active.set(fingerprint, id);
  }
  for (const { customerId, ids } of cards) {
    const reported = new Set(ids);
    if (reported.size > 1)
      breach('P2', `a card of ${customerId} was reported as ${reported.size} registrations`);
    for (const id of reported)
      if ((await store.get('registrations', [id]))?.state !== 'active')
        breach('P5', `registration ${id} of ${customerId} was reported, and is none`);
  }
}

/** What a merchant has by the answers it got: taken, less what was given back. The reversal of a hold gives back what was not taken. */
export function reportedSums(requests: readonly SharedRequest[]): Sums {
  const approved = requests.filter(({ outcome }) => outcome === 'approved');
  const reversed = new Set(approved.flatMap(({ kind, of }) => (kind === 'reversal' && of ? [of] : [])));
  const sums = new Map<string, number>();
  for (const request of approved) {
    const { kind, amount, of } = request;
    // What is left of a payment that was reversed is nothing.
    if (kind === 'payment' ? reversed.has(request) : kind === 'refund' && of && reversed.has(of)) continue;
    sums.set(amount.currency, (sums.get(amount.currency) ?? 0) + SIGNS[kind] * amount.minor);
  }
  return sums;
}

const SIGNS: Readonly<Record<SharedRequest['kind'], number>> = {
  ...{ payment: 1, capture: 1, refund: -1, hold: 0, reversal: 0 },
};

/** The same by the acquirer's ledger. */
export function ledgerSums(rows: readonly LedgerRow[], known: ReadonlySet<string>): Sums {
  const sums = new Map<string, number>();
  for (const row of rows)
    if (known.has(row.acquirerReference))
      sums.set(row.currency, (sums.get(row.currency) ?? 0) + heldOf(asRecordEntry(row)));
  return sums;
}

function heldOf({ approved, kind, capturedMinor, refundedMinor, chargedBackMinor }: RecordEntry): number {
  const isRoot = kind === 'authorization' || kind === 'advice' || kind === 'receipt';
  if (!approved || isChargebackKind(kind)) return 0;
  return isRoot ? capturedMinor - refundedMinor - chargedBackMinor : 0;
}

/** What differs from the answers, in words. */
export function differencesOf(reported: Sums, others: Readonly<Record<string, Sums>>): readonly string[] {
  return Object.entries(others).flatMap(([name, sums]) =>
    [...new Set([...reported.keys(), ...sums.keys()])]
      .filter((currency) => (reported.get(currency) ?? 0) !== (sums.get(currency) ?? 0))
      .map(
        (currency) =>
          `the answers to the merchant sum up to ${reported.get(currency) ?? 0} ${currency} minor units, ${name} has ${sums.get(currency) ?? 0}`,
      ),
  );
}
