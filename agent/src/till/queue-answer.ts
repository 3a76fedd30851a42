import { formatAmount } from '@tillbridge/protocol/payment/money.js';
import type { QueueItem } from '../journal/forward-queue.js';
import type { QueueView } from '../sale/desk.js';

/** Kinds of queued messages as tills read them. */
const KINDS = {
  reversal: 'reversal',
  offlineRecord: 'offline-record',
  capture: 'capture',
} as const satisfies Readonly<Record<QueueItem['kind'], string>>;

/** One queued message of `GET /v1/queue`. */
export interface QueueItemAnswer {
  readonly reference: string;
  readonly terminalId: string;
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
  readonly state: QueueItem['state'];
  readonly reason?: string;
  readonly messageId: string;
  readonly sequence: number;
  /** When it was journaled, ISO 8601. */
  readonly at: string;
  /** Decimal text. */
  readonly amount?: string;
  readonly currency?: string;
}

/** Body of `GET /v1/queue`. */
export type QueueAnswer = Omit<QueueView, 'items'> & { readonly items: readonly QueueItemAnswer[] };

/** The queue in the form of the agent's REST. */
export function queueAnswer(view: QueueView): QueueAnswer {
  return { ...view, items: view.items.map(itemAnswer) };
}

function itemAnswer(item: QueueItem): QueueItemAnswer {
  const { reference, terminalId, kind, state, reason, messageId, sequence, atMs, amount } = item;
  return {
    reference,
    terminalId,
    kind: KINDS[kind],
    state,
    ...(reason !== undefined && { reason }),
    messageId,
    sequence,
    at: new Date(atMs).toISOString(),
    ...(amount && { amount: formatAmount(amount), currency: amount.currency }),
  };
}
