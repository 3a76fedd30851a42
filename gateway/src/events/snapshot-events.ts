import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { mandateMail } from '../outbox/mandate-mail.js';
import type { BinTable } from '../payments/decide/bin-table.js';
import { verificationResultsOf } from '../payments/decide/verification-results.js';
import type { PaymentEvents } from '../payments/flow/payment-context.js';
import { answerFrame } from '../payments/view/answer-frame.js';
import { paymentAnswer } from '../payments/view/payment-view.js';
import { newTimeOrderedId } from '../store/new-id.js';
import type { PaymentRow } from '../store/rows.js';
import type { Change, Store } from '../store/store.js';
import { EVENT_KEEP_MS, eventChanges } from './event-changes.js';
import type { EventKind } from './event-kinds.js';
import { notificationFields, registrationOf } from './payment-notification.js';
import { type Subscriber, Subscribers } from './subscribers.js';

/** What events are made with. */
export interface SnapshotEventsParts {
  readonly store: Pick<Store, 'get' | 'find'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly random: Random;
  readonly bins: BinTable;
  readonly buildNumber: string;
  /** Payers of direct debits are told by e-mail. */
  readonly sendsMail?: boolean;
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
    const name = entity?.name ?? '';
    return (payment, nowMs) => [
      ...this.#changes(payment, nowMs, name, subscribers),
      ...(this.#parts.sendsMail ? mandateMail(payment, name, nowMs) : []),
    ];
  }

  #changes(
    payment: PaymentRow,
    nowMs: number,
    entityName: string,
    subscribers: readonly Subscriber[],
  ): readonly Change[] {
    const { bins, buildNumber, random } = this.#parts;
    const ndc = newTimeOrderedId(random, nowMs);
    const answer = paymentAnswer(payment, answerFrame(payment.resultCode, { buildNumber, ndc, nowMs }), {
      bins,
      entityName,
    });
    const told = { ...answer, ...notificationFields(payment, entityName) };
    const { registrationId } = verificationResultsOf(payment);
    return [
      ...eventChanges(eventRow(ndc, kindOf(payment), payment, told, nowMs), subscribers),
      ...(registrationId === undefined
        ? []
        : eventChanges(
            eventRow(
              newTimeOrderedId(random, nowMs),
              'registration-created',
              payment,
              registrationOf(answer, registrationId),
              nowMs,
            ),
            subscribers,
          )),
    ];
  }
}

function eventRow<Kind extends EventKind>(
  id: string,
  kind: Kind,
  { id: paymentId, entityId }: PaymentRow,
  payload: object,
  nowMs: number,
) {
  return {
    id,
    entityId,
    kind,
    paymentId,
    payload: JSON.stringify(payload),
    expiresAtMs: nowMs + EVENT_KEEP_MS,
    createdAtMs: nowMs,
    version: 1,
  };
}

function kindOf({ offline, state }: PaymentRow): EventKind {
  return offline !== null && state === 'declined' ? 'offline-sale-declined' : 'payment';
}
