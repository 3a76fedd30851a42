import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import { eventsOfPayment } from '@tillbridge/gateway/core/payments/events/stored-events.test.support.js';
import type { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { stands } from '../parts/acquirer-host.js';
import type { WaitEnd, WaitingOrder, WaitingOrders } from '../parts/waiting-order.js';
import type { Recorder } from './recorder.js';

/** Codes of waits that ended at their deadline. */
const EXPIRED = /^(100\.396\.103|100\.380\.501)$/;

/** The first outcome that a merchant received of a payment that waited. Times are those of the simulation. */
export interface ReportedEnd {
  readonly end: WaitEnd;
  readonly code: string;
  /** Its deadline, where it is known. */
  readonly dueAtMs: number | undefined;
  /** It waited, and ends at its deadline by clocks that were right. */
  readonly hasDeadline: boolean;
  readonly nowMs: number;
}

/**
 * What is wrong with a first outcome: it is not what the shopper decided, or comes before the deadline without them. A wait is over once its
 * deadline is, or once it was ended as overdue, whichever comes first: a decision after that is too late, and a second end changes nothing.
 */
export function wrongEnd(order: WaitingOrder, reported: ReportedEnd): string | undefined {
  const { reference, decided, endedAtMs } = order;
  const { end, code, dueAtMs, hasDeadline, nowMs } = reported;
  const hasApproved = decided?.decision === 'approved';
  if (end === 'paid')
    return hasApproved ? undefined : `${reference} is paid, and its shopper did not approve it`;
  if (!hasDeadline) return undefined;
  const overAtMs = Math.min(dueAtMs ?? Number.POSITIVE_INFINITY, endedAtMs ?? Number.POSITIVE_INFINITY);
  if (!decided && overAtMs > nowMs)
    return `${reference} ended (${code}) before its deadline, without a decision`;
  const isInTime = decided !== undefined && decided.atMs < overAtMs;
  return hasApproved && isInTime && EXPIRED.test(code)
    ? `${reference} expired (${code}), and its shopper had approved it`
    : undefined;
}

/**
 * Payments that waited have one outcome each: the one that was reported, in the store, in one event and at the acquirer; and nothing that was
 * kept for a later step is left.
 * @returns references at the acquirer of all payments that waited
 */
export async function checkWaits(
  { orders, entityId }: Pick<WaitingOrders, 'orders' | 'entityId'>,
  store: Pick<MemoryStore, 'find' | 'findAfter' | 'get'>,
  rows: readonly LedgerRow[],
  recorder: Pick<Recorder, 'breach'>,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const { reference } of await store.find('intents', 'state', ['waiting']))
    recorder.breach('P3', `${reference} waits for ever`);
  for (const order of orders) {
    const { reference, minor } = order;
    const payments = await store.find('payments', 'reference', [entityId, reference]);
    if (payments.length > 1) recorder.breach('P2', `${reference} has ${payments.length} payments`);
    for (const { id, acquirerReference, state } of payments) {
      const standing = rows.filter((row) => row.acquirerReference === acquirerReference && stands(row));
      if (acquirerReference !== null) known.add(acquirerReference);
      const sum = standing.reduce((total, { capturedMinor }) => total + capturedMinor, 0);
      const end = state === 'captured' ? 'paid' : 'declined';
      if (sum !== (end === 'paid' ? minor : 0) || end !== order.end)
        recorder.breach(
          'P2',
          `${sum} stand for ${reference} of ${minor}, ${state}, reported as ${order.end}`,
        );
      await checkOne(order, id, store, recorder);
    }
  }
  return known;
}

async function checkOne(
  { reference }: WaitingOrder,
  paymentId: string,
  store: Pick<MemoryStore, 'find' | 'findAfter' | 'get'>,
  recorder: Pick<Recorder, 'breach'>,
): Promise<void> {
  // The result of its risk check is a separate event.
  const all = await eventsOfPayment(store, paymentId);
  const events = all.filter(({ kind }) => kind === 'payment');
  if (events.length !== 1) recorder.breach('P2', `${reference} is reported by ${events.length} events`);
  const wait = await store.get('waits', [paymentId]);
  if (!wait) return;
  const { untilMs, endedAtMs, sealed, redirect } = wait;
  if (untilMs !== null || endedAtMs === null) recorder.breach('P3', `${reference} waits on after its end`);
  if (sealed !== null || redirect !== null)
    recorder.breach('P7', `${reference} keeps what its later steps needed`);
}
