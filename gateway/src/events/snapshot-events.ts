import type { Random } from '@tillbridge/protocol/seams/random.js';
import { mandateMail } from '../outbox/mandate-mail.js';
import type { BinTable } from '../payments/decide/bin-table.js';
import { verificationResultsOf } from '../payments/decide/verification-results.js';
import type { PaymentEvents } from '../payments/flow/payment-context.js';
import { answerFrame } from '../payments/view/answer-frame.js';
import { paymentAnswer } from '../payments/view/payment-view.js';
import { newTimeOrderedId } from '../store/new-id.js';
import type { PaymentRow } from '../store/rows.js';
import type { Change } from '../store/store.js';
import type { EntityEvents, EventsOfEntity } from './entity-events.js';
import type { EventKind } from './event-kinds.js';
import { notificationFields, registrationOf } from './payment-notification.js';

/** What events are made with. */
export interface SnapshotEventsParts {
  readonly events: EntityEvents;
  readonly random: Random;
  readonly bins: BinTable;
  readonly buildNumber: string;
  /** Payers of direct debits are told by e-mail. */
  readonly sendsMail?: boolean;
}

/** Events of payments with the payment as it was in that commit: what is delivered later, or again, says the same. */
export class SnapshotEvents implements PaymentEvents {
  readonly #parts: SnapshotEventsParts;

  constructor(parts: SnapshotEventsParts) {
    this.#parts = parts;
  }

  async of(entityId: string): Promise<(payment: PaymentRow, nowMs: number) => readonly Change[]> {
    const ofEntity = await this.#parts.events.of(entityId);
    const name = ofEntity.entity?.name ?? '';
    return (payment, nowMs) => [
      ...this.#changes(payment, nowMs, ofEntity),
      ...(this.#parts.sendsMail ? mandateMail(payment, name, nowMs) : []),
    ];
  }

  #changes(payment: PaymentRow, nowMs: number, { entity, changes }: EventsOfEntity): readonly Change[] {
    const { bins, buildNumber, random } = this.#parts;
    const { id: paymentId, resultCode } = payment;
    const entityName = entity?.name ?? '';
    const ndc = newTimeOrderedId(random, nowMs);
    const answer = paymentAnswer(payment, answerFrame(resultCode, { buildNumber, ndc, nowMs }), {
      bins,
      entityName,
    });
    const told = { ...answer, ...notificationFields(payment, entityName) };
    const { registrationId } = verificationResultsOf(payment);
    return [
      ...changes({ id: ndc, kind: kindOf(payment), paymentId, payload: told, nowMs }),
      ...(registrationId === undefined
        ? []
        : changes({
            id: newTimeOrderedId(random, nowMs),
            kind: 'registration-created',
            paymentId,
            payload: registrationOf(answer, registrationId),
            nowMs,
          })),
    ];
  }
}

function kindOf({ offline, state }: PaymentRow): EventKind {
  return offline !== null && state === 'declined' ? 'offline-sale-declined' : 'payment';
}
