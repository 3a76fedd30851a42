import { formatAmount } from '@tillbridge/wire/payment/money.js';
import type { QueueItem } from '../journal/forward-queue.js';
import type { LateDeclineView, QueueItemView, QueueView } from '../sale/service/sale-service.js';

/** Kinds of queued messages as tills read them. */
const KINDS = {
  reversal: 'reversal',
  cancelIfUnseen: 'cancel-if-unseen',
  offlineRecord: 'offline-record',
  capture: 'capture',
  voiceAuthorization: 'voice-authorization',
} as const satisfies Readonly<Record<QueueItem['kind'], string>>;

/** One queued message of `GET /v1/queue`. */
type QueueItemAnswer = ReturnType<typeof itemAnswer>;

/** Body of `GET /v1/queue`. */
export type QueueAnswer = Omit<QueueView, 'items' | 'lateDeclines'> & {
  readonly items: readonly QueueItemAnswer[];
  readonly lateDeclines: readonly LateDeclineAnswer[];
};

/** One late decline of `GET /v1/queue`: `at` is when the gateway reported it, ISO 8601. */
export type LateDeclineAnswer = Omit<LateDeclineView, 'atMs'> & { readonly at: string };

/** The queue in the form of the agent's REST. */
export function queueAnswer(view: QueueView): QueueAnswer {
  return {
    ...view,
    items: view.items.map(itemAnswer),
    lateDeclines: view.lateDeclines.map(lateDeclineAnswer),
  };
}

function lateDeclineAnswer({ atMs, ...lateDecline }: LateDeclineView): LateDeclineAnswer {
  return { ...lateDecline, at: new Date(atMs).toISOString() };
}

function itemAnswer(item: QueueItemView) {
  const { reference, terminalId, kind, state, reason, messageId, sequence, atMs, amount } = item;
  const { approval, expired } = item;
  return {
    reference,
    terminalId,
    kind: KINDS[kind],
    state,
    ...(reason !== undefined && { reason }),
    ...(approval && { approval }),
    ...(expired && { expired }),
    messageId,
    sequence,
    at: new Date(atMs).toISOString(),
    ...(amount && { amount: formatAmount(amount), currency: amount.currency }),
  };
}
