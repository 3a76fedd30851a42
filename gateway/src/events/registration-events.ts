import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { answerFrame } from '../payments/view/answer-frame.js';
import { registrationAnswer } from '../payments/view/registration-view.js';
import { newTimeOrderedId } from '../store/new-id.js';
import type { RegistrationRow } from '../store/rows.js';
import type { Change } from '../store/store.js';
import type { EntityEvents } from './entity-events.js';
import type { EventKind } from './event-kinds.js';

/** What events of registrations are made with. */
export interface RegistrationEventParts {
  readonly events: EntityEvents;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
  readonly buildNumber: string;
}

/**
 * The changes that tell the merchant what became of a registration without a payment, with the registration as it was in that commit.
 * @param resultCode of what was asked for
 * @throws StoreUnavailableError
 */
export async function registrationEvent(
  { events, clock, random, buildNumber }: RegistrationEventParts,
  kind: Extract<EventKind, `registration-${string}`>,
  row: RegistrationRow,
  resultCode: string,
): Promise<readonly Change[]> {
  const { changes } = await events.of(row.entityId);
  const nowMs = clock.nowMs();
  const id = newTimeOrderedId(random, nowMs);
  const payload = registrationAnswer(row, answerFrame(resultCode, { buildNumber, ndc: id, nowMs }));
  return changes({ id, kind, paymentId: null, payload, nowMs });
}
