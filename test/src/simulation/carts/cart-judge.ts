import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import type { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { TEST_GIFT_CARDS } from '@tillbridge/wire/payment/test-gift-cards.js';
import { stands } from '../parts/acquirer-host.js';
import type { CartRequest, CartRequests } from './cart-request.js';

type Breach = (text: string) => void;

/** How it is judged. */
interface CartJudgeOptions {
  /** Whether all that refused orders had paid must be given back by now. */
  readonly isComplete: boolean;
  readonly breach: Breach;
}

/** A part, and the row of the acquirer's ledger that it has. */
interface KnownPart {
  readonly part: CartRequest;
  readonly row: LedgerRow;
}

/**
 * P2 of orders that gift cards pay for: each request has one payment, which ended as it was answered. A part pays for one order of the same merchant,
 * and is given back where that is refused. A gift card has what was loaded, less what was paid, and what was given back.
 * @returns references at the acquirer of all their payments
 */
export async function checkCarts(
  { requests, entityIds }: CartRequests,
  store: Pick<MemoryStore, 'find'>,
  rows: readonly LedgerRow[],
  { isComplete, breach }: CartJudgeOptions,
): Promise<ReadonlySet<string>> {
  const ledger = new Map(rows.map((row) => [row.acquirerReference, row]));
  const known = new Map<CartRequest, LedgerRow>();
  const references = new Set<string>();
  for (const request of requests) {
    const { reference, outcome, entityId } = request;
    const payments = await store.find('payments', 'reference', [entityId, reference]);
    if (payments.length > 1) breach(`${reference} has ${payments.length} payments`);
    if (payments.length === 0 && outcome === 'approved') breach(`${reference} was approved, and is none`);
    for (const { id, acquirerReference, state } of payments) {
      const row = acquirerReference === null ? undefined : ledger.get(acquirerReference);
      // What a refused order paid is given back without a request of the merchant.
      for (const each of [{ acquirerReference }, ...(await store.find('payments', 'root', [id]))])
        if (each.acquirerReference !== null) references.add(each.acquirerReference);
      if (row) known.set(request, row);
      const ended = state === 'declined' ? 'declined' : 'approved';
      const isRight = ended === 'approved' ? row?.approved === 1 : !row || !stands(row);
      if (outcome !== ended || !isRight)
        breach(
          `${reference} was reported as ${outcome}, is ${state}, and at the acquirer ${row?.approved ?? 'absent'}`,
        );
    }
  }
  const parts = requests.flatMap((part): KnownPart[] => {
    const row = part.kind === 'part' && part.outcome === 'approved' ? known.get(part) : undefined;
    return row ? [{ part, row }] : [];
  });
  const [own = ''] = entityIds;
  for (const each of parts) checkPart(each, { requests, own, isComplete, breach });
  checkBalances(requests, known, rows, breach);
  return references;
}

/** What became of a part: it pays for the one order that was approved, else it was given back. */
function checkPart(
  { part, row }: KnownPart,
  {
    requests,
    own,
    isComplete,
    breach,
  }: CartJudgeOptions & Pick<CartRequests, 'requests'> & { readonly own: string },
): void {
  const orders = requests.filter(({ kind, parts }) => kind === 'order' && parts?.includes(part));
  const paid = orders.filter(({ outcome }) => outcome === 'approved');
  for (const { entityId, reference } of paid)
    if (entityId !== own) breach(`order ${reference} was paid with ${part.reference} of another merchant`);
  if (paid.length > 1)
    breach(`${part.reference} pays for ${paid.map(({ reference }) => reference).join(' and ')}`);
  const takenBack = requests.filter(({ of, outcome }) => of === part && outcome === 'approved');
  const wasReversed = takenBack.some(({ kind }) => kind === 'reversal');
  const byMerchant = wasReversed
    ? part.amount.minor
    : takenBack.reduce((sum, { amount }) => sum + amount.minor, 0);
  const refused = orders.some(({ entityId, outcome }) => entityId === own && outcome === 'declined');
  const givenBack = row.reversedMinor + row.refundedMinor;
  // An order that finds a part of which some was given back leaves it to its merchant.
  const isLeft = paid.length > 0 || !refused;
  const mayBe = [
    ...(isLeft || byMerchant > 0 || !isComplete ? [byMerchant] : []),
    ...(isLeft ? [] : [part.amount.minor]),
  ];
  if (!mayBe.includes(givenBack))
    breach(
      `${givenBack} of ${part.amount.minor} of ${part.reference} were given back, and should be ${mayBe.join(' or ')}: ` +
        `orders ${orders.map(({ reference, outcome }) => `${reference} ${outcome}`).join(', ')}`,
    );
}

/** A gift card has what was on it and was loaded, less what parts still hold; and nothing else took of it. */
function checkBalances(
  requests: readonly CartRequest[],
  known: ReadonlyMap<CartRequest, LedgerRow>,
  rows: readonly LedgerRow[],
  breach: Breach,
): void {
  for (const { number, openingMinor } of TEST_GIFT_CARDS) {
    const own = requests.filter(({ giftCard, outcome }) => giftCard === number && outcome === 'approved');
    let wanted = openingMinor;
    for (const request of own) {
      const row = known.get(request);
      if (request.kind === 'load') wanted += request.amount.minor;
      else if (row) wanted -= request.amount.minor - row.reversedMinor - row.refundedMinor;
    }
    const hash = own.map((request) => known.get(request)?.giftCard).find((each) => each);
    const ofCard = rows.filter(
      ({ giftCard, approved }) => approved === 1 && giftCard !== null && giftCard === hash,
    );
    let balance = openingMinor;
    for (const { kind, amountMinor, reversedMinor, refundedMinor } of ofCard)
      balance += (kind === 'credit' ? 1 : -1) * (amountMinor - reversedMinor - refundedMinor);
    if (balance !== wanted)
      breach(`gift card ..${number.slice(-4)} has ${balance} left, by the answers to its merchant ${wanted}`);
    if (wanted < 0) breach(`gift card ..${number.slice(-4)} has paid ${-wanted} more than it had`);
  }
}
