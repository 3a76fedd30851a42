import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import type { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { stands } from '../parts/acquirer-host.js';
import type { Recorder } from './recorder.js';

/** One order of a merchant over REST, and how its payment ended as the merchant was answered; `undefined` before. */
export interface Order {
  /** When it was last sent, by the monotonic clock in milliseconds. */
  sentAtMs?: number;
  readonly reference: string;
  readonly minor: number;
  isPaid?: boolean;
}

/** All orders of a merchant. */
export interface Orders {
  readonly entityId: string;
  readonly orders: readonly Order[];
}

/**
 * P2 over REST: an order is charged once where the answer to its merchant is that it is paid, and not at all otherwise.
 * @returns references at the acquirer of all payments of the orders
 */
export async function checkOrders(
  { orders, entityId }: Orders,
  store: Pick<MemoryStore, 'find'>,
  rows: readonly LedgerRow[],
  recorder: Pick<Recorder, 'breach'>,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const { reference, isPaid, minor } of orders) {
    const payments = await store.find('payments', 'reference', [entityId, reference]);
    const own = new Set(payments.map(({ acquirerReference }) => acquirerReference));
    const standing = rows.filter((row) => own.has(row.acquirerReference) && stands(row));
    for (const each of own) if (each !== null) known.add(each);
    const sum = standing.reduce((total, { amountMinor }) => total + amountMinor, 0);
    if (sum !== (isPaid ? minor : 0))
      recorder.breach(
        'P2',
        `${sum} stand for order ${reference} of ${minor}, reported as ${reportedAs(isPaid)}`,
      );
  }
  return known;
}

function reportedAs(isPaid: boolean | undefined): string {
  if (isPaid === undefined) return 'nothing';
  return isPaid ? 'paid' : 'declined';
}
