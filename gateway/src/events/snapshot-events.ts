import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { BinTable } from '../payments/decide/bin-table.js';
import type { PaymentEvents } from '../payments/flow/payment-context.js';
import { answerFrame } from '../payments/view/answer-frame.js';
import { paymentAnswer } from '../payments/view/payment-view.js';
import { newTimeOrderedId } from '../store/new-id.js';
import type { PaymentRow } from '../store/rows.js';
import type { Change, Store } from '../store/store.js';
import { EVENT_KEEP_MS, eventChanges } from './event-changes.js';
import { notificationFields } from './payment-notification.js';
import { type Subscriber, Subscribers } from './subscribers.js';

/** What events are made with. */
export interface SnapshotEventsParts {
  readonly store: Pick<Store, 'get' | 'find'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly random: Random;
  readonly bins: BinTable;
  readonly buildNumber: string;
}

/** Events of payments with the payment as it was in that commit: what is delivered later, or again, says the same. */
export class SnapshotEvents implements PaymentEvents {
  readonly #parts: SnapshotEventsParts;
  readonly #subscribers: Subscribers;

  constructor(parts: SnapshotEventsParts) {
    this.#parts = parts;
    this.#subscribers = new Subscribers(parts.store, parts.clock);
  }

  async of(entityId: string): Promise<(payment: PaymentRow, nowMs: number) => readonly Change[]> {
    const entity = await this.#parts.store.get('entities', [entityId]);
    const subscribers = entity ? await this.#subscribers.of(entity) : [];
    return (payment, nowMs) => this.#changes(payment, nowMs, entity?.name ?? '', subscribers);
  }

  #changes(
    payment: PaymentRow,
    nowMs: number,
    entityName: string,
    subscribers: readonly Subscriber[],
  ): readonly Change[] {
    const { bins, buildNumber, random } = this.#parts;
    const id = newTimeOrderedId(random, nowMs);
    const frame = answerFrame(payment.resultCode, { buildNumber, ndc: id, nowMs });
    const payload = {
      ...paymentAnswer(payment, frame, { bins, entityName }),
      ...notificationFields(payment, entityName),
    };
    const event = {
      id,
      entityId: payment.entityId,
      kind: kindOf(payment),
      paymentId: payment.id,
      payload: JSON.stringify(payload),
      expiresAtMs: nowMs + EVENT_KEEP_MS,
      createdAtMs: nowMs,
      version: 1,
    };
    return eventChanges(event, 'PAYMENT', subscribers);
  }
}

function kindOf({ offline, state }: PaymentRow): string {
  return offline !== null && state === 'declined' ? 'offline-sale-declined' : 'payment';
}
